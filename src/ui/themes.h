/* Themes by name. */
#ifndef UI_THEMES_H
#define UI_THEMES_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct theme;

/* The name itself, or a copy in `store` when it is not one of the installed ones. */
const char *themes_known(const char *name, char *store, size_t size);
const char *themes_next(const char *name); /* dark, light, mono, dark … */
/* An installed name or a file. The built-in dark theme serves when dark is not installed. */
bool themes_load(const char *name, struct theme *, struct err *e);

#endif
