/* The table of requests of a CHA, in the terms of UNC_CHA_TOR_INSERTS, _OCCUPANCY, and cycles not empty. */
#ifndef SIM_SERVER_TOR_H
#define SIM_SERVER_TOR_H

#include "sim/server/counts.h"

/* Sets of enum server_place, server_kind: bit 1 << value. */
#define BIT(x) (1u << (x))
#define HIT (BIT(PLACE_LLC) | BIT(PLACE_PEER))
#define MISS (BIT(PLACE_FAR_CACHE) | BIT(PLACE_DDR) | BIT(PLACE_FAR) | BIT(PLACE_CXL))

struct tor_row {
	const char *name; /* "ia_miss_drd_cxl" */
	unsigned kinds, places;
};
extern const struct tor_row tor_row[TOR_ROWS];

/* The rows of the table to which a request belongs, with −1 at the end. */
#define TOR_DEEPEST 9 /* rows of one request, at most */
struct tor_index {
	signed char row[SERVER_KINDS][SERVER_PLACES][TOR_DEEPEST + 1];
};
void tor_index_fill(struct tor_index *);
/* Adds the time [from, to) of one request to its rows. */
void slice_cover(struct server_slice_counts *, const signed char *row, uint64_t from, uint64_t to);

#endif
