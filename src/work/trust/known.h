/* What books of trust say to the explorer: about the events of this machine and of recorded machines, and in the book
 * that the command line gives. */
#ifndef WORK_TRUST_KNOWN_H
#define WORK_TRUST_KNOWN_H

#include "core/trust/book.h"

struct trust_known {
	struct trust_book *book;   /* installed and measured; never NULL */
	struct trust_page *here;   /* page of this machine; NULL: nothing is known about it */
	char *cpu;                 /* this machine: "GenuineIntel family 6 model 94"; NULL: not known */
	struct trust_page *given;  /* what the command line says about the data; NULL: nothing */
};

/* Reads the books and looks this machine up. */
struct trust_known *trust_known_load(void);
/* The same for a given book and machine: takes book and page over. `cpu` is copied; NULL: not known. */
struct trust_known *trust_known_of(struct trust_book *, struct trust_page *here, const char *cpu);
/* Sets the page that applies to the data, and takes it over. NULL: none. */
void trust_known_give(struct trust_known *, struct trust_page *);
void trust_known_free(struct trust_known *);

/* A word for a verdict that fits a column: "exact", "constant", "correctable". */
const char *trust_verdict_brief(enum trust_verdict);

#endif
