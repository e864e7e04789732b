/* The verdicts of a sweep, as text and as JSON (docs/json.md). */
#ifndef CLI_PRINT_PRINT_SWEEP_H
#define CLI_PRINT_PRINT_SWEEP_H

#include <stddef.h>

#include "work/sweep/sweep_cell.h"

struct json_writer;
struct options;
struct str;

struct sweep_table {
	char **model, **data; /* as the user named them; paths; owned */
	size_t n_models, n_data;
	struct sweep_cell *cell; /* model by model; owned */
};

void sweep_table_clear(struct sweep_table *);
/* Counts the answers on n models from `first` on. */
void sweep_table_count(const struct sweep_table *, size_t first, size_t n, size_t count[SWEEP_ANSWERS]);

void print_sweep_text(const struct options *, const struct sweep_table *, struct str *out);
void print_sweep_json(const struct options *, const struct sweep_table *, struct json_writer *);

/* The document. */
extern const struct shape print_sweep_shape;

#endif
