/* Models out of other texts than .udd: a front end adds sources and items as it reads them, and finishing checks
 * the whole and makes the model of it. For core/udd and core/fdl. */
#ifndef CORE_UDD_BUILD_H
#define CORE_UDD_BUILD_H

#include "core/udd/ast.h"
#include "core/udd/model.h"

struct arena;
struct diags;

/* An empty model, to be freed with udd_free() at any stage. */
struct udd_model *udd_model_new(void);

/* A further file of the model; takes both strings. At most UDD_FILES_MAX. Returns its number. */
uint32_t udd_add_source(struct udd_model *, char *name, char *text, size_t n);

/* Read a .udd text as a further file of the model, whose items are added to those that are there; it may include
 * no other. Takes both strings. The diagnostics have what is wrong with it. */
void udd_read_items(struct udd_model *, char *name, char *text, size_t n, struct diags *);

/* A new item behind all others; declared once its name is set. Names belong to a name space for each kind: the
 * second of a name is an error that shows the first. */
struct udd_item *udd_item_new(struct udd_ast *, struct arena *, enum udd_item_kind, uint32_t file);
void udd_item_declare(struct udd_ast *, struct udd_item *, struct diags *);

/* Check names, the whole expansion and variants, and fill the model from its items. False when the diagnostics
 * have an error that they did not have at `errors`; the model is only good to be freed then. */
bool udd_model_finish(struct udd_model *, struct diags *, size_t errors);

#endif
