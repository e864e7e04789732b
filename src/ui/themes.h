/* Themes by name. */
#ifndef UI_THEMES_H
#define UI_THEMES_H

#include <stdbool.h>

struct err;
struct theme;

/* Loads a theme by installed name or file. Falls back to the built-in dark theme if dark is not installed. */
bool themes_load(const char *name, struct theme *, struct err *e);

#endif
