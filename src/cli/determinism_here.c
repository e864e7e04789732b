#include "cli/determinism_here.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/trust/determinism.h"
#include "app/trust/determinism_table.h"
#include "base/err.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_workload.h"
#include "cli/signals.h"
#include "cli/writing.h"
#include "core/trust/judge.h"
#include "core/trust/runs.h"

#define RUNS_DEFAULT 10

static void
show_progress(void *ctx, size_t runs, const char *event)
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

/* Prints what was measured, even if it was stopped. */
static int
print_measured(const struct options *o, const struct determinism *d)
{
	struct trust_runs runs = {0};
	struct str remarks = {0};
	struct writing out;
	char *machine = determinism_machine();
	determinism_table(d, machine, &runs);
	struct trust_judgement *judged = trust_judge(&runs, NULL, NULL);
	for (size_t k = 0; k < d->n_remarks; k++)
		str_addf(&remarks, "%s\n", d->remark[k]);
	for (size_t k = 0; k < runs.n_notes; k++)
		str_addf(&remarks, "%s\n", runs.note[k]);
	if (d->cut)
		str_addf(&remarks, "stopped after %zu runs: what follows is what was measured so far\n", d->runs);
	print_remarks(o, &remarks);
	str_free(&remarks);
	writing_begin(&out, o);
	if (o->json)
		print_workload_json(d, &runs, judged, &out.json);
	else
		print_workload_text(o, d, machine, &runs, judged, &out.text);
	bool good = writing_end(&out, true);
	trust_judgement_free(judged);
	trust_runs_free(&runs);
	free(machine);
	return good ? 0 : 2;
}

int
determinism_here(const struct options *o)
{
	struct determinism_spec spec = {.runs = o->runs > 1 ? o->runs : RUNS_DEFAULT,
		.scale = o->scale > 0.0 ? o->scale : 1.0, .stop = is_stopped};
	struct signals signals;
	struct err e = {0};
	char **event = split_list(o->events, &spec.n_events), **part = split_list(o->parts, &spec.n_parts);
	spec.event = (const char *const *)event;
	spec.part = (const char *const *)part;
	bool shows = !o->quiet && isatty(STDERR_FILENO) != 0;
	if (shows)
		spec.progress = show_progress;
	signals_hold(&signals);
	struct determinism *d = determinism_run(&spec, &e);
	if (shows)
		fprintf(stderr, "\r%60s\r", "");
	int status = d != NULL ? print_measured(o, d) : print_failure(&e);
	signals_let_go(&signals);
	determinism_free(d);
	str_split_free(event);
	str_split_free(part);
	signals_obey();
	return status;
}
