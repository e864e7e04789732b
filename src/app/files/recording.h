/* Session files: what is collected goes in as it comes, and comes out again as a table and its model. */
#ifndef APP_FILES_RECORDING_H
#define APP_FILES_RECORDING_H

#include <stdbool.h>
#include <stddef.h>

#include "app/files/files.h"
#include "collect/store/session_file.h"

struct err;
struct live;
struct obs_table;
struct str;
struct text;
struct udd_model;

/* Is this argument a session file, by its content? */
bool recording_is(const char *path);

/* What kind of text a session file brings. False and *e when there is none. */
bool recording_brings(const char *path, enum session_text *, struct err *e);

/* Does a session file hold a text of this kind, beside what it brings? False also where it cannot be read. */
bool recording_holds(const char *path, enum session_text);

/* The network or stack that a session file brings, to be parsed by text_network() or text_stack(). False and *e when
 * there is none of that kind. */
bool recording_load_text(const char *path, enum session_text kind, struct text *, struct err *e);

/* All networks or stacks that a session file brings, of each name the one that came last, the last of them first. *n is
 * 0 where there is none. False and *e. The texts and their array are the caller's. */
bool recording_load_texts(const char *path, enum session_text kind, struct text **, size_t *n, struct err *e);

/* The model that a session file brings, into an empty bundle, to be parsed by bundle_loader(). False and *e when there
 * is none. */
bool recording_load_model(const char *path, struct bundle *, struct err *e);

/* A command line as the JSON array that session files hold; the caller frees. */
char *recording_command(char *const *argv);

/* What is collected, on its way into a session file. */
struct recording;

/* An existing session file is appended to. The bundle, where given, is stored as the session's model. `argv`: the
 * command, or NULL. */
struct recording *recording_open(
	const char *path, const struct udd_model *, const struct bundle *, char *const *argv, struct err *e);

/* The same with a network or a stack, `name` as it calls itself. */
struct recording *recording_open_text(const char *path, enum session_text kind, const char *name, const struct text *,
	char *const *argv, struct err *e);

/* A further text that data of the file are looked at by, beside the one that it was opened with. */
bool recording_add_text(
	struct recording *, enum session_text kind, const char *name, const struct text *, struct err *e);

/* Write what is new in a table that grows: it is in the file when this returns true. Several tables may grow. */
bool recording_follow(struct recording *, const struct obs_table *, struct err *e);
void recording_leave(struct recording *, const struct obs_table *); /* it grows no more, and goes */
size_t recording_rows(const struct recording *); /* so far */
size_t recording_observations(const struct recording *); /* … of tables that are followed, or were */

/* A table whole, or nothing, and beside its observations the truth of them: rows as of SHEET_TRUTH, with the
 * observation's place in the table in the place of its number. */
struct sheet;
bool recording_add_with_truth(struct recording *, const struct obs_table *, const struct sheet *truth, struct err *e);

/* Recorded data, as app/files/ingest.h has it. */
struct ingest_how;
struct ingest_result;
bool recording_ingest(struct recording *, const struct ingest_how *, struct ingest_result *, struct err *e);
void recording_close(struct recording *);

/* A text that may be long is emptied whenever it has grown by RECORDING_DRAIN; false and *e end it. */
struct recording_drain {
	bool (*drain)(void *ctx, struct str *, struct err *e);
	void *ctx;
};
#define RECORDING_DRAIN ((size_t)1 << 18)

/* A wide CSV of the table: observation, time, and the counters. False and *e when it has no such form, or its rows
 * cannot be read. */
bool recording_csv(const struct obs_table *, const struct recording_drain *, struct str *out, struct err *e);

/* The document hecate.export/1. `text`: what the file brings; its path is NULL where that is nothing. */
bool recording_json(const char *path, const struct session_model *text, const struct obs_table *,
	const struct session_origin *, const struct recording_drain *, struct str *out, struct err *e);

#endif
