/* Verdicts by CounterPoint's rules (core/stats/counterpoint.h), for comparison. */
#ifndef APP_ANALYSIS_COUNTERPOINT_H
#define APP_ANALYSIS_COUNTERPOINT_H

struct analysis_options;
struct prepared;
struct samples;
struct str;

/* Sets the options so that verdicts are CounterPoint's: its box decides, at its confidence. */
void counterpoint_options(struct analysis_options *);

/* Makes CounterPoint's region of the kept counters, or sets the reason why there is none. Rows count as samples even
 * where the data call them totals. */
void counterpoint_prepare(const struct samples *, struct prepared *);

/* Appends how it judges, as part of a sentence: "30 complete samples or more, …". */
void counterpoint_words(struct str *out);

#endif
