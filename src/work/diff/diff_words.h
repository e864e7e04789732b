/* The answers of a comparison in words, for text, Markdown and the explorer. The caller frees texts that are not const.
 */
#ifndef WORK_DIFF_DIFF_WORDS_H
#define WORK_DIFF_DIFF_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct diff_found;
struct diff_quantity;
struct diff_rule;
struct measured_diff;
struct str;

/* "+3.1 %", "−0.4 %", "×12"; a difference with its unit where A has none. */
char *diff_change_text(const struct diff_quantity *, const struct diff_found *, double v, bool ascii);
/* The same for a table, where a part of an undecided answer that nobody can use is left out: values above 0 cannot
 * fall by more than 100 %. */
char *diff_change_cell(const struct diff_quantity *, const struct diff_found *, double v, bool ascii);
char *diff_value_text(const struct diff_quantity *, double v, bool ascii); /* "12.3 ms" */
const char *diff_answer_brief(const struct diff_quantity *, const struct diff_found *); /* "slower", "undecided" */
/* "slower", "equal within 0.4 %", "undecided: about 12 more pairs, 4 min", of quantity i. */
char *diff_answer_text(const struct measured_diff *, bool recorded, size_t i, bool ascii);
/* How long so many blocks would take; NAN: unknown. */
double diff_seconds_for(const struct measured_diff *, size_t blocks);

/* Are these minor faults, and page faults next to them say the same? */
bool diff_is_repeated(const struct measured_diff *, size_t i);

/* Adds what the first quantity says, in one or two sentences and a newline. */
void diff_add_lead(struct str *out, const struct measured_diff *, const struct diff_rule *, bool recorded, bool ascii);

/* Add sentences, in diff_why.c: where a difference comes from; what disturbed the runs. */
void diff_add_why(struct str *out, const struct measured_diff *, bool recorded, bool ascii);
void diff_add_disturbances(struct str *out, const struct measured_diff *, bool recorded);

#endif
