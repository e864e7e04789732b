/* Results as text for people and as JSON for scripts (docs/json.md). */
#ifndef CLI_REPORT_REPORT_H
#define CLI_REPORT_REPORT_H

#include <stdbool.h>

#include "app/judge/result.h"

struct json_writer;
struct live;
struct options;
struct str;
struct udd_model;
struct work_live;

/* Is the output plain ASCII: asked for, or is the locale not UTF-8? */
bool report_ascii(const struct options *);

/* The text of a constraint, safe to show, with ≤ where the output can show it. */
void report_relation(struct str *out, const char *text, bool ascii);

/* Lines of a report as the output can show them: no control characters, and signs of ASCII where it must be. */
void report_lines(struct str *out, const char *text, bool ascii);

/* Lines of a text, empty ones left out. */
void report_json_lines(struct json_writer *, const char *key, const char *text);

/* {"load.ret": 1, …} in the model's counter order, zeros left out. */
void report_coefficients(
	struct json_writer *, const char *key, const struct udd_model *, const int64_t *coef, size_t n);

void report_constraints_json(const struct udd_model *, const struct result *, struct json_writer *);
void report_constraints_text(const struct options *, const struct udd_model *, const struct result *, struct str *out);

/* `live` is NULL where nothing was counted here; explanations and drafts where they were not asked for. */
struct drafts;
struct explanations;
void report_check_json(const struct options *, const struct udd_model *, const struct result *, const struct live *,
	const struct work_live *, const struct explanations *, const struct drafts *, struct json_writer *);
void report_check_text(const struct options *, const struct udd_model *, const struct result *, struct str *out);

/* Parts of documents about data: how it was collected, which counters it has, what is to be known about it. */
void report_json_collected(struct json_writer *, const struct options *, const struct live *, const struct work_live *);
/* What must be said of the last run: objects in an array that is open. */
void report_json_live_warnings(struct json_writer *, const struct live *);
/* The same of the lines of live_explain() and the like. */
void report_json_warning_lines(struct json_writer *, const char *text);
void report_json_data(struct json_writer *, const struct options *, const struct udd_model *, const struct result *,
	const struct live *);

/* "exit 0", "signal 9 (Killed)"; "" when all is well. */
void report_command_text(const struct live *, struct str *out);

#endif
