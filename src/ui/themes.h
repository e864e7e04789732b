/* Themes by name. */
#ifndef UI_THEMES_H
#define UI_THEMES_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct theme;

/* Returns the name itself, or a copy in `store` if it is not one of the installed names. */
const char *themes_known(const char *name, char *store, size_t size);
const char *themes_next(const char *name); /* dark, light, mono, dark … */
/* Loads a theme by installed name or file. Falls back to the built-in dark theme if dark is not installed. */
bool themes_load(const char *name, struct theme *, struct err *e);

#endif
