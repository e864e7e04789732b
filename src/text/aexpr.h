/* Arithmetic over counters, with units: `(occupancy - hits * 4 cycles) / inserts`, min(a, b), max(a, b), ratio(a, b),
 * if(a < b, x, y), if(counted(c), x, y), owners(slice).
 *
 * An expression is parsed, then bound. Binding gives names their numbers and units, and checks that every sum and
 * comparison has one unit. An unknown value is NAN, and so is everything computed from it. But the value that a
 * condition does not choose may be unknown. A division by zero gives NAN too. */
#ifndef TEXT_AEXPR_H
#define TEXT_AEXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct diags;
struct lexer;
struct source;
struct str;

#define AEXPR_DEPTH_MAX 256  /* depth of nested parentheses */
#define AEXPR_NODES_MAX 4096 /* names, numbers and operations of one expression */

/* A product of powers of what is counted. Times in s, ms or us are stored as ns. */
enum unit_base {
	UNIT_REQUESTS, UNIT_CYCLES, UNIT_NS, UNIT_BYTES, UNIT_PAGES, UNIT_INSTRUCTIONS, UNIT_SLOTS, UNIT_BASES
};
struct unit {
	int8_t power[UNIT_BASES];
};

static inline bool
unit_equal(struct unit a, struct unit b)
{
	for (int i = 0; i < UNIT_BASES; i++)
		if (a.power[i] != b.power[i])
			return false;
	return true;
}

struct unit unit_of(enum unit_base);
struct unit unit_times(struct unit a, struct unit b, int sign); /* a · b^sign */
/* Appends "requests*cycles", "cycles/requests", or "1" for no unit. */
void unit_text(struct unit, struct str *out);

/* Reads a unit as written: a base, or bases joined by '*' and '/' without a blank: "requests*cycles". `us`, `ms` and
 * `s` are ns with a factor, `KiB` and `MiB` bytes. The lexer is at the unit. Returns false and adds a diagnostic when
 * there is none. */
bool unit_parse(struct lexer *, struct unit *out, double *factor);

enum aexpr_op {
	AEXPR_NUMBER, AEXPR_NAME,
	AEXPR_OWNERS,  /* a number of owners; a name in all respects, written "owners(slice)" */
	AEXPR_NEGATE, AEXPR_ADD, AEXPR_SUBTRACT, AEXPR_TIMES, AEXPR_DIVIDE, AEXPR_MIN, AEXPR_MAX,
	AEXPR_RATIO,   /* like DIVIDE, but 0 if the divisor is 0 */
	AEXPR_IF,      /* a condition and an EITHER */
	AEXPR_EITHER,  /* the value if the condition holds, and the value if not */
	AEXPR_LESS,    /* a condition: 1 or 0 */
	AEXPR_COUNTED, /* a condition: the name has a known value */
};

struct aexpr {
	enum aexpr_op op;
	double value;         /* NUMBER: in its base unit */
	const char *name;     /* NAME: as written, without quotes; OWNERS: "owners(slice)" */
	uint32_t index;       /* NAME and OWNERS: index of its value; aexpr_bind() sets it */
	struct unit unit;     /* valid for numbers, and for everything after aexpr_bind() */
	uint32_t at, len;     /* place in its source */
	uint32_t size;        /* nodes */
	struct aexpr *arg[2]; /* NEGATE and COUNTED have one; the others have two */
};

/* Reads the expression at the lexer; it lives in the arena. Returns NULL and adds a diagnostic on a syntax error. */
struct aexpr *aexpr_parse(struct lexer *, struct arena *);

/* find() sets the number and the unit of a name. It returns false if the name is unknown; then it may set *hint, which
 * the caller frees. */
struct aexpr_names {
	bool (*find)(void *ctx, const char *name, uint32_t *index, struct unit *unit, char **hint);
	void *ctx;
};

/* Binds all names and checks the units. Returns false after diagnostics. A plain 0 fits every unit. */
bool aexpr_bind(struct aexpr *, const struct source *, const struct aexpr_names *, struct diags *);

/* The same for an expression without names; `hint` says what is expected. */
bool aexpr_bind_numbers(struct aexpr *, const struct source *, const char *hint, struct diags *);

/* Returns the value of the expression. value[index] is the value of the name with this index, NAN if unknown. */
double aexpr_value(const struct aexpr *, const double *value);

/* Returns n values of the expression at once: the i-th is what aexpr_value() returns if column[index][i] is the value
 * of the name. The result is a column, or lies in `room`, which has aexpr_room() · n numbers. */
const double *aexpr_column(const struct aexpr *, const double *const *column, size_t n, double *room);
size_t aexpr_room(const struct aexpr *);

/* Returns the branch that an IF chooses with these values; NULL if the condition is unknown. */
const struct aexpr *aexpr_chosen(const struct aexpr *, const double *value);

/* Calls f for every name and number of owners, in order. */
void aexpr_each_name(const struct aexpr *, void (*f)(void *ctx, const struct aexpr *name), void *ctx);

/* Writes the expression with no more parentheses than needed. */
void aexpr_print(const struct aexpr *, struct str *out);

#endif
