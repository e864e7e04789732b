/* What the answers of probes are known to be on a machine: of a simulated one, what its file says; of the
 * machine here, what a book of its processor says (native_expect.h). */
#ifndef WORK_PROBE_PROBE_KNOWN_H
#define WORK_PROBE_PROBE_KNOWN_H

struct probe_book;

/* Sets `known` of each entry for the book's machine; NAN where nothing is known. */
void probe_known_fill(struct probe_book *);

#endif
