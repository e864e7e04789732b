/* The probes that are installed, and the curves that were measured or read: what view 9 shows. */
#ifndef WORK_PROBE_PROBE_BOOK_H
#define WORK_PROBE_PROBE_BOOK_H

#include <stdbool.h>
#include <stddef.h>

#include "core/curve/curve.h"
#include "core/probe/probe.h"
#include "work/probe/native_expect.h"

struct knees;

/* How far the answer of a curve can be trusted. */
enum probe_trust {
	PROBE_NOT_RUN,
	PROBE_CUT,     /* it is not whole: the probe runs, or was stopped */
	PROBE_SHARP,   /* its interval is narrow */
	PROBE_SOFT,    /* its interval is wide: the change is gradual */
	PROBE_AT_LEAST,/* it is a lower bound: by another answer, another resource is full there, too */
	PROBE_WANDERS, /* repetitions disagree; a few that were disturbed do not count */
	PROBE_SILENT,  /* the curve shows no answer */
	PROBE_TRUSTS
};
const char *probe_trust_name(enum probe_trust);

/* What a session file has of a curve (probe_store.h). */
struct probe_stored {
	bool begun;    /* no points of an earlier curve are left there */
	bool head;     /* its names, notes, and whether it is whole */
	size_t points; /* the first so many, as they are */
};

/* A curve of a probe on a machine. */
struct probe_measured {
	char *machine, *probe;      /* "sim:core", "rob" */
	struct curve curve;         /* sorted */
	bool whole;                 /* false: it still grows, or was stopped */
	struct knees *knees;        /* NULL: it still grows */
	struct probe_answer answer; /* not found while there are no knees */
	enum probe_trust trust;
	struct probe_stored stored;
	double scatter;             /* median of (mean − min) / mean of its points */
};

struct probe_entry {
	char *name;
	struct probe *probe; /* NULL: its file cannot be read, or there is none */
	char *fault;         /* why; NULL: it is good, or no file was looked for */
	struct expected known; /* of the answer on the book's machine, without texts; low NAN: nothing */
};

struct probe_book {
	struct probe_entry *entry; /* n, by group, then by name */
	size_t n;
	struct probe_measured **measured; /* in the order in which they began */
	size_t n_measured;
	char *machine, *other;     /* the machine that is probed, and the one beside it; NULL: none */
};

struct probe_book *probe_book_new(void);  /* without any probe */
struct probe_book *probe_book_load(void); /* with all installed probes */
void probe_book_free(struct probe_book *);

/* Adds a probe and takes it over. */
void probe_book_add(struct probe_book *, struct probe *);
/* Names the machines; NULL: none. */
void probe_book_choose(struct probe_book *, const char *machine, const char *other);
/* The entry of this name; n: there is none. */
size_t probe_book_find(const struct probe_book *, const char *probe);

/* The latest curve of a probe on a machine; NULL: none. Either name may be NULL. */
struct probe_measured *probe_book_curve(const struct probe_book *, const char *machine, const char *probe);
/* Begins a curve, which replaces an earlier one. A probe that the book lacks gets an entry without a file. */
struct probe_measured *probe_book_begin(struct probe_book *, const char *machine, const char *probe);
/* Sets a point, or adds it if `at` is the number of points so far. */
void probe_book_point(struct probe_measured *, size_t at, const struct curve_point *);
/* The curve grows no more: works out its knees, and answers and trust of all curves of its machine. Without points it
 * is removed, and freed. */
void probe_book_end(struct probe_book *, struct probe_measured *, bool whole);

/* Does the probe run on this machine? Some need a processor itself. A curve that is there says yes. */
bool probe_book_runs(const struct probe_book *, const char *machine, size_t entry);
/* Probes that this machine can answer. */
size_t probe_book_count(const struct probe_book *, const char *machine);
/* Curves that are whole, on this machine. */
size_t probe_book_done(const struct probe_book *, const char *machine);

#endif
