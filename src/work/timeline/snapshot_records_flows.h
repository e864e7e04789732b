/* The flows of one snapshot, for the record tables (snapshot_records.h). Private to work/timeline. */
#ifndef WORK_TIMELINE_SNAPSHOT_RECORDS_FLOWS_H
#define WORK_TIMELINE_SNAPSHOT_RECORDS_FLOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct network_data;
struct obs_table;
struct session_records;

/* Writes the flows of a snapshot that was just taken, and the path map of each task on each CPU, as rows of the file's
 * snapshot `number`. Flows are those of the data's table, or of `flows` (NULL: none). */
bool snapshot_records_flows(struct session_records *, const struct network_data *, size_t snapshot,
	const struct obs_table *flows, int64_t number, struct err *e);

#endif
