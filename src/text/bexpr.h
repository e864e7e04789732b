/* Boolean expressions over names: `!`, `&&`, `||` in this order of precedence, and parentheses. */
#ifndef TEXT_BEXPR_H
#define TEXT_BEXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct lexer;
struct str;

#define BEXPR_DEPTH_MAX 256  /* depth of nested parentheses and negations */
#define BEXPR_NAMES_MAX 1024 /* names in one expression; limited because expressions are evaluated often */
#define BEXPR_UNBOUND UINT32_MAX

enum bexpr_op { BEXPR_NAME, BEXPR_NOT, BEXPR_AND, BEXPR_OR };
enum bexpr_truth { BEXPR_NO, BEXPR_YES, BEXPR_OPEN };

struct bexpr {
	enum bexpr_op op;
	const char *name;   /* NAME: as written, with its <PARAM> pieces */
	bool pieces;        /* NAME: whether it has pieces */
	uint32_t index;     /* NAME: number of its bit in a set; BEXPR_UNBOUND until bound */
	uint32_t at, len;   /* place in its source */
	uint32_t size;      /* number of names in the expression */
	struct bexpr **arg; /* NOT has one; AND and OR have two or more */
	size_t n;
};

/* Reads the expression at the lexer. Returns NULL and adds a diagnostic on a syntax error; the lexer is then at the
 * offending token. */
struct bexpr *bexpr_parse(struct lexer *, struct arena *);

/* Calls f for every name, in order. */
void bexpr_each_name(struct bexpr *, void (*f)(void *ctx, struct bexpr *name), void *ctx);

/* index() returns the bit that a name with pieces has at present; BEXPR_UNBOUND (which counts as off) if it has none.
 */
struct bexpr_names {
	uint32_t (*index)(void *ctx, const struct bexpr *name);
	void *ctx;
};

/* Returns the truth of the expression if the bits in `known` are as in `value` and the others are open. NULL `known`
 * means that all bits are known. `names` may be NULL when no name has pieces. */
enum bexpr_truth bexpr_eval(
	const struct bexpr *, const uint64_t *known, const uint64_t *value, const struct bexpr_names *);

/* Returns a copy in which the given names have bound every name: the meaning of a def's expression in one call. */
struct bexpr *bexpr_bound(const struct bexpr *, struct arena *, const struct bexpr_names *);
struct bexpr *bexpr_not(struct bexpr *, struct arena *);

/* Writes the expression with no more parentheses than needed. */
void bexpr_print(const struct bexpr *, struct str *out);

/* Returns whether all the expressions can hold at once. Bits are 0 to n_bits-1; every name must be bound. On BEXPR_YES,
 * `out` (n_bits/64 words, rounded up; may be NULL) gets the first set for which they hold, in a search that tries "off"
 * before "on". BEXPR_OPEN means that the budget, counted in nodes, did not suffice. *budget is reduced by what was
 * used. */
enum bexpr_truth bexpr_satisfiable(
	const struct bexpr *const *all, size_t n, size_t n_bits, size_t *budget, uint64_t *out);

#endif
