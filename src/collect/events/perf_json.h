/* `perf list --json` (perf 6.2 and later), as rows of a table. */
#ifndef COLLECT_EVENTS_PERF_JSON_H
#define COLLECT_EVENTS_PERF_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "event/table.h"

struct err;
struct json;
struct str;

bool perf_json_read(const char *text, size_t n, struct event_table *, struct err *e);

/* Parses a document that programs wrote with flaws: commas before a closing bracket, control characters in strings.
 * Returns NULL and sets *e if it is none for other reasons. The caller frees with json_free(). */
struct json *perf_json_parse(const char *text, size_t n, struct err *e);

/* Adds a metric of the source, in the form that perf lists and its files have. */
void perf_json_add_metric(const struct json *object, enum event_source, struct event_table *);

/* Returns a member's text; "" if there is none, or perf printed "(null)" for it. */
const char *perf_json_text(const struct json *object, const char *key);

#endif
