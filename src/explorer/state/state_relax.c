#include "explorer/state/state_relax.h"

#include <stdio.h>

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
state_why_row(const struct state *s)
{
	const struct constraint *c = what_refutes(s);

	for (size_t i = 0; c && s->answers.constraints && i < s->answers.constraints->n; i++) {
		const struct constraint_breach *b =
			constraint_breach(&s->answers.constraints->row[i], s->view.selected);

		if (b && b->violated == c)
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
add_relaxer(const struct state *s, const struct relaxers *r, const struct relaxer *x, struct str *out)
{
	words_features(s->question.model, &x->added, out);
	if (r->asked) {
		str_addf(out, " frees %zu of %zu alone", x->alone, r->asked);
		if (!fset_equal(&x->all, &x->added)) {
			str_addf(out, ", %zu as ", x->together);
			words_features(s->question.model, &x->all, out);
		}
	} else {
		str_addf(out, ": %zu signature%s would break it", x->signatures, x->signatures == 1 ? "" : "s");
	}
	str_addc(out, '\n');
	if (x->tie != RELAX_NONE && x->tie < r->n && r->asked) {
		str_add(out, "the same observations as ");
		words_features(s->question.model, &r->one[x->tie].added, out);
		str_add(out,
			x->same_cone ? ", and the same cone: nothing counted here tells them apart\n"
				     : "; their cones differ\n");
	}
	str_addf(out, "\n%s\n", x->steps);
}

bool
state_relaxes(const struct constraint *c, const struct relaxer *x)
{
	return x->signatures && (!c || !c->equality || (c->excess > 0 ? x->above : x->below));
}

bool
state_show_relaxers(struct state *s, size_t row, const struct constraint *c)
{
	const struct relaxers *r = state_relaxers(s, row);
	struct str text = {0};

	for (size_t i = 0; r && i < r->n; i++)
		if (state_relaxes(c, &r->one[i]))
			add_relaxer(s, r, &r->one[i], &text);
	if (!text.n)
		return false;
	state_show_text(s, POPUP_WITNESS, "µpaths that would relax it", text.s);
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
