/* What determinism_run() measured, as repeated runs to judge. */
#ifndef WORK_TRUST_DETERMINISM_TABLE_H
#define WORK_TRUST_DETERMINISM_TABLE_H

struct determinism;
struct trust_runs;

/* Adds a group for each event with all parts ("all parts"), and one without any ("no part"). */
void determinism_table(const struct determinism *, const char *machine, struct trust_runs *);

/* The name of this machine's processor, as /proc/cpuinfo says, else that of its architecture. The caller frees. */
char *determinism_machine(void);

#endif
