/* Whatever simulates rows of counts: the side of source_sim that differs between machines. */
#ifndef SIM_ROW_MAKER_H
#define SIM_ROW_MAKER_H

#include "collect/source.h"
#include "sim/run.h"

struct sim_row_maker_ops {
	const struct source_status *(*status)(const void *of); /* one per counter */
	enum sim_news (*row)(void *of, struct source_row *, struct err *);
	void (*cancel)(void *of); /* from another thread */
	void (*free)(void *of);
	bool own_time; /* a run lasts as long as its rows, not as long as it takes to simulate them */
};

struct sim_row_maker {
	const struct sim_row_maker_ops *ops;
	void *of; /* owned; NULL: it could not be made */
};

#endif
