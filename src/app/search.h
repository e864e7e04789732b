/* Discovery and elimination over the features of a model: which choices survive the data, and what that says of each feature. */
#ifndef APP_SEARCH_H
#define APP_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "app/analysis.h"
#include "core/search/lattice.h"

/* Two sets of features that make the same cone, each with what they have in common: no data over these counters tells them apart. */
struct search_alike {
	struct fset one, other;
	char *why; /* a sentence, ASCII but for names */
};

/* Observations that refute a model, each by itself, and by Holm's procedure over all. */
struct search_count {
	size_t each, family_wise;
};

struct search {
	struct lattice *lattice;  /* by the observations each, or family-wise where that was asked for */
	struct lattice *other;    /* … by the other of the two, where some tested model survives the one and not the other; else NULL: both say the same */
	struct search_count *count; /* by number of cone (struct lattice_model) */
	size_t n_counts;
	struct result *start;     /* the model that it began with: names of the observations, notes, counters */
	struct fset proven;       /* features of which the text shows that they only add */
	struct search_alike *alike;
	size_t n_alike;
	struct fset useless;      /* switching it changes no cone and no verdict, and that is owed to no other feature */
	size_t decided;           /* observations that some tested model could be judged by */
	size_t cones;             /* distinct ones among the tested models' */
	double seconds;
};

/* Search all choices of the model's features that keep requires and excludes, from `start`, which does. `tests_max` 0: the default.
 * NULL only when the watch stopped it. Where the start makes an error, s->start->error says so and the lattice is NULL. */
struct search *search_run(struct analysis *, const struct fset *start, size_t tests_max, const struct watch *);
void search_free(struct search *);

#endif
