/* Keeps a session in its file: what the user chose, wrote and found out, and what was recorded. While the explorer runs
 * the file is brought up to date every few seconds if something has changed, and at once after a search, a note, or a
 * run; each time in one transaction, so that a kill at any moment costs the last seconds at most. What cannot be
 * written stays in memory and is tried again.
 *
 * It is the one writer of the file while the explorer runs, whether a model, a network or a stack is open.
 *
 *   autosave.c          when, and what is new
 *   autosave_tables.c   texts, and what was counted
 *   autosave_rows.c     verdicts and notes
 *   autosave_graph.c    the graph of the searches
 *   setting.h           settings: switches, views, cursors, marks, filters
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

/* autosave_tables.c. The texts that the session is about become what the file brings; *model: the number of its model,
 * 0 for networks and stacks. */
bool autosave_texts_write(struct session_file *, const struct state *, int64_t *model, struct err *e);
/* Tables that grow: the command's counters, flows, the time of tasks. */
bool autosave_tables_grow(const struct state *); /* there are some */
/* what is new */
bool autosave_tables_write(struct stored_tables *, struct session_file *, const struct state *, struct err *e);

/* autosave_rows.c. Verdicts of the result at hand; notes that are unsaved, and ids of those that are gone. A note that
 * was read joins the others. */
bool autosave_verdicts_write(struct session_file *, int64_t model, const struct state *, struct err *e);
bool autosave_remarks_write(struct session_file *, const struct state *, struct err *e);
bool autosave_remarks_read(struct session_file *, struct state *, struct err *e);

/* autosave_graph.c. A graph of another text of the model is not read. */
bool autosave_graph_write(
	struct session_file *, int64_t model, const struct udd_model *, const struct search_graph *, struct err *e);
bool autosave_graph_read(struct session_file *, int64_t model, const struct udd_model *, struct search_graph **,
	struct str *lost, struct err *e);

#endif
