/* How numbers are written wherever hecate reads them: in files, options and `sim:` strings. There is one rule for each
 * notation, and one phrase for what is expected. Ranges are given in digits ("from 1 to 64"). Nothing may follow a
 * number. A value that does not fit is refused, never cut. The decimal point is '.' in every locale. */
#ifndef TEXT_NOTATION_H
#define TEXT_NOTATION_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct str;

#define SHARE_ONE 1000000 /* shares are in millionths, so that decimals are exact */

enum notation {
	NOTATION_WHOLE, /* 12 */
	NOTATION_SEED,  /* 12, of 64 bits: every uint64_t; least and most have no meaning */
	NOTATION_CODE,  /* 12, or 0x1f as in /proc/cpuinfo */
	NOTATION_BYTES, /* 4096, 64K, 1G: K (or k), M, G and T are each 1024 times the one before */
	NOTATION_STEPS, /* like NOTATION_BYTES, but may be negative, and must not be 0 */
	NOTATION_COUNT, /* numbers such as 5, 100K */
	NOTATION_SHARE, /* shares such as 0.25 */
	NOTATION_TIME,  /* 800ns, 12us, 4ms, 1s; kept in ns */
	NOTATION_WORD,  /* one of a few words; the value is its number. Nothing here reads it */
};

/* Reads a value from `least` to `most`. Returns false if the text is not in this notation, or the value not in the
 * range. */
bool notation_read(enum notation, int64_t least, int64_t most, const char *text, int64_t *out);
/* NOTATION_CODE with all 64 bits, as in the terms of perf's events. A leading 0 does not make a number octal. */
bool notation_read_code(const char *text, uint64_t *out);
/* Prints a value as notation_read() reads it. */
void notation_print(enum notation, int64_t, struct str *out);
/* Prints "a whole number from 1 to 64", "bytes, as 4096, 64K or 1G, from 64 to 256T". */
void notation_expected(enum notation, int64_t least, int64_t most, struct str *out);

/* The same for a decimal number: 12, -0.5, 1e6. An infinite limit means no limit. */
bool decimal_read(double least, double most, const char *text, double *out);
void decimal_expected(double least, double most, struct str *out); /* "a number from 0.001 to 100" */

/* Read the value of an option or a word. On failure they set "WHO takes a whole number from 1 to 64, not 'TEXT'". */
bool notation_take(const char *who, enum notation, int64_t least, int64_t most, const char *text, int64_t *out,
	struct err *);
bool decimal_take(const char *who, double least, double most, const char *text, double *out, struct err *);

#endif
