/* What a µDD file says, as written: items and statements. Private to core/udd, and to the front ends that build models
 * from other texts (core/fdl).
 *
 * Everything lives in the model's arena, texts of words in `words` (each distinct text once). Places are byte offsets
 * into the text of the file that the item stands in. */
#ifndef CORE_UDD_AST_H
#define CORE_UDD_AST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "core/lang/source.h"

struct bexpr;
struct diags;
struct udd_model;

/* A word as written. With `pieces` its text holds `<PARAM>`, replaced when its def is expanded. */
struct udd_word {
	const char *text; /* without quotes, escapes undone */
	uint32_t at;
	uint32_t len : 30;
	bool quoted : 1;
	bool pieces : 1;
};

enum udd_stmt_kind {
	STMT_EVENT,      /* word[0] */
	STMT_COUNT,      /* word[0], amount word[1] when n_words is 2 */
	STMT_SWITCH,     /* word[0] the property, cases */
	STMT_CHOOSE,     /* cases */
	STMT_WHEN,       /* arms */
	STMT_BOTH,       /* block[0], block[1] */
	STMT_CALL,       /* word[0] the def, then its arguments */
	STMT_REPEAT,     /* word[0] times, or word[0] to word[1]; block[0] */
	STMT_RETURN,
	STMT_IMPOSSIBLE,
	STMT_DONE,
	STMT_BEFORE,     /* word[0], word[1]: labels */
	STMT_TARGET,     /* word[0]: jumps to that name lead here; the text before it goes on here, too */
	STMT_JUMP,       /* word[0]: goes on at the target of that name in the same path, which stands further down */
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
	const char *const *also; /* as udd_event.also */
};

struct udd_item {
	struct udd_item *next;
	enum udd_item_kind kind;
	uint32_t file;
	struct udd_word name;
	const char *text;              /* model, counter, feature, variant: "" when there is none */
	struct udd_event_word *event;  /* counter: its mapping */
	/* group: counters; feature: excludes; variant: what is added or taken away; def: parameters */
	struct udd_word *word;
	size_t n_events, n_words;
	const struct udd_word *base;   /* variant = base …; NULL: { … } */
	bool *minus;                   /* variant: word i is taken away */
	struct bexpr *when;            /* feature: requires; path: when */
	struct udd_stmt *body;         /* def, path */
	bool called;                   /* def: reached from a path */
	bool busy;                     /* def, variant: being looked at just now, which is how recursion shows */
};

/* Where a file includes another one. */
struct udd_include {
	struct udd_include *next;
	uint32_t file, at, end; /* from the word to behind the semicolon */
	const char *path;       /* as written */
	/* number of the file whose items stand there; UDD_READ_BEFORE: it was included before, so that nothing does */
	uint32_t into;
};
#define UDD_READ_BEFORE UINT32_MAX

struct udd_ast {
	struct source *file;
	size_t n_files, cap_files;
	struct udd_include *include, **last_include; /* in the order of reading: those of one file by place */
	struct names words;
	struct udd_item *first, **tail;
	/* By name, for those kinds that are looked up; item i is the one that stands first in the text. */
	struct names def_names, feature_names, variant_names, root_names, counter_names, group_names;
	struct udd_item **def, **feature, **variant, **root, **counter, **group;
	size_t cap_def, cap_feature, cap_variant, cap_root, cap_counter, cap_group;
	struct udd_item *model;
	bool some_model, some_path; /* one was begun, however it went on */
};

/* One expansion of a def, or a root: what its parameters stand for, and where it was called. */
struct udd_frame {
	const struct udd_frame *caller; /* NULL in a root */
	const struct udd_item *body;    /* the def, or the path */
	const struct udd_word *arg;     /* body->n_words of them; NULL: unknown, words with pieces mean nothing yet */
	uint32_t at, len;               /* of the call, in the caller's file */
};

struct place udd_place(const struct udd_ast *, uint32_t file, uint32_t at, uint32_t len);

/* A diagnostic at a word of the frame's file. When the frame is a call the hint goes on with "in walk(load), called at
 * m.udd:58:3". */
void udd_complain(const struct udd_ast *, struct diags *, const struct udd_frame *, uint32_t at, uint32_t len,
	const char *hint, const char *fmt, ...) __attribute__((format(printf, 7, 8)));
void udd_warn(const struct udd_ast *, struct diags *, const struct udd_frame *, uint32_t at, uint32_t len,
	const char *hint, const char *fmt, ...) __attribute__((format(printf, 7, 8)));

/* What to do about an unknown name (see near_hint), or NULL when there is nothing to say or nobody will see it. The
 * caller frees. */
char *udd_nearest(const struct diags *, const struct names *, const char *word);

#endif
