/* The contents of a µDD file as written: items and statements. Private to core/udd and to front ends that build models
 * from other texts (convert/fdl).
 *
 * Everything lives in the model's arena; the texts of words are in `words`, each distinct text once. Places are byte
 * offsets into the text of the file that contains the item. */
#ifndef CORE_UDD_AST_H
#define CORE_UDD_AST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "text/source.h"

struct bexpr;
struct diags;
struct udd_model;

/* A word as written. If `pieces` is set, its text contains `<PARAM>`, which is replaced when the def around the word is
 * expanded. */
struct udd_word {
	const char *text; /* without quotes, escapes resolved */
	uint32_t at;
	uint32_t len : 30;
	bool quoted : 1;
	bool pieces : 1;
};

enum udd_stmt_kind {
	STMT_EVENT,      /* word[0] */
	STMT_COUNT,      /* word[0]; amount word[1] if n_words is 2 */
	STMT_SWITCH,     /* word[0]: the property; cases */
	STMT_CHOOSE,     /* cases */
	STMT_WHEN,       /* arms */
	STMT_BOTH,       /* block[0], block[1] */
	STMT_CALL,       /* word[0]: the def, then its arguments */
	STMT_REPEAT,     /* word[0]: number of times, or the range word[0] to word[1]; block[0] */
	STMT_RETURN,
	STMT_IMPOSSIBLE,
	STMT_DONE,
	STMT_BEFORE,     /* word[0], word[1]: labels */
	STMT_TARGET,     /* word[0]: name of a place to which jumps lead; the statement before it also continues here */
	STMT_JUMP,       /* word[0]: continue at the target of that name, which comes later in the same path */
};

struct udd_stmt {
	struct udd_stmt *next;
	const struct udd_word *label; /* NULL: none */
	enum udd_stmt_kind kind;
	uint32_t n_words;
	struct udd_word *word;
	uint32_t at, len; /* of its first word */
	union {
		struct udd_case *cases;
		struct udd_arm *arms;
		struct udd_stmt *block[2];
	};
};

struct udd_case {
	struct udd_case *next;
	struct udd_word *value;
	uint32_t n_values; /* 0: default */
	uint32_t at, len;
	struct bexpr *when; /* NULL: always */
	struct udd_stmt *body;
};

struct udd_arm {
	struct udd_arm *next;
	struct bexpr *when; /* NULL: else */
	struct udd_stmt *body;
};

enum udd_item_kind { ITEM_MODEL, ITEM_COUNTER, ITEM_GROUP, ITEM_FEATURE, ITEM_VARIANT, ITEM_DEF, ITEM_PATH };

struct udd_event_word {
	struct udd_word name, filter;
	bool filtered;
	const char *const *also; /* like event_item.also */
};

struct udd_item {
	struct udd_item *next;
	enum udd_item_kind kind;
	uint32_t file;
	struct udd_word name;
	const char *text;              /* model, counter, feature, variant: its text, or "" */
	struct udd_event_word *event;  /* counter: its events */
	/* group: counters; feature: excludes; variant: features to add or remove; def: parameters */
	struct udd_word *word;
	size_t n_events, n_words;
	const struct udd_word *base;   /* variant = base …; NULL: variant { … } */
	bool *minus;                   /* variant: word i is removed */
	struct bexpr *when;            /* feature: requires; path: when */
	struct udd_stmt *body;         /* def, path */
	bool called;                   /* def: called from a path */
	bool busy;                     /* def, variant: being visited now, so that meeting it again means recursion */
};

/* Place where a file includes another one. */
struct udd_include {
	struct udd_include *next;
	uint32_t file, at, end; /* `at` is the word's place, `end` is after the semicolon */
	const char *path;       /* as written */
	/* number of the included file; UDD_READ_BEFORE: it was included earlier, so nothing is inserted here */
	uint32_t into;
};
#define UDD_READ_BEFORE UINT32_MAX

struct udd_ast {
	struct source *file;
	size_t n_files, cap_files;
	/* in the order of reading; includes in one file are in the order of their places */
	struct udd_include *include, **last_include;
	struct names words;
	struct udd_item *first, **tail;
	/* Indexes by name, for the kinds that are looked up; item i of an index is the first item with name i in the
	 * text. */
	struct names def_names, feature_names, variant_names, root_names, counter_names, group_names;
	struct udd_item **def, **feature, **variant, **root, **counter, **group;
	size_t cap_def, cap_feature, cap_variant, cap_root, cap_counter, cap_group;
	struct udd_item *model;
	bool some_model, some_path; /* a model or path item was begun, possibly with errors */
};

/* One expansion of a def or of a root: the values of its parameters, and the place of the call. */
struct udd_frame {
	const struct udd_frame *caller; /* NULL for a root */
	const struct udd_item *body;    /* the def or the path */
	/* body->n_words arguments; NULL: unknown, so words with pieces have no meaning yet */
	const struct udd_word *arg;
	uint32_t at, len;               /* place of the call in the caller's file */
};

struct place udd_place(const struct udd_ast *, uint32_t file, uint32_t at, uint32_t len);
/* Sets the place where a counter's first event is named, or the counter. Returns false if it is not declared. */
struct udd_model;
bool udd_counter_place(const struct udd_model *, size_t counter, struct place *);

/* Add a diagnostic at a word of the frame's file. For a call the hint continues with "in walk(load), called at
 * m.udd:58:3". */
void udd_complain(const struct udd_ast *, struct diags *, const struct udd_frame *, uint32_t at, uint32_t len,
	const char *hint, const char *fmt, ...) __attribute__((format(printf, 7, 8)));
void udd_warn(const struct udd_ast *, struct diags *, const struct udd_frame *, uint32_t at, uint32_t len,
	const char *hint, const char *fmt, ...) __attribute__((format(printf, 7, 8)));

/* Call f for each block directly inside a statement (labels.c). */
void udd_each_block(const struct udd_stmt *, void (*f)(void *ctx, const struct udd_stmt *block), void *ctx);

/* A hint for an unknown name (see near_hint). Returns NULL if there is none, or if the diagnostics are full. The caller
 * frees. */
char *udd_nearest(const struct diags *, const struct names *, const char *word);

#endif
