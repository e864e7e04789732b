#include "cli/determinism_here.h"

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
#include "cli/print/print_workload.h"
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
determinism_here_judge(const struct determinism *d, struct judged *j, struct str *remarks)
{
	struct trust_book *book = trust_facts_load(remarks);
	struct trust_page *page;
	trust_facts_cpu(&j->id);
	page = trust_facts_page(book, &j->id);
	if (page != NULL)
		trust_page_drop_measured(page);
	j->machine = determinism_machine();
	j->shelf = trust_shelf_new(book);
	trust_shelf_put(j->shelf, j->machine, page);
	determinism_table(d, j->machine, &j->runs);
	j->judgement = trust_judge(&j->runs, trust_shelf_entry, j->shelf);
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
store(const struct options *o, const struct determinism *d, const struct judged *j, size_t runs, char **why)
{
	const struct determinism_options *own = o->own;
	struct err e = {0};
	struct str text = {0};
	char *day = today(), *path = NULL;
	struct trust_page *p = measured_page(d, &j->runs, j->judgement, runs, day);
	*why = NULL;
	if (own->no_save)
		*why = mem_str("--no-save");
	else if (own->parts != NULL)
		*why = mem_str("only some parts of the workload ran: without --parts the results are stored");
	else if (j->id.family < 0 && *j->id.name == '\0')
		*why = mem_str("/proc/cpuinfo does not say which processor this is");
	else if (p->n == 0)
		*why = mem_str("no event was judged to the end");
	else if (trust_facts_save(&j->id, p, &e))
		path = trust_facts_file(&j->id, &e);
	if (path == NULL && *why == NULL) {
		err_text(&e, &text);
		*why = str_take(&text);
	}
	trust_page_free(p);
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
print_measured(const struct options *o, const struct determinism *d, size_t wanted)
{
	struct judged j = {0};
	struct str remarks = {0};
	struct writing out;
	char *why, *path;
	determinism_here_judge(d, &j, &remarks);
	for (size_t k = 0; k < d->n_remarks; k++)
		str_addf(&remarks, "%s\n", d->remark[k]);
	for (size_t k = 0; k < j.runs.n_notes; k++)
		str_addf(&remarks, "%s\n", j.runs.note[k]);
	if (d->cut)
		str_addf(&remarks, "stopped after %zu runs: what follows is what was measured so far\n", d->runs);
	path = store(o, d, &j, wanted, &why);
	say_stored(o, path, why, &remarks);
	print_remarks(o, &remarks);
	str_free(&remarks);
	writing_begin(&out, o);
	if (o->json)
		print_workload_json(d, &j.runs, j.judgement, &(struct workload_stored){path, why}, &out.json);
	else
		print_workload_text(o, d, j.machine, &j.runs, j.judgement, &out.text);
	bool good = writing_end(&out, true);
	judged_clear(&j);
	free(path);
	free(why);
	return good ? 0 : 2;
}

int
determinism_here(const struct options *o)
{
	const struct determinism_options *own = o->own;
	struct determinism_spec spec = {.runs = o->runs > 1 ? o->runs : RUNS_DEFAULT,
		.scale = own->scale > 0.0 ? own->scale : 1.0, .stop = is_stopped};
	struct signals signals;
	struct err e = {0};
	char **event = o->events ? event_list_split(o->events, &spec.n_events) : NULL, **part = split_list(own->parts,
		&spec.n_parts);
	spec.event = (const char *const *)event;
	spec.part = (const char *const *)part;
	bool shows = !o->quiet && isatty(STDERR_FILENO) != 0;
	if (shows)
		spec.progress = determinism_here_show_progress;
	signals_hold(&signals);
	struct determinism *d = determinism_run(&spec, &e);
	if (shows)
		fprintf(stderr, "\r%60s\r", "");
	int status = d != NULL ? print_measured(o, d, spec.runs) : print_failure(&e);
	signals_let_go(&signals);
	determinism_free(d);
	str_split_free(event);
	str_split_free(part);
	signals_obey();
	return status;
}
