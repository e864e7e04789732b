#include "work/calibrate/answers.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/curve/curve.h"
#include "core/curve/knee.h"
#include "text/diag.h"
#include "work/probe/probe_machine.h"
#include "work/probe/probes.h"

#define EACH 16u          /* points between two looks at a curve that grows */
#define BEYOND 24u        /* points that show that a knee is one */
#define ALIKE 0.01        /* latencies and bandwidths are known to 1 % */
#define NOTHING 1e-9

bool
probe_list_load(struct probe_list *list, char *const *names, size_t n, struct diags *diags, struct err *e)
{
	char **all = names ? NULL : probe_names();
	bool good = true;

	*list = (struct probe_list){0};
	while (all && all[n])
		n++;
	list->probe = mem_new_array(n ? n : 1, sizeof *list->probe);
	for (size_t i = 0; i < n && good; i++) {
		struct probe *probe = probe_load(all ? all[i] : names[i], diags, e);

		good = probe != NULL;
		if (good && all && probe->needs_native)
			probe_free(probe);
		else if (good)
			list->probe[list->n++] = probe;
		else if (diags->errors)
			err_set(e, "the probe %s cannot be used", all ? all[i] : names[i]);
	}
	str_split_free(all);
	if (good && list->n == 0)
		return err_set(e, "no probes are installed"), err_hint(e, "name files, as in ./mine.probe");
	return good;
}

void
probe_list_free(struct probe_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		probe_free(l->probe[i]);
	free(l->probe);
	*l = (struct probe_list){0};
}

bool
patience_goes_on(const struct patience *p)
{
	return !p || !p->go_on || p->go_on(p->ctx);
}

struct hearing {
	const struct probe *probe;
	const struct patience *patience;
	bool stopped; /* by the patience */
};

/* True when the curve has its first knee, and points enough beyond it. */
static bool
is_found(const struct probe *probe, const struct curve *curve)
{
	struct knees *knees;
	struct probe_answer a;
	bool found;

	if (probe->value != PROBE_KNEE || probe_is_pair(probe) || probe->over > 1 || probe->times > 1 ||
		curve->n < BEYOND || curve->n % EACH)
		return false;
	if (curve->point[curve->n - 1 - BEYOND / 2].mean < 1.3 * curve->point[0].mean)
		return false;
	knees = knees_find(curve);
	a = probe_answer_of(probe, knees);
	found = a.found && curve->point[curve->n - BEYOND].x > a.high - probe->counts;
	knees_free(knees);
	return found;
}

static bool
answers_hear(void *ctx, const struct curve *c)
{
	struct hearing *h = ctx;

	h->stopped = !patience_goes_on(h->patience);
	return !h->stopped && !is_found(h->probe, c);
}

bool
answer_of_machine(struct probe_machine *machine, const struct probe *p, const struct patience *patience,
	struct probe_answer *out, struct err *e)
{
	struct hearing h = {p, patience, false};
	struct curve c = {0};
	bool good = probe_machine_run(machine, p, answers_hear, &h, &c, e) && !h.stopped;

	if (good) {
		struct knees *knees = knees_find(&c);

		*out = probe_answer_of(p, knees);
		knees_free(knees);
	}
	curve_free(&c);
	return good;
}

/* --- comparison -------------------------------------------------------------------------------------------------- */

/* The upper end of a knee's interval no longer fits: 8 to 16 is beyond 4 to 8. */
static bool
is_beyond(const struct probe_answer *a, const struct probe_answer *b)
{
	return a->low > b->high || (a->low == b->high && b->high > b->low);
}

bool
answers_differ(const struct probe *p, const struct probe_answer *a, const struct probe_answer *b)
{
	double apart = ALIKE * fmax(fabs(a->value), fabs(b->value)) + NOTHING;

	if (!a->found || !b->found)
		return a->found != b->found;
	if (p->value == PROBE_KNEE)
		return is_beyond(a, b) || is_beyond(b, a);
	return a->low > b->high + apart || b->low > a->high + apart;
}

double
answers_error(const struct probe_answer *a, const struct probe_answer *truth)
{
	if (a->found != truth->found)
		return a->found ? 1 : -1;
	if (!a->found || a->value == truth->value)
		return 0;
	return truth->value != 0 ? (a->value - truth->value) / fabs(truth->value) : copysign(1, a->value);
}
