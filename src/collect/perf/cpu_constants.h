/* The constants of perf's metrics (tools/perf/util/expr.c), as this machine has them. */
#ifndef COLLECT_PERF_CPU_CONSTANTS_H
#define COLLECT_PERF_CPU_CONSTANTS_H

struct perf_world;

/* Returns the value of a constant without its '#', in lower case: "num_cores", "smt_on". Returns NAN if this machine
 * does not say. */
double cpu_constant(const struct perf_world *, const char *name);

#endif
