/* Writes models as text: FDL from an FDL file in normal form, FDL from any diagram, and the µDD language from FDL. */
#ifndef CONVERT_FDL_PRINT_H
#define CONVERT_FDL_PRINT_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct fset;
struct str;
struct udd_diagram;
struct udd_model;

/* Writes the model in normal form in its own language. Reading the text gives the same text again. For an FDL file, the
 * text lacks comments, what m4 removed, and actions and groups without meaning. Returns false and sets *e for a folder,
 * which has no text of its own. */
bool model_print(const struct udd_model *, struct str *out, struct err *e);

/* Writes the model in the µDD language: a label becomes a def, and next its call. A folder becomes a family, with a
 * feature and a variant for each file. A .udd file is written as by udd_print(). Names that the language reserves get a
 * '_'. */
void model_print_udd(const struct udd_model *, struct str *out);

/* The parts of a µDD that FDL cannot express, as sentences. */
struct fdl_lost {
	char **text;
	size_t n, cap;
};
void fdl_lost_free(struct fdl_lost *);

/* Writes the diagram as an FDL file with the same µpaths. Comments at its top also list what was lost. Returns false
 * and sets *e if the file would be too large. */
bool fdl_write_diagram(const struct udd_diagram *, struct fdl_lost *, struct str *out, struct err *e);

#endif
