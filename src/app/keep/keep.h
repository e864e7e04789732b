/* Keeps a session in its file: what the user chose, wrote and found out, and what was recorded. While the explorer runs
 * the file is brought up to date every few seconds if something has changed, and at once after a search, a note, or a
 * run; each time in one transaction, so that a kill at any moment costs the last seconds at most. What cannot be
 * written stays in memory and is tried again.
 *
 * It is the one writer of the file while the explorer runs, whether a model, a network or a stack is open.
 *
 *   keep.c            when, and what is new
 *   keep_tables.c     texts, and what was counted
 *   keep_rows.c       verdicts and notes
 *   keep_settings.c   switches, views, cursors, marks, filters: by name, never by number
 *   keep_profile.c    … of views 5 to 7
 *   keep_graph.c      the graph of the searches
 */
#ifndef APP_KEEP_KEEP_H
#define APP_KEEP_KEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/session/session_file.h"

struct err;
struct obs_table;
struct search_graph;
struct session;
struct session_file;
struct sheet;
struct stored_tables;
struct str;
struct udd_model;

struct keep;

/* What the command line has said, and the file is not asked for. */
enum keep_given {
	KEEP_FEATURES = 1,
	KEEP_CONFIDENCE = 2,
	KEEP_REGION = 4,
	KEEP_COUNTERS = 8,
	KEEP_OBSERVATIONS = 16,
	KEEP_FAMILY_WISE = 32,
	KEEP_PHASES = 64,
	KEEP_COMMAND = 128,
};

unsigned keep_given_by(
	bool features, bool confidence, bool region, bool counters, bool observations, bool family_wise, bool phases);

struct keep *keep_new(void);
void keep_free(struct keep *); /* closes the file; keep_now() comes before */

/* The session, whose model, or network, or stack, is loaded with its data, goes on as the file has it; s->kept_in is
 * its path from now on. What is not there any more is left out and said in the status line; so is what cannot be read.
 * The file is not changed. */
void keep_restore(struct keep *, struct session *, const char *path, unsigned given);

/* Make a new file, with model, network or stack, data and all else. False and *e: nothing was made, or what could not
 * be written is said. */
bool keep_make(struct keep *, struct session *, const char *path, struct err *e);

/* To be called whenever something may have happened: takes up what waits for the first result, and writes when it is
 * time. True when something is to be shown. */
bool keep_tick(struct keep *, struct session *);

/* Write now what has changed. False and *e when it is not in the file. True without a file. */
bool keep_now(struct keep *, struct session *, struct err *e);
void keep_soon(struct keep *); /* something happened that must not wait */

/* Forget the file: another model was opened, the session is another one. Writes before. */
/* a table that is followed goes: what is new of it is written */
void keep_leave_table(struct keep *, struct session *, const struct obs_table *);
void keep_leave(struct keep *, struct session *);

/* Seconds until keep_tick() has something to do by itself; INFINITY. */
double keep_patience(const struct keep *, const struct session *);

#define KEEP_SECONDS 2.0 /* between two writes at least, */
#define KEEP_RETRY 5.0   /* … and between two attempts where one failed */

/* keep_settings.c. What waits until a result shows which observations and constraints there are. */
struct resume {
	char *observation, *constraint; /* NULL: none */
	char **marked;                  /* NULL-terminated, or NULL */
	bool waits;
};
void keep_settings_of(const struct session *, const struct resume *, struct sheet *out);
void keep_settings_take(struct session *, const struct sheet *, unsigned given, struct resume *, struct str *lost);
void keep_settings_resume(struct session *, struct resume *, struct str *lost); /* when the first result is there */
void resume_free(struct resume *);
void keep_lost(struct str *lost, const char *kind, const char *name); /* "feature pml4e, observation gcc" */

void keep_put(struct sheet *out, const char *key, const char *value); /* nothing for NULL */
void keep_put_list(struct sheet *out, const char *key, char *const *item); /* NULL-terminated */
const char *keep_value(const struct sheet *, const char *key);             /* NULL: there is none */
/* texts of a JSON array, NULL-terminated; NULL when it is none. The caller frees with str_split_free() */
char **keep_list(const char *text);

/* keep_profile.c. */
void keep_profile_of(const struct session *, struct sheet *out);
void keep_profile_take(struct session *, const struct sheet *, unsigned given, struct str *lost);

/* keep_tables.c. The texts that the session is about become what the file brings; *model: the number of its model, 0
 * for networks and stacks. */
bool keep_texts_write(struct session_file *, const struct session *, int64_t *model, struct err *e);
/* Tables that grow: the command's counters, flows, the time of tasks. */
bool keep_tables_grow(const struct session *); /* there are some */
/* what is new */
bool keep_tables_write(struct stored_tables *, struct session_file *, const struct session *, struct err *e);

/* keep_rows.c. Verdicts of the result at hand; notes that are unsaved, and ids of those that are gone. A note that was
 * read joins the others. */
bool keep_verdicts_write(struct session_file *, int64_t model, const struct session *, struct err *e);
bool keep_remarks_write(struct session_file *, const struct session *, struct err *e);
bool keep_remarks_read(struct session_file *, struct session *, struct err *e);

/* keep_graph.c. A graph of another text of the model is not read. */
bool keep_graph_write(
	struct session_file *, int64_t model, const struct udd_model *, const struct search_graph *, struct err *e);
bool keep_graph_read(struct session_file *, int64_t model, const struct udd_model *, struct search_graph **,
	struct str *lost, struct err *e);

#endif
