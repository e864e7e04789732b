/* Models as text: FDL from an FDL file in normal form, FDL from any diagram, and the µDD language from FDL. */
#ifndef CORE_FDL_PRINT_H
#define CORE_FDL_PRINT_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct fset;
struct str;
struct udd_diagram;
struct udd_model;

/* The model's text again, in normal form and in its own language: reading that gives the same text. An FDL file
 * without what m4 left out, and without comments; its actions and groups are those that mean something. False and
 * *e for a folder, which has no text of its own. */
bool model_print(const struct udd_model *, struct str *out, struct err *e);

/* The model in the µDD language: a label is a def, and next its call; of a folder a family, a feature and a
 * variant for each file. A .udd file as udd_print(). Names that the language reserves get a '_'. */
void model_print_udd(const struct udd_model *, struct str *out);

/* What FDL cannot hold of a µDD: sentences. */
struct fdl_lost {
	char **text;
	size_t n, cap;
};
void fdl_lost_free(struct fdl_lost *);

/* The diagram as an FDL file, which has the same µpaths: what was lost stands in comments above it, too. False and
 * *e when it would be too large. */
bool fdl_write_diagram(const struct udd_diagram *, struct fdl_lost *, struct str *out, struct err *e);

#endif
