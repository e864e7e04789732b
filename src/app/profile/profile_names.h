/* What snapshots are called where they are written down: by the observation and the number in it, or, where a snapshot
 * is bars alone, by the time at which it ended. So they are found again among other data, and in another order of
 * tables. */
#ifndef APP_PROFILE_PROFILE_NAMES_H
#define APP_PROFILE_PROFILE_NAMES_H

#include <stddef.h>

#include "app/profile/profile.h"

struct str;

/* A JSON array of two texts: ["gcc", "41"]; ["gcc", "12.5 s"] for what stands for several in memory, and ended then;
 * ["", "12.5"] for bars. An observation is called as the session file calls it, which gives "#2" to what comes later
 * under a name. */
void profile_moment_key(const struct profile *, size_t moment, struct str *out);
/* The other way; PROFILE_WHOLE: there is no such snapshot. */
size_t profile_moment_of(const struct profile *, const char *key);
/* "snapshot 41 of gcc", "the snapshot that ended at 12.5 s". */
void profile_moment_words(const char *key, struct str *out);

#endif
