/* Results of the simulator Sniper (docs/data.md): the CPI stacks that its tools/cpistack.py prints, the statistics that
 * its tools/dumpstats.py prints, and sim.stats, which it wrote before it had a database. A core is an observation with
 * one row.
 *
 * Source: github.com/snipersim/snipersim (MIT licence), commit 900a80c: the functions output_cpistack_text and
 * output_cpistack_table of tools/cpistack.py, print_result of tools/dumpstats.py, and parse_stats of
 * tools/sniper_stats_compat.py. */
#ifndef COLLECT_IMPORT_SNIPER_H
#define COLLECT_IMPORT_SNIPER_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct obs_table;

/* Returns true when the beginning of a file looks like one of these texts. */
bool sniper_stack_is(const char *text);
bool sniper_stats_is(const char *text);

/* Arguments and failure are as for csv_read(). Columns are cpi.COMPONENT (cycles per instruction), time.COMPONENT (per
 * cent of the time simulated) and seconds.COMPONENT. The script rounds values, so rows are exact only if `exact`. */
struct obs_table *sniper_stack_read(const char *name, const char *text, size_t n, bool exact, struct err *e);

/* The same. Columns are OBJECT.METRIC, with unchanged counts: times are in femtoseconds. Rows are exact totals. */
struct obs_table *sniper_stats_read(const char *name, const char *text, size_t n, bool exact, struct err *e);

/* The same for Sniper's database, sim.stats.sqlite3, as bytes. */
struct obs_table *sniper_db_read(const char *name, const char *text, size_t n, bool exact, struct err *e);

/* Returns true and sets *e if another process is writing to the database open at fd, or was stopped while writing. */
bool sniper_db_is_used(int fd, const char *name, struct err *e);

#endif
