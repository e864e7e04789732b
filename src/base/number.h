/* Numbers as people read them, on screens and in sentences. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* All return `out`. number_count() follows docs/screens.md section 2. Below 100 000 it writes the number in full with a
 * thin group space ("10 653"; an ordinary space in ASCII), above it three significant digits with k M G T. */
#define NUMBER_TEXT 32
char *number_count(char out[NUMBER_TEXT], double v, bool ascii);
/* `digits` (1 … 6) significant digits, never an exponent: "0.00013", "45.64"; from 10 000 on like number_count() */
char *number_digits(char out[NUMBER_TEXT], double v, int digits, bool ascii);
char *number_exact(char out[NUMBER_TEXT], long long v, bool sign, bool ascii); /* in full, grouped; signed on request */
/* whole numbers as number_exact(), others to eight digits */
char *number_full(char out[NUMBER_TEXT], double v, bool ascii);
/* a signed difference: whole numbers as number_exact(), others to six digits */
char *number_off(char out[NUMBER_TEXT], double v, bool ascii);
/* an amount of memory or data, in powers of 1000: "512 B", "131 kB", "1.2 GB" */
char *number_bytes(char out[NUMBER_TEXT], double v, bool ascii);
/* a share from 0 to 1 in percent, without the % sign: "93.1", "0.042" */
char *number_share(char out[NUMBER_TEXT], double share);
/* a standard error as a share of the mean: "±2.1 %"; from 100 % on "±1.3×" */
char *number_spread(char out[NUMBER_TEXT], double share);
/* a p-value: "0.20", "4e-7", "<1e-9"; "·" for NaN */
char *number_p(char out[NUMBER_TEXT], double p);
/* two significant digits, no exponent: "4.1", "380", "12000" */
char *number_round(char out[NUMBER_TEXT], double v);
char *number_seconds(char out[NUMBER_TEXT], double s, bool ascii);             /* a duration: "41 ms", "4.1 s", "2 h" */

/* The ending of a noun after a number: "1 model", "2 models"; "1 equality", "2 equalities". */
const char *plural_s(size_t n);
const char *plural_y(size_t n);

#endif
