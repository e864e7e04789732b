/* hecate sim --intervals: diagrams of what a pipeline does around an event. */
#include "cli/sim_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/log.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/writing.h"
#include "draw/interval_diagram.h"
#include "draw/theme.h"
#include "work/files/intervals.h"
#include "work/files/simulation.h"

#define COLUMNS 100
#define LESSONS_MAX 64

static void
write_series(struct json_writer *writer, const struct interval *interval)
{
	const struct { const char *name; const double *value;
	} series[] = {
		{"issued", interval->issued},
		{"dispatched", interval->dispatched},
		{"committed", interval->committed},
		{"rob", interval->rob},
		{"rob_wrong_path", interval->wrong},
		{"counted_fmt", interval->fmt},
		{"counted_power5", interval->power5},
	};

	for (size_t k = 0; k < sizeof series / sizeof *series; k++) {
		json_open(writer, series[k].name, '[');
		for (size_t i = 0; i < interval->n; i++)
			json_num(writer, NULL, series[k].value[i]);
		json_close(writer, ']');
	}
}

static void
sim_intervals_write_json(struct json_writer *writer, const struct interval *interval)
{
	json_open(writer, NULL, '{');
	json_str(writer, "program", interval->lesson);
	json_int(writer, "events", (int64_t)interval->events);
	json_int(writer, "first_cycle", interval->first);
	json_num(writer, "uops_per_cycle", interval->steady);
	json_num(writer, "lost_cycles", interval->lost);
	json_open(writer, "marks", '{');
	for (size_t i = 0; i < interval->n_marks; i++)
		json_num(writer, interval->mark[i].name, interval->mark[i].at);
	json_close(writer, '}');
	json_open(writer, "cycles_per_event", '{');
	for (size_t i = 0; i < interval->n_costs; i++)
		json_num(writer, interval->cost[i].name, interval->cost[i].cycles);
	json_close(writer, '}');
	write_series(writer, interval);
	json_close(writer, '}');
}

static bool
is_svg(const struct options *o)
{
	size_t n = o->output ? strlen(o->output) : 0;

	return !o->json && n > 4 && str_eq(o->output + n - 4, ".svg");
}

/* Draws the diagrams one below the other. */
static void
sim_intervals_draw(const struct options *options, struct interval *const *v, size_t n, struct str *out)
{
	bool svg = is_svg(options);
	int margin = svg; /* of a picture */
	struct grid *grid = grid_new(COLUMNS + 4 * margin, (int)n * (INTERVAL_DIAGRAM_ROWS + 1) - 1 + 2 * margin,
		options->ascii && !svg);
	struct theme theme;

	for (size_t i = 0; i < n; i++)
		interval_diagram_draw(v[i], grid, (struct rect){2 * margin,
			(int)i * (INTERVAL_DIAGRAM_ROWS + 1) + margin, COLUMNS, INTERVAL_DIAGRAM_ROWS});
	theme_default(&theme);
	if (svg)
		grid_svg(grid, &theme, out);
	else
		print_grid(grid, out);
	grid_free(grid);
}

static bool
sim_intervals_write_all(
	const struct options *options, const struct simulation *how, struct interval *const *v, size_t n)
{
	struct writing out;

	writing_begin(&out, options);
	if (options->json) {
		json_open(&out.json, NULL, '{');
		json_str(&out.json, "schema", "hecate.intervals/1");
		json_str(&out.json, "machine", how->machine->name);
		json_str(&out.json, "changes", *how->changes ? how->changes : NULL);
		json_open(&out.json, "intervals", '[');
		for (size_t i = 0; i < n; i++)
			sim_intervals_write_json(&out.json, v[i]);
		json_close(&out.json, ']');
		json_close(&out.json, '}');
	} else {
		sim_intervals_draw(options, v, n, &out.text);
	}
	return writing_end(&out, true);
}

/* Simulates the lessons that --program names, or all. Of all, those whose event does not occur on the machine are
 * reported and left out. Returns false after a message. */
static bool
simulate_all_lessons(const struct options *options, const struct simulation *how, struct interval **v, size_t *n)
{
	const struct sim_options *own = options->own;
	struct err e = {0};

	if (options->trace || options->suites.n || own->workloads.n) {
		err_set(&e, "--intervals draws programs only, and no trace, suite or workload");
		err_hint(&e, "for instance --program one-long-miss");
		return print_failed(&e);
	}
	for (size_t i = 0; options->programs.n ? i < options->programs.n : interval_lesson(i) != NULL; i++) {
		if (i == LESSONS_MAX) {
			err_set(&e, "--intervals takes up to %d programs", LESSONS_MAX);
			return print_failed(&e);
		}
		v[*n] = interval_new(how, options->programs.n ? options->programs.item[i] : interval_lesson(i), &e);
		if (v[*n])
			++*n;
		else if (options->programs.n || !how->machine->pipe.there)
			return print_failed(&e);
		else if (!options->quiet)
			log_line(NULL, "%s", e.what);
	}
	return *n || print_failed(&e);
}

int
sim_intervals(const struct options *o, const struct simulation *how)
{
	struct interval *v[LESSONS_MAX] = {NULL};
	size_t n = 0;
	bool good = simulate_all_lessons(o, how, v, &n) && sim_intervals_write_all(o, how, v, n);

	for (size_t i = 0; i < n; i++)
		interval_free(v[i]);
	return good ? 0 : 2;
}
