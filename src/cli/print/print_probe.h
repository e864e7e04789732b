/* Curves of probes and their knees, as text and as JSON (docs/json.md). */
#ifndef CLI_PRINT_PRINT_PROBE_H
#define CLI_PRINT_PRINT_PROBE_H

#include <stdbool.h>

struct curve;
struct expected;
struct json_writer;
struct knees;
struct options;
struct probe;
struct str;
struct writing;

/* One curve: a document or a text of its own without a probe, else a result among others, compared with what is
 * expected of the probe; NULL: with nothing. */
void print_probe(const struct options *, const struct probe *, const struct curve *, const struct knees *,
	const struct expected *, struct writing *);
/* The document around results. `cut`: it was stopped. */
void print_probes_begin(const char *machine, struct json_writer *);
void print_probes_end(bool cut, struct json_writer *);
/* A line of the list of probes. */
void print_probe_row(const struct options *, const char *name, const char *text, struct str *out);

#endif
