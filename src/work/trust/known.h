/* What books of trust say where the explorer asks: of this machine's events, of those of recorded machines, and of the
 * book that the command line gives. */
#ifndef WORK_TRUST_KNOWN_H
#define WORK_TRUST_KNOWN_H

#include "core/trust/book.h"

struct trust_known {
	struct trust_book *book;   /* installed and measured; never NULL */
	struct trust_page *here;   /* of this machine; NULL: nothing is known of it */
	char *cpu;                 /* this machine: "GenuineIntel family 6 model 94"; NULL: not known */
	struct trust_page *given;  /* said of the data on the command line; NULL */
};

/* Reads the books and looks this machine up. */
struct trust_known *trust_known_load(void);
/* The same of a book and a machine: takes book and page over. `cpu` is copied; NULL: not known. */
struct trust_known *trust_known_of(struct trust_book *, struct trust_page *here, const char *cpu);
/* The page that applies to the data: takes it over. NULL: none. */
void trust_known_give(struct trust_known *, struct trust_page *);
void trust_known_free(struct trust_known *);

/* A word for a verdict that fits a column: "exact", "constant", "correctable". */
const char *trust_verdict_brief(enum trust_verdict);

#endif
