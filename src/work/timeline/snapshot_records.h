/* Writes what a network says of each snapshot into the record tables of a session file (docs/session-file.md,
 * "Records"): PathFinder's PFMaterializer (Li et al., SIGCOMM 2025, section 4.6), with SQLite in place of InfluxDB.
 *
 *     table ──▶ snapshot (network_data.h) ──▶ state ──▶ loads of links        edges
 *                                                  ├──▶ values and queues     vertices
 *                                                  ├──▶ stalls                stalls
 *                                                  └──▶ path map              paths
 *               flows of its time (flow_sum.h) ──────────▶ figures, path maps flows, paths */
#ifndef WORK_TIMELINE_SNAPSHOT_RECORDS_H
#define WORK_TIMELINE_SNAPSHOT_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct network;
struct network_data;
struct obs_table;
struct session_file;
struct session_records;
struct snapshot_records;
struct stored_tables;

/* A run that is being recorded. */
struct snapshot_run {
	const struct network *network;
	const struct obs_table *table; /* has the network's counters */
	const struct obs_table *flows; /* a table that may have the run's flows, or NULL */
	bool ended;
};

/* Writes the snapshots of a run that were not written yet, one for each interval, in one transaction. Its table must
 * have been written as one of `tables`; otherwise nothing is done. The last snapshot waits for the next one, because
 * rows of its flows may still come, unless the run has ended. *r keeps what was written of the table: NULL before the
 * first call, and freed by snapshot_records_leave() or snapshot_records_free() before the table, the network or the
 * file. Returns false and sets *e on failure; then snapshots may be lacking. */
bool snapshot_records_keep(struct snapshot_records **r, struct session_file *, const struct stored_tables *,
	const struct snapshot_run *, struct err *e);
/* Frees *r if it is about this table. */
void snapshot_records_leave(struct snapshot_records **r, const struct obs_table *);
void snapshot_records_free(struct snapshot_records *);

/* Makes the records of an existing session file anew, from its own observations. Returns false and sets *e on
 * failure; the file may then have the first ones. */
bool snapshot_records_make(const char *path, const struct network *, size_t *snapshots, struct err *e);

/* Private to the files of the records: writes the flows of a snapshot that was just taken, and the path map of each
 * task on each CPU, as rows of the file's snapshot `number`. Flows are those of the data's table, or of `flows` (NULL:
 * none). */
bool snapshot_records_flows(struct session_records *, const struct network_data *, size_t snapshot,
	const struct obs_table *flows, int64_t number, struct err *e);

#endif
