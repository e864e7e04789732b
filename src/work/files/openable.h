/* What hecate can open: session files, data, models, networks, stacks, machines, probes, lessons, tables of runs. Home
 * lists them, and the prompt of key `o` completes their names. Listing reads folders only; openable_describe() reads
 * one of them. */
#ifndef WORK_FILES_OPENABLE_H
#define WORK_FILES_OPENABLE_H

#include <stdbool.h>
#include <stddef.h>

/* In the order of Home. */
enum openable_kind {
	OPENABLE_SESSION, OPENABLE_MODEL, OPENABLE_NETWORK, OPENABLE_STACK, OPENABLE_MACHINE, OPENABLE_PROBE,
	OPENABLE_LESSON, OPENABLE_AT_HOME, /* those from here on are not shown there */
	OPENABLE_DATA = OPENABLE_AT_HOME, OPENABLE_RUNS, OPENABLE_FOLDER,
	OPENABLE_KINDS
};
const char *openable_word(enum openable_kind);  /* "model" */
const char *openable_title(enum openable_kind); /* "Models" */

struct openable {
	enum openable_kind kind;
	char *name;        /* what opens it: an installed name, or a path as the user would type it */
	char *text;        /* a line about it, or why it cannot be opened; NULL: not read yet */
	char *of;          /* of a session file: its model, network or stack, and how many others; NULL: none */
	char *verdict;     /* of a session file: "91 of 212"; NULL: none yet */
	char *ran;         /* of a session file: the command that it counted last; NULL: none */
	size_t infeasible; /* the first number of it */
	char *when;        /* of a file: when it was last changed, "today 14:02"; NULL: not read yet */
	long long time;    /* the same in seconds; 0: it is installed */
	size_t recent;     /* 1: the file that was opened last, 2: the one before; 0: not known to be opened */
	bool damaged;
	bool stackless;    /* a machine that names no stacks */
	unsigned place;    /* of an installed lesson among the others; 0: it states none */
};

struct openables {
	struct openable *item;
	size_t n, cap;
};

void openables_free(struct openables *);

/* Add what is installed; what was opened recently, and the files and folders of the current folder; those of the folder
 * in `typed` ("../runs/x", "~/"), and a file of exactly that name. */
void openable_add_installed(struct openables *);
void openable_add_here(struct openables *);
void openable_add_typed(struct openables *, const char *typed);
struct openable *openable_add(struct openables *, enum openable_kind, const char *name); /* valid until the next */
/* Sorts by kind: files before installed ones, the newest file first, lessons by their places. */
void openable_sort(struct openables *);

/* Fills in what is shown of an item. Takes some milliseconds for a large model. */
void openable_describe(struct openable *);

/* Finds the items that `typed` may be the beginning of, or a part of, the likeliest first, then those of the kind that
 * it names ("lesson"); for "" all, with those opened recently
 * first. `order` has room for all. Returns how many there are. */
size_t openable_match(const struct openables *, const char *typed, size_t *order);
/* Returns the text that completes `typed` as far as all matches that begin with it agree; the caller frees. */
char *openable_complete(const struct openables *, const char *typed);

/* Replaces "~" and "~/" at the beginning by the home folder; the caller frees. */
char *openable_expand(const char *path);

#endif
