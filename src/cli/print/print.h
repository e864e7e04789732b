/* Results as text for people and as JSON for scripts (docs/json.md). */
#ifndef CLI_PRINT_PRINT_H
#define CLI_PRINT_PRINT_H

#include <stdbool.h>

#include "app/analysis/result.h"
#include "app/run/live.h"

struct json_writer;
struct live;
struct options;
struct str;
struct udd_model;
struct work_live;

/* Is the output plain ASCII: asked for, or is the locale not UTF-8? */
bool print_ascii(const struct options *);

/* The text of a constraint, safe to show, with ≤ where the output can show it. */
void print_relation(struct str *out, const char *text, bool ascii);

/* Lines of a report as the output can show them: no control characters, and signs of ASCII where it must be. */
void print_lines(struct str *out, const char *text, bool ascii);

/* Lines of a text, empty ones left out. */
void print_json_lines(struct json_writer *, const char *key, const char *text);

/* {"load.ret": 1, …} in the model's counter order, zeros left out. */
void print_coefficients(
	struct json_writer *, const char *key, const struct udd_model *, const int64_t *coef, size_t n);

void print_constraints_json(const struct udd_model *, const struct result *, struct json_writer *);
void print_constraints_text(const struct options *, const struct udd_model *, const struct result *, struct str *out);

/* `live` is NULL where nothing was counted here; explanations and drafts where they were not asked for. */
struct drafts;
struct explanations;
void print_check_json(const struct options *, const struct udd_model *, const struct result *, const struct live *,
	const struct work_live *, const struct explanations *, const struct drafts *, struct json_writer *);
void print_check_text(const struct options *, const struct udd_model *, const struct result *, struct str *out);

/* Parts of documents about data: how it was collected, which counters it has, what is to be known about it. */
void print_json_collected(struct json_writer *, const struct options *, const struct live *, const struct work_live *);
/* What must be said of the last run: objects in an array that is open. */
void print_json_live_warnings(struct json_writer *, const struct live *);
/* The same of the lines of live_explain() and the like. */
void print_json_warning_lines(struct json_writer *, const char *text);
/* "ended_by": why a run ended, as one word. */
void print_json_ended_by(struct json_writer *, enum live_ending);
void print_json_data(struct json_writer *, const struct options *, const struct udd_model *, const struct result *,
	const struct live *);

/* "exit 0", "signal 9 (Killed)"; "" when all is well. */
void print_command_text(const struct live *, struct str *out);

#endif
