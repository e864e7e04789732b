/* Refutations in words, and how the numbers of a constraint are made. */
#include "draw/view/constraints/constraints.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/str.h"
#include "core/udd/model.h"
#include "draw/view/view_relation.h"
#include "work/analysis/words.h"

const struct constraint_breach *
constraint_shown_breach(const struct state *s, const struct constraint_row *row)
{
	const struct constraint_breach *b = constraint_breach(row, s->view.selected);

	return b ? b : row->n_breaches ? row->breach : NULL;
}

/* "Σ coef·mean = 2 × 14 − 3 × 9 = 1", each number in full. */
static void
certificate_add_sum(const struct constraint *c, const struct finding *f, double sum, struct str *out)
{
	char number[NUMBER_TEXT];
	size_t some = 0;

	str_add(out, "Σ coef·mean = ");
	for (size_t i = 0; i < c->n; i++)
		if (c->coef[i]) {
			int64_t k = c->coef[i];

			str_addf(out, "%s%" PRIu64 " × %s", k < 0 ? (some ? " − " : "−") : some ? " + " : "",
				k < 0 ? 0 - (uint64_t)k : (uint64_t)k, number_full(number, f->counter.value[i], false));
			some++;
		}
	str_addf(out, " = %s\n", number_full(number, sum, false));
}

void
whence_constraint(struct page *p, const struct finding *f)
{
	const struct state *s = p->s;
	const struct constraint_row *row = state_constraint(s);
	char number[NUMBER_TEXT], slack[NUMBER_TEXT], margin[NUMBER_TEXT];
	struct str out = {0};
	const struct constraint_slack *k;
	char *text;

	if (!row)
		return;
	text = relation_pretty(row->c->text);
	page_relation(p, ROLE_TEXT, CELL_BOLD, 0, text);
	free(text);
	str_addf(&out, "breaks %zu of %zu: observations whose whole region lies beyond it\n", row->n_breaches,
		s->answers.result->n_findings);
	if (row->index == CONSTRAINT_NONE || row->index >= f->n_slacks || isnan(f->slack[row->index].at)) {
		str_add(&out, "This observation lacks one of the constraint's counters.\n");
	} else {
		k = &f->slack[row->index];
		certificate_add_sum(row->c, f, k->at, &out);
		str_addf(&out, "the region reaches %s from there to either side%s\n",
			number_count(number, k->reach, false), f->data.exact ? ": the totals are exact" : "");
		str_addf(&out, "size Σ |coef|·mean = %s; slack %s %%, margin %s %% of it\n",
			number_count(number, k->size, false), number_share(slack, k->size > 0 ? k->at / k->size : 0),
			number_share(margin,
				k->size > 0 ? (row->c->equality ? fabs(k->at) - k->reach : -k->at - k->reach) / k->size
					    : 0));
	}
	page_words(p, ROLE_TEXT, str_text(&out));
	p->row++;
	str_free(&out);
}

/* In view 2 the constraint under the cursor; in view 3 all constraints that the observation breaks. */
int
draw_certificate_popup(const struct state *s, struct grid *g, struct rect screen, int first)
{
	const struct constraint_row *row = s->view.current == VIEW_CONSTRAINTS ? state_constraint(s) : NULL;
	const struct constraint_breach *b = row ? constraint_shown_breach(s, row) : NULL;
	const struct finding *f = b ? &s->answers.result->finding[b->finding] : row ? NULL : state_finding(s);
	struct rect in = draw_popup(g, screen, 100, screen.h - 6, f ? f->name : "Certificate", "why, in words");
	struct page p = {.s = s, .g = g, .r = in, .skip = first};
	const struct constraint *c = b ? b->violated
		: f && f->proof.n_violated ? f->proof.violated
		: f && f->proof.n_certificates ? f->proof.certificate : NULL;
	struct str text = {0};

	if (c) {
		char *relation = relation_pretty(c->text), *plain;

		page_relation(&p, ROLE_TEXT, CELL_BOLD, 0, relation);
		page_blank(&p);
		words_refutation(s->question.model, c, f, s->question.how.confidence, &text);
		plain = relation_pretty(str_text(&text));
		page_words(&p, ROLE_TEXT, plain);
		free(plain);
		free(relation);
		for (size_t i = 0; !b && i < f->proof.n_violated; i++) {
			if (&f->proof.violated[i] == c)
				continue;
			page_blank(&p);
			relation = relation_pretty(f->proof.violated[i].text);
			page_head(&p, "Broken too", "");
			page_relation(&p, ROLE_TEXT, 0, 0, relation);
			free(relation);
			str_clear(&text);
			words_data(s->question.model, &f->proof.violated[i], f, &text);
			page_words(&p, ROLE_TEXT, str_text(&text));
		}
	} else if (row) {
		words_rule(s->question.model, row->c, &text);
		page_words(&p, ROLE_TEXT, str_text(&text));
		page_words(&p, ROLE_DIM, "No observation breaks it, so there is nothing to prove.");
	} else {
		page_words(&p, ROLE_TEXT,
			f && f->reason ? f->reason
				       : "It is feasible: some mix of µpaths gives these counts, so there is nothing "
					 "to refute.");
	}
	str_free(&text);
	return page_rows(&p);
}
