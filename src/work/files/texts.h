/* Texts that counters are interpreted with: models, networks, stacks. Finds out which kind a name or file is, and reads
 * networks and stacks from a file, by name, or from a session file. (Models consist of several files: see files.h,
 * recording.h.) */
#ifndef WORK_FILES_TEXTS_H
#define WORK_FILES_TEXTS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/counters/text_kind.h"
#include "work/files/files.h"

struct diags;
struct err;
struct network;
struct stack;

const char *text_word(enum text_kind); /* "model", "network", "stack" */
const char *text_command(enum text_kind); /* the subcommand for data of this kind: "check", "net", "stack" */

/* Finds the kind of an argument: a session file's by what it brings, another file's by its ending, a name's by where it
 * is installed. Returns false and sets *e if it is none of these, or if several kinds have the name. */
bool text_kind_of(const char *arg, enum text_kind *, struct err *e);

/* True when the argument is known to be of another kind than `wanted`. *e then says so, and names the right subcommand.
 */
bool text_is_other(const char *arg, enum text_kind wanted, struct err *e);

/* Reads a file, an installed name, or what a session file brings. Returns false and sets *e on failure. Call
 * text_free() in either case. */
bool text_load(const char *arg, enum text_kind kind, struct text *, struct err *e);
void text_free(struct text *);

/* Parse a text, which remains the caller's. On errors return NULL and add diagnostics. */
struct network *text_network(const struct text *, struct diags *);
struct stack *text_stack(const struct text *, struct diags *);

#endif
