/* Shared by the files of collect/flow_records.h and private to them. */
#ifndef COLLECT_PERF_FLOW_RECORDS_STATE_H
#define COLLECT_PERF_FLOW_RECORDS_STATE_H

#include "base/str.h"
#include "collect/flow_records.h"
#include "collect/perf/flow_lane.h"
#include "collect/perf/world.h"

struct flow_place {
	int cpu, leader;  /* -1: not open */
	int *member;      /* descriptors of the group's members */
	bool gone;
	uint64_t *last;   /* 1 + n_members: totals read at the stop */
	bool read;
};

struct flow_records {
	struct perf_world world;
	struct source_status *status; /* per requested counter */
	size_t *counter;             /* the counter of each member */
	size_t *asked;               /* per open counter */
	unsigned char *quiet, *clock;
	struct flow_group group;
	struct flow_place *at;
	struct flow_lane *lane;
	size_t n;
	struct flow_tasks *tasks;
	struct flow_taker taker;
	uint64_t *value, *again;     /* room for a read */
	int epoll;
	size_t ring_kb;
	uint64_t unread;
	struct str name;
	bool started, stopped;
};

/* Opens a place's ring and lane; flow_records_free() frees them. On failure returns false and sets *e. */
bool flow_records_open_places(struct flow_records *, const struct flow_records_spec *, struct err *e);

#endif
