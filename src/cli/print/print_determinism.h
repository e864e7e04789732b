/* The judgement of recorded runs, as text and as JSON (docs/json.md). */
#ifndef CLI_PRINT_PRINT_DETERMINISM_H
#define CLI_PRINT_PRINT_DETERMINISM_H

struct json_writer;
struct options;
struct str;
struct trust_judgement;
struct trust_runs;

/* The members of the document, without the braces around them. */
void print_determinism_members(
	const struct trust_runs *, const struct trust_judgement *, struct json_writer *);
void print_determinism_json(const struct trust_runs *, const struct trust_judgement *, struct json_writer *);
void print_determinism_text(
	const struct options *, const struct trust_runs *, const struct trust_judgement *, struct str *out);

#endif
