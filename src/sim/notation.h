/* How values of parameters are written: 64K, -4K, 0.25, 12us. */
#ifndef SIM_NOTATION_H
#define SIM_NOTATION_H

#include <stdbool.h>
#include <stdint.h>

struct str;

#define SIM_SHARE_ONE 1000000 /* shares are in millionths, so that decimals are exact */

/* The notation of a parameter. */
enum sim_form {
	SIM_BYTES,  /* 4096, 64K, 1G */
	SIM_STEPS,  /* bytes, also negative, but not 0 */
	SIM_COUNT,  /* numbers such as 5, 100K */
	SIM_SHARE,  /* shares such as 0.25 */
	SIM_TIME,   /* 800ns, 12us, 4ms; kept in ns */
	SIM_WORD,   /* one of a few words; the value is its number */
};

/* Reads a value in this notation, which is not SIM_WORD. False: it is not in this notation. A value that is too large
 * stays larger than any limit. */
bool sim_notation_read(enum sim_form, const char *text, int64_t *out);
/* Prints a value as sim_notation_read() reads it. */
void sim_notation_print(enum sim_form, int64_t, struct str *out);
/* Prints "bytes, as 4096, 64K or 1G, from 64 to 256T", for hints. */
void sim_notation_range(enum sim_form, int64_t least, int64_t most, struct str *out);

#endif
