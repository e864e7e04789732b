/* Finds out whether the samples of a gathered observation were repeated, as in a file that was appended to itself.
 * Gathered samples can no longer be compared, so repetition is detected while they are read. Where the first sample
 * occurs again, the totals so far (sums and squares of all columns) are taken as those of a block. If at the end the
 * totals and the number of samples are the same multiple of the block's, the block was repeated.
 *
 * Observations with times are not checked: in them a repeated row shows by its time. */
#ifndef CORE_OBS_REPEAT_H
#define CORE_OBS_REPEAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct obs;
struct obs_repeat;

/* Examines the sample with this number, before the observation's totals include it. */
void obs_repeat_see(struct obs *, size_t number, const int64_t *count, const unsigned char *counted);
/* Forgets what was seen, because counts have been changed. */
void obs_repeat_forget(struct obs *);

/* Returns the number of samples in a block that makes up the whole observation by repetition; 0: none. */
size_t obs_repeat_block(const struct obs *);
/* Keeps only one block. Returns false and changes nothing if the block's rows cannot be separated from those of the
 * next block, because some cells are empty or have shares of time or errors. */
bool obs_repeat_cut(struct obs *);

#endif
