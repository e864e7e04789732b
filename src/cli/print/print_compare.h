/* How choices of features relate, as text and as JSON (docs/json.md). */
#ifndef CLI_PRINT_PRINT_COMPARE_H
#define CLI_PRINT_PRINT_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

struct comparison;
struct fset;
struct json_writer;
struct options;
struct compare_order;
struct result;
struct shape;
struct str;
struct udd_model;

/* `name`: names of the two sets. `data`: the result that describes the data; NULL without data. */
void print_compare_json(const struct options *, const struct udd_model *, const struct comparison *,
	const char *const name[2], const struct result *data, struct json_writer *);
/* Shapes of the parts of that document. */
extern const struct shape print_difference_shape, print_remedy_shape, print_told_shape;
void print_compare_text(const struct options *, const struct udd_model *, const struct comparison *,
	const char *const name[2], struct str *out);

void print_order_json(const struct udd_model *, const struct compare_order *, const struct fset *on,
	const char *const *name, const bool *used, struct json_writer *);
void print_order_text(const struct options *, const struct udd_model *, const struct compare_order *,
	const struct fset *on, const char *const *name, struct str *out);

/* Parts that both documents have: schema, model and file; "features"; "counters". */
void print_compare_head(struct json_writer *, const char *schema, const struct udd_model *);
void print_compare_counters(struct json_writer *, const struct udd_model *, const bool *used);
/* Print what belongs next to the name of a set of features; and "tags", the tags of a folder's model. */
void print_compare_about(const struct udd_model *, const struct fset *, struct str *out);
void print_compare_tags(struct json_writer *, const struct udd_model *, const struct fset *);

#endif
