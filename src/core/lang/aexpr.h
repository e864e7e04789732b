/* Arithmetic over counters, with units: `(occupancy - hits * 4 cycles) / inserts`, min(a, b), max(a, b).
 *
 * Parsed first, then bound: names get numbers and units, and every sum and comparison is checked to be of one unit. A
 * value that is not known is NAN and makes all unknown that uses it; so does a division by zero. */
#ifndef CORE_LANG_AEXPR_H
#define CORE_LANG_AEXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct diags;
struct lexer;
struct source;
struct str;

#define AEXPR_DEPTH_MAX 256  /* parentheses in each other */
#define AEXPR_NODES_MAX 4096 /* names, numbers and operations of one expression */

/* A product of powers of what is counted. Time in seconds and its parts is kept as ns. */
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
/* "requests*cycles", "cycles/requests", "1" for none. */
void unit_text(struct unit, struct str *out);

/* A unit as written: a base, or bases joined by '*' and '/' without a blank: "requests*cycles". `us`, `ms` and `s` are
 * ns with a factor, `KiB` and `MiB` bytes. The lexer stands at it; false and a diagnostic when there is none. */
bool unit_parse(struct lexer *, struct unit *out, double *factor);

enum aexpr_op {
	AEXPR_NUMBER, AEXPR_NAME, AEXPR_NEGATE, AEXPR_ADD, AEXPR_SUBTRACT, AEXPR_TIMES, AEXPR_DIVIDE, AEXPR_MIN,
	AEXPR_MAX
};

struct aexpr {
	enum aexpr_op op;
	double value;         /* NUMBER: in its base unit */
	const char *name;     /* NAME: as written, quotes taken off */
	uint32_t index;       /* NAME: which value; set by aexpr_bind() */
	struct unit unit;     /* valid for numbers, and for all behind aexpr_bind() */
	uint32_t at, len;     /* place in its source */
	uint32_t size;        /* nodes */
	struct aexpr *arg[2]; /* NEGATE: one; the others: two */
};

/* Read an expression where the lexer stands; it lives in the arena. NULL and a diagnostic on a syntax error. */
struct aexpr *aexpr_parse(struct lexer *, struct arena *);

/* What a name means: its number and unit. False when it is not known; *hint may then be set (heap, freed by the caller
 * of this). */
struct aexpr_names {
	bool (*find)(void *ctx, const char *name, uint32_t *index, struct unit *unit, char **hint);
	void *ctx;
};

/* Bind all names and check units. False after diagnostics. A plain 0 goes with every unit. */
bool aexpr_bind(struct aexpr *, const struct source *, const struct aexpr_names *, struct diags *);

/* The same where no name may stand; `hint` says what is expected there. */
bool aexpr_bind_numbers(struct aexpr *, const struct source *, const char *hint, struct diags *);

/* value[index] for each name; NAN: not known. */
double aexpr_value(const struct aexpr *, const double *value);

/* Call f for every name, in order. */
void aexpr_each_name(const struct aexpr *, void (*f)(void *ctx, const struct aexpr *name), void *ctx);

/* The expression again, with no more parentheses than needed. */
void aexpr_print(const struct aexpr *, struct str *out);

#endif
