/* Monotonic time and processor time. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

uint64_t clock_ns(void);           /* CLOCK_MONOTONIC, nanoseconds */
double clock_seconds(void);        /* the same in seconds */
double clock_thread_seconds(void); /* processor time of the calling thread */

#endif
