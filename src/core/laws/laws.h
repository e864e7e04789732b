/* Laws: relations that counts obey whatever the program does, because of what the events mean. They are data, one
 * relation a line:
 *
 *	laws NAME ["text"];
 *	hardware;            all its events are counted by hardware: totals have a tolerance
 *	event NAME [or "other name" …] ["what its vendor says about it" source "…"];
 *	law "text": EXPR <= EXPR, [without NAME,] source "where it comes from" ["why it may be broken"];
 *
 * Between the sides stand '<=', '>=' or '=', and a chain a <= b <= c is two laws. Sides are sums of multiples of
 * events or metrics, so that a law is a linear form: Σ times · event + constant ≤ 0, or = 0. A law `without` an event
 * leaves that event, counted once, out of the greater side; only data that lack it are judged by such a law, which
 * holds if the event is at least the difference. docs/laws.md. */
#ifndef CORE_LAWS_LAWS_H
#define CORE_LAWS_LAWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct diags;

#define LAWS_MAX 1024  /* laws of one file */
#define LAW_TERMS_MAX 64
#define LAW_ALWAYS SIZE_MAX
#define LAW_OF_SHARES "a share lies in 0 ... 100 %" /* its words, of metrics and of the nodes of a tree */

struct law_event {
	const char *name;
	const char *const *also;  /* other names of it in data, ended by NULL; NULL: none */
	const char *says, *says_source; /* "": nothing */
};

struct law_term {
	size_t event;
	double times;
};

/* Σ term + constant, which must be ≤ 0, or 0. */
struct law_form {
	struct law_term *term; /* each event once, in ascending order; no multiple is 0 */
	size_t n;
	double constant;
	bool equality;
};

struct law {
	const char *text, *source;
	const char *note;         /* why it may be broken; "" if nothing is known */
	const char *relation;     /* as written: "a <= b + c" */
	size_t without;           /* the event that data must lack; LAW_ALWAYS: none */
	struct law_form form;     /* its terms live in the arena */
};

struct laws {
	const char *name, *text;
	bool hardware;
	struct law_event *event;
	size_t n_events;
	struct law *law;
	size_t n;
	struct arena *arena;      /* owner of texts and terms */
};

/* Parses a file; takes over its name and text (heap). Returns NULL if there are errors in the diagnostics. */
struct laws *laws_parse(char *name, char *text, size_t n, struct diags *);
void laws_free(struct laws *);

/* Returns the event that the law leaves out because the data lack it; NULL: none. */
static inline const struct law_event *
law_lacked_event(const struct laws *laws, const struct law *law)
{
	return law->without == LAW_ALWAYS ? NULL : &laws->event[law->without];
}

#endif
