/* Known answers of probes on a machine. For a simulated machine its file has them, and for this machine a file about
 * its processor (native_expect.h). */
#ifndef WORK_PROBE_PROBE_KNOWN_H
#define WORK_PROBE_PROBE_KNOWN_H

struct probe_book;

/* Sets `known` of each entry for the book's machine; NAN where nothing is known. */
void probe_known_fill(struct probe_book *);

#endif
