/* hecate search: which choices of features survive the data, recorded or counted now. */
#include "cli/commands.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/collect.h"
#include "cli/model_args.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/print/print_explain.h"
#include "cli/print/print_search.h"
#include "cli/search_watch.h"
#include "cli/signals.h"
#include "cli/writing.h"
#include "core/udd/model.h"
#include "work/analysis/analysis.h"
#include "work/search/search.h"
#include "work/search/search_result.h"
#include "work/search/worth.h"

#define PROGRESS_SECONDS 1.0 /* s, between two lines of -v */

/* Set by the signal handler, which can reach nothing else. */
static volatile sig_atomic_t interrupted;

static void
on_interrupt(int number)
{
	(void)number;
	interrupted = 1;
}

static bool
cmd_search_go_on(void *ctx, const char *stage, size_t done, size_t of)
{
	(void)ctx;
	(void)stage;
	(void)done;
	(void)of;
	return !interrupted;
}

/* Reports progress on standard error. */
struct progress {
	double said_at;
};

static void
cmd_search_say_progress(void *ctx, struct search_graph *graph)
{
	struct progress *progress = ctx;
	size_t survive = 0;
	double now = clock_seconds();

	for (size_t i = 0; i < graph->n_models; i++)
		survive += graph->model[i].survives;
	if (now - progress->said_at >= PROGRESS_SECONDS) {
		log_line(NULL, "%zu model%s tested, %zu survive; Ctrl-C ends the search here", graph->n_models,
			plural_s(graph->n_models), survive);
		progress->said_at = now;
	}
}

/* The first Ctrl-C ends the search, and the tests so far are reported; a second one finds the old handler and ends the
 * program. If the caller ignored Ctrl-C, it stays ignored. */
static struct search *
cmd_search_search(struct analysis *analysis, struct search_request *request, bool verbose)
{
	struct analysis_watch watch = {.go_on = cmd_search_go_on};
	struct progress progress = {.said_at = clock_seconds()};
	struct sigaction act = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND}, old;
	struct search *search;

	if (verbose) {
		request->report = cmd_search_say_progress;
		request->ctx = &progress;
	}
	sigemptyset(&act.sa_mask);
	sigaction(SIGINT, NULL, &old);
	if (old.sa_handler != SIG_IGN)
		sigaction(SIGINT, &act, NULL);
	search = search_run_task(analysis, request, &watch);
	sigaction(SIGINT, &old, NULL);
	return search;
}

static enum search_task
cmd_search_task_of(const char *step)
{
	if (!step || str_eq(step, "all"))
		return SEARCH_AUTO;
	return str_eq(step, "discovery") ? SEARCH_DISCOVER : SEARCH_ELIMINATE;
}

static int
cmd_search_report(const struct options *options, const struct collection *collection, const struct search *search,
	const struct search_end *end, const struct search_watch *watch)
{
	const struct udd_model *model = collection->args.model;
	struct writing out;
	struct err e = {0};
	bool good;

	if (!search_began(search)) {
		if (search->start && search->start->error) {
			fputs(search->start->error, stderr);
			return 2;
		}
		err_set(&e, "the search was stopped before the first model was judged");
		return print_failure(&e);
	}
	if (!search->start->n_findings) {
		err_set(&e, "no observation to judge");
		err_hint(&e, "does --observations match a name in the data?");
		return print_failure(&e);
	}
	for (size_t i = 0; i < search->start->n_notes && !options->quiet && !options->json; i++)
		log_line(NULL, "%s", search->start->note[i].text);
	good = !options->draft || print_drafts_keep(options, model, &collection->args.bundle, end->drafts);
	writing_begin(&out, options);
	if (good && options->json)
		print_search_json(options, model, search, end, &collection->counting, watch, &out.json);
	else if (good)
		print_search_text(options, model, search, end, watch, &out.text);
	good = writing_end(&out, good);
	if (search_decided(search) || !good)
		return good ? 0 : 2;
	err_set(&e,
		search->graph->tested ? "nothing could be decided"
					: "the search was stopped before a model was tested");
	return print_failure(&e);
}

int
cmd_search(const struct options *options)
{
	const struct search_options *own = options->own;
	struct search_watch watch;
	struct collection c;
	struct search *search = NULL;
	struct search_end *end = NULL;
	struct err e = {0};
	int status = 2;

	if (options->watch && (own->step || options->fix)) {
		err_set(&e, "--watch searches all choices of features, so it excludes --step and --fix");
		return print_failure(&e);
	}
	search_watch_begin(&watch, options, &c);
	if (collect_begin(&c, options, "-r 10 -- gcc -c x.c", options->watch ? search_watch_seen : NULL, &watch)) {
		struct search_request r = {
			.task = cmd_search_task_of(own->step), .on = c.args.on, .tests_max = options->max_tests};

		if (model_args_fixed(options, c.args.model, &r.fixed, &e)) {
			search = options->watch ? search_watch_last(&watch)
				     : cmd_search_search(c.analysis, &r, options->verbose && !options->quiet);
			if (own->lose && search_began(search) && !search->graph->own.stopped)
				search->worth = worth_find(c.analysis, search, options->max_tests, NULL);
			if (search_began(search))
				end = search_end_new(c.analysis, search, options->explain, NULL);
			status = cmd_search_report(options, &c, search, end, options->watch ? &watch : NULL);
		} else {
			print_failure(&e);
		}
	}
	search_end_free(end);
	search_free(search);
	search_watch_end(&watch);
	collect_end(&c);
	signals_obey();
	return status;
}
