/* --counterpoint: the options that it does not go with, and what the output says about it. */
#ifndef CLI_COUNTERPOINT_H
#define CLI_COUNTERPOINT_H

#include <stdbool.h>

struct err;
struct options;
struct str;

/* False and *e when --counterpoint is given together with an option that sets part of how verdicts are made. */
bool counterpoint_alone(const struct options *, struct err *e);

/* The name of the way to decide that the options ask for: "cone", "box" … */
const char *counterpoint_or_region(const struct options *);

/* With --counterpoint a line that says how it judges; else nothing. */
void counterpoint_line(const struct options *, struct str *out);

#endif
