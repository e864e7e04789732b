/* Quoting words for a shell that a command line is pasted into, and splitting such a line again.
 *
 * A word of letters, digits and a few signs needs no quotes. Any other word stands between single quotes, where a shell
 * gives a meaning only to the closing quote. A word with control characters is written as $'…' (POSIX.1-2024; bash,
 * zsh, ksh, busybox). A shell that does not know that form takes it as a plain word and runs no part of it. No control
 * character reaches the terminal. */
#ifndef BASE_SHELL_H
#define BASE_SHELL_H

#include <stdbool.h>

struct err;
struct str;

/* Adds one word, without blanks around it. */
void shell_add_word(struct str *out, const char *word);

/* Adds a file's name as an argument. A name that begins with a hyphen becomes "./-x", because a program would read it
 * as an option. "-" alone stays: it means standard input. */
void shell_add_file(struct str *out, const char *path);

/* Adds " --option value"; or " --option=value" if the value begins with a hyphen. */
void shell_add_option(struct str *out, const char *option, const char *value);

/* Like err_hint(), for a hint that shows a command line. The only conversion in the format is "%s"; each argument is
 * written as by shell_add_file(). */
bool shell_hint(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Splits a typed command at blanks. Quotes and backslashes work as in sh, and so does $'…' with the escapes that
 * shell_add_word() writes; no other character is special. Returns NULL and sets *e on an open quote or an empty
 * command. The caller frees the result with str_split_free(). */
char **shell_split(const char *line, struct err *e);

#endif
