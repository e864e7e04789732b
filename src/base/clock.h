/* Monotonic time, and the processor time and memory that this process uses. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

uint64_t clock_ns(void);           /* CLOCK_MONOTONIC, nanoseconds */
double clock_seconds(void);        /* the same in seconds */
double clock_thread_seconds(void); /* processor time of the calling thread */

/* Processor time of this process since it began, user plus system, in seconds. */
double clock_process_seconds(void);
/* Bytes of resident memory that this process shares with no file (statm of proc(5)); NAN when unknown. */
double clock_process_memory(void);

#endif
