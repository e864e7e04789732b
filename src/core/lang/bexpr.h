/* Boolean expressions over names: `!`, `&&`, `||` in that order of strength, and parentheses. */
#ifndef CORE_LANG_BEXPR_H
#define CORE_LANG_BEXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct lexer;
struct str;

#define BEXPR_DEPTH_MAX 256 /* parentheses and negations in each other */
#define BEXPR_NAMES_MAX 1024 /* names in one expression: what is evaluated often must be small */
#define BEXPR_UNBOUND UINT32_MAX

enum bexpr_op { BEXPR_NAME, BEXPR_NOT, BEXPR_AND, BEXPR_OR };
enum bexpr_truth { BEXPR_NO, BEXPR_YES, BEXPR_OPEN };

struct bexpr {
	enum bexpr_op op;
	const char *name;  /* NAME: as written, with its <PARAM> pieces */
	bool pieces;       /* NAME: it has some */
	uint32_t index;    /* NAME: which bit of a set; BEXPR_UNBOUND until someone who knows the names sets it */
	uint32_t at, len;  /* place in its source */
	uint32_t size;     /* names in it */
	struct bexpr **arg; /* NOT: one; AND, OR: two or more */
	size_t n;
};

/* Read an expression where the lexer stands. NULL and a diagnostic on a syntax error; the lexer stands at the offending
 * token. */
struct bexpr *bexpr_parse(struct lexer *, struct arena *);

/* Call f for every name, in order. */
void bexpr_each_name(struct bexpr *, void (*f)(void *ctx, struct bexpr *name), void *ctx);

/* Which bit a name with pieces means just now; BEXPR_UNBOUND (which reads as off) when there is none. */
struct bexpr_names {
	uint32_t (*index)(void *ctx, const struct bexpr *name);
	void *ctx;
};

/* The value when the bits of `known` are as in `value`, the others open. NULL `known` means all are. `names` may be
 * NULL when no name has pieces. */
enum bexpr_truth bexpr_eval(
	const struct bexpr *, const uint64_t *known, const uint64_t *value, const struct bexpr_names *);

/* A copy in which names() has bound every name: what a def's expression means for one call. */
struct bexpr *bexpr_bound(const struct bexpr *, struct arena *, const struct bexpr_names *);
struct bexpr *bexpr_not(struct bexpr *, struct arena *);

/* The expression again, with no more parentheses than needed. */
void bexpr_print(const struct bexpr *, struct str *out);

/* Can all the expressions hold at once? Bits from 0 to n_bits-1; every name must be bound. BEXPR_YES fills `out`
 * (n_bits/64 rounded up words; may be NULL) with the first such set that a search with "off" before "on" finds;
 * BEXPR_OPEN when looking at *budget nodes did not tell. What was looked at is taken off the budget. */
enum bexpr_truth bexpr_satisfiable(
	const struct bexpr *const *all, size_t n, size_t n_bits, size_t *budget, uint64_t *out);

#endif
