/* Corrects observations by what is known about their events (core/trust/correct.h), before a region is made. The region
 * without the correction is kept, so that a finding can say how much the correction mattered. */
#ifndef WORK_ANALYSIS_TRUSTED_H
#define WORK_ANALYSIS_TRUSTED_H

#include "core/obs/obs.h"
#include "core/trust/correct.h"
#include "work/analysis/describe.h"

struct cone;

struct prepared_trust {
	struct obs near; /* the observation as it was given, in memory (obs_near()) */
	struct obs view; /* the same with corrected counts; its other arrays are those of `near` */
	struct trust_corrected done;
	struct region *raw;           /* region of the counts as they are; NULL: none */
};

/* Returns which rules apply to a table: first those for all data, then those of each book of the options, for
 * observations that were counted on its processor. NULL: none. */
struct trust_plan **trusted_plans(const struct analysis *, const struct obs_table *, const struct columns_match *);
void trusted_plans_free(const struct analysis *, struct trust_plan **);
/* Corrects an observation that has `obs` and `match`: sets `trust`, and makes `obs` the corrected observation. Does
 * nothing if no rule applies. */
void trusted_correct(const struct analysis *, struct trust_plan *const *, struct prepared *);
/* Adds a note on observations that are corrected because of the processor they were counted on. */
void trusted_note(const struct analysis *, struct result *);
/* True if nothing bounds the counter's error. The counter then takes part in no verdict. */
bool trusted_is_lost(const struct prepared *, size_t counter);
/* Returns how far the mean of each kept counter may be off, in counts; NULL where nothing was corrected. The caller
 * frees. */
double *trusted_bias(const struct analysis *, const struct prepared *);
/* Adds the corrections to a finding, and the verdict without them. */
void trusted_describe(const struct analysis *, const struct prepared *, const struct cone *, struct finding *);
void trusted_free(struct prepared_trust *, const struct obs *given);

#endif
