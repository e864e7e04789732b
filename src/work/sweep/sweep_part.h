/* What the ranks of a sweep send each other. Private to the folder. */
#ifndef WORK_SWEEP_SWEEP_PART_H
#define WORK_SWEEP_SWEEP_PART_H

#include "work/sweep/sweep.h"

struct wire;

/* A rank begins with PART_HELLO. */
enum sweep_part_kind { PART_HELLO, PART_GIVE, PART_NEWS, PART_STOP, PART_KINDS };

struct sweep_part {
	enum sweep_part_kind kind;
	/* PART_HELLO: the question, the files' sizes (-1: none), how many processes, the host, and why not */
	uint64_t question;
	int64_t *bytes;
	size_t n_bytes, seats;
	char *host, *cannot;
	/* PART_GIVE, PART_NEWS: as of crew.h; an answer follows in the message */
	size_t seat, cell;
	char *died;
	bool lost;
};

/* Writes or reads one. After PART_NEWS the wire is where the answer begins. */
void sweep_part_wire(struct wire *, struct sweep_part *);
void sweep_part_clear(struct sweep_part *);

/* What this rank says of itself. */
struct sweep_part sweep_part_hello(const struct sweep_how *, size_t seats);
/* Returns why a rank cannot take part, as the end of a sentence that begins with its name; the caller frees. NULL: it
 * can. */
char *sweep_part_refused(const struct sweep_part *own, const struct sweep_part *theirs, const char *const *data);

/* Judges for rank 0 until it says PART_STOP. */
void sweep_part_serve(const struct sweep_how *);

#endif
