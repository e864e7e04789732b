/* hecate determinism without data: counts events of the workload on this machine. */
#ifndef CLI_DETERMINISM_HERE_H
#define CLI_DETERMINISM_HERE_H

struct options;

/* Measures and prints. Returns the exit status. */
int determinism_here(const struct options *);

#endif
