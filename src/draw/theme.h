/* Colour and attributes of each role. Themes are data files (themes/NAME.theme); unknown keys are errors. */
#ifndef DRAW_THEME_H
#define DRAW_THEME_H

#include <stdbool.h>
#include <stdint.h>

#include "draw/cell.h"

struct err;

struct theme_role {
	uint32_t rgb;            /* 0xrrggbb */
	short index256;          /* colour among 256; -1: the terminal's default */
	short index16;           /* colour among 16; -1: the terminal's default */
	unsigned char attr;      /* attributes in colour: CELL_… */
	unsigned char mono_attr; /* attributes without colour */
};

struct theme {
	char name[32];
	bool mono; /* a theme without colours */
	struct theme_role role[ROLE_COUNT];
};

/* The built-in dark theme, for use without files. themes/dark.theme is the same (a test compares them). */
void theme_default(struct theme *);
const char *theme_role_name(enum role); /* as in theme files */
/* Parses a theme file's text. A role that it does not name keeps its default. On an error returns false, and *e has its
 * line, and for an unknown key the nearest one. */
bool theme_parse(const char *file, const char *text, struct theme *out, struct err *e);

#endif
