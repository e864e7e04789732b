/* Numbers in words that people read: on the screens and in sentences. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>

/* Numbers as docs/screens.md section 2: "10 653" in full with a thin group space below 100 000 (an ordinary space in
 * ASCII), else three significant digits with k M G T. Returns `out`. */
#define NUMBER_TEXT 32
char *number_count(char out[NUMBER_TEXT], double v, bool ascii);
/* so many significant digits (1 … 6), never an exponent: "0.00013", "45.64", from 10 000 on as number_count() */
char *number_digits(char out[NUMBER_TEXT], double v, int digits, bool ascii);
char *number_exact(char out[NUMBER_TEXT], long long v, bool sign, bool ascii); /* in full, grouped; signed on request */
/* nothing rounded away that counts: whole ones as number_exact(), others to eight digits */
char *number_full(char out[NUMBER_TEXT], double v, bool ascii);
/* a signed difference: whole ones as number_exact(), others to six digits */
char *number_off(char out[NUMBER_TEXT], double v, bool ascii);
/* "93.1", "0.042" of a 0 … 1 share, without % */
char *number_share(char out[NUMBER_TEXT], double share);
/* a standard error as a share of its mean: "±2.1 %"; "±1.3×" where it is as large as the mean or larger */
char *number_spread(char out[NUMBER_TEXT], double share);
/* "0.20", "4e-7", "<1e-9"; a p of no number is "·" */
char *number_p(char out[NUMBER_TEXT], double p);
/* two significant digits, no exponent: "4.1", "380", "12000" */
char *number_round(char out[NUMBER_TEXT], double v);
char *number_seconds(char out[NUMBER_TEXT], double s, bool ascii);             /* "41 ms", "4.1 s", "2 h" */

#endif
