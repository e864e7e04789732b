/* What a session file holds as figures with labels, for other programs (work/files/metric_text.h):
 *
 *     hecate_event     counts of each column
 *     hecate_snapshot  length of each row
 *     hecate_vertex    each module, owner and kind of the file's network: requests, misses, delay, queue
 *     hecate_edge      load of each link
 *     hecate_stall     stalls of each component, by destination
 *     hecate_verdict   what the explorer judged last */
#ifndef WORK_TIMELINE_EXPORTED_METRICS_H
#define WORK_TIMELINE_EXPORTED_METRICS_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct metric_point;
struct obs_table;

struct exported_metrics_to {
	/* Takes one point, which is valid during the call. False ends the export; *e then says why. */
	bool (*take)(void *ctx, const struct metric_point *, struct err *e);
	void *ctx;
	bool each_row;  /* a point for each row, with its time; otherwise one for each observation, without */
	/* With each_row, per observation: the first row, and the one after the last; NULL: all rows. A verdict belongs
	 * to its observation's last row. */
	const struct exported_rows {
		size_t first, end;
	} *rows;
};

/* Exports the table of a session file, its network if it has one, and its verdicts. *undated is the number of
 * observations whose time of day is not known: their times count from 1970. Returns false and sets *e on failure. */
bool exported_metrics(const char *path, const struct obs_table *, const struct exported_metrics_to *, size_t *undated,
	struct err *e);

#endif
