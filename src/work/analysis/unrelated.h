/* Observations whose counters fall into groups that no constraint may relate: counted in different modes, on different
 * kinds of cores, or in different units (core/obs/columns.h). */
#ifndef WORK_ANALYSIS_UNRELATED_H
#define WORK_ANALYSIS_UNRELATED_H

struct analysis;
struct fset;
struct prepared;
struct verdict;

/* Keeps the counters of the largest group only, and notes which were kept before. */
void unrelated_choose(const struct analysis *, struct prepared *);

/* Makes a verdict undecided, with the reason, if it did not refute and the model has constraints across groups, which
 * could not be tested. */
void unrelated_judge(struct analysis *, const struct fset *, const struct prepared *, struct verdict *);

#endif
