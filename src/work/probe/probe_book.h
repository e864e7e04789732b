/* The installed probes, and the curves that were measured or read, as view 9 shows them. */
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
	PROBE_CUT,     /* the curve is not whole: the probe still runs, or was stopped */
	PROBE_SHARP,   /* the answer's interval is narrow */
	PROBE_SOFT,    /* the answer's interval is wide: the change is gradual */
	PROBE_AT_LEAST,/* the answer is a lower bound: by another probe's answer, another resource is full, too */
	PROBE_WANDERS, /* repetitions disagree, apart from a few that were disturbed */
	PROBE_SILENT,  /* the curve shows no answer */
	PROBE_TRUSTS
};
const char *probe_trust_name(enum probe_trust);

/* How much of a curve a session file has (probe_store.h). */
struct probe_stored {
	bool begun;    /* it has no points of an earlier curve any more */
	bool head;     /* it has the curve's names, notes, and whether it is whole */
	size_t points; /* number of the curve's first points that it has, as they are */
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
	struct probe *probe; /* NULL: the probe has no file, or it cannot be read */
	char *fault;         /* why the file cannot be read; NULL: it is good, or none was looked for */
	/* known range of the answer on the book's machine, without texts; low NAN: nothing is known */
	struct expected known;
};

struct probe_book {
	struct probe_entry *entry; /* n entries, sorted by group, then by name */
	size_t n;
	struct probe_measured **measured; /* in the order in which they began */
	size_t n_measured;
	char *machine, *other;     /* the machine that is probed; the one shown next to it; NULL: none */
};

struct probe_book *probe_book_new(void);  /* without any probe */
struct probe_book *probe_book_load(void); /* with all installed probes */
void probe_book_free(struct probe_book *);

/* Adds a probe and takes it over. */
void probe_book_add(struct probe_book *, struct probe *);
/* Sets the names of both machines; NULL: none. */
void probe_book_choose(struct probe_book *, const char *machine, const char *other);
/* The entry of this name; n: there is none. */
size_t probe_book_find(const struct probe_book *, const char *probe);

/* The latest curve of a probe on a machine; NULL: none. Either name may be NULL. */
struct probe_measured *probe_book_curve(const struct probe_book *, const char *machine, const char *probe);
/* Begins a curve, which replaces an earlier one. A probe that the book lacks gets an entry without a file. */
struct probe_measured *probe_book_begin(struct probe_book *, const char *machine, const char *probe);
/* Sets a point, or adds it if `at` is the number of points so far. */
void probe_book_point(struct probe_measured *, size_t at, const struct curve_point *);
/* Ends a curve: computes its knees, and the answers and trust of all curves of its machine. A curve without points is
 * removed and freed. */
void probe_book_end(struct probe_book *, struct probe_measured *, bool whole);

/* Can the probe run on this machine? Some need a real processor. If there is a curve of it, the answer is yes. */
bool probe_book_runs(const struct probe_book *, const char *machine, size_t entry);
/* Returns the number of probes that can run on this machine. */
size_t probe_book_count(const struct probe_book *, const char *machine);
/* Returns the number of whole curves on this machine. */
size_t probe_book_done(const struct probe_book *, const char *machine);

#endif
