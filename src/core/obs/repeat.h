/* Samples of a gathered observation that stand there several times, as in a file that was appended to itself. They are
 * no longer there to be compared, so what shows it is seen while they are read: the first sample comes again, and the
 * totals at that place, sums and squares of all columns, are those of a block. If the totals at the end are the same
 * multiple of them that the number of samples is, the block was repeated.
 *
 * Observations with times are not looked at: there a repeated row has the time of the one before. */
#ifndef CORE_OBS_REPEAT_H
#define CORE_OBS_REPEAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct obs;
struct obs_repeat;

/* Looks at the sample with this number, before the observation's totals include it. */
void obs_repeat_see(struct obs *, size_t number, const int64_t *count, const unsigned char *counted);
/* Forgets what was seen: counts have been changed. */
void obs_repeat_forget(struct obs *);

/* The number of samples in a block that the observation repeats from beginning to end; 0: none. */
size_t obs_repeat_block(const struct obs *);
/* Keeps one block. False: its rows cannot be told from those of the next one, because some cells are empty or have
 * shares of time or errors; nothing is changed. */
bool obs_repeat_cut(struct obs *);

#endif
