/* The block devices of this machine, by name. */
#ifndef COLLECT_PROC_DISKS_H
#define COLLECT_PROC_DISKS_H

#include <stdbool.h>
#include <stddef.h>

/* The devices that a pattern means, in order of their names; NULL-terminated, the caller frees with str_split_free().
 * `*` alone means every whole disk: a device of some size that is not memory (loop, ram, zram), not made of others (dm,
 * md: what they do is done by those) and not hidden behind another. Any other pattern means the devices whose names it
 * matches (fnmatch(3)). NULL and errno when the folder of block devices cannot be read. */
char **proc_disks(const char *pattern, size_t *n);

#endif
