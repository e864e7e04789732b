#include "cli/search_watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/collect.h"
#include "cli/options.h"
#include "cli/signals.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "work/analysis/analysis.h"
#include "work/analysis/past.h"
#include "work/files/data.h"
#include "work/run/run.h"
#include "work/search/search.h"

#define EVERY 1.0         /* least seconds between two searches */
#define SHARE 4           /* the same, as a multiple of the time that the last one took */
#define GROWTH 1.1        /* least growth of the samples between two searches */
/* seconds between two readings of the counters while a search goes on: no row is later than one verdict */
#define POLL_SECONDS 0.01
#define SETS_SHOWN 4

void
search_watch_begin(struct search_watch *w, const struct options *o, struct collection *c)
{
	*w = (struct search_watch){.o = o, .c = c, .past = past_new(), .began = clock_seconds()};
}

void
search_watch_end(struct search_watch *w)
{
	for (size_t i = 0; i < w->n_changes; i++)
		free(w->change[i].minimal);
	free(w->change);
	past_free(w->past);
}

static size_t
count_rows(const struct obs_table *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		n += t->obs[i]->n_rows;
	return n;
}

/* Rows are taken while a search goes on; the end of the run, or a signal, ends it. */
static bool
search_watch_go_on(void *ctx, const char *stage, size_t done, size_t of)
{
	struct search_watch *w = ctx;
	struct run *counts = w->c->counting.run.counts;

	(void)stage, (void)done, (void)of;
	if (clock_seconds() - w->polled_at < POLL_SECONDS)
		return true;
	w->polled_at = clock_seconds();
	return run_running(counts) && run_poll(counts, &w->failure) != RUN_ENDED && !signals_interrupted();
}

static bool
same(const struct watch_change *a, const struct watch_change *b)
{
	return fset_equal(&a->required, &b->required) && a->n_minimal == b->n_minimal
	       && (a->n_minimal == 0 || memcmp(a->minimal, b->minimal, a->n_minimal * sizeof *a->minimal) == 0);
}

static void
search_watch_add_set(const struct udd_model *m, const struct fset *on, struct str *out)
{
	bool some = false;

	for (size_t i = 0; i < m->n_features; i++)
		if (fset_has(on, i)) {
			str_addf(out, "%s%s", some ? ", " : "", m->feature[i].name);
			some = true;
		}
}

/* "12.3 s, 123 samples: C, D required; survivors {A, C, D}" */
static void
report_change(const struct search_watch *watch, const struct watch_change *change)
{
	const struct udd_model *model = watch->c->args.model;
	bool aside = watch->o->json || watch->o->output;
	struct str s = {0};

	if (aside && watch->o->quiet)
		return;
	str_addf(&s, "%.1f s, %zu samples: ", change->seconds, change->samples);
	if (change->n_minimal) {
		search_watch_add_set(model, &change->required, &s);
		str_addf(&s, "%s required; survivors", fset_count(&change->required) ? "" : "nothing");
	} else {
		str_add(&s, "no choice of features survives");
	}
	for (size_t i = 0; i < change->n_minimal && i < SETS_SHOWN; i++) {
		str_add(&s, " {");
		search_watch_add_set(model, &change->minimal[i], &s);
		str_addc(&s, '}');
	}
	if (change->n_minimal > SETS_SHOWN)
		str_addf(&s, " and %zu more", change->n_minimal - SETS_SHOWN);
	if (aside) {
		log_line(NULL, "%s", str_text(&s));
	} else {
		puts(str_text(&s));
		fflush(stdout);
	}
	str_free(&s);
}

static int
compare_sets(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct fset));
}

/* Keeps and reports a result that differs from the last one. */
static void
search_watch_note(struct search_watch *watch, const struct search *search)
{
	const struct search_graph *graph = search->graph;
	struct watch_change now = {.seconds = watch->past->seconds, .samples = watch->rows};

	if (!search_decided(search))
		return;
	now.required = graph->needs.required;
	now.minimal = mem_new_array(graph->needs.n_minimal, sizeof *now.minimal);
	for (size_t i = 0; i < graph->needs.n_minimal; i++)
		now.minimal[now.n_minimal++] = graph->model[graph->needs.minimal[i]].on;
	qsort(now.minimal, now.n_minimal, sizeof *now.minimal, compare_sets);
	if (watch->n_changes && same(&watch->change[watch->n_changes - 1], &now)) {
		free(now.minimal);
		return;
	}
	mem_grow(&watch->change, &watch->cap, watch->n_changes + 1, sizeof *watch->change);
	watch->change[watch->n_changes++] = now;
	report_change(watch, &now);
}

static struct search *
search_watch_search(struct search_watch *search_watch, const struct analysis_watch *watch)
{
	struct search *search;

	past_now(search_watch->past, clock_seconds() - search_watch->began);
	analysis_keep_past(search_watch->c->analysis, search_watch->past);
	search = search_run(search_watch->c->analysis, &search_watch->c->args.on, search_watch->o->max_tests, watch);
	if (search_began(search) && !search->graph->own.stopped) {
		search_watch->searches++;
		search_watch_note(search_watch, search);
	}
	return search;
}

bool
search_watch_seen(void *ctx, const struct subject_runs *run, struct err *e)
{
	struct search_watch *search_watch = ctx;
	const struct analysis_watch watch = {search_watch_go_on, search_watch};
	const struct obs_table *table = run_table(run->counts);
	size_t rows = count_rows(table);
	double now = clock_seconds();

	if (!run_running(run->counts) || (double)rows < GROWTH * (double)search_watch->rows ||
		rows == search_watch->rows || now - search_watch->searched_at < fmax(EVERY, SHARE * search_watch->took))
		return true;
	search_watch->rows = rows;
	analysis_set_table(search_watch->c->analysis, search_watch->c->at, data_copy(table));
	search_free(search_watch_search(search_watch, &watch));
	search_watch->searched_at = clock_seconds();
	search_watch->took = search_watch->searched_at - now;
	if (!*search_watch->failure.what)
		return true;
	*e = search_watch->failure;
	return false;
}

struct search *
search_watch_last(struct search_watch *w)
{
	if (w->c->counting.wanted)
		w->rows = count_rows(counting_table(&w->c->counting));
	return search_watch_search(w, NULL);
}
