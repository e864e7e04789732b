/* Curves of probes and their knees, as text and as JSON (docs/json.md). */
#ifndef CLI_PRINT_PRINT_PROBE_H
#define CLI_PRINT_PRINT_PROBE_H

struct curve;
struct json_writer;
struct knees;
struct options;
struct str;

void print_probe_json(const struct curve *, const struct knees *, struct json_writer *);
void print_probe_text(const struct options *, const struct curve *, const struct knees *, struct str *out);

#endif
