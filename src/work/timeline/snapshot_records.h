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
struct obs_table;
struct snapshot_records;
struct session_file;
struct session_writer;

/* Begins the records of a table. `anew`: the file's records are removed. Network, table and file must outlive the
 * result. Returns NULL and sets *e on failure. */
struct snapshot_records *snapshot_records_new(
	struct session_file *, const struct network *, const struct obs_table *, bool anew, struct err *e);
void snapshot_records_free(struct snapshot_records *);

/* Writes the snapshots that the table has gained since the last call, each interval one. The table's observations are
 * in the file: written by `writer`, or read from the file if that is NULL. The caller begins and ends the transaction.
 * Counts what was written. */
bool snapshot_records_follow(struct snapshot_records *, const struct session_writer *, struct err *e);
size_t snapshot_records_snapshots(const struct snapshot_records *);

/* Makes the records of a session file anew, from its own observations. Returns false and sets *e on failure. */
bool snapshot_records_make(const char *path, const struct network *, size_t *snapshots, struct err *e);

#endif
