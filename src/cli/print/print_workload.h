/* What was measured of the workload, as text and as JSON (docs/json.md). */
#ifndef CLI_PRINT_PRINT_WORKLOAD_H
#define CLI_PRINT_PRINT_WORKLOAD_H

struct determinism;
struct json_writer;
struct options;
struct str;
struct trust_judgement;
struct trust_runs;

/* Where the results were stored: one of them is NULL. */
struct workload_stored {
	const char *path;
	const char *why; /* they are not */
};

void print_workload_text(const struct options *, const struct determinism *, const char *machine,
	const struct trust_runs *, const struct trust_judgement *, struct str *out);
void print_workload_json(const struct determinism *, const struct trust_runs *, const struct trust_judgement *,
	const struct workload_stored *, struct json_writer *);

#endif
