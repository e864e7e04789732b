/* Recorded runs by path, for the judgement of core/trust/judge.h. */
#ifndef WORK_TRUST_RECORDED_H
#define WORK_TRUST_RECORDED_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct trust_runs;

/* Reads files of runs: tables (collect/import/run_table.h), or whatever hecate reads as data, such as perf stat output
 * of repeated runs: an observation is a test, each row a run; several files whose names differ only in the number at
 * their end are runs of one test. A file of expected counts may be among them; `expected`
 * is one more, or NULL. "-" is standard input. False and *e on bad input. Call trust_runs_free() in either case. */
bool recorded_read(char *const *path, size_t n, const char *expected, struct trust_runs *, struct err *e);

#endif
