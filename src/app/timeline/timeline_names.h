/* What snapshots are called where they are written down: by the observation and the number in it, or, where a snapshot
 * is bars alone, by the time at which it ended. So they are found again among other data, and in another order of
 * tables. */
#ifndef APP_TIMELINE_TIMELINE_NAMES_H
#define APP_TIMELINE_TIMELINE_NAMES_H

#include <stddef.h>

#include "app/timeline/timeline.h"

struct str;

/* A JSON array of two texts: ["gcc", "41"]; ["gcc", "12.5 s"] for what stands for several in memory, and ended then;
 * ["", "12.5"] for bars. An observation is called as the session file calls it, which gives "#2" to what comes later
 * under a name. */
void timeline_snapshot_key(const struct timeline *, size_t snapshot, struct str *out);
/* The other way; TIMELINE_WHOLE: there is no such snapshot. */
size_t timeline_snapshot_of(const struct timeline *, const char *key);
/* "snapshot 41 of gcc", "the snapshot that ended at 12.5 s". */
void timeline_snapshot_words(const char *key, struct str *out);

#endif
