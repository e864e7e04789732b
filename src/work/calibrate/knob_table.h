/* The table of knobs. Used by knob.c and knob_text.c alone. */
#ifndef WORK_CALIBRATE_KNOB_TABLE_H
#define WORK_CALIBRATE_KNOB_TABLE_H

#include <stddef.h>

#include "work/calibrate/knob.h"
#include "work/calibrate/knob_machine.h"

#define PROBES_MAX 5

enum form {
	FORM_NUMBER,   /* an item of one number; field: its offset */
	FORM_WIDTH,    /* the same; fetch, issue and commit must not be narrower */
	FORM_LATENCY,  /* latency KIND N cycles; field: the kind */
	FORM_BYTES,    /* size of a cache; field: the cache's offset */
	FORM_CYCLES,   /* latency of a cache */
	FORM_ASSOCIATION, /* ways of a cache */
	FORM_ENTRIES_OF,  /* entries of a table with ways; field: its offset */
	FORM_WAYS,        /* ways of such a table */
	FORM_BANKS,    /* a number that is a power of two */
	FORM_PORTS,    /* field: set of kinds */
	FORM_BLOCKING, /* whether a port is busy until the result is there; field: the kind */
	FORM_PREDICTOR, /* the branch predictor's kind: a word */
	FORM_HISTORY,  /* the predictor's length of history */
	FORM_ENTRIES,  /* the predictor's number of entries */
	FORM_ORDER,    /* how loads find older stores: a word */
	FORM_LOOKUP,   /* when data caches are looked up: a word */
	FORM_REPLACEMENT, /* how caches replace lines: a word */
	FORM_STRIDE,   /* a number of the stride prefetcher */
	FORM_STLB_CYCLES,
	FORM_FEATURE,  /* field: the feature */
};

struct knob {
	const char *name, *key; /* key: words of the item */
	enum form form;
	size_t field;
	const char *unit;       /* unit of the item; NULL: none */
	unsigned least, most;
	unsigned unlimited;     /* the value that stands for no limit; 0: there is none */
	unsigned typical;       /* the value to try where the file has no such item; 0: none */
	const char *probe[PROBES_MAX]; /* probes that show it, the best one first */
	unsigned scale;         /* rise of the answer when the value rises by one */
};

const unsigned *knob_number_of(const struct knob *, const struct sim_machine *);
const struct sim_cache *knob_cache_of(const struct knob *, const struct sim_machine *);
const struct sim_ways *knob_ways_of(const struct knob *, const struct sim_machine *);

#endif
