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
report_change(const struct search_watch *w, const struct watch_change *c)
{
	const struct udd_model *m = w->c->args.model;
	bool aside = w->o->json || w->o->output;
	struct str s = {0};

	if (aside && w->o->quiet)
		return;
	str_addf(&s, "%.1f s, %zu samples: ", c->seconds, c->samples);
	if (c->n_minimal) {
		search_watch_add_set(m, &c->required, &s);
		str_addf(&s, "%s required; survivors", fset_count(&c->required) ? "" : "nothing");
	} else {
		str_add(&s, "no choice of features survives");
	}
	for (size_t i = 0; i < c->n_minimal && i < SETS_SHOWN; i++) {
		str_add(&s, " {");
		search_watch_add_set(m, &c->minimal[i], &s);
		str_addc(&s, '}');
	}
	if (c->n_minimal > SETS_SHOWN)
		str_addf(&s, " and %zu more", c->n_minimal - SETS_SHOWN);
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
search_watch_note(struct search_watch *w, const struct search *s)
{
	const struct lattice *l = s->lattice;
	struct watch_change now = {.seconds = w->past->seconds, .samples = w->rows};

	if (!l || !s->decided)
		return;
	now.required = l->required;
	now.minimal = mem_new_array(l->n_minimal, sizeof *now.minimal);
	for (size_t i = 0; i < l->n_minimal; i++)
		now.minimal[now.n_minimal++] = l->model[l->minimal[i]].on;
	qsort(now.minimal, now.n_minimal, sizeof *now.minimal, compare_sets);
	if (w->n_changes && same(&w->change[w->n_changes - 1], &now)) {
		free(now.minimal);
		return;
	}
	mem_grow(&w->change, &w->cap, w->n_changes + 1, sizeof *w->change);
	w->change[w->n_changes++] = now;
	report_change(w, &now);
}

static struct search *
search_watch_search(struct search_watch *w, const struct analysis_watch *watch)
{
	struct search *s;

	past_now(w->past, clock_seconds() - w->began);
	analysis_keep_past(w->c->analysis, w->past);
	s = search_run(w->c->analysis, &w->c->args.on, w->o->max_tests, watch);
	if (s->lattice && !s->lattice->stopped) {
		w->searches++;
		search_watch_note(w, s);
	}
	return s;
}

bool
search_watch_seen(void *ctx, const struct subject_runs *run, struct err *e)
{
	struct search_watch *w = ctx;
	const struct analysis_watch watch = {search_watch_go_on, w};
	const struct obs_table *t = run_table(run->counts);
	size_t rows = count_rows(t);
	double now = clock_seconds();

	if (!run_running(run->counts) || (double)rows < GROWTH * (double)w->rows || rows == w->rows ||
		now - w->searched_at < fmax(EVERY, SHARE * w->took))
		return true;
	w->rows = rows;
	analysis_set_table(w->c->analysis, w->c->at, data_copy(t));
	search_free(search_watch_search(w, &watch));
	w->searched_at = clock_seconds();
	w->took = w->searched_at - now;
	if (!*w->failure.what)
		return true;
	*e = w->failure;
	return false;
}

struct search *
search_watch_last(struct search_watch *w)
{
	if (w->c->counting.wanted)
		w->rows = count_rows(counting_table(&w->c->counting));
	return search_watch_search(w, NULL);
}
