/* Why a choice of features is refuted, what would relax it, and proposed signatures where no feature does
 * (docs/json.md). */
#ifndef CLI_PRINT_PRINT_EXPLAIN_H
#define CLI_PRINT_PRINT_EXPLAIN_H

#include <stdbool.h>

struct bundle;
struct drafts;
struct explanations;
struct fset;
struct json_writer;
struct options;
struct result;
struct str;
struct suspects;
struct udd_model;

/* `result` has the observations' names. Without explanations (NULL) nothing is written. */
void print_explain_json(
	struct json_writer *, const struct udd_model *, const struct result *, const struct explanations *);
void print_explain_text(const struct options *, const struct udd_model *, const struct result *,
	const struct explanations *, struct str *out);

/* `result` has the observations' names. With NULL drafts the JSON is null and the text empty. */
void print_drafts_json(struct json_writer *, const struct udd_model *, const struct result *, const struct drafts *);
void print_drafts_text(const struct udd_model *, const struct result *, const struct drafts *, struct str *out);

/* Writes the array "suspects": counters that may be wrong instead of the model. `of`: the features that are refuted. */
void print_json_suspects(
	struct json_writer *, const struct udd_model *, const struct suspects *, const struct fset *of);

/* Writes the model with the drafts appended to the file of --draft. In the folder of the model, the text is the model's
 * own; elsewhere each include is replaced by the file's text. Without drafts nothing is written, and a message says so.
 * If the file cannot be written, prints a message and returns false. */
bool print_drafts_keep(const struct options *, const struct udd_model *, const struct bundle *, const struct drafts *);

#endif
