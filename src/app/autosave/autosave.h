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
#ifndef APP_AUTOSAVE_AUTOSAVE_H
#define APP_AUTOSAVE_AUTOSAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/store/session_file.h"

struct err;
struct obs_table;
struct search_graph;
struct state;
struct session_file;
struct sheet;
struct stored_tables;
struct str;
struct udd_model;

struct autosave;

/* What the command line has said, and the file is not asked for. */
enum autosave_given {
	AUTOSAVE_FEATURES = 1,
	AUTOSAVE_CONFIDENCE = 2,
	AUTOSAVE_REGION = 4,
	AUTOSAVE_COUNTERS = 8,
	AUTOSAVE_OBSERVATIONS = 16,
	AUTOSAVE_FAMILY_WISE = 32,
	AUTOSAVE_PHASES = 64,
	AUTOSAVE_COMMAND = 128,
};

unsigned autosave_given_by(
	bool features, bool confidence, bool region, bool counters, bool observations, bool family_wise, bool phases);

struct autosave *autosave_new(void);
void autosave_free(struct autosave *); /* closes the file; autosave_now() comes before */

/* The session, whose model, or network, or stack, is loaded with its data, goes on as the file has it; s->kept_in is
 * its path from now on. What is not there any more is left out and said in the status line; so is what cannot be read.
 * The file is not changed. */
void autosave_restore(struct autosave *, struct state *, const char *path, unsigned given);

/* Make a new file, with model, network or stack, data and all else. False and *e: nothing was made, or what could not
 * be written is said. */
bool autosave_make(struct autosave *, struct state *, const char *path, struct err *e);

/* To be called whenever something may have happened: takes up what waits for the first result, and writes when it is
 * time. True when something is to be shown. */
bool autosave_tick(struct autosave *, struct state *);

/* Write now what has changed. False and *e when it is not in the file. True without a file. */
bool autosave_now(struct autosave *, struct state *, struct err *e);
void autosave_soon(struct autosave *); /* something happened that must not wait */

/* Forget the file: another model was opened, the session is another one. Writes before. */
/* a table that is followed goes: what is new of it is written */
void autosave_leave_table(struct autosave *, struct state *, const struct obs_table *);
void autosave_leave(struct autosave *, struct state *);

/* Seconds until autosave_tick() has something to do by itself; INFINITY. */
double autosave_patience(const struct autosave *, const struct state *);

#define AUTOSAVE_SECONDS 2.0 /* between two writes at least, */
#define AUTOSAVE_RETRY 5.0   /* … and between two attempts where one failed */

/* keep_settings.c. What waits until a result shows which observations and constraints there are. */
struct resume {
	char *observation, *constraint; /* NULL: none */
	char **marked;                  /* NULL-terminated, or NULL */
	bool waits;
};
void autosave_settings_of(const struct state *, const struct resume *, struct sheet *out);
void autosave_settings_take(struct state *, const struct sheet *, unsigned given, struct resume *, struct str *lost);
void autosave_settings_resume(struct state *, struct resume *, struct str *lost); /* when the first result is there */
void resume_free(struct resume *);
void autosave_lost(struct str *lost, const char *kind, const char *name); /* "feature pml4e, observation gcc" */

void autosave_put(struct sheet *out, const char *key, const char *value); /* nothing for NULL */
void autosave_put_list(struct sheet *out, const char *key, char *const *item); /* NULL-terminated */
const char *autosave_value(const struct sheet *, const char *key);             /* NULL: there is none */
/* texts of a JSON array, NULL-terminated; NULL when it is none. The caller frees with str_split_free() */
char **autosave_list(const char *text);

/* keep_profile.c. */
void autosave_timeline_of(const struct state *, struct sheet *out);
void autosave_timeline_take(struct state *, const struct sheet *, unsigned given, struct str *lost);

/* keep_tables.c. The texts that the session is about become what the file brings; *model: the number of its model, 0
 * for networks and stacks. */
bool autosave_texts_write(struct session_file *, const struct state *, int64_t *model, struct err *e);
/* Tables that grow: the command's counters, flows, the time of tasks. */
bool autosave_tables_grow(const struct state *); /* there are some */
/* what is new */
bool autosave_tables_write(struct stored_tables *, struct session_file *, const struct state *, struct err *e);

/* keep_rows.c. Verdicts of the result at hand; notes that are unsaved, and ids of those that are gone. A note that was
 * read joins the others. */
bool autosave_verdicts_write(struct session_file *, int64_t model, const struct state *, struct err *e);
bool autosave_remarks_write(struct session_file *, const struct state *, struct err *e);
bool autosave_remarks_read(struct session_file *, struct state *, struct err *e);

/* keep_graph.c. A graph of another text of the model is not read. */
bool autosave_graph_write(
	struct session_file *, int64_t model, const struct udd_model *, const struct search_graph *, struct err *e);
bool autosave_graph_read(struct session_file *, int64_t model, const struct udd_model *, struct search_graph **,
	struct str *lost, struct err *e);

#endif
