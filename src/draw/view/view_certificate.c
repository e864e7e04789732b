/* Refutations in words, and how the numbers of a constraint are made. */
#include "draw/view/view_constraint.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "app/judge/words.h"
#include "base/str.h"
#include "core/udd/model.h"

const struct breach *
constraint_told(const struct session *s, const struct constraint_row *row)
{
	const struct breach *b = constraint_breach(row, s->selected);

	return b ? b : row->n_breaches ? row->breach : NULL;
}

void
whence_constraint(const struct session *s, const struct finding *f, struct str *out)
{
	const struct constraint_row *row = session_constraint(s);
	char number[NUMBER_TEXT], other[NUMBER_TEXT];
	const struct slack *k;
	char *text;

	if (!row)
		return;
	text = relation_text(row->c->text);
	str_addf(out, "%s\n", text);
	free(text);
	str_addf(out, "breaks %zu of %zu: observations whose whole region lies beyond it\n", row->n_breaches, s->result->n_findings);
	if (row->index == CONSTRAINT_NONE || row->index >= f->n_slacks || isnan(f->slack[row->index].at)) {
		str_add(out, "This observation lacks one of its counters.\n\n");
		return;
	}
	k = &f->slack[row->index];
	str_add(out, "Σ coef·mean = ");
	for (size_t i = 0, some = 0; i < row->c->n; i++)
		if (row->c->coef[i]) {
			int64_t c = row->c->coef[i];

			str_addf(out, "%s%" PRIu64 " × %s", c < 0 ? some ? " − " : "−" : some ? " + " : "", c < 0 ? 0 - (uint64_t)c : (uint64_t)c,
				 number_count(number, f->value[i], false));
			some++;
		}
	str_addf(out, " = %s\n", number_count(number, k->at, false));
	str_addf(out, "the region reaches %s from there to either side%s\n", number_count(number, k->reach, false), f->exact ? ": the totals are exact" : "");
	str_addf(out, "size Σ |coef|·mean = %s; slack %.4g, margin %.4g of it\n\n", number_count(other, k->size, false), k->size > 0 ? k->at / k->size : 0,
		 k->size > 0 ? (row->c->equality ? fabs(k->at) - k->reach : -k->at - k->reach) / k->size : 0);
}

/* In view 2 of the constraint under the cursor, in view 3 of all that the observation breaks. */
int
draw_certificate_popup(const struct session *s, struct grid *g, struct rect screen)
{
	const struct constraint_row *row = s->view == VIEW_CONSTRAINTS ? session_constraint(s) : NULL;
	const struct breach *b = row ? constraint_told(s, row) : NULL;
	const struct finding *f = b ? &s->result->finding[b->finding] : row ? NULL : session_finding(s);
	struct rect in = draw_popup(g, screen, 100, screen.h - 6, f ? f->name : "Certificate", "why, in words");
	struct page p = {.s = s, .g = g, .r = in, .skip = s->popup_cursor};
	const struct constraint *c = b ? b->violated : f && f->n_violated ? f->violated : f && f->n_certificates ? f->certificate : NULL;
	struct str text = {0};

	if (c) {
		char *relation = relation_text(c->text), *plain;

		page_head(&p, relation, "");
		page_blank(&p);
		words_refutation(s->model, c, f, s->how.confidence, &text);
		plain = relation_text(str_text(&text));
		page_words(&p, ROLE_TEXT, plain);
		free(plain);
		free(relation);
		for (size_t i = 0; !b && i < f->n_violated; i++) {
			if (&f->violated[i] == c)
				continue;
			page_blank(&p);
			relation = relation_text(f->violated[i].text);
			page_head(&p, relation, "broken too");
			free(relation);
			str_clear(&text);
			words_data(s->model, &f->violated[i], f, &text);
			page_words(&p, ROLE_TEXT, str_text(&text));
		}
	} else if (row) {
		words_rule(s->model, row->c, &text);
		page_words(&p, ROLE_TEXT, str_text(&text));
		page_words(&p, ROLE_DIM, "No observation breaks it, so there is nothing to prove.");
	} else {
		page_words(&p, ROLE_TEXT, f && f->reason ? f->reason : "It is feasible: some mix of µpaths gives these counts, so there is nothing to refute.");
	}
	str_free(&text);
	return page_rows(&p);
}
