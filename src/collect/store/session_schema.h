/* The tables of a session file (docs/session-file.md describes them), one step for each version. */
#ifndef COLLECT_STORE_SESSION_SCHEMA_H
#define COLLECT_STORE_SESSION_SCHEMA_H

#include <stdbool.h>

#include "core/obs/obs.h"

#define SESSION_APPLICATION_ID 0x48435445 /* "HCTE", at byte 68 of the file */
#define SESSION_VERSION 11                /* user_version of files that are written now */

/* Returns the SQL that turns a file of version `from` into one of version `from` + 1. `from` is below SESSION_VERSION;
 * 0 is an empty database. */
const char *session_schema_step(int from);

/* Returns the word for a health in the file. These words never change, even if the words that the program shows do. */
const char *session_health_word(enum obs_health);
/* Returns false when no health has that word. */
bool session_health_of(const char *word, enum obs_health *);

#endif
