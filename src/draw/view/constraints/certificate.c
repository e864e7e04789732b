/* Refutations in words, and how the numbers of a constraint are made. */
#include "draw/view/constraints/constraints.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/str.h"
#include "core/udd/model.h"
#include "draw/view/view_relation.h"
#include "draw/view/view_table.h"
#include "work/analysis/words.h"

const struct constraint_breach *
constraint_shown_breach(const struct state *s, const struct constraint_row *row)
{
	const struct constraint_breach *b = constraint_breach(row, s->view.selected);

	return b ? b : row->n_breaches ? row->breach : NULL;
}

/* "Σ coef·mean = 2 × 14 − 3 × 9 = 1", each number in full. */
static void
certificate_add_sum(const struct constraint *constraint, const struct finding *finding, double sum, struct str *out)
{
	char number[NUMBER_TEXT];
	size_t some = 0;

	str_add(out, "Σ coef·mean = ");
	for (size_t i = 0; i < constraint->n; i++)
		if (constraint->coef[i]) {
			int64_t k = constraint->coef[i];

			str_addf(out, "%s%" PRIu64 " × %s",
				k < 0          ? (some ? " − " : "−")
					: some ? " + "
					       : "",
				k < 0 ? 0 - (uint64_t)k : (uint64_t)k,
				number_full(number, finding->counter.value[i], false));
			some++;
		}
	str_addf(out, " = %s\n", number_full(number, sum, false));
}

void
whence_constraint(struct page *page, const struct finding *finding)
{
	const struct state *state = page->s;
	const struct constraint_row *row = state_constraint(state);
	char number[NUMBER_TEXT], slack[NUMBER_TEXT], margin[NUMBER_TEXT];
	struct str out = {0};
	const struct constraint_slack *constraint_slack;
	char *text;

	if (!row)
		return;
	text = relation_pretty(row->c->text);
	page_relation(page, ROLE_TEXT, CELL_BOLD, 0, text);
	free(text);
	str_addf(&out, "breaks %zu of %zu: observations whose whole region lies beyond it\n", row->n_breaches,
		state->answers.result->n_findings);
	if (row->index == CONSTRAINT_NONE || row->index >= finding->n_slacks || isnan(finding->slack[row->index].at)) {
		str_add(&out, "This observation lacks one of the constraint's counters.\n");
	} else {
		constraint_slack = &finding->slack[row->index];
		certificate_add_sum(row->c, finding, constraint_slack->at, &out);
		str_addf(&out, "the region reaches %s from there to either side%s\n",
			number_count(number, constraint_slack->reach, false),
			finding->data.exact ? ": the totals are exact" : "");
		str_addf(&out, "size Σ |coef|·mean = %s; slack %s %%, margin %s %% of it\n",
			number_count(number, constraint_slack->size, false),
			number_share(
				slack, constraint_slack->size > 0 ? constraint_slack->at / constraint_slack->size : 0),
			number_share(margin,
				constraint_slack->size > 0
					? (row->c->equality ? fabs(constraint_slack->at) - constraint_slack->reach
							    : -constraint_slack->at - constraint_slack->reach) /
						constraint_slack->size
					: 0));
	}
	page_words(page, ROLE_TEXT, str_text(&out));
	page->row++;
	str_free(&out);
}

/* In view 2 the constraint under the cursor; in view 3 all constraints that the observation breaks. */
static int
draw_certificate_popup(const struct state *state, struct grid *grid, struct rect screen, int first)
{
	const struct constraint_row *row = state->view.current == VIEW_CONSTRAINTS ? state_constraint(state) : NULL;
	const struct constraint_breach *breach = row ? constraint_shown_breach(state, row) : NULL;
	const struct finding *finding = breach ? &state->answers.result->finding[breach->finding]
		: row                          ? NULL
					       : state_finding(state);
	struct rect in = draw_popup(
		grid, screen, 100, screen.h - 6, finding ? finding->name : "Certificate", "why, in words");
	struct page p = {.s = state, .g = grid, .r = in, .skip = first};
	const struct constraint *constraint = breach ? breach->violated
		: finding && finding->proof.n_violated ? finding->proof.violated
		: finding && finding->proof.n_certificates ? finding->proof.certificate : NULL;
	struct str text = {0};

	if (constraint) {
		char *relation = relation_pretty(constraint->text), *plain;

		page_relation(&p, ROLE_TEXT, CELL_BOLD, 0, relation);
		page_blank(&p);
		words_refutation(state->question.model, constraint, finding, state->question.how.confidence, &text);
		plain = relation_pretty(str_text(&text));
		page_words(&p, ROLE_TEXT, plain);
		free(plain);
		free(relation);
		for (size_t i = 0; !breach && i < finding->proof.n_violated; i++) {
			if (&finding->proof.violated[i] == constraint)
				continue;
			page_blank(&p);
			relation = relation_pretty(finding->proof.violated[i].text);
			page_head(&p, "Broken too", "");
			page_relation(&p, ROLE_TEXT, 0, 0, relation);
			free(relation);
			str_clear(&text);
			words_data(state->question.model, &finding->proof.violated[i], finding, &text);
			page_words(&p, ROLE_TEXT, str_text(&text));
		}
	} else if (row) {
		words_rule(state->question.model, row->c, &text);
		page_words(&p, ROLE_TEXT, str_text(&text));
		page_words(&p, ROLE_DIM, "No observation breaks it, so there is nothing to prove.");
	} else {
		page_words(&p, ROLE_TEXT,
			finding && finding->reason ? finding->reason
				       : "It is feasible: some mix of µpaths gives these counts, so there is nothing "
					 "to refute.");
	}
	str_free(&text);
	return page_rows(&p);
}

const struct popup_draw popup_draw_certificate = {.text = draw_certificate_popup};
