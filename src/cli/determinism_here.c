#include "cli/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/signals.h"
#include "cli/writing.h"
#include "core/trust/judge.h"
#include "core/trust/runs.h"
#include "event/list.h"
#include "work/trust/determinism.h"
#include "work/trust/determinism_table.h"
#include "work/trust/facts.h"
#include "work/trust/measured.h"
#include "work/trust/shelf.h"

#define RUNS_DEFAULT 10

static void
determinism_here_show_progress(void *ctx, size_t runs, const char *event)
{
	(void)ctx;
	fprintf(stderr, "\rhecate: %zu runs, %-40s", runs, event);
}

static bool
is_stopped(void)
{
	return signals_interrupted();
}

/* The pieces of a list with commas; NULL, and 0, if it is not given. */
static char **
split_list(const char *list, size_t *n)
{
	*n = 0;
	return list != NULL ? str_split(list, ',', n) : NULL;
}

/* What is known of this processor, and the runs as they are judged by it. */
struct judged {
	char *machine;
	struct trust_cpuid id;
	struct trust_runs runs;
	struct trust_shelf *shelf;
	struct trust_judgement *judgement;
};

/* Only what is published is known beforehand: an earlier run must not confirm this one. */
static void
determinism_here_judge(const struct determinism *determinism, struct judged *judged, struct str *remarks)
{
	struct trust_book *book = trust_facts_load(remarks);
	struct trust_page *page;
	trust_facts_cpu(&judged->id);
	page = trust_facts_page(book, &judged->id);
	if (page != NULL)
		trust_page_drop_measured(page);
	judged->machine = determinism_machine();
	judged->shelf = trust_shelf_new(book);
	trust_shelf_put(judged->shelf, judged->machine, page);
	determinism_table(determinism, judged->machine, &judged->runs);
	judged->judgement = trust_judge(&judged->runs, trust_shelf_entry, judged->shelf);
}

static void
judged_clear(struct judged *j)
{
	trust_judgement_free(j->judgement);
	trust_runs_free(&j->runs);
	trust_shelf_free(j->shelf);
	free(j->machine);
}

static char *
today(void)
{
	time_t now = time(NULL);
	struct tm parts;
	localtime_r(&now, &parts);
	return str_format("%04d-%02d-%02d", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

/* Stores what was found. Returns the path, or NULL and the reason. A failure loses neither the results nor what was
 * stored before. */
static char *
store(const struct options *options, const struct determinism *determinism, const struct judged *judged, size_t runs,
	char **why)
{
	const struct determinism_options *own = options->own;
	struct err e = {0};
	struct str text = {0};
	char *day = today(), *path = NULL;
	struct trust_page *page = measured_page(determinism, &judged->runs, judged->judgement, runs, day);
	*why = NULL;
	if (own->no_save)
		*why = mem_str("--no-save");
	else if (own->parts != NULL)
		*why = mem_str("only some parts of the workload ran: without --parts the results are stored");
	else if (judged->id.family < 0 && *judged->id.name == '\0')
		*why = mem_str("/proc/cpuinfo does not say which processor this is");
	else if (page->n == 0)
		*why = mem_str("no event was judged to the end");
	else if (trust_facts_save(&judged->id, page, &e))
		path = trust_facts_file(&judged->id, &e);
	if (path == NULL && *why == NULL) {
		err_text(&e, &text);
		*why = str_take(&text);
	}
	trust_page_free(page);
	free(day);
	return path;
}

static void
say_stored(const struct options *o, const char *path, const char *why, struct str *remarks)
{
	const struct determinism_options *own = o->own;

	if (path != NULL)
		str_addf(remarks, "stored in %s; hecate determinism --facts prints it\n", path);
	else if (!own->no_save)
		str_addf(remarks, "not stored: %s\n", why);
}

/* Prints what was measured, even if it was stopped. */
static int
print_measured(const struct options *options, const struct determinism *determinism, size_t wanted)
{
	struct judged j = {0};
	struct str remarks = {0};
	struct writing out;
	char *why, *path;
	determinism_here_judge(determinism, &j, &remarks);
	for (size_t k = 0; k < determinism->n_remarks; k++)
		str_addf(&remarks, "%s\n", determinism->remark[k]);
	for (size_t k = 0; k < j.runs.n_notes; k++)
		str_addf(&remarks, "%s\n", j.runs.note[k]);
	if (determinism->cut)
		str_addf(&remarks, "stopped after %zu runs: what follows is what was measured so far\n",
			determinism->runs);
	path = store(options, determinism, &j, wanted, &why);
	say_stored(options, path, why, &remarks);
	print_remarks(options, &remarks);
	str_free(&remarks);
	writing_begin(&out, options);
	if (options->json)
		print_workload_json(determinism, &j.runs, j.judgement, &(struct workload_stored){path, why}, &out.json);
	else
		print_workload_text(options, determinism, j.machine, &j.runs, j.judgement, &out.text);
	bool good = writing_end(&out, true);
	judged_clear(&j);
	free(path);
	free(why);
	return good ? 0 : 2;
}

int
determinism_here(const struct options *options)
{
	const struct determinism_options *own = options->own;
	struct determinism_spec spec = {.runs = options->runs > 1 ? options->runs : RUNS_DEFAULT,
		.scale = own->scale > 0.0 ? own->scale : 1.0, .stop = is_stopped};
	struct signals signals;
	struct err e = {0};
	char **event = options->events ? event_list_split(options->events, &spec.n_events) : NULL,
	     **part = split_list(own->parts, &spec.n_parts);
	spec.event = (const char *const *)event;
	spec.part = (const char *const *)part;
	bool shows = !options->quiet && isatty(STDERR_FILENO) != 0;
	if (shows)
		spec.progress = determinism_here_show_progress;
	signals_hold(&signals);
	struct determinism *d = determinism_run(&spec, &e);
	if (shows)
		fprintf(stderr, "\r%60s\r", "");
	int status = d != NULL ? print_measured(options, d, spec.runs) : print_failure(&e);
	signals_let_go(&signals);
	determinism_free(d);
	str_split_free(event);
	str_split_free(part);
	signals_obey();
	return status;
}
