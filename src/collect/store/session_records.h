/* The record tables of a session file: what a network says of each snapshot, as rows that SQL can query
 * (docs/session-file.md, "Records"). They follow from the samples and the network, so they may be removed and made
 * again. Only one network at a time has records in a file. */
#ifndef COLLECT_STORE_SESSION_RECORDS_H
#define COLLECT_STORE_SESSION_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct session_file;
struct session_records;

/* The tables, and their figures in the order of their columns. */
enum session_record {
	SESSION_EDGES,    /* load, idle */
	SESSION_VERTICES, /* hits, misses, delay, length, arrivals, wait, occupied, busy, bytes */
	SESSION_STALLS,   /* stall, own, hidden, kept, stuck */
	SESSION_FLOWS,    /* ran, requests, share, closed, ended */
	SESSION_PATHS,    /* hits */
	SESSION_RECORDS
};
#define SESSION_FIGURES_MAX 9

/* What a row is about. Texts are "" where they do not apply. */
struct session_thing {
	enum session_record what;
	const char *module, *kind, *owner;
	const char *target; /* receiver of an edge, destination of a stall, place of a path */
	int64_t flow;       /* of session_records_flow(); 0: all tasks together */
};

/* Begins to write records of a network. Records of another network are removed, and with `anew` all. Returns NULL and
 * sets *e on failure. */
struct session_records *session_records_new(struct session_file *, const char *network, bool anew, struct err *e);
void session_records_free(struct session_records *);

/* Adds a snapshot: rows first … first + n - 1 of an observation, by its number in the file. `time`: end in s, and
 * `seconds`: length; NAN: unknown. Returns its number; 0 and *e on failure. */
int64_t session_records_snapshot(struct session_records *, int64_t observation, size_t first, size_t n, double time,
	double seconds, struct err *e);

/* Returns the number of a thing or a flow in the file, which is added if it is new; 0 and *e on failure. A flow is
 * known by all but its task's name, which may change. */
int64_t session_records_thing(struct session_records *, const struct session_thing *, struct err *e);
int64_t session_records_flow(struct session_records *, const char *task, int64_t tid, uint64_t life, int cpu,
	const char *destination, struct err *e);

/* Adds a row: a thing's or a flow's figures in a snapshot; NAN: unknown. Nothing is written if all are unknown. */
bool session_records_add(struct session_records *, enum session_record, int64_t snapshot, int64_t thing,
	const double *figure, struct err *e);

/* Returns the number in the file of the observation with this name; 0: there is none, or *e on failure. */
int64_t session_records_observation(struct session_file *, const char *name, struct err *e);

/* Removes the records of an observation. */
bool session_records_forget(struct session_file *, int64_t observation, struct err *e);

#endif
