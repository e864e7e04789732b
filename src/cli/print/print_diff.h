/* What `hecate diff` prints. */
#ifndef CLI_PRINT_PRINT_DIFF_H
#define CLI_PRINT_PRINT_DIFF_H

#include <stdbool.h>

struct diff_rule;
struct json_writer;
struct measured_diff;
struct options;
struct stack;
struct str;

struct diff_page {
	const struct options *options; /* NULL: the explorer's, for JSON and Markdown */
	const struct measured_diff *measured;
	const struct diff_rule *judge;
	const struct stack *stack; /* whose parts are compared; NULL: none */
	const char *command[2]; /* A and B as given */
	bool recorded;          /* by others: nobody drew the order of the runs */
};

void print_diff_text(const struct diff_page *, struct str *out);
void print_diff_markdown(const struct diff_page *, struct str *out); /* for a comment on a change */
void print_diff_json(const struct diff_page *, struct json_writer *); /* the whole document, hecate.diff/1 */

#endif
