/* Whether one linear form of an observation's counts obeys its relation. Private to core/laws. */
#ifndef CORE_LAWS_ASK_H
#define CORE_LAWS_ASK_H

#include "core/laws/judge.h"

/* An observation that is asked about forms of its counts. */
struct law_asked {
	const struct laws *laws;
	const struct columns_match *match;
	const struct obs *obs;
	const struct laws_how *options;
	double level;     /* probability of a false "broken" for one form */
	bool exact;       /* rows add up to exact totals */
	bool averaged;    /* the only row is a mean whose errors are stated */
	double seconds;   /* how long they took; NAN: unknown */
	double largest;   /* the largest total */
};

void law_ask_begin(struct law_asked *);
/* Sets the level for n laws. Those that are slack beyond doubt cannot be broken, so the others share the probability of
 * an error. Source: Romano, Shaikh and Wolf, A practical two-step method for testing moment inequalities, Econometrica
 * 82, 2014. */
void law_ask_level(struct law_asked *, const struct law_form *, size_t n);
/* Returns whether the observation has counts of all events of the form, which can be related. */
bool law_can_ask(const struct law_asked *, const struct law_form *);
/* Returns whether the observation has no count of the event, or the event is LAW_ALWAYS. */
bool law_lacks(const struct law_asked *, size_t event);
struct law_sum law_ask(const struct law_asked *, const struct law_form *);

/* Fills in the sets of events to blame. `form` are the n forms of all laws that were judged. */
void law_find_blame(const struct law_asked *, const struct law_form *form, size_t n, struct laws_judgement *);

#endif
