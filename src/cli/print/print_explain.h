/* Why a choice of features is refuted, and what would relax it (docs/json.md). */
#ifndef CLI_PRINT_PRINT_EXPLAIN_H
#define CLI_PRINT_PRINT_EXPLAIN_H

struct explanations;
struct json_writer;
struct options;
struct result;
struct str;
struct udd_model;

/* `result` has the observations' names. Without explanations (NULL) nothing is written. */
void print_explain_json(
	struct json_writer *, const struct udd_model *, const struct result *, const struct explanations *);
void print_explain_text(const struct options *, const struct udd_model *, const struct result *,
	const struct explanations *, struct str *out);

#endif
