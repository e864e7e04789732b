/* Parts that the benchmarks share: medians, and the speed of this machine. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stddef.h>

struct obs_table;
struct signature_file;
struct udd_model;

/* PPL's facets of m0 from all signatures, on the machine for which the reach is stated */
#define PROTOTYPE_SECONDS 3.3e-3

/* Sorts the values. */
double bench_median(double *t, size_t n);

/* Processor time of this process, which has one thread and never waits, so time that others take is not in it. Some
 * kernels count it in ticks: measure tenths of a second. */
double bench_processor_seconds(void);

/* Seconds of PPL's double description of all 488 signatures of m0: the same work as on the prototype's machine. The
 * least of many, so that other users of this machine do not make it look slow. */
double bench_unit(void);

/* Synthetic observations of the rays in the file, Haswell's; half of them have flow that m0 does not know. */
struct obs_table *bench_observations(const struct signature_file *, size_t n, size_t rows);

/* The installed model of that name; ends the program without one. */
struct udd_model *bench_model(const char *name);

/* The same, with its text from the first line that begins with `from` (NULL: from the end) replaced by `text`. */
struct udd_model *bench_model_with(const char *name, const char *from, const char *text);

/* Resident memory of this process in MB, without libraries and files (RssAnon of proc_pid_status(5)). */
double bench_megabytes(void);

/* Prints "what 1.23 µs 0.68 µs at the prototype's speed reach 3 µs yes"; seconds; reach 0: none. */
void bench_row(const char *what, double seconds, double unit, double reach);

#endif
