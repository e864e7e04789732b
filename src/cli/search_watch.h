/* hecate search --watch: searches repeatedly while samples come, and reports what changed when. */
#ifndef CLI_SEARCH_WATCH_H
#define CLI_SEARCH_WATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "core/udd/fset.h"

struct collection;
struct options;
struct past;
struct search;
struct subject_runs;

/* The part of a search's result whose changes are reported. */
struct watch_change {
	double seconds;      /* since the start of the run */
	size_t samples;      /* number of samples so far */
	struct fset required, *minimal;
	size_t n_minimal;
};

struct search_watch {
	const struct options *o;
	struct collection *c;
	struct past *past;
	struct watch_change *change;
	size_t n_changes, cap;
	size_t searches;
	size_t rows;         /* number of rows at the last search */
	double began, searched_at, took;
	double polled_at;
	struct err failure;  /* failure of the run, seen during a search */
};

/* Begins. The collection may still be empty. */
void search_watch_begin(struct search_watch *, const struct options *, struct collection *);
void search_watch_end(struct search_watch *);

/* A counting_seen for collect_begin(). It searches when the samples grew by a tenth, but at most once a second, and
 * during at most a fifth of the time. */
bool search_watch_seen(void *watch, const struct subject_runs *, struct err *e);

/* Runs the last search, on all samples. Never returns NULL. */
struct search *search_watch_last(struct search_watch *);

#endif
