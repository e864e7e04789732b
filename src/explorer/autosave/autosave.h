/* Saves a session in its file while the explorer runs: what the user chose and wrote, what searches found, and what was
 * recorded. Changes are written within a second, and at once after a search, a note, or a run. Each write is one
 * transaction, so a kill at any moment loses the last second at most. Changes that cannot be written stay in memory,
 * and the write is tried again.
 *
 * Nothing else writes to the file while the explorer runs.
 *
 *   autosave.c          when to write, and what has changed
 *   autosave_tables.c   texts, and tables of counts
 *   autosave_rows.c     verdicts and notes
 *   autosave_graph.c    the graph of the searches
 *   setting.h           settings: switches, views, cursors, marks, filters
 */
#ifndef EXPLORER_AUTOSAVE_AUTOSAVE_H
#define EXPLORER_AUTOSAVE_AUTOSAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct obs_table;
struct search_graph;
struct state;
struct session_file;
struct session_model;
struct session_table;
struct stored_tables;
struct str;
struct udd_file;
struct udd_model;

struct autosave;

/* The settings that the command line gives; the file's are then ignored. */
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
void autosave_free(struct autosave *); /* closes the file; call autosave_now() first */

/* Restores a session from the file. Its model, network or stacks must be loaded already, with their data. The path
 * becomes that of state.data.saved. The status line names what no longer exists or cannot be read. The file is not
 * changed. */
void autosave_restore(struct autosave *, struct state *, const char *path, unsigned given);

/* The open model has another text from now on: the file opens with that at the next write, and keeps the text before
 * with its search. A search that the file has of the new text is taken up. Call autosave_now() before the change. */
void autosave_reload(struct autosave *, struct state *);

/* Creates a file with the model, network or stacks, the data and all settings. Returns false and sets *e if no file was
 * created, or if something could not be written. */
bool autosave_make(struct autosave *, struct state *, const char *path, struct err *e);

/* Restores what waits for the first result, and writes when it is time. Call it whenever something may have happened.
 * Returns true if something new is to be drawn. */
bool autosave_tick(struct autosave *, struct state *);

/* Returns the row in the file of what is open here; 0: the file does not have it; -1: what the file opens with. */
int64_t autosave_shown(const struct autosave *);

/* Writes what has changed. Returns false and sets *e if that failed; true if there is no file. */
bool autosave_now(struct autosave *, struct state *, struct err *e);
void autosave_soon(struct autosave *); /* lets the next autosave_tick() write at once */

/* Writes what is new of a table that is about to be freed. */
void autosave_leave_table(struct autosave *, struct state *, const struct obs_table *);
/* Writes, then forgets the file, because another model or session is opened. */
void autosave_leave(struct autosave *, struct state *);

/* Returns the seconds until autosave_tick() has something to do by itself; INFINITY: never. */
double autosave_patience(const struct autosave *, const struct state *);

#define AUTOSAVE_SECONDS 0.8 /* least time between two writes */
#define AUTOSAVE_RETRY 5.0   /* least time between two attempts after a failure */

/* Returns (in autosave_tables.c) what the session is about: its model, its network, or its first stack; false: nothing.
 * *out is a view; *file is its only file unless it is a model. */
bool autosave_subject(const struct state *, struct session_model *out, struct udd_file *file);
/* Stores (in autosave_tables.c) the texts of model, network and stacks, unless the file's newest texts are the same.
 * Sets *model to the row of the model in the file, or 0 for networks and stacks. */
bool autosave_texts_write(struct session_file *, const struct state *, int64_t *model, struct err *e);
/* Tables that grow: the command's counters, flows, the time of tasks. autosave_tables_grow() is true when there are
 * any; autosave_tables_write() writes what is new in them. */
bool autosave_tables_grow(const struct state *);
bool autosave_tables_write(struct stored_tables *, struct session_file *, const struct state *, struct err *e);

/* These three are in autosave_rows.c. The first writes the verdicts of the result. The second writes unsaved notes and
 * removes deleted ones. The third reads notes and adds them to those of the state. */
bool autosave_verdicts_write(struct session_file *, int64_t model, const struct state *, struct err *e);
bool autosave_remarks_write(struct session_file *, const struct state *, struct err *e);
bool autosave_remarks_read(struct session_file *, struct state *, struct err *e);

/* Writes several sizes of a graph (in autosave_graph.c). A step of a search changes at least one of them. */
void autosave_graph_measure(const struct search_graph *, size_t out[6]);
/* Write and read (in autosave_graph.c) the graph of the searches; `kept`: the one that is kept for a model that the
 * file does not open with. Reading skips a graph that belongs to another text of the model. */
bool autosave_graph_write(
	struct session_file *, int64_t model, const struct udd_model *, const struct search_graph *, struct err *e);
bool autosave_graph_read(struct session_file *, int64_t model, bool kept, const struct udd_model *,
	struct search_graph **, struct str *lost, struct err *e);

#endif
