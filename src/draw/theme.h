/* Which colour and attribute a role has. Themes are data files (themes/NAME.theme); unknown keys are errors. */
#ifndef DRAW_THEME_H
#define DRAW_THEME_H

#include <stdbool.h>
#include <stdint.h>

#include "draw/cell.h"

struct err;

struct theme_role {
	uint32_t rgb;        /* 0xrrggbb */
	short index256;      /* -1: the terminal's default */
	short index16;       /* 0 … 15, -1: default */
	unsigned char attr;      /* CELL_… added in colour */
	unsigned char mono_attr; /* … and without colour */
};

struct theme {
	char name[32];
	bool mono; /* the theme itself asks for no colour */
	struct theme_role role[ROLE_COUNT];
};

/* The built-in dark theme, so that the program looks right with no file at hand; themes/dark.theme says the same (a
 * test compares). */
void theme_default(struct theme *);
/* Parse a theme file's text. Roles that it does not name keep the default's values. False and *e with line and nearest
 * key. */
bool theme_parse(const char *file, const char *text, struct theme *out, struct err *e);

#endif
