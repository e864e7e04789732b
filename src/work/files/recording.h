/* Session files: samples are stored as they are collected, and can be read again as a table with its model. */
#ifndef WORK_FILES_RECORDING_H
#define WORK_FILES_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/counters/text_kind.h"
#include "work/files/files.h"

struct err;
struct counters_run;
struct obs_table;
struct session_model;
struct session_table;
struct str;
struct text;
struct udd_model;

/* True when the argument is a session file, by its content. */
bool recording_is(const char *path);

/* Finds out which kind of text a session file brings. Returns false and sets *e if it has no text. */
bool recording_brings(const char *path, enum text_kind *, struct err *e);

/* True when a session file has a text of this kind, even if it brings another kind. Also false when it cannot be read.
 */
bool recording_holds(const char *path, enum text_kind);

/* Reads the network or stack of a session file, for text_network() or text_stack(). Returns false and sets *e if the
 * file has none of that kind. */
bool recording_load_text(const char *path, enum text_kind kind, struct text *, struct err *e);

/* Reads all networks or stacks of a session file, the newest first, and for each name only the newest. *n is 0 if there
 * are none. Returns false and sets *e on failure. The caller frees the texts and their array. */
bool recording_load_texts(const char *path, enum text_kind kind, struct text **, size_t *n, struct err *e);

/* Reads the model of a session file into an empty bundle, for bundle_loader(). False and *e: it has no model. */
bool recording_load_model(const char *path, struct bundle *, struct err *e);

/* The same for the one with this number (collect/store/session_summary.h). */
bool recording_load_model_at(const char *path, int64_t number, struct bundle *, struct err *e);

/* Returns a command line as the JSON array of session files; the caller frees it. */
char *recording_command(const char *const *argv);

/* A session file that samples are being added to. */
struct recording;

/* Opens or makes a session file; an existing one is appended to. The bundle, if given, is stored as its model. `argv`:
 * the command, or NULL. */
struct recording *recording_open(
	const char *path, const struct udd_model *, const struct bundle *, const char *const *argv, struct err *e);

/* Finds out whether the file could be opened or made, before much work is done for it. Leaves no new file. */
bool recording_try(const char *path, struct err *e);

/* As recording_open(), with a network or a stack; `name` is its own name. */
struct recording *recording_open_text(const char *path, enum text_kind kind, const char *name, const struct text *,
	const char *const *argv, struct err *e);

/* Adds one more network or stack to the file. Returns false and sets *e on failure. */
bool recording_add_text(
	struct recording *, enum text_kind kind, const char *name, const struct text *, struct err *e);

/* Writes what is new in a growing table. True means that it is in the file. Several tables may grow. */
bool recording_follow(struct recording *, const struct obs_table *, struct err *e);
/* Return the file, and what has been written of the tables. */
struct session_file *recording_file(const struct recording *);
const struct stored_tables *recording_tables(const struct recording *);
/* Forgets a table: it will not grow any more, and may be freed. */
void recording_leave(struct recording *, const struct obs_table *);
/* Stores how the run that is recorded ended, as a text (work/timeline/run_answer.h), or reads that back; NULL: the file
 * does not say. The caller frees. */
bool recording_set_end(struct recording *, const char *text, struct err *e);
char *recording_end(const char *path);
size_t recording_rows(const struct recording *); /* rows written so far */
size_t recording_observations(const struct recording *); /* observations of all tables that are or were followed */

/* Adds a table, and the truth about its observations: rows of SESSION_TABLE_TRUTH, which name an observation by its
 * place in the table instead of its number. Either all or nothing is written. */
bool recording_add_with_truth(
	struct recording *, const struct obs_table *, const struct session_table *truth, struct err *e);

/* Imports recorded data; see work/files/ingest.h. */
struct ingest_how;
struct ingest_result;
bool recording_ingest(struct recording *, const struct ingest_how *, struct ingest_result *, struct err *e);
void recording_close(struct recording *);

/* Writes and clears the text; called whenever it has grown by RECORDING_DRAIN. False and *e end the export. */
struct recording_drain {
	bool (*drain)(void *ctx, struct str *, struct err *e);
	void *ctx;
};
#define RECORDING_DRAIN ((size_t)1 << 18)

/* The contents of a session file: its model, network or stack, its observations, and where each of them comes from. */
struct recorded;
struct recorded *recorded_open(const char *path, struct err *e); /* NULL and *e on failure */
void recorded_free(struct recorded *);
const struct obs_table *recorded_table(const struct recorded *);

/* Writes the document hecate.export/1. `text`: what the file brings, with a NULL path if it brings nothing.
 * Returns false and sets *e if rows cannot be read. */
bool recording_json(const char *path, const struct session_model *text, const struct obs_table *,
	const struct recording_drain *, struct str *out, struct err *e);
/* The same for an open file. `path`: its name in the document. */
bool recorded_json(
	const struct recorded *, const char *path, const struct recording_drain *, struct str *out, struct err *e);

/* Writes the table as a wide CSV: observation, time, and the counters. Returns false and sets *e if it cannot be
 * written in that form, or its rows cannot be read. */
bool recording_csv(const struct obs_table *, const struct recording_drain *, struct str *out, struct err *e);

#endif
