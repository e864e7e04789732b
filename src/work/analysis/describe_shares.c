/* Undecided observations whose counts contradict a constraint by more than any scaling explains.
 *
 * A count V that was scaled up from a share p of the time was V·p while it had a counter: a certain lower bound of the
 * truth. There is no certain upper bound, because everything may happen in the time without a counter. So this is no
 * refutation. But where the lower bound of one side of a constraint is more than the other side even when scaled up,
 * the turns of the counters would have to hide most of that side. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "work/analysis/describe.h"

#define SCALED_CODE "beyond-scaling"

/* The sides of a constraint Σ coef·v ≥ 0, or of its mirror image: what should be less, and what should be more. */
struct sides {
	double sure;   /* of the lesser side: what was counted */
	double less;   /* the same, scaled up */
	double more;   /* of the greater side, scaled up */
	double share;  /* of the lesser side: the least share of time with a counter */
};

static bool
weigh(const struct constraint *constraint, int sign, const struct finding *finding, struct sides *sides)
{
	*sides = (struct sides){.share = 1};
	for (size_t i = 0; i < constraint->n; i++) {
		double times = sign * (double)constraint->coef[i], v = finding->counter.value[i],
		       p = finding->counter.running[i];

		if (!constraint->coef[i])
			continue;
		if (!isfinite(v) || v < 0)
			return false;
		p = p > 0 && p < 1 ? p : 1;
		if (times > 0) {
			sides->more += times * v;
		} else {
			sides->less -= times * v;
			sides->sure -= times * v * p;
			sides->share = fmin(sides->share, p);
		}
	}
	return sides->more > 0 && sides->share < 1 && sides->sure > sides->more;
}

static char *
sentence(const struct constraint *c, const struct sides *s)
{
	char factor[NUMBER_TEXT], sure[NUMBER_TEXT], more[NUMBER_TEXT], share[NUMBER_TEXT];

	return str_format("%s is off by a factor of %s, more than scaling explains: of one side %s were counted in "
		"%s %% of the time, and the other side is %s even when scaled up to all of it",
		c->text, number_digits(factor, s->less / s->more, 2, true), number_count(sure, s->sure, true),
		number_share(share, s->share), number_count(more, s->more, true));
}

void
describe_shares(const struct result *result, struct finding *finding)
{
	const struct constraint *worst = NULL;
	struct sides most = {0};
	char *text;

	if (finding->verdict != VERDICT_UNDECIDED || !finding->reason)
		return;
	for (size_t k = 0; k < result->n_constraints; k++)
		for (int sign = 1; sign >= (result->constraint[k].equality ? -1 : 1); sign -= 2) {
			struct sides s;

			if (!weigh(&result->constraint[k], sign, finding, &s) ||
				(worst && s.sure / s.more <= most.sure / most.more))
				continue;
			worst = &result->constraint[k];
			most = s;
		}
	if (!worst)
		return;
	text = sentence(worst, &most);
	finding->warning = mem_resize(finding->warning, finding->n_warnings + 1, sizeof *finding->warning);
	finding->warning[finding->n_warnings++] = (struct result_note){.code = mem_str(SCALED_CODE), .text = text};
	text = str_format("%s. Yet %s", finding->reason, text);
	free(finding->reason);
	finding->reason = text;
}
