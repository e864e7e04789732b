/* The table of requests of a CHA: which of perfmon's sub-events count a request, and cycles in which one is there. */
#include "sim/server/tor.h"

#define LOCAL (BIT(PLACE_DDR) | BIT(PLACE_CXL))
#define REMOTE (BIT(PLACE_FAR) | BIT(PLACE_FAR_CACHE))
#define READS (BIT(SERVER_DRD) | BIT(SERVER_RFO) | BIT(SERVER_DRD_PREF) | BIT(SERVER_RFO_PREF))

/* perfmon's sub-events of UNC_CHA_TOR_INSERTS, _OCCUPANCY and, with a threshold of 1, cycles not empty. */
const struct tor_row tor_row[TOR_ROWS] = {
	{"ia", READS, HIT | MISS},
	{"ia_hit", READS, HIT},
	{"ia_miss", READS, MISS},
	{"ia_miss_cxl", READS, BIT(PLACE_CXL)},
	{"ia_drd", BIT(SERVER_DRD), HIT | MISS},
	{"ia_hit_drd", BIT(SERVER_DRD), HIT},
	{"ia_miss_drd", BIT(SERVER_DRD), MISS},
	{"ia_miss_drd_ddr", BIT(SERVER_DRD), BIT(PLACE_DDR) | BIT(PLACE_FAR)},
	{"ia_miss_drd_local", BIT(SERVER_DRD), LOCAL},
	{"ia_miss_drd_local_ddr", BIT(SERVER_DRD), BIT(PLACE_DDR)},
	{"ia_miss_drd_remote", BIT(SERVER_DRD), REMOTE},
	{"ia_miss_drd_remote_ddr", BIT(SERVER_DRD), BIT(PLACE_FAR)},
	{"ia_miss_drd_cxl", BIT(SERVER_DRD), BIT(PLACE_CXL)},
	{"ia_drd_pref", BIT(SERVER_DRD_PREF), HIT | MISS},
	{"ia_hit_drd_pref", BIT(SERVER_DRD_PREF), HIT},
	{"ia_miss_drd_pref", BIT(SERVER_DRD_PREF), MISS},
	{"ia_miss_drd_pref_ddr", BIT(SERVER_DRD_PREF), BIT(PLACE_DDR) | BIT(PLACE_FAR)},
	{"ia_miss_drd_pref_local", BIT(SERVER_DRD_PREF), LOCAL},
	{"ia_miss_drd_pref_local_ddr", BIT(SERVER_DRD_PREF), BIT(PLACE_DDR)},
	{"ia_miss_drd_pref_remote", BIT(SERVER_DRD_PREF), REMOTE},
	{"ia_miss_drd_pref_remote_ddr", BIT(SERVER_DRD_PREF), BIT(PLACE_FAR)},
	{"ia_miss_drd_pref_cxl", BIT(SERVER_DRD_PREF), BIT(PLACE_CXL)},
	{"ia_rfo", BIT(SERVER_RFO), HIT | MISS},
	{"ia_hit_rfo", BIT(SERVER_RFO), HIT},
	{"ia_miss_rfo", BIT(SERVER_RFO), MISS},
	{"ia_miss_rfo_local", BIT(SERVER_RFO), LOCAL},
	{"ia_miss_rfo_remote", BIT(SERVER_RFO), REMOTE},
	{"ia_miss_rfo_cxl", BIT(SERVER_RFO), BIT(PLACE_CXL)},
	{"ia_rfo_pref", BIT(SERVER_RFO_PREF), HIT | MISS},
	{"ia_hit_rfo_pref", BIT(SERVER_RFO_PREF), HIT},
	{"ia_miss_rfo_pref", BIT(SERVER_RFO_PREF), MISS},
	{"ia_miss_rfo_pref_local", BIT(SERVER_RFO_PREF), LOCAL},
	{"ia_miss_rfo_pref_remote", BIT(SERVER_RFO_PREF), REMOTE},
	{"ia_miss_rfo_pref_cxl", BIT(SERVER_RFO_PREF), BIT(PLACE_CXL)},
};

void
tor_index_fill(struct tor_index *index)
{
	for (unsigned k = 0; k < SERVER_KINDS; k++)
		for (unsigned p = 0; p < SERVER_PLACES; p++) {
			signed char *row = index->row[k][p];

			for (unsigned i = 0; i < TOR_ROWS; i++)
				if (tor_row[i].kinds >> k & 1 && tor_row[i].places >> p & 1)
					*row++ = (signed char)i;
			*row = -1;
		}
}

void
slice_cover(struct server_slice_counts *c, const signed char *row, uint64_t from, uint64_t to)
{
	for (; *row >= 0; row++) {
		uint64_t *covered = &c->covered[*row], begin = from > *covered ? from : *covered;

		if (to > begin) {
			c->not_empty[*row] += to - begin;
			*covered = to;
		}
	}
}
