/* Notes that the user writes. Each note is about one object, and an object has at most one. Notes outlive model and
 * data, because they refer to objects by name. */
#ifndef WORK_REMARKS_H
#define WORK_REMARKS_H

#include <stdbool.h>
#include <stddef.h>

struct fset;
struct str;
struct udd_model;

enum remark_on {
	REMARK_SESSION, REMARK_FEATURES, REMARK_OBSERVATION, REMARK_CONSTRAINT, REMARK_MODULE, REMARK_SNAPSHOT,
	REMARK_EVENT,
	REMARK_KINDS
};

struct remark {
	char *id;      /* unique among all session files */
	enum remark_on on;
	/* a set of features as a JSON array of their names, the name of an observation or module, the text of a
	 * constraint, a snapshot as in timeline_snapshot_key(), an event with test and machine; "" for the session */
	char *what;
	char *text;
	char *written; /* UTC, "2026-01-31T12:00:00Z": time of the last change */
	bool unsaved;
};

struct remarks {
	struct remark *remark; /* sorted by id, that is, by time of writing */
	size_t n, cap;
	char **gone;           /* ids of deleted notes that a session file may still hold */
	size_t n_gone, gone_cap;
	bool touched;          /* changed since the last save */
};

void remarks_free(struct remarks *);

/* Returns the note about an object; NULL: none. */
const struct remark *remarks_on(const struct remarks *, enum remark_on, const char *what);

/* Writes or changes the note about an object; "" deletes it. Returns true when something changed. */
bool remarks_put(struct remarks *, enum remark_on, const char *what, const char *text);

/* Adds a note that was read from a file, unless it exists already or was deleted here. */
void remarks_take(
	struct remarks *, const char *id, enum remark_on, const char *what, const char *text, const char *written);

/* remarks_write() adds all notes as bytes. remarks_restore() makes the notes what such bytes say: files lose those that
 * are no longer there, and get the others. */
void remarks_write(const struct remarks *, struct str *out);
void remarks_restore(struct remarks *, const char *bytes, size_t n);

/* remark_on_name() returns the word for a kind of object in the file and on the screen, such as "observation".
 * remark_on_of() returns the kind; REMARK_KINDS for an unknown word. */
const char *remark_on_name(enum remark_on);
enum remark_on remark_on_of(const char *name);

/* Removes newlines and indentation from the JSON document in `s` from `from` on, so that it fits into a table's cell.
 */
void json_on_one_line(struct str *s, size_t from);

/* features_json() adds a set of features as a JSON array of names, on one line. features_words() turns such an array
 * into "early_psc, merging" or "no features". */
void features_json(const struct udd_model *, const struct fset *, struct str *out);
void features_words(const char *json, struct str *out);

#endif
