/* Compression of the reorder buffer, as text and as JSON (docs/json.md). */
#ifndef CLI_PRINT_PRINT_ROB_STUDY_H
#define CLI_PRINT_PRINT_ROB_STUDY_H

struct options;
struct rob_study;
struct writing;

/* `machine`: what it ran on. */
void print_rob_study(const struct options *, const char *machine, const struct rob_study *, struct writing *);

#endif
