/* Judging as CounterPoint does (core/stats/counterpoint.h), for comparison. */
#ifndef APP_ANALYSIS_COUNTERPOINT_H
#define APP_ANALYSIS_COUNTERPOINT_H

struct analysis_options;
struct prepared;
struct samples;
struct str;

/* Verdicts are CounterPoint's from here on: its box decides, at its confidence. */
void counterpoint_options(struct analysis_options *);

/* The region of the kept counters, or the reason why there is none. Whatever the rows are called, they are samples. */
void counterpoint_prepare(const struct samples *, struct prepared *);

/* "30 complete samples or more, …": how it judges, in part of a sentence. */
void counterpoint_words(struct str *out);

#endif
