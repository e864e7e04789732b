/* hecate phases: windows of steady behaviour in recorded data, and what trends, repeats, and moves together. */
#include "cli/commands.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/reading.h"
#include "cli/writing.h"
#include "core/counters/text_kind.h"
#include "core/network/network.h"
#include "core/obs/obs.h"
#include "text/diag.h"
#include "work/files/recording.h"
#include "work/phases/phases.h"
#include "work/phases/series_text.h"
#include "work/timeline/network_data.h"

#define SCENARIO_SERIES 16 /* most series of a scenario */

/* The network of --network, or of the session file; *good is false after a message. */
static struct network *
phases_network(const struct options *options, bool *good)
{
	const struct phases_options *own = options->own;
	const char *name = own->network                                                           ? own->network
		: recording_is(options->arg[0]) && recording_holds(options->arg[0], TEXT_NETWORK) ? options->arg[0]
												  : NULL;
	struct network *network = NULL;
	struct diags diags = {0};
	struct err e = {0};
	char *path = NULL;

	*good = true;
	if (!name || own->series.n || (own->scenario && !str_eq(own->scenario, "orthogonality")))
		return NULL;
	network = network_load(name, &path, &diags, &e);
	*good = network != NULL;
	print_diagnostics(options, &diags);
	if (*e.what)
		print_failure(&e);
	diags_free(&diags);
	free(path);
	return network;
}

/* Chooses the expressions of --series and --scenario. False and *e: one is none, or the data lack its counters. */
static bool
choose_series(const struct options *options, const struct obs_table *table, struct series_choice *choice,
	const char **called, const char **expression, struct err *e)
{
	const struct phases_options *own = options->own;
	const struct scenario *scenario = own->scenario ? scenario_find(own->scenario) : NULL;
	size_t n = 0;

	if (scenario && scenario->series[0]) {
		n = scenario_fit(scenario, table, called, expression, SCENARIO_SERIES);
		if (!n && !own->series.n) {
			err_set(e, "%s has no counters for the scenario %s", options->arg[0], scenario->name);
			return err_hint(
				e, "it needs, for instance: %s; or name a series with --series", scenario->series[1]);
		}
	}
	for (size_t i = 0; i < own->series.n; i++) {
		struct series_text *text = series_text_new(own->series.item[i], table, e);

		if (!text)
			return false;
		series_text_free(text);
		called[n] = expression[n] = own->series.item[i];
		n++;
	}
	choice->called = called;
	choice->expression = expression;
	choice->n_expressions = n;
	return true;
}

/* Reads "3,5" into the two windows, from 0. */
static bool
choose_windows(const struct options *options, struct phases_report *report, struct err *e)
{
	const struct phases_options *own = options->own;
	unsigned a, b;
	char end;

	if (!own->windows)
		return true;
	if (sscanf(own->windows, "%5u,%5u%c", &a, &b, &end) != 2 || !a || !b || a == b) {
		err_set(e, "--windows: '%s' does not name two windows", own->windows);
		return err_hint(e, "for instance: --windows 2,3");
	}
	report->before = a;
	report->after = b;
	return true;
}

static bool
report_sets(
	const struct options *options, struct series_set **set, size_t n, struct phases_report *report, struct err *e)
{
	const struct phases_how how = {.pairs = true};
	struct writing out;
	bool good = true;

	writing_begin(&out, options);
	report->options = options;
	report->out = &out;
	print_phases_begin(report, n);
	for (size_t i = 0; i < n; i++) {
		struct phases *phases = phases_new(set[i], &how);

		set[i] = NULL;
		if (good && report->before &&
			(report->before > phases->windows->n || report->after > phases->windows->n)) {
			err_set(e, "--windows: %s has %zu window%s", phases->set->name, phases->windows->n,
				phases->windows->n == 1 ? "" : "s");
			good = err_hint(e, "without --windows the two at the largest change are compared");
		}
		if (good)
			print_phases(report, phases);
		writing_drain(&out);
		phases_free(phases);
	}
	print_phases_end(report);
	return writing_end(&out, good) && good;
}

static bool
report_phases(
	const struct options *options, const struct obs_table *table, const struct network *network, struct err *e)
{
	const struct phases_options *own = options->own;
	size_t room = own->series.n + SCENARIO_SERIES, n = 0, series = 0;
	const char **called = mem_new_array(room, sizeof *called),
		   **expression = mem_new_array(room, sizeof *expression);
	struct series_choice choice = {.observations = options->observations, .network = network};
	struct phases_report report = {.scenario = own->scenario ? scenario_find(own->scenario) : NULL};
	struct series_set **set = NULL;
	bool good = choose_series(options, table, &choice, called, expression, e) &&
		choose_windows(options, &report, e);

	if (good) {
		set = series_sets(table, &choice, &n);
		for (size_t i = 0; i < n; i++)
			series += set[i]->n;
		good = reading_is_whole(table);
		if (good && n == SERIES_SETS_MAX) {
			err_set(e, "%s has %zu observations or more whose rows end at other times", options->arg[0], n);
			good = err_hint(e, "--observations GLOB picks some of them");
		}
		if (good && !series) {
			err_set(e, "%s has no row of any series", options->arg[0]);
			good = err_hint(e,
				options->observations ? "does --observations match a name in the data?"
						      : "data need rows of counts: hecate import --help");
		}
	}
	good = good && report_sets(options, set, n, &report, e);
	for (size_t i = 0; i < n; i++)
		series_set_free(set[i]);
	free(set);
	free(called);
	free(expression);
	return good;
}

int
cmd_phases(const struct options *options)
{
	struct err e = {0};
	struct obs_table *table;
	struct network *network;
	bool good;

	if (!options->n_args) {
		err_set(&e, "phases needs data");
		shell_hint(&e, "for instance: hecate phases run.csv, or a session file");
		return print_failure(&e);
	}
	network = phases_network(options, &good);
	table = good && writing_can(options->output, &e) ? reading_open(options, options->arg[0]) : NULL;
	for (size_t i = 0; table && i < table->n_notes && !options->quiet; i++)
		log_line(NULL, "%s", table->note[i]);
	good = table && report_phases(options, table, network, &e);
	if (!good && *e.what)
		print_failure(&e);
	obs_table_free(table);
	network_free(network);
	return good ? 0 : 2;
}
