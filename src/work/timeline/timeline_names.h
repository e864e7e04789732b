/* Names for snapshots in the session file: the observation and the snapshot's number in it, or the end of a snapshot
 * that is only bars. With such a name a snapshot is found again among other data and in another order of tables. */
#ifndef WORK_TIMELINE_TIMELINE_NAMES_H
#define WORK_TIMELINE_TIMELINE_NAMES_H

#include <stddef.h>

#include "work/timeline/timeline.h"

struct str;

/* Appends a JSON array of two texts: ["gcc", "41"]; ["gcc", "12.5 s"] for a sum of several snapshots that ends then;
 * ["", "12.5"] for bars. The observation has the name that the session file gives it, with "#2" on a second one. */
void timeline_snapshot_key(const struct timeline *, size_t snapshot, struct str *out);
/* Returns the snapshot with this key; TIMELINE_NONE: there is none. */
size_t timeline_snapshot_of(const struct timeline *, const char *key);
/* Appends "snapshot 41 of gcc" or "the snapshot that ended at 12.5 s". */
void timeline_snapshot_words(const char *key, struct str *out);

#endif
