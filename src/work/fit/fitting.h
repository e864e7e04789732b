/* Asks whether the counters of the next run fit, in a process of its own: names may need tables, and the kernel's
 * answer takes a few milliseconds for each event. No descriptor is left open. */
#ifndef WORK_FIT_FITTING_H
#define WORK_FIT_FITTING_H

#include <stdbool.h>

struct counter_list;
struct fitting;
struct str;

struct fitting *fitting_new(void);
void fitting_free(struct fitting *);

/* Asks about these counters (fit_of_counters()); NULL: there are none, and no answer. The answer to the same question
 * stays until the new one is there. `cpus`: whole CPUs are watched. */
void fitting_ask(struct fitting *, const struct counter_list *, const bool *asked, bool cpus);
int fitting_fd(const struct fitting *); /* readable when there is news; -1: nothing is asked */
bool fitting_poll(struct fitting *);    /* takes news without blocking; true: there is an answer */

/* The answer in one line, as fit_write_brief() says it, and in a few words, "6 of 8 counters"; "" until it is known, or
 * for NULL. */
const char *fitting_line(const struct fitting *);
const char *fitting_short(const struct fitting *);
/* Appends the answer, or that it is awaited, as a sentence. Returns whether not all are counted, or not at once. */
bool fitting_write(const struct fitting *, struct str *out);

#endif
