/* hecate determinism --overflow: skid, and stopping a command at an exact count. */
#ifndef CLI_DETERMINISM_OVERFLOW_H
#define CLI_DETERMINISM_OVERFLOW_H

struct options;

/* Measures and prints. Returns the exit status. */
int determinism_overflow(const struct options *);

#endif
