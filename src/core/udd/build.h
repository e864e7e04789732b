/* Builds models from texts other than .udd. A front end adds sources and items as it reads them. udd_model_finish()
 * then checks everything and makes the model. For core/udd and convert/fdl. */
#ifndef CORE_UDD_BUILD_H
#define CORE_UDD_BUILD_H

#include "core/udd/ast.h"
#include "core/udd/model.h"

struct arena;
struct diags;

/* Returns an empty model. udd_free() may free it at any stage. */
struct udd_model *udd_model_new(void);

/* Add a file to the model; takes ownership of both strings. At most UDD_FILES_MAX files. Returns its number. */
uint32_t udd_add_source(struct udd_model *, char *name, char *text, size_t n);

/* Parse a .udd text as a further file of the model and add its items. The text may not include files. Takes ownership
 * of both strings. Errors go to the diagnostics. */
void udd_read_items(struct udd_model *, char *name, char *text, size_t n, struct diags *);

/* Add a new item after all others. Declare it once its name is set. Each kind has its own name space: a second item
 * with the same name is an error whose message shows the first. */
struct udd_item *udd_item_new(struct udd_ast *, struct arena *, enum udd_item_kind, uint32_t file);
void udd_item_declare(struct udd_ast *, struct udd_item *, struct diags *);

/* Check names, the full expansion and variants, and fill the model from its items. Returns false if the diagnostics
 * have more errors than `errors`; then the model may only be freed. */
bool udd_model_finish(struct udd_model *, struct diags *, size_t errors);

#endif
