/* A table of repeated runs with its judgement, as view 0 of the explorer shows it. */
#ifndef WORK_TRUST_TABLE_H
#define WORK_TRUST_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/trust/runs.h"

struct err;
struct trust_judgement;
struct trust_shelf;

struct trust_table {
	char *name;                        /* for the header: "static-runs.csv", "3 files" */
	char **path;                       /* absolute paths of the files that were read; owned */
	size_t n_paths;
	char *expected;                    /* NULL: no file of expected counts was named */
	struct trust_runs runs;
	struct trust_shelf *shelf;         /* what books say about the machines of the runs */
	struct trust_judgement *judgement; /* judgement of the groups of `runs`, in their order */
};

enum trust_table_kind { TRUST_TABLE_NONE, TRUST_TABLE_RUNS, TRUST_TABLE_EXPECTED };

/* Returns what a file is, by its header; TRUST_TABLE_NONE also if it cannot be read. */
enum trust_table_kind trust_table_kind_of(const char *path);

/* Reads and judges files as `hecate determinism` does. Returns NULL and sets *e on bad input. */
struct trust_table *trust_table_read(char *const *path, size_t n, const char *expected, struct err *e);
void trust_table_free(struct trust_table *);

#endif
