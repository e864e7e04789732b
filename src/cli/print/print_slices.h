/* Slices in clusters, their key points, and the probes to run next, as text and as JSON (docs/json.md). */
#ifndef CLI_PRINT_PRINT_SLICES_H
#define CLI_PRINT_PRINT_SLICES_H

struct json_writer;
struct options;
struct skp;
struct str;

/* `on`: the simulated machine that the slices come from; NULL. */
void print_slices_text(const struct options *, const struct skp *, const char *on, struct str *out);
void print_slices_json(const struct skp *, struct json_writer *);

#endif
