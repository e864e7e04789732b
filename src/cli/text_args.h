/* The argument of -m: a model, a network or a stack, whose counters are counted and kept in a session file. */
#ifndef CLI_TEXT_ARGS_H
#define CLI_TEXT_ARGS_H

#include <stdbool.h>

#include "core/udd/fset.h"
#include "work/files/files.h"
#include "work/files/texts.h"

struct err;
struct counter_list;
struct network;
struct options;
struct recording;
struct stack;
struct udd_model;

/* One of these three; `kind` says which. */
struct text_args {
	enum text_kind kind;
	struct bundle bundle; /* files of a model */
	struct udd_model *model;
	struct fset on;       /* features of the model that are on */
	struct text text;     /* text of a network or a stack */
	struct network *network;
	struct stack *stack;
};

/* What is loaded if nothing is named: it counts what the kernel counts, with or without a PMU, as any user. */
#define TEXT_ANYWHERE "linux-vm"

/* Loads it by file, by name, or from a session file. On failure prints a message and returns false. Call
 * text_args_free() in either case. */
bool text_args_load(const struct options *, const char *name, struct text_args *);
/* The same for the text of a stack, which is taken over. */
bool text_args_take_stack(const struct options *, struct text, struct text_args *);
void text_args_free(struct text_args *);

struct counter_list *text_args_counters(const struct text_args *);

/* Opens a session file that keeps the model, network or stack, like recording_open(). */
struct recording *text_args_record(const struct text_args *, const char *path, const char *const *argv, struct err *e);

#endif
