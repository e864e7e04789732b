/* Which kind of request latency-balanced tiering should go by: the one that misses the last-level cache most, and whose
 * delays in local and in CXL memory say where used pages belong (PathFinder: Li et al., SIGCOMM 2025, section 5.8).
 * Colloid (Vuppalapati and Agarwal, SOSP 2024) always goes by demand reads. */
#ifndef WORK_TIMELINE_TIERING_H
#define WORK_TIMELINE_TIERING_H

#include <stdbool.h>

struct network_data;

enum tiering_kind { TIERING_DRD, TIERING_RFO, TIERING_HWPF, TIERING_KINDS };
enum tiering_move { TIERING_UNKNOWN, TIERING_STAY, TIERING_TO_LOCAL, TIERING_TO_CXL };
const char *tiering_kind_name(enum tiering_kind); /* "DRd" */
const char *tiering_move_name(enum tiering_move); /* "to-local" */

struct tiering_memory {
	double misses, delay; /* requests that it answered; cycles of the uncore in the table of requests, NAN: none */
};

struct tiering {
	struct tiering_memory local[TIERING_KINDS], cxl[TIERING_KINDS];
	enum tiering_kind by;    /* with the most misses */
	enum tiering_move move;  /* of used pages, by that kind */
	enum tiering_move fixed; /* the same by demand reads */
	/* time of a miss now over that with all at the shorter delay; as many requests under way would do this many
	 * times as much, if no delay rose. NAN: not known */
	double gain_most;
};

/* Of the snapshot that was last taken. False: it has no misses to local or CXL memory. */
bool tiering_of(const struct network_data *, struct tiering *);

#endif
