/* Exact non-negative decimals: "17", "2.50", "1e6". */
#ifndef COLLECT_IMPORT_DECIMAL_H
#define COLLECT_IMPORT_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct decimal {
	int64_t digits; /* without trailing zeros after the point */
	int decimals;   /* value = digits / 10^decimals; never negative */
};

enum decimal_fault {
	DECIMAL_GOOD,
	DECIMAL_NOT_A_NUMBER, /* any other text */
	DECIMAL_NAN,          /* nan, inf and the like, as programs print them */
	DECIMAL_NEGATIVE,
	DECIMAL_TOO_LARGE,    /* 2^63 or more, or more digits than 64 bits hold */
};

enum decimal_fault decimal_parse(const char *s, struct decimal *);

/* Sets *out to value · 10^decimals. Returns false when that does not fit into 64 bits. `decimals` must be at least the
 * number's own. */
bool decimal_scale(const struct decimal *, int decimals, int64_t *out);

#endif
