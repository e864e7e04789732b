/* The tables of a session file (docs/session-file.md describes them), one step for each version. */
#ifndef COLLECT_STORE_SESSION_SCHEMA_H
#define COLLECT_STORE_SESSION_SCHEMA_H

#include <stdbool.h>

#include "core/obs/obs.h"

#define SESSION_APPLICATION_ID 0x48435445 /* "HCTE", at byte 68 of the file */
#define SESSION_VERSION 5                 /* user_version of files that are written now */

/* What makes a file of version `from` one of version `from` + 1: SQL. `from` is below SESSION_VERSION; 0 is an empty
 * database. */
const char *session_schema_step(int from);

/* How the file names health: words of its own, which stay as they are when the program's change. */
const char *session_health_word(enum obs_health);
/* False when no health has that word. */
bool session_health_of(const char *word, enum obs_health *);

#endif
