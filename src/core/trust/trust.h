/* How far an event can be trusted: letters, causes of error, and the size of each error.
 *
 * A counter that should count what a program does may also count other things: an event of retired instructions is
 * raised once more by each interrupt that arrives. Such an error has a cause, and a size for each time that the cause
 * occurs. Letters and causes are those of Weaver, Terpstra and Moore, "Non-determinism and overcount on modern hardware
 * performance counter implementations" (ISPASS 2013; extended 2021), table 6. */
#ifndef CORE_TRUST_TRUST_H
#define CORE_TRUST_TRUST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str;

/* X(id, letter, text) */
#define TRUST_LETTERS(X) \
	X(NOISE, 'n', "the count differs from run to run, and nothing that is known explains it") \
	X(INTERRUPTS, 'h', "each interrupt is counted, too") \
	X(FAULTS, 'p', "each page fault is counted, too") \
	X(EXCEPTIONS, 'E', "each x87 or SSE exception is counted, too") \
	X(LAZY_FPU, 'F', "the first floating-point operation after a context switch is counted twice") \
	X(OVERCOUNT, 'D', "some instructions are counted more than once, or should not be counted") \
	X(MISSED, 'M', "some instructions are not counted") \
	X(UOPS, 'U', "micro-operations are counted, not instructions") \
	X(OTHER, '!', "the event counts something else than its name says")

enum trust_letter {
#define X(id, letter, text) TRUST_##id,
	TRUST_LETTERS(X)
#undef X
	TRUST_N_LETTERS
};
typedef uint32_t trust_letters; /* set: bit 1 << enum trust_letter; 0: deterministic and exact */
#define TRUST_BIT(id) ((trust_letters)1 << TRUST_##id)

char trust_letter_sign(enum trust_letter);
const char *trust_letter_text(enum trust_letter);
/* Appends "hpEF", in the order of the table above. */
void trust_letters_print(trust_letters, struct str *out);
/* Parses "hpEF"; false if a letter is unknown. */
bool trust_letters_parse(const char *text, trust_letters *out);

/* The verdict on an event of a machine. */
enum trust_verdict {
	TRUST_EXACT,       /* deterministic, and as expected */
	TRUST_CONSTANT,    /* deterministic, with a constant overcount or undercount */
	TRUST_CORRECTABLE, /* varies; after subtracting what other counters explain, it is exact or constant */
	TRUST_NOISY,       /* varies by a known amount, which nothing explains */
	TRUST_ELSE,        /* counts something other than expected */
	TRUST_REPEATABLE,  /* deterministic, but the correct count is not known */
	TRUST_UNKNOWN,     /* too few runs, or no count */
	TRUST_N_VERDICTS
};
const char *trust_verdict_name(enum trust_verdict);

/* What raises an event's count although it should not: X(id, name, letter). The name is the word in files and
 * documents. */
#define TRUST_CAUSES(X) \
	X(INTERRUPT, "interrupts", INTERRUPTS) \
	X(FAULT, "page-faults", FAULTS) \
	X(EXCEPTION, "exceptions", EXCEPTIONS) \
	X(LAZY_FPU, "lazy-fpu", LAZY_FPU) \
	X(SWITCH, "context-switches", INTERRUPTS) \
	X(RUN, "runs", OVERCOUNT) \
	X(COUNT, "count", OVERCOUNT)

enum trust_cause {
#define X(id, name, letter) TRUST_PER_##id,
	TRUST_CAUSES(X)
#undef X
	TRUST_N_CAUSES
};
const char *trust_cause_name(enum trust_cause);
bool trust_cause_find(const char *name, enum trust_cause *);

/* One part of an event's error: for each occurrence of the cause, the event counts between `low` and `high` too many
 * (below 0: too few). TRUST_PER_RUN is a constant of each run, TRUST_PER_COUNT a share of what the event should count.
 */
struct trust_term {
	enum trust_cause cause;
	double low, high;
};

#define TRUST_TERMS_MAX TRUST_N_CAUSES

#endif
