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
use_method(struct instrumented *all, enum instrument_method m, const struct instrumented_options *options)
{
	const struct instrument_request q = {.argv = options->argv,
		.during = options->during,
		.interrupted = options->interrupted,
		.seconds = options->seconds};
	struct instrumented_method *method = &all->method[m];

	for (unsigned run = 0; run < INSTRUMENTED_REPEATS; run++) {
		struct instrument_result *result = &method->run[method->n];

		if (options->interrupted()) {
			all->cut = true;
			return false;
		}
		if (options->progress)
			options->progress(options->ctx, instrument_method_name(m), run + 1, INSTRUMENTED_REPEATS);
		if (!instrument_run(m, &q, result, &method->why)) {
			method->refused = !options->interrupted();
			all->cut |= options->interrupted();
			return !all->cut;
		}
		if (result->cut) {
			all->cut |= options->interrupted();
			method->refused = !all->cut;
			err_set(&method->why, "%s took longer than %.0f s, and was ended", options->argv[0],
				options->seconds);
			return !all->cut;
		}
		method->n++;
	}
	return true;
}

bool
instrumented_run(struct instrumented *all, const struct instrumented_options *options, struct err *e)
{
	static const double usual[INSTRUMENT_EVENTS][INSTRUMENTED_BESIDES] = {[INSTRUMENT_INSTRUCTIONS] = {1, 1}};
	struct instrument_conditions conditions;
	char *path = instrument_find(options->argv[0], e);
	bool good;

	*all = (struct instrumented){.test = instrumented_base_name(options->argv[0]), .cpu = -1};
	good = path && instrument_look(path, &all->file, e);
	free(path);
	memcpy(all->slope, options->slope ? options->slope : usual, sizeof all->slope);
	if (!good)
		return false;
	instrument_conditions_begin(&conditions);
	all->fixed_addresses = conditions.fixed_addresses;
	all->cpu = conditions.cpu;
	good = instrumented_count(all, options, e);
	for (int i = 0; i < INSTRUMENT_METHODS && good && !all->cut; i++)
		if (!options->skip[order[i]])
			use_method(all, order[i], options);
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
		const struct instrumented_method *method = &all->method[order[i]];

		if (!instrumented_is_whole(method) || !method->run[0].count[row->event].known)
			continue;
		row->method = (int)order[i];
		for (size_t r = 0; r < method->n; r++)
			v[r] = (double)(method->run[r].count[row->event].raw - method->run[r].count[row->event].extra);
		summarize(v, method->n, &row->expected, &row->expected_range);
	}
}

struct instrumented_row
instrumented_row(const struct instrumented *all, enum instrument_event ev)
{
	const struct instrumented_counter *counter = &all->counter[ev];
	struct instrumented_row row = {ev, -1, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	double *v = mem_new_array(counter->n + 1, sizeof *v);

	expect(all, &row);
	for (size_t i = 0; i < counter->n; i++)
		v[i] = (double)counter->count[i];
	summarize(v, counter->n, &row.mean, &row.range);
	for (size_t i = 0; i < counter->n; i++)
		for (int b = 0; b < INSTRUMENTED_BESIDES; b++)
			v[i] -= counter->beside[b][i] > 0 ? all->slope[ev][b] * (double)counter->beside[b][i] : 0;
	summarize(v, counter->n, &row.adjusted, &row.adjusted_range);
	row.difference = row.adjusted - row.expected;
	free(v);
	return row;
}
