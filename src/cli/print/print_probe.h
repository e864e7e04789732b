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

/* What is known of a probe that was run. */
struct probe_result {
	const struct probe *probe;
	const struct curve *curve;
	const struct knees *knees;
	const struct probe_answer *answer;
	const struct expected *expected; /* NULL: nothing is expected */
	const struct curve *count;       /* n_counts, each named by its event: counts of a pass */
	size_t n_counts;
};

/* The result of a probe, among others. */
void print_probe(const struct options *, const struct probe_result *, struct writing *);
/* A curve that was measured elsewhere, as a document or a text of its own. The probe may be NULL. */
void print_imported(const struct options *, const struct probe *, const struct curve *, const struct knees *,
	struct writing *);
/* The document around results. `cut`: it was stopped. */
void print_probes_begin(const char *machine, struct json_writer *);
void print_probes_end(bool cut, struct json_writer *);
/* A line of the list of probes. */
void print_probe_row(const struct options *, const char *name, const char *text, struct str *out);

#endif
