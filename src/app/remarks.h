/* Notes that the user writes: each is on something, and something has at most one. They outlive model and data: what a
 * note is on is a name. */
#ifndef APP_REMARKS_H
#define APP_REMARKS_H

#include <stdbool.h>
#include <stddef.h>

struct fset;
struct str;
struct udd_model;

enum remark_on {
	REMARK_SESSION, REMARK_FEATURES, REMARK_OBSERVATION, REMARK_CONSTRAINT, REMARK_MODULE, REMARK_SNAPSHOT,
	REMARK_KINDS
};

struct remark {
	char *id;      /* like no other, in whatever session file */
	enum remark_on on;
	char *what; /* a set of features as a JSON array of their names, an observation's name, a constraint's text, a
		     * module's name, a snapshot as timeline_snapshot_key() has it; "" for the session */
	char *text;
	char *written; /* UTC, "2026-01-31T12:00:00Z": when it was written or changed last */
	bool unsaved;
};

struct remarks {
	struct remark *remark; /* in the order of their ids: as they were written */
	size_t n, cap;
	char **gone;           /* ids that a session file may still hold */
	size_t n_gone, gone_cap;
	bool touched;          /* since whoever saves them looked last */
};

void remarks_free(struct remarks *);

/* The note on that; NULL: none. */
const struct remark *remarks_on(const struct remarks *, enum remark_on, const char *what);

/* Write, change, or with "" delete the note on that. True when something has changed. */
bool remarks_put(struct remarks *, enum remark_on, const char *what, const char *text);

/* One that was read: it joins the others, unless it is there, or was deleted here. */
void remarks_take(
	struct remarks *, const char *id, enum remark_on, const char *what, const char *text, const char *written);

/* "observation": the word in the file and on the screen. remark_on_of(): REMARK_KINDS for no such word. */
const char *remark_on_name(enum remark_on);
enum remark_on remark_on_of(const char *name);

/* A JSON document that was written into `s` from `from` on, on one line without blanks, so that it is one cell of a
 * table. */
void json_on_one_line(struct str *s, size_t from);

/* A set of features as a JSON array of names, on one line; and "early_psc, merging", "no features", from such an array.
 */
void features_json(const struct udd_model *, const struct fset *, struct str *out);
void features_words(const char *json, struct str *out);

#endif
