/* Tables of parameters, and texts that give them values: "stride=64,loads=0.3". */
#ifndef SIM_PARAMETER_TABLE_H
#define SIM_PARAMETER_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/notation.h"

struct err;
struct str;

struct sim_table_row {
	const char *name, *text; /* text: for help */
	enum notation form;
	int64_t least, most, preset;
	const char *const *words; /* for NOTATION_WORD: words that the value is an index of, NULL at the end */
	const char *note;         /* added to the hint at a wrong value, or NULL */
};
/* A row, from X(id, name, form, least, most, default, text); after text, fields such as .note = "…" may come. */
#define SIM_TABLE_ROW(name_, form_, least_, most_, preset_, ...) \
	{.name = name_, .form = form_, .least = least_, .most = most_, .preset = preset_, .text = __VA_ARGS__}
#define SIM_WORDS(...) (const char *const[]){__VA_ARGS__, NULL}

/* At most 64 rows: a set of parameters has bit 1 << i for row i. */
struct sim_table {
	const struct sim_table_row *row;
	size_t n;
};

/* Sets value[], which has a value for each row, to the defaults. */
void sim_table_preset(const struct sim_table *, int64_t *value);
/* Parses "name=value,…" into value[], and adds the parameters of the text to *given. `whose` is for messages. Returns
 * false and sets *e on a name that is not in the set `may` (with the nearest one, or the whole set) or is in *given
 * already, or on a value that is missing or out of range. */
bool sim_table_parse(const struct sim_table *, int64_t *value, uint64_t *given, const char *whose, uint64_t may,
	const char *text, struct err *e);
/* Prints the parameters of a set, in the order of the rows, as sim_table_parse() reads them. */
void sim_table_print(const struct sim_table *, const int64_t *value, uint64_t set, struct str *out);

#endif
