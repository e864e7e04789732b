/* Two runs of a timeline, or two snapshots of one run: the ratio of each quantity, as hecate net --compare has it. */
#ifndef WORK_TIMELINE_TIMELINE_RATIOS_H
#define WORK_TIMELINE_TIMELINE_RATIOS_H

#include "work/timeline/timeline.h"

struct network_compare;

#define TIMELINE_RATIOS_MOST ((size_t)4 << 20) /* counts on both sides together; about 0.1 s */

struct timeline_ratios {
	char *name[2];                   /* A, B */
	struct network_compare *compare; /* NULL: there are more counts than TIMELINE_RATIOS_MOST */
};

/* Compares b's run with a's, or the two snapshots if they are of one run. NULL: one has no counters of the network. The
 * caller frees. */
struct timeline_ratios *timeline_ratios_new(const struct timeline *, size_t a, size_t b);
/* Returns the first snapshot of the network in another run; TIMELINE_NONE: there is none. */
size_t timeline_other_run(const struct timeline *, size_t snapshot);
void timeline_ratios_free(struct timeline_ratios *);

#endif
