/* What the installed laws say of data: a line for each law that some observation breaks or strains. */
#ifndef WORK_FILES_LAWS_TOLD_H
#define WORK_FILES_LAWS_TOLD_H

#include <stdbool.h>
#include <stddef.h>

#include "core/laws/judge.h"

struct err;
struct obs_table;
struct str;

struct law_told {
	const char *file;         /* name of the laws */
	const struct law *law;
	enum law_state state;     /* in the worst observation, the first one in that state */
	size_t broken, strained;  /* observations */
	char *where;              /* name of the worst one; and what follows is of it */
	char *difference;         /* law_add_difference() */
	char *blame;              /* law_add_blame(); "": strained, or no three events explain it */
};

struct laws_told {
	struct law_told *told;    /* broken laws first */
	size_t n, cap, judged, n_broken; /* relations: broken or strained; those whose events the data have; broken */
	struct laws **laws;       /* owner of the laws */
	size_t n_files;
};

/* Judges all observations of the tables that match the pattern (NULL: all), at how->confidence for all of them
 * together. Returns NULL and sets *e if no laws can be read. Free with laws_told_free(). */
struct laws_told *laws_told_new(struct obs_table *const *, size_t n, const char *observations, const struct laws_how *,
	struct err *e);
void laws_told_free(struct laws_told *);
/* Appends one: "TEXT, in gcc and 3 more: 5 > 3, 167 %; off by 2 at least; to blame: EVENT". */
void law_told_add(const struct law_told *, struct str *out);

/* Appends "5 > 3, 167 %; off by 2 at least", or why the law is only strained; and what an event that the law leaves out
 * would have to be. */
void law_add_difference(const struct laws *, const struct law *, const struct law_sum *, bool ascii, struct str *out);
/* Appends the events that a judgement blames: "a, or b and c"; nothing if there are none. */
void law_add_blame(const struct laws *, const struct laws_judgement *, struct str *out);

#endif
