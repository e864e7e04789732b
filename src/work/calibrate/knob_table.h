/* What a knob is. Used by knob.c and knob_text.c alone. */
#ifndef WORK_CALIBRATE_KNOB_TABLE_H
#define WORK_CALIBRATE_KNOB_TABLE_H

#include <stddef.h>

#include "work/calibrate/knob.h"
#include "work/calibrate/knob_machine.h"

#define PROBES_MAX 5

enum form {
	FORM_NUMBER,   /* an item of one number; field: where it is */
	FORM_WIDTH,    /* the same; fetch, issue and commit must not be narrower */
	FORM_LATENCY,  /* latency KIND N cycles; field: the kind */
	FORM_BYTES,    /* of a cache; field: where the cache is */
	FORM_CYCLES,   /* of a cache */
	FORM_ASSOCIATION, /* ways of a cache */
	FORM_ENTRIES_OF,  /* entries of a table with ways; field: where it is */
	FORM_WAYS,        /* ways of such a table */
	FORM_BANKS,    /* a number that is a power of two */
	FORM_PORTS,    /* field: set of kinds */
	FORM_BLOCKING, /* whether a port is busy until the result is there; field: the kind */
	FORM_PREDICTOR, /* its kind: a word */
	FORM_HISTORY,  /* of the predictor */
	FORM_ENTRIES,
	FORM_ORDER,    /* how loads find older stores: a word */
	FORM_LOOKUP,   /* when data caches are looked up: a word */
	FORM_REPLACEMENT, /* of lines of caches: a word */
	FORM_STRIDE,   /* a number of the stride prefetcher */
	FORM_STLB_CYCLES,
	FORM_FEATURE,  /* field: the feature */
};

struct knob {
	const char *name, *key; /* key: words of the item */
	enum form form;
	size_t field;
	const char *unit;       /* of the item; NULL: none */
	unsigned least, most;
	unsigned unlimited;     /* the value that stands for no limit; 0: there is none */
	unsigned typical;       /* the value to try where the file has no such item; 0: none */
	const char *probe[PROBES_MAX]; /* that show it, the first one best */
	unsigned scale;         /* of an answer, for each one of the value */
};

const unsigned *knob_number_of(const struct knob *, const struct sim_machine *);
const struct sim_cache *knob_cache_of(const struct knob *, const struct sim_machine *);
const struct sim_ways *knob_ways_of(const struct knob *, const struct sim_machine *);

#endif
