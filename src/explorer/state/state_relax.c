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

bool
state_repair(const struct state *state, struct repair *repair)
{
	const struct constraint *constraint = what_refutes(state);
	const struct relaxers *relaxers =
		constraint && !state_stale(state) ? state_relaxers(state, state_why_row(state)) : NULL;
	const struct relaxer *best = NULL;

	for (size_t i = 0; relaxers && i < relaxers->n; i++) {
		const struct relaxer *x = &relaxers->one[i];
		bool frees = state->view.selected < x->n_frees && x->frees[state->view.selected];

		if (!x->legal || !x->together || !state_relaxes(constraint, x))
			continue;
		if (!best || frees)
			best = x;
		if (frees) {
			*repair = (struct repair){
				.added = x->added, .frees = true, .freed = x->alone, .asked = relaxers->asked};
			return true;
		}
	}
	if (best)
		*repair = (struct repair){.added = best->alone ? best->added : best->all,
			.freed = best->alone ? best->alone : best->together, .asked = relaxers->asked};
	return best != NULL;
}

void
state_act_repair(struct state *state)
{
	struct fset on = state->question.on;
	struct repair repair;
	struct str names = {0};

	if (!what_refutes(state)) {
		state_say(state, false, "nothing refutes this observation, so there is nothing to repair");
		return;
	}
	if (!state_repair(state, &repair)) {
		state_say(state, false,
			state_stale(state) || !state_relaxers(state, state_why_row(state))
				? "what would repair it is still being computed" : "no feature that is off repairs it");
		return;
	}
	on = fset_or(on, repair.added);
	words_features(state->question.model, &repair.added, &names);
	state_switch_to(state, &on);
	state_say(state, false, "%s switched on; U takes it back", str_text(&names));
	str_free(&names);
}
