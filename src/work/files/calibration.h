/* Calibration of a simulated machine's counters: programs whose counts are known, because the same programs run on the
 * same machine with a PMU that errs in nothing. It is to the simulation what `hecate determinism` is to hardware. */
#ifndef WORK_FILES_CALIBRATION_H
#define WORK_FILES_CALIBRATION_H

struct err;
struct simulation;
struct trust_book;

/* Runs each program in several lengths, and returns a book about the machine: an entry for each event that rises. The
 * PMU has as many counters as needed. Meanwhile the machine's timer is faster, so that there are many interrupts; what
 * each of them adds is the same. NULL and *e: the machine has a pipeline, or cannot be simulated. */
struct trust_book *calibrate_simulation(const struct simulation *, struct err *e);

#endif
