/* A lesson: steps that say what to look at, and wait until the student has done something. It is the parsed and checked
 * contents of a .lesson file (docs/lessons.md). Names of features, observations, keys and probes stay text: only the
 * model and the explorer know them. */
#ifndef CORE_LESSON_LESSON_H
#define CORE_LESSON_LESSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/verdict/verdict.h"

struct arena;
struct diags;

#define LESSON_FILE_MAX ((size_t)1 << 20)
#define LESSON_STEPS_MAX 40
#define LESSON_TASKS_MAX 8 /* of one step */
#define LESSON_CHOICES_MAX 9 /* answered by its digit */

/* What may be true of the screen. */
enum lesson_rule_kind {
	LESSON_NOTHING,
	LESSON_VIEW,     /* view `number` is shown */
	LESSON_OBSERVE,  /* observation `name` is selected */
	LESSON_FEATURE,  /* feature `name` is on, or off */
	LESSON_FEATURES, /* exactly the features of `list` are on */
	LESSON_VERDICT,  /* observation `name` has this verdict */
	LESSON_COUNT,    /* `number` observations are infeasible */
	LESSON_KEY,      /* action `name` (action.def) was used in this step */
	LESSON_PROBE,    /* the curve of probe `name` is measured */
	LESSON_RULES
};

struct lesson_rule {
	enum lesson_rule_kind kind;
	const char *name;
	int64_t number;
	bool on;
	enum verdict_kind verdict;
	/* FEATURES: all that are on; VERDICT, COUNT: features that make it true (`with`), for key S */
	const char **list;
	size_t n_list;
	bool with;
	uint32_t at, len; /* place of the rule in the file */
};

enum lesson_task_kind { LESSON_DO, LESSON_PICK, LESSON_NUMBER, LESSON_MODEL };

struct lesson_choice {
	const char *text;
	bool right;
	const char *because; /* why it is wrong; NULL */
	const char *feature; /* the feature that it stands for; NULL */
};

/* What a number is compared with: a figure of the current result, or the lesson's own number. */
enum lesson_figure {
	LESSON_GIVEN, LESSON_INFEASIBLE, LESSON_FEASIBLE, LESSON_OBSERVATIONS, LESSON_SIGNATURES, LESSON_CONSTRAINTS,
	LESSON_EQUALITIES, LESSON_FEATURES_ON, LESSON_FIGURES
};

/* Data that a model must accept (no observation is infeasible) or refute (at least one is). */
struct lesson_case {
	const char *name, *data;
	bool accepts;
	unsigned points;
	uint32_t at, len;
};

struct lesson_task {
	enum lesson_task_kind kind;
	struct lesson_rule rule;      /* DO: must become true; PICK: makes a choice right; or LESSON_NOTHING */
	const char *question;         /* PICK, NUMBER; DO: what the student reads, or NULL: what the rule says */
	struct lesson_choice *choice; /* PICK */
	size_t n_choices;
	enum lesson_figure figure;    /* NUMBER */
	double number, within;        /* NUMBER: the answer if it is given, and how far it may be off, as a part */
	const char *file, *solution;  /* MODEL: the file that the student writes, and one that is right; or NULL */
	struct lesson_case *test;     /* MODEL */
	size_t n_tests;
	uint32_t at, len;
};

struct lesson_wrong {
	struct lesson_rule when;
	const char *text;
};

struct lesson_step {
	const char *title;
	const char **text;       /* paragraphs */
	size_t n_texts;
	struct lesson_rule *show;
	size_t n_shows;
	struct lesson_task *task;
	size_t n_tasks;
	struct lesson_wrong *wrong;
	size_t n_wrongs;
	const char **hint;       /* given one after the other */
	size_t n_hints;
	const char *done;        /* said when all tasks are done; NULL */
	unsigned points;
	bool points_given;
	uint32_t at, len;
};

struct lesson {
	const char *name, *title, *about;
	unsigned minutes;
	unsigned place;            /* in the list of lessons, from 1; 0: after all others */
	const char **open;         /* arguments of the command line; n_open */
	size_t n_open;
	uint32_t open_at, open_len; /* their place in the file */
	struct lesson_rule begin;  /* LESSON_FEATURES: what is on at first; or LESSON_NOTHING */
	struct lesson_step *step;
	size_t n_steps;
	struct source *source;     /* the file, for messages about it */
	struct arena *arena;
};

/* Parse and check a .lesson file. Take ownership of name and text (heap). NULL if there are errors in the diagnostics.
 */
struct lesson *lesson_parse(char *name, char *text, size_t n, struct diags *);
void lesson_free(struct lesson *);
unsigned lesson_points(const struct lesson *); /* of all steps */

/* A teacher's private cases for the model that a student writes. */
struct lesson_cases {
	const char *lesson;
	struct lesson_case *item;
	size_t n;
	struct source *source;
	struct arena *arena;
};

struct lesson_cases *lesson_cases_parse(char *name, char *text, size_t n, struct diags *);
void lesson_cases_free(struct lesson_cases *);

#endif
