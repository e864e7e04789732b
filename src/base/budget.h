/* What reading one text that others wrote may cost: processor time and memory, as docs/security.md promises. Each
 * reader has a budget of its own and polls it where it takes the next token, value or window. So time covers reading
 * alone, and no analysis that the user asks for.
 *
 * Time is that of the thread that reads, and of those that help it. Memory is what the process has gained since the
 * reader began (statm of proc(5)): it needs no counting of allocations, and what is freed counts no more. */
#ifndef BASE_BUDGET_H
#define BASE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BUDGET_SECONDS 2.0
#define BUDGET_MB 256.0
#define BUDGET_SECONDS_ENV "HECATE_READ_SECONDS" /* set in the environment, they replace the two above */
#define BUDGET_MB_ENV "HECATE_READ_MB"
#define BUDGET_FREE ((uint64_t)8 << 20) /* a text that is longer may take a second more for each 4 MB beyond */

#define BUDGET_TEXT 120
#define BUDGET_HINT "is it the right file?"

struct err;

/* All zeros: nothing has been read. */
struct budget {
	unsigned polls;
	bool begun, met, memory;  /* memory: it was memory that ran out */
	double seconds, bytes;    /* the limits */
	double helped;            /* processor time of other threads, which the reader adds */
	double began, had, asked; /* the thread's time at the beginning; memory then; time when memory was last read */
};

/* Return true from the moment on at which the limit is met; `read`: bytes of the text so far. budget_poll() looks only
 * at each 1024th call. */
bool budget_poll(struct budget *, uint64_t read);
bool budget_examine(struct budget *, uint64_t read);
/* Only the memory: for any thread, in the middle of a window. */
bool budget_is_full(struct budget *);

/* Returns "reading it takes more than 2 s of processor time (--read-seconds allows more)", in `out`. */
const char *budget_what(const struct budget *, char *out, size_t size);
/* Sets both, and blames the file. Always returns false. */
bool budget_refuse(const struct budget *, const char *file, struct err *e);

/* Puts limits into the environment (0: leaves that as it is), for this process and those that it starts. Returns false
 * and sets *e if one that the environment has is no number above 0. */
bool budget_allow(double seconds, double mb, struct err *e);

#endif
