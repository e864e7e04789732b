/* Tests inside an emulated machine. The test program is its first process, /init; it has the folders /proc and /sys and
 * the programs next to it. Results and recorded data leave by the serial console, line by line. */
#ifndef EMULATED_MACHINE_H
#define EMULATED_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/perf/names.h"
#include "collect/perf/world.h"
#include "collect/rotation.h"
#include "collect/source.h"
#include "core/doctor/health.h"
#include "event/table.h"

#define MACHINE_EVENTS 16

void machine_start(void); /* mounts the kernel's file systems */
void machine_end(void) __attribute__((noreturn)); /* switches the machine off */

const struct perf_world *machine_world(void);

/* Opens an event, disabled, for the calling thread alone. -1, and the refusal in *s, if it cannot be opened. */
int machine_open(const char *event, struct source_status *s);

/* Tries events of this machine's table (fit_try()), and prints what became of those that open. Returns how many those
 * are. A failed check, unless each of `name` has this health, also among what is kept for hecate events. */
size_t machine_try(const struct event_filter *, const char *const *name, size_t n, enum health);

/* The counts of a run of a command: totals from its execve(2) to its end. */
struct machine_run {
	int64_t count[MACHINE_EVENTS];
	unsigned char counted[MACHINE_EVENTS];
	struct source_status status[MACHINE_EVENTS];
	struct source_end end;
};

/* Counts a command with source_perf. False, and a failed check, if that fails. argv ends with NULL. */
bool machine_count(const char *const *event, size_t n, char *const *argv, struct machine_run *);

/* Interrupts so far, of all kinds and of the timer, from /proc/interrupts. */
struct machine_interrupts {
	uint64_t all, timer;
};
struct machine_interrupts machine_interrupts(void);

/* Probes as hecate doctor does, and prints that. A failed check if a word of x86 is said, if the core PMU is not found,
 * or if what is said of timers lacks `timer`. */
void machine_doctor(const char *timer);

/* The cases of this architecture, and its name in recorded data: in arm.c or riscv.c. */
extern const char *const machine_name;
int machine_cases(int argc, char **argv);

/* Records runs of the programs of known.S: lines "runs: …" with the columns of the tables of repeated runs that
 * `hecate determinism` reads, and "expected: …". `events` ends with NULL. In record.c, like the next. */
void record_known(const char *const *events);
/* Runs the workload with known counts, `runs` times for each set of parts, searches what the events miscount, and
 * prints runs and expectations like record_known(). NULL, and a failed check, if that fails. The caller frees it with
 * determinism_free(). */
struct determinism *determinism_here(const char *const *event, size_t n, size_t runs);
/* Records exercises: lines "pages: …", a CSV of one row a run. */
void record_pages(void);

#endif
