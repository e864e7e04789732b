/* Words of command lines that are made to be pasted into a shell, and the way back.
 *
 * A word of letters, digits and a few signs stands as it is. Any other one stands between single quotes, where a shell
 * reads nothing but the closing quote. A word with control characters stands as $'…' (POSIX.1-2024; bash, zsh, ksh,
 * busybox): no shell that does not know that form runs any of it, and no control character reaches the terminal. */
#ifndef BASE_SHELL_H
#define BASE_SHELL_H

#include <stdbool.h>

struct err;
struct str;

/* One word, without blanks around it. */
void shell_add_word(struct str *out, const char *word);

/* The name of a file as an argument: one that begins with a hyphen stands as "./-x", for it would be read as an option.
 * "-" alone stays: it is standard input. */
void shell_add_file(struct str *out, const char *path);

/* " --option value"; " --option=value" where the value begins with a hyphen. */
void shell_add_option(struct str *out, const char *option, const char *value);

/* As err_hint(), but with "%s" alone, and each of these as shell_add_file(): for hints that show a command line. */
bool shell_hint(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Splits a typed command at blanks; quotes and backslashes as in sh, and $'…' with the escapes that shell_add_word()
 * writes. Nothing else means anything. NULL and *e on an open quote, or nothing. The caller frees with
 * str_split_free(). */
char **shell_split(const char *line, struct err *e);

#endif
