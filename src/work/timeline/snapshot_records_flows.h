/* The flows of one snapshot, for the record tables (snapshot_records.h). Private to work/timeline. */
#ifndef WORK_TIMELINE_SNAPSHOT_RECORDS_FLOWS_H
#define WORK_TIMELINE_SNAPSHOT_RECORDS_FLOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct network_data;
struct session_records;

/* Writes the flows of a snapshot that was just taken, and the path map of each task on each CPU, which are rows of the
 * file's snapshot `number`. Does nothing if the table has no flows of this observation. */
bool snapshot_records_flows(struct session_records *, const struct network_data *, size_t snapshot, int64_t number,
	struct err *e);

#endif
