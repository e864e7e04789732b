/* What is counted for, and kept in a session file with the counts: a model, a network or a stack. */
#ifndef CLI_SUBJECT_H
#define CLI_SUBJECT_H

#include <stdbool.h>

#include "app/files/files.h"
#include "app/files/texts.h"

struct err;
struct counter_list;
struct network;
struct options;
struct recording;
struct stack;
struct udd_model;

/* One of the three, by `kind`, and its text. */
struct subject {
	enum text_kind kind;
	struct bundle bundle; /* of a model */
	struct udd_model *model;
	struct text text; /* of the others */
	struct network *network;
	struct stack *stack;
};

/* Loads it by file, by name, or out of a session file. False after a message; call subject_free() in either case. */
bool subject_load(const struct options *, const char *name, struct subject *);
void subject_free(struct subject *);

struct counter_list *subject_counters(const struct subject *);

/* Opens a session file that keeps it, like recording_open(). */
struct recording *subject_record(const struct subject *, const char *path, char *const *argv, struct err *e);

#endif
