/* Curves of probes and their knees, as text and as JSON (docs/json.md). */
#ifndef CLI_PRINT_PRINT_PROBE_H
#define CLI_PRINT_PRINT_PROBE_H

#include <stdbool.h>
#include <stddef.h>

struct curve;
struct expected;
struct json_writer;
struct knees;
struct options;
struct probe;
struct probe_answer;
struct str;
struct writing;

/* What is known about a probe that was run. */
struct probe_result {
	const struct probe *probe;
	const struct curve *curve;
	const struct knees *knees;
	const struct probe_answer *answer;
	const struct expected *expected; /* NULL: nothing is expected */
	const struct curve *count;       /* n_counts curves of counts per pass, each named by its event */
	size_t n_counts;
};

/* Prints the result of one probe among several. */
void print_probe(const struct options *, const struct probe_result *, struct writing *);
/* Prints a curve that was measured elsewhere, as a document or a text of its own. The probe may be NULL. */
void print_imported(const struct options *, const struct probe *, const struct curve *, const struct knees *,
	struct writing *);
/* Begin and end the document around the results. `cut`: the probes were stopped. */
void print_probes_begin(const char *machine, struct json_writer *);
void print_probes_end(bool cut, struct json_writer *);
/* Prints a line of the list of probes. */
void print_probe_row(const struct options *, const char *name, const char *text, struct str *out);

#endif
