/* A parsed and checked µDD model (docs/udd-language.md), before features are chosen. */
#ifndef CORE_UDD_MODEL_H
#define CORE_UDD_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/udd/fset.h"
#include "event/list.h"

struct diags;
struct err;
struct str;
struct arena;
struct bexpr;
struct udd_ast; /* the statements; private to core/udd */

#define UDD_FILE_MAX ((size_t)16 << 20) /* bytes of one file */
#define UDD_NESTING_MAX 256             /* depth of blocks, of calls, of parentheses */
#define UDD_FILES_MAX 1000              /* files of one model */
#define UDD_NODES_MAX 1000000           /* nodes of one diagram */

/* One file from the loader. The struct owns its strings and its text (heap). */
struct udd_file {
	char *name;         /* name for messages */
	char *text;         /* n bytes and a NUL */
	size_t n;
	uint64_t dev, ino;  /* identity: an inode is included once */
};

/* Definitions for m4's command line, NAME or NAME=VALUE, for .fdlm4 files (convert/fdl/fdl.h). */
struct udd_defines {
	char **text; /* owned */
	size_t n;
};

/* How the parser gets text: core itself opens no files. `from` is the name of the including file, or NULL for the model
 * itself. The loader checks file sizes, and checks that an included file is below the model's directory. On failure it
 * returns false and sets *e. */
struct udd_loader {
	bool (*load)(void *ctx, const char *from, const char *path, struct udd_file *out, struct err *e);
	void *ctx;
	const struct udd_defines *define; /* read when the first file is loaded; NULL: none */
};

struct udd_counter {
	const char *name;
	const char *text; /* "" when there is none */
	/* the counter's value is the sum of these events; by default one event with the counter's own name */
	const struct event_item *event;
	size_t n_events;
	bool declared;
};

struct udd_feature {
	const char *name, *text;
	const struct bexpr *requires; /* over features; NULL: none */
	const uint32_t *excludes;     /* feature numbers */
	size_t n_excludes;
};

struct udd_variant {
	const char *name, *text; /* "" when there is no text */
	struct fset on;
};

struct udd_group {
	const char *name;
	const char *const *counter;
	size_t n;
};

struct udd_root {
	const char *name;
	const struct bexpr *when; /* NULL: always on */
};

/* A counter that is the sum of others on every µpath. Parts are names, because a counter that no µpath raises is not
 * in the model. */
struct udd_sum {
	const char *total;
	const char *const *part;
	size_t n_parts;
	uint32_t root;          /* the root for which the sum holds */
	uint32_t file, at, len; /* its place in the text */
};

/* Form of the model's source: a .udd file; an .fdl or .fdlm4 file; a folder of such .fdl or .fdlm4 files, each of which
 * is a root and a variant. */
enum udd_form { UDD_FORM_UDD, UDD_FORM_FDL, UDD_FORM_FDL_FOLDER };

/* Everything lives in the model's arena.
 *
 * The declared counters come first, in order. The others follow in the order of first use in an expansion of all roots
 * in text order that takes every when branch and every case. So a counter's number does not depend on the features.
 * Unreachable text (after done) is part of that expansion; repeat (0) is not. */
struct udd_model {
	const char *name, *text, *file;
	struct udd_counter *counter;
	size_t n_counters;
	struct udd_feature *feature;
	size_t n_features;
	struct udd_variant *variant;
	size_t n_variants;
	struct udd_group *group;
	size_t n_groups;
	struct udd_root *root; /* `path` items in text order */
	size_t n_roots;
	struct udd_sum *sum;
	size_t n_sums;
	enum udd_form form;
	struct udd_ast *ast;
	struct arena *arena;
};

/* Parse the model at `path` through the loader. Returns NULL if there are errors. The errors and warnings go to *d in
 * either case. Free with udd_free(). */
struct udd_model *udd_parse(const char *path, const struct udd_loader *, struct diags *d);
void udd_free(struct udd_model *);

/* Compute which features are on: those of the variant (NULL: `default` if it exists, else no features), with `plus` and
 * without `minus` (comma-separated; NULL: none). On failure returns false and sets *e, which names the nearest name, or
 * the repair of a broken requires or excludes. */
bool udd_choose(const struct udd_model *, const char *variant, const char *plus, const char *minus, struct fset *out,
	struct err *e);

/* Returns true if the choice satisfies every requires and excludes. Otherwise *e names a repair. */
bool udd_legal(const struct udd_model *, const struct fset *, struct err *e);

/* Returns the features that only add µpaths, as far as the text shows. They occur only in guards of paths and of cases
 * whose switch has no default, and are not negated there. The other features may or may not add µpaths only. */
struct fset udd_growing(const struct udd_model *);

/* Returns a legal choice without one of its features, and without all features that require that feature, directly or
 * indirectly. The result is legal. */
struct fset udd_without(const struct udd_model *, const struct fset *on, size_t feature);

/* The number of a feature, of a counter; n_features, n_counters: the model has none of that name. */
size_t udd_feature_named(const struct udd_model *, const char *name);
size_t udd_counter_named(const struct udd_model *, const char *name);

/* Returns false if no legal choice agrees with `on` in the features of `known`, as far as each law alone shows. */
bool udd_may_be_legal(const struct udd_model *, const struct fset *on, const struct fset *known);

/* Append a counter's name as the language writes it: quoted if necessary. */
void udd_counter_word(const char *name, struct str *out);

/* Append the model's text in normal form. Printing, parsing and printing again gives the same text. Includes are
 * replaced by what they contain. */
void udd_print(const struct udd_model *, struct str *out);

/* Append the texts of all files, byte for byte with comments and layout, as one file with the same meaning. Each
 * include becomes a comment, followed by the included file's text. The result ends with a newline. */
void udd_join(const struct udd_model *, struct str *out);

#endif
