/* A µDD model file, parsed and checked: what docs/udd-language.md describes, before features are chosen. */
#ifndef CORE_UDD_MODEL_H
#define CORE_UDD_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/udd/fset.h"

struct diags;
struct err;
struct str;
struct arena;
struct bexpr;
struct udd_ast; /* the statements; private to core/udd */

#define UDD_FILE_MAX ((size_t)16 << 20) /* bytes of one file */
#define UDD_NESTING_MAX 256             /* blocks in blocks, calls in calls, parentheses */
#define UDD_FILES_MAX 1000              /* texts of one model */
#define UDD_NODES_MAX 1000000           /* nodes of one diagram */

/* One file as the loader found it. All strings and the text are owned by the struct (heap). */
struct udd_file {
	char *name;         /* as shown to the user */
	char *text;         /* n bytes and a NUL behind */
	size_t n;
	uint64_t dev, ino;  /* identity: the same inode is included once */
};

/* What an m4 is told on its command line, NAME or NAME=VALUE: for .fdlm4 files (core/fdl/fdl.h). */
struct udd_defines {
	char **text; /* owned */
	size_t n;
};

/* How the parser gets text: core opens no file. `from` is the name of the including file, NULL for the model itself.
 * The loader checks that an include stays below its directory, and sizes. False and *e on failure. */
struct udd_loader {
	bool (*load)(void *ctx, const char *from, const char *path, struct udd_file *out, struct err *e);
	void *ctx;
	const struct udd_defines *define; /* as it is when the first file is loaded; NULL: none */
};

struct udd_event {
	const char *name;   /* "page-faults:u" */
	const char *filter; /* kernel filter text, NULL when there is none */
	const char *const *also; /* other names that data may have for it, ended by NULL; NULL: none */
};

struct udd_counter {
	const char *name;
	const char *text; /* "" when there is none */
	const struct udd_event *event; /* what adds up to it; without a mapping one event of the counter's own name */
	size_t n_events;
	bool declared;
};

struct udd_feature {
	const char *name, *text;
	const struct bexpr *requires; /* over features; NULL */
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

/* A counter that is, on every µpath, the sum of others. Names, since those that no µpath raises are no counters of the
 * model. */
struct udd_sum {
	const char *total;
	const char *const *part;
	size_t n_parts;
	uint32_t root;    /* of which it is said */
	uint32_t file, at, len; /* where */
};

/* What a model was read from: a .udd file, an .fdl or .fdlm4 file, a folder of those, each of which is a root and a
 * variant. */
enum udd_form { UDD_FORM_UDD, UDD_FORM_FDL, UDD_FORM_FDL_FOLDER };

/* Everything lives in the model's arena. Counters: the declared in order, then the others by first use when all roots
 * are expanded in text order with every when branch and case taken; so N does not change with the features. Text that
 * nothing gets to (behind done) counts too; repeat (0) is nothing. */
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

/* Parse the model at `path` through the loader. NULL when there are errors; *d gets them and the warnings either way.
 */
struct udd_model *udd_parse(const char *path, const struct udd_loader *, struct diags *d);
void udd_free(struct udd_model *);

/* Which features are on: the variant's (NULL: `default`, else none), plus, minus (comma-separated, NULL for none).
 * False and *e (with the nearest name, or the repair of a broken requires or excludes) on failure. */
bool udd_choose(const struct udd_model *, const char *variant, const char *plus, const char *minus, struct fset *out,
	struct err *e);

/* Does the choice keep every requires and excludes? False and *e with the repair named. */
bool udd_legal(const struct udd_model *, const struct fset *, struct err *e);

/* The features of which the text shows that they only add µpaths: they stand, not negated, in the guards of paths and
 * of cases whose switch has no default, and nowhere else. Of the others nothing is known. */
struct fset udd_growing(const struct udd_model *);

/* A legal choice without one of its features, and without those that cannot stay then because they require it, or each
 * other. Legal. */
struct fset udd_without(const struct udd_model *, const struct fset *on, size_t feature);

/* udd_legal() for a choice of which only the features in `known` are decided: false when nothing can make it legal by
 * itself. */
bool udd_may_be_legal(const struct udd_model *, const struct fset *on, const struct fset *known);

/* A counter's name as a model's text has it: in quotes where it needs them. */
void udd_counter_word(const char *name, struct str *out);

/* The text again, in normal form: print∘parse is a fixed point. Includes are printed as what stands in them. */
void udd_print(const struct udd_model *, struct str *out);

/* The texts of all files as one that means the same: each byte of them, comments and layout too, the text of a file in
 * the place of its include, which becomes a comment. Ends with the end of a line. */
void udd_join(const struct udd_model *, struct str *out);

#endif
