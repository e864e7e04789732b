/* The user's configuration file: how the explorer looks and behaves where neither its command line nor a session
 * file says otherwise. hecate reads it and never writes it; subcommands do not read it, so scripts do the same
 * everywhere. */
#ifndef CLI_CONFIG_H
#define CLI_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct str;

/* `theme` is owned. */
struct config {
	char *theme;  /* NULL: not given */
	bool mouse, motion, ascii;
	size_t color; /* an enum color_when */
};

/* Reads $XDG_CONFIG_HOME/hecate/config, or else $HOME/.config/hecate/config. Without one, everything has its default.
 * On failure returns false, and *e names the line. */
bool config_read(struct config *, struct err *e);

/* Appends an example: every key with what it does and its default, each line a comment. */
void config_example(struct str *out);

#endif
