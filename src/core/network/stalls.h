/* Where stalls come from: those of a destination are passed back, hop by hop, to the modules that sent it requests. A
 * module that has a `stall` adds its own.
 *
 * PathFinder's algorithm 2 (Li et al., SIGCOMM 2025, section 4.4), for each destination and kind by itself, so that
 * loads and stores have counts of their own. What the print has wrong or leaves out, and what is done here: line 5 the
 * load of a root complex is read at an index that nothing set: the destination's is meant line 18   each root complex
 * overwrites what the one before passed to an uncore: it is added up line 25   shares of CHAs are handed out in a loop
 * over uncores: over the modules that sent the requests line 28   from the CHA into the core: the same rule; a core's
 * module takes no more than the cycles that it is seen to stall (`limit`), all destinations together: over it they
 * shrink alike Of a module's own stalls a destination gets the part that its requests are of all requests there.
 *
 * What is passed back is conserved: all of it is kept by modules where requests begin (a prefetcher's module keeps the
 * part of its own), or is told as hidden (over a limit: the core did other work) or as stuck (no load is told of those
 * that could take it). */
#ifndef CORE_NETWORK_STALLS_H
#define CORE_NETWORK_STALLS_H

#include <stdbool.h>
#include <stddef.h>

struct net_state;

/* Arrays over owners of modules, module by module, then kinds: net_stalls_at(). */
struct net_stalls {
	size_t destination;   /* module */
	size_t n_modules, n_kinds, n_owners;
	size_t *first;        /* per module: its first owner; n_modules + 1 */
	double *part;         /* of the requests here, those that end at the destination: 0 … 1; NAN */
	double *own;          /* this module's own stalls for the destination */
	double *stall;        /* … and with what is passed back to it, as far as its limit goes */
	double *hidden;       /* over the limit */
	double *kept;         /* not passed further back, because requests begin here */
	double *stuck;        /* … because no load is told of those that could take it */
	double *from;         /* owners × kinds × modules: what `stall` is made of, by the module where it arose */
	struct net_stalls_work *work; /* what net_stalls_update() works with: of the first of a set, for all of it */
};

/* One destination, as if the limits were there for it alone. */
struct net_stalls *net_stalls_new(const struct net_state *, size_t destination);
/* For each module where requests end (links lead to it, and none from it), in order, with limits that they share. *n of
 * them. */
struct net_stalls **net_stalls_all(const struct net_state *, size_t *n);
/* The same of the snapshot that the state took in since; nothing is allocated. The whole set of net_stalls_all(), or
 * one of net_stalls_new(), of the same state. */
void net_stalls_update(struct net_stalls **, size_t n, const struct net_state *);
void net_stalls_all_free(struct net_stalls **, size_t n);
void net_stalls_free(struct net_stalls *);

/* Does a counter tell what the module stalls itself for requests of this kind, at any of its owners? If not, an own
 * part of 0 is no measured zero. */
bool net_stalls_reported(const struct net_state *, size_t module, size_t kind);

static inline size_t
net_stalls_at(const struct net_stalls *s, size_t module, size_t owner, size_t kind)
{
	return (s->first[module] + owner) * s->n_kinds + kind;
}

#endif
