/* Prints which constraints a verdict does without, and why. */
#ifndef CLI_PRINT_PRINT_UNTESTED_H
#define CLI_PRINT_PRINT_UNTESTED_H

#include <stdbool.h>

struct counting;
struct finding;
struct json_writer;
struct result;
struct str;
struct udd_model;

/* Continues a verdict's line with "; not tested: PGF = Fu + Fk and 3 more", unless all constraints were tested. */
void print_untested_names(const struct result *, const struct finding *, bool ascii, struct str *out);

/* Adds a line for each reason of the findings that are not infeasible: "    not tested, without PGF: …". */
void print_untested_reasons(const struct udd_model *, const struct result *, const struct counting *, bool ascii,
	struct str *out);

/* Write "untested": for the document, all constraints that no observation tests; for a finding, the number and names of
 * its untested constraints, and the reason. */
void print_untested_json(struct json_writer *, const struct result *);
void print_untested_json_of(struct json_writer *, const struct udd_model *, const struct result *,
	const struct finding *, const struct counting *);

#endif
