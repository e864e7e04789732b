/* Choosing rows of a table of events, as `hecate events` and lists on the screen do. */
#ifndef EVENT_TABLE_FIND_H
#define EVENT_TABLE_FIND_H

#include <stdbool.h>
#include <stddef.h>

struct event_row;
struct event_table;
struct str;

struct event_filter {
	char *const *word;  /* each stands in the name or the description, in any case; one with * or ? fits the whole name */
	size_t n;
	const char *pmu;    /* the PMU or one of its boxes; NULL: any */
	const char *code;   /* "0x60f9", "r60f9", "event=0xf9,umask=0x60", "cpu/event=0xf9,umask=0x60/"; NULL: any */
};

/* Returns the numbers of the rows that fit, those whose names have all words first, otherwise in the table's order. The
 * caller frees. */
size_t *event_table_select(const struct event_table *, const struct event_filter *, size_t *n);

/* Appends a code in a form that is equal for equal codes, whatever the order of its terms: "r60f9". */
void event_code_form(const char *code, struct str *out);

/* Returns the numbers of the other rows with the same code on the same PMU. The caller frees. */
size_t *event_table_same_code(const struct event_table *, const struct event_row *, size_t *n);

#endif
