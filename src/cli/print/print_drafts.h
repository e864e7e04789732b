/* What to do when no declared feature helps: observations that no model takes, and proposed signatures (docs/json.md).
 */
#ifndef CLI_PRINT_PRINT_DRAFTS_H
#define CLI_PRINT_PRINT_DRAFTS_H

#include <stdbool.h>

struct bundle;
struct drafts;
struct json_writer;
struct options;
struct result;
struct str;
struct udd_model;

/* `result` has the observations' names. NULL drafts: null, or nothing. */
void print_drafts_json(struct json_writer *, const struct udd_model *, const struct result *, const struct drafts *);
void print_drafts_text(const struct udd_model *, const struct result *, const struct drafts *, struct str *out);

/* The model with the drafts behind it, to the file that --draft names: its own file's text as it stands if the new one
 * lies in the same folder, else with the text of each included file in the place of its include. Without drafts nothing
 * is written, and that is said. False when it has been said why it could not be written. */
bool print_drafts_keep(const struct options *, const struct udd_model *, const struct bundle *, const struct drafts *);

#endif
