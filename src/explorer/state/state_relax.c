#include "explorer/state/state_relax.h"

#include <stdio.h>

#include "base/number.h"
#include "base/str.h"
#include "explorer/state/state.h"
#include "work/analysis/relax.h"
#include "work/analysis/touch.h"
#include "work/analysis/words.h"

/* The constraint that refutes the selected observation most; NULL: none. */
static const struct constraint *
what_refutes(const struct state *s)
{
	const struct finding *f = state_finding(s);

	if (!f || f->verdict != VERDICT_INFEASIBLE)
		return NULL;
	return f->proof.n_violated ? f->proof.violated : f->proof.n_certificates ? f->proof.certificate : NULL;
}

size_t
state_why_row(const struct state *state)
{
	const struct constraint *constraint = what_refutes(state);

	for (size_t i = 0; constraint && state->answers.constraints && i < state->answers.constraints->n; i++) {
		const struct constraint_breach *breach =
			constraint_breach(&state->answers.constraints->row[i], state->view.selected);

		if (breach && breach->violated == constraint)
			return i;
	}
	return CONSTRAINT_NONE;
}

const struct relaxers *
state_relaxers(const struct state *s, size_t row)
{
	const struct constraint_detail *t =
		s->answers.touch && s->answers.constraints && row < s->answers.constraints->n
			? s->answers.touch[row] : NULL;

	return t && !t->failed ? t->relax : NULL;
}

static void
add_relaxer(const struct state *state, const struct relaxers *relaxers, const struct relaxer *relaxer, struct str *out)
{
	words_features(state->question.model, &relaxer->added, out);
	if (relaxers->asked) {
		str_addf(out, " makes %zu of %zu feasible", relaxer->alone, relaxers->asked);
		if (!fset_equal(&relaxer->all, &relaxer->added)) {
			str_addf(out, ", %zu as ", relaxer->together);
			words_features(state->question.model, &relaxer->all, out);
		}
	} else {
		str_addf(out, ": %zu signature%s would break it", relaxer->signatures,
			plural_s(relaxer->signatures));
	}
	str_addc(out, '\n');
	if (relaxer->tie != RELAX_NONE && relaxer->tie < relaxers->n && relaxers->asked) {
		str_add(out, "the same observations as ");
		words_features(state->question.model, &relaxers->one[relaxer->tie].added, out);
		str_add(out,
			relaxer->same_cone ? ", and the same cone: nothing counted here tells them apart\n"
				     : "; their cones differ\n");
	}
	str_addf(out, "\n%s\n", relaxer->steps);
}

bool
state_relaxes(const struct constraint *c, const struct relaxer *x)
{
	return x->signatures && (!c || !c->equality || (c->excess > 0 ? x->above : x->below));
}

bool
state_show_relaxers(struct state *state, size_t row, const struct constraint *constraint)
{
	const struct relaxers *relaxers = state_relaxers(state, row);
	struct str text = {0};

	for (size_t i = 0; relaxers && i < relaxers->n; i++)
		if (state_relaxes(constraint, &relaxers->one[i]))
			add_relaxer(state, relaxers, &relaxers->one[i], &text);
	if (!text.n)
		return false;
	state_show_text(state, POPUP_WITNESS, "µpaths that would relax it", text.s);
	str_free(&text);
	return true;
}

void
state_open_why(struct state *s)
{
	size_t row = state_why_row(s);

	if (state_show_relaxers(s, row, what_refutes(s)))
		return;
	if (state_relaxers(s, row))
		state_say(s, false, "no feature that is off relaxes it");
	else if (state_finding(s))
		state_open_popup(s, POPUP_WHENCE);
}
