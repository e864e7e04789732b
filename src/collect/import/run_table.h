/* Tables of repeated runs, and of expected counts: comma-separated, with a header that names the columns in any order.
 *
 *   runs:          event, count; and any of machine, test (or benchmark, program), counters, run, counter,
 *                  second_counter, second_count, hw_int_rcv (or interrupts), page_faults, context_switches,
 *                  timer_interrupts_all_cpus, interrupts_all_cpus, seconds, running (share of the time, 0 to 1)
 *   expectations:  event, expected; and any of machine, test
 *   instrumented:  test and columns named after events (instructions, branches, loads, stores) with what string
 *                  instructions add: rep_instructions, …
 *
 * Other columns are left out. A table with machine, test, second_count and so on holds the data of the public
 * repository deater/deterministic (V. M. Weaver) in one table. */
#ifndef COLLECT_IMPORT_RUN_TABLE_H
#define COLLECT_IMPORT_RUN_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct trust_expected;
struct trust_runs;

enum run_table_kind { RUN_TABLE_NONE, RUN_TABLE_RUNS, RUN_TABLE_EXPECTED, RUN_TABLE_INSTRUMENTED };

/* Returns the kind of a text, by the columns of its header. */
enum run_table_kind run_table_kind_of(const char *text, size_t n);

/* Appends the runs of a table. Several tables may have runs of the same group. On bad input returns false and sets *e,
 * with line and column; the table is then incomplete. Afterwards run_table_settle() decides what the second counters
 * count. */
struct run_table_pairs;
struct run_table_pairs *run_table_pairs_new(void);
void run_table_pairs_free(struct run_table_pairs *);
bool run_table_read(
	const char *name, const char *text, size_t n, struct trust_runs *, struct run_table_pairs *, struct err *e);

/* Two counters ran at a time, and tools print them in the order of their codes, so either may be the one that counts
 * interrupts: it is the one that was counted next to most events of a machine. If it comes first in a pair, the two are
 * swapped. A pair without it has no count of interrupts. Adds notes. */
void run_table_settle(struct trust_runs *, struct run_table_pairs *);

/* Appends the expectations of a table of either kind. */
bool run_table_read_expected(const char *name, const char *text, size_t n, struct trust_expected *, struct err *e);

#endif
