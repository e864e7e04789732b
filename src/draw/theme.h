/* Colour and attributes of each role. Themes are data files (themes/NAME.theme); unknown keys are errors. */
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
	bool mono; /* the theme asks for no colour */
	struct theme_role role[ROLE_COUNT];
};

/* The built-in dark theme, for use without files. themes/dark.theme is the same (a test compares). */
void theme_default(struct theme *);
/* Parses a theme file's text. Roles that it does not name keep their default. False and *e, with line and nearest key.
 */
bool theme_parse(const char *file, const char *text, struct theme *out, struct err *e);

#endif
