/* Sets of events that take turns on the counters of a PMU.
 *
 * In order: a set is filled until an event does not fit. By constraint: the events of a constraint share their turns
 * where that makes its interval narrow.
 *
 * Why it does: with S sets in random order, event i in nᵢ of them and together with event j in nᵢⱼ, the covariance of
 * the scaled counts of two events is that of their counts, Cᵢⱼ, times S nᵢⱼ / (nᵢ nⱼ), in units of counting all the
 * time: a share nᵢ/S of the time is a simple random sample of it (Cochran, Sampling Techniques, 1977, chapter 2).
 * Σ aᵢ vᵢ then has the variance Σ aᵢ aⱼ Cᵢⱼ S nᵢⱼ / (nᵢ nⱼ). If all events of a constraint have the same turns, that is
 * a multiple of aᵀ C a, which is 0 where the constraint is tight: what varies there are flows that keep it exactly.
 * Other turns add the variance of the flows themselves. */
#ifndef CORE_FIT_SETS_H
#define CORE_FIT_SETS_H

#include <stdbool.h>
#include <stddef.h>

struct cone;
struct fset;
struct udd_model;

/* Sets of units (events, or groups of events); a unit may be in several sets. */
struct rotation_sets {
	size_t n_units, n;
	unsigned char *has; /* n × n_units */
};

/* fits() returns whether these units, given by number, can be on counters at the same time. */
struct rotation_room {
	bool (*fits)(void *ctx, const size_t *unit, size_t n);
	void *ctx;
};

#define SETS_ALWAYS ((size_t)-1) /* a unit that is counted all the time */

/* Constraints of a model with two counters or more, and what the counts of each look like where it is tight. */
struct set_constraints {
	struct set_constraint {
		size_t n, *unit; /* SETS_ALWAYS: counted all the time */
		double *spread;  /* n × n: aᵢ aⱼ Cᵢⱼ; its diagonal sums to 1 */
		size_t row;      /* number of the cone's constraint (cone_row()) */
		char *text;      /* with the model's names, "a <= b + c"; NULL: not of a model */
	} *at;
	size_t n;
};

/* The constraints of a cone; units are its counters. At most SETS_CONSTRAINTS: equalities first, then in the cone's
 * order, simple ones first. The flows that vary are those of the rays on which the constraint is tight, equally and
 * independently, and all of them together. */
#define SETS_CONSTRAINTS 256
struct set_constraints set_constraints_of_cone(const struct cone *); /* in cone_constraints.c, like the next one */

/* The constraints of a model with these features, between the counters in `keep`; units are the model's counters. Takes
 * at most SETS_CONE_SECONDS for the facets, and does without them then. None for features that make an error. */
#define SETS_CONE_SECONDS 0.25
struct set_constraints set_constraints_of_model(const struct udd_model *, const struct fset *, const bool *keep);

/* The same constraints over other units: counter[u] is the counter that unit u counts, or a part of it. A counter
 * without a unit is taken to be counted all the time; constraints without any unit are left out. */
struct set_constraints set_constraints_over(const struct set_constraints *, const size_t *counter, size_t n_units);
void set_constraints_free(struct set_constraints *);
void set_constraint_free(struct set_constraint *);
/* Scales the spread so that its diagonal sums to 1. Returns false if nothing varies. */
bool set_constraint_scale(struct set_constraint *);

/* Fills sets in order: a unit that does not fit begins the next set. Then each set takes further units that fit, so
 * that no counter idles. Each unit must fit by itself. Free with rotation_sets_free(). */
struct rotation_sets rotation_sets_new(size_t n_units, const struct rotation_room *);

/* Searches for sets with narrow constraints: sets_width() and the number of sets are never more than for
 * rotation_sets_new(). Local search, so not always the best sets; the same input gives the same sets. NULL or
 * no constraints, or more than SETS_MASK units: as rotation_sets_new(). */
#define SETS_MASK 64
struct rotation_sets rotation_sets_by_constraint(
	size_t n_units, const struct rotation_room *, const struct set_constraints *);
void rotation_sets_free(struct rotation_sets *);

/* The predicted width of a constraint's interval: 1 if its counters varied independently and were counted all the
 * time. sets_width() is the mean over the constraints, plus a little for the units alone. */
double set_constraint_width(const struct set_constraint *, const struct rotation_sets *);
double sets_width(const struct set_constraints *, const struct rotation_sets *);

/* Does one set hold all units of the constraint? Units that are always counted are in each. */
bool set_holds(const struct rotation_sets *, size_t set, const struct set_constraint *);
size_t sets_whole(const struct rotation_sets *, const struct set_constraints *); /* how many constraints are so held */

#endif
