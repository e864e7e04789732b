/* The µDD as a tree of rows. It includes the parts that are off for the chosen features, and marks them. Of
 * alternatives it has the one that is on.
 *
 *     load                                     one root per path
 *     └◇ DTLB                                  a decision opens a level …
 *        ├ Hit ── ■ load.ret ── ●              … a case is a row: its label and what follows in a line
 *        └ Miss
 *          └◇ STLB                             a sequence continues in further rows of the same level */
#ifndef CORE_UDD_OUTLINE_H
#define CORE_UDD_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "core/udd/fset.h"

struct udd_model;

enum outline_kind {
	OUTLINE_PATH, /* a root; text: its name, with "when EXPR" if it has a guard */
	/* a case of a decision; text: its values ("Miss, Late", "default"; "1..4 times" for repeat, whose block is
	 * shown once) */
	OUTLINE_CASE,
	/* a block of both, when or repeat (N); text: "both", "and", "when EXPR", "else when EXPR", "else", "3 times" */
	OUTLINE_BRANCH,
	/* a decision or fork with its cases and branches below, or the continuation after one; no text */
	OUTLINE_SEQUENCE,
};

enum outline_item_kind { OUTLINE_COUNT, OUTLINE_EVENT, OUTLINE_DECISION, OUTLINE_DONE, OUTLINE_RETURN,
	OUTLINE_IMPOSSIBLE, OUTLINE_FORK, OUTLINE_CUT,
	OUTLINE_TARGET, /* jumps to `text` lead here; first item of its row */
	OUTLINE_JUMP,   /* continues at the target `text` */
};

struct outline_item {
	enum outline_item_kind kind;
	/* name of the counter, event, property or target; "" for choose, "repeat" for repeat; OUTLINE_CUT: why the
	 * rest is missing */
	const char *text;
	uint32_t counter;  /* OUTLINE_COUNT: number in the model */
	uint32_t amount;
	bool off;
};

struct outline_row {
	enum outline_kind kind;
	uint32_t depth;   /* 0 for a root */
	uint32_t below;   /* number of rows of the subtree after this row */
	const char *text;
	const char *guard; /* "early_psc" of `case … when early_psc`; NULL: no guard */
	bool off;          /* the row does not exist for these features */
	bool last;         /* the last of its siblings */
	struct outline_item *item;
	size_t n_items;
};

/* Defs are expanded in place. There are at most `max_rows` rows (at least one) and 16 times as many items. If that
 * is not enough, an OUTLINE_CUT item in the last row says how many statements are missing; a call counts as one. */
struct udd_outline {
	struct outline_row *row;
	size_t n;
	struct outline_item *item; /* of all rows */
	struct names text;         /* of rows and items: each once, because defs repeat them */
};

struct udd_outline *udd_outline_new(const struct udd_model *, const struct fset *, size_t max_rows);
void udd_outline_free(struct udd_outline *);

#endif
