/* Texts that say how counters are to be looked at: models, networks, stacks. Which of them a name or a file is, and
 * networks and stacks out of a file, by name, or out of a session file. (Models consist of several files: see files.h,
 * recording.h.) */
#ifndef APP_FILES_TEXTS_H
#define APP_FILES_TEXTS_H

#include <stdbool.h>
#include <stddef.h>

#include "app/files/files.h"
#include "collect/store/session_file.h"

struct diags;
struct err;
struct network;
struct stack;

const char *text_word(enum session_text); /* "model", "network", "stack" */
const char *text_command(enum session_text); /* the subcommand that looks at data by it: "check", "net", "stack" */

/* What an argument is: a session file by what it brings, another file by its ending, a name by where it is installed.
 * False and *e: it is none of these, or a name that several of them have. */
bool text_kind_of(const char *arg, enum session_text *, struct err *e);

/* Is the argument, which should be of a kind, known to be of another one? *e says so then, and which command it is for.
 */
bool text_is_other(const char *arg, enum session_text wanted, struct err *e);

/* A file's or an installed one's, or the one that a session file brings. False and *e. Free with text_free() in either
 * case. */
bool text_load(const char *arg, enum session_text kind, struct text *, struct err *e);
void text_free(struct text *);

/* Parsed; the text stays the caller's. NULL: the diagnostics say why. */
struct network *text_network(const struct text *, struct diags *);
struct stack *text_stack(const struct text *, struct diags *);

#endif
