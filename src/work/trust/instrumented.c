#include "work/trust/instrumented.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "work/trust/instrumented_count.h"

/* The method whose counts are expected of each event, in order of preference. Single steps run on the processor itself,
 * so that the program sees the same CPUID, libraries and vDSO as when it is counted. */
static const enum instrument_method order[INSTRUMENT_METHODS] = {INSTRUMENT_STEP, INSTRUMENT_QEMU, INSTRUMENT_VALGRIND};

static char *
instrumented_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return mem_str(slash && slash[1] ? slash + 1 : path);
}

static bool
use_method(struct instrumented *all, enum instrument_method m, const struct instrumented_options *o)
{
	const struct instrument_request q = {
		.argv = o->argv, .during = o->during, .interrupted = o->interrupted, .seconds = o->seconds};
	struct instrumented_method *k = &all->method[m];

	for (unsigned run = 0; run < INSTRUMENTED_REPEATS; run++) {
		struct instrument_result *r = &k->run[k->n];

		if (o->interrupted()) {
			all->cut = true;
			return false;
		}
		if (o->progress)
			o->progress(o->ctx, instrument_method_name(m), run + 1, INSTRUMENTED_REPEATS);
		if (!instrument_run(m, &q, r, &k->why)) {
			k->refused = !o->interrupted();
			all->cut |= o->interrupted();
			return !all->cut;
		}
		if (r->cut) {
			all->cut |= o->interrupted();
			k->refused = !all->cut;
			err_set(&k->why, "%s took longer than %.0f s, and was ended", o->argv[0], o->seconds);
			return !all->cut;
		}
		k->n++;
	}
	return true;
}

bool
instrumented_run(struct instrumented *all, const struct instrumented_options *o, struct err *e)
{
	static const double usual[INSTRUMENT_EVENTS][INSTRUMENTED_BESIDES] = {[INSTRUMENT_INSTRUCTIONS] = {1, 1}};
	struct instrument_conditions conditions;
	char *path = instrument_find(o->argv[0], e);
	bool good;

	*all = (struct instrumented){.test = instrumented_base_name(o->argv[0]), .cpu = -1};
	good = path && instrument_look(path, &all->file, e);
	free(path);
	memcpy(all->slope, o->slope ? o->slope : usual, sizeof all->slope);
	if (!good)
		return false;
	instrument_conditions_begin(&conditions);
	all->fixed_addresses = conditions.fixed_addresses;
	all->cpu = conditions.cpu;
	good = instrumented_count(all, o, e);
	for (int i = 0; i < INSTRUMENT_METHODS && good && !all->cut; i++)
		if (!o->skip[order[i]])
			use_method(all, order[i], o);
	instrument_conditions_end(&conditions);
	return good;
}

void
instrumented_free(struct instrumented *all)
{
	free(all->test);
	for (int i = 0; i < INSTRUMENT_EVENTS; i++) {
		free(all->counter[i].event);
		free(all->counter[i].count);
		for (int b = 0; b < INSTRUMENTED_BESIDES; b++)
			free(all->counter[i].beside[b]);
	}
	*all = (struct instrumented){0};
}

/* Mean, and the largest distance from it. */
static void
summarize(const double *v, size_t n, double *mean, double *range)
{
	double sum = 0;

	*mean = *range = NAN;
	for (size_t i = 0; i < n; i++)
		sum += v[i];
	if (!n)
		return;
	*mean = sum / (double)n;
	*range = 0;
	for (size_t i = 0; i < n; i++)
		*range = fmax(*range, fabs(v[i] - *mean));
}

/* The programs that valgrind or qemu ended by a signal of its own are no expectation. */
static bool
instrumented_is_whole(const struct instrumented_method *k)
{
	return k->n > 0 && !k->refused && !*k->run[0].unknown;
}

static void
expect(const struct instrumented *all, struct instrumented_row *row)
{
	double v[INSTRUMENTED_REPEATS];

	for (int i = 0; i < INSTRUMENT_METHODS && row->method < 0; i++) {
		const struct instrumented_method *k = &all->method[order[i]];

		if (!instrumented_is_whole(k) || !k->run[0].count[row->event].known)
			continue;
		row->method = (int)order[i];
		for (size_t r = 0; r < k->n; r++)
			v[r] = (double)(k->run[r].count[row->event].raw - k->run[r].count[row->event].extra);
		summarize(v, k->n, &row->expected, &row->expected_range);
	}
}

struct instrumented_row
instrumented_row(const struct instrumented *all, enum instrument_event ev)
{
	const struct instrumented_counter *c = &all->counter[ev];
	struct instrumented_row row = {ev, -1, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	double *v = mem_new_array(c->n + 1, sizeof *v);

	expect(all, &row);
	for (size_t i = 0; i < c->n; i++)
		v[i] = (double)c->count[i];
	summarize(v, c->n, &row.mean, &row.range);
	for (size_t i = 0; i < c->n; i++)
		for (int b = 0; b < INSTRUMENTED_BESIDES; b++)
			v[i] -= c->beside[b][i] > 0 ? all->slope[ev][b] * (double)c->beside[b][i] : 0;
	summarize(v, c->n, &row.adjusted, &row.adjusted_range);
	row.difference = row.adjusted - row.expected;
	free(v);
	return row;
}
