/* The explorer's settings from the command line. cli fills them in for ui: the two do not include each other. */
#ifndef EXPLORER_STATE_EXPLORE_START_H
#define EXPLORER_STATE_EXPLORE_START_H

#include <stdbool.h>
#include <stddef.h>

#include "core/udd/fset.h"
#include "explorer/state/question.h"
#include "work/analysis/analysis.h"
#include "work/files/files.h"

struct contest;
struct lesson;
struct lesson_answers;
struct network;
struct obs_table;
struct stack;
struct trust_page;
struct trust_table;
struct udd_model;

enum color_when { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct explore_look {
	enum color_when color;
	bool ascii, no_mouse, no_motion;
	const char *theme; /* name or file; NULL: not given */
	char *usual_theme; /* the one without a choice, owned; NULL: dark */
};

/* The struct owns its members until explore() takes them over. */
struct explore_start {
	struct bundle bundle;
	struct udd_model *model;   /* NULL: a network or stacks, or else the start screen */
	struct network *network;   /* shows views 5 to 7 instead of a model's; NULL: none */
	struct stack **stack;      /* methods of accounting, with or without a network */
	size_t n_stacks;
	struct text network_text, *stack_text; /* their source texts; one per stack */
	struct analysis_options how;
	struct fset on;
	struct obs_table **table;  /* recorded data */
	size_t n_tables;
	char *data_name;           /* the data's name, for the header */
	struct trust_table *repeated; /* repeated runs, for view 0; NULL: none */
	struct trust_page *trust;     /* what --trust says about the data's events; NULL: nothing */
	const char *opens;         /* data to open on Home, which asks for their model; not owned; NULL: none */
	struct contest *contest;   /* two ways A and B to compare; NULL: none */
	struct subject subject;    /* what to run or watch */
	struct sampling sampling;  /* interval_ms 0: the default */
	size_t runs;
	struct explore_look look;
	const char *kept;          /* path of the session file, not owned; NULL: none */
	bool make;                 /* create the session file */
	unsigned given;            /* enum autosave_given: settings that the file must not change */
};

void explore_start_free(struct explore_start *);

/* The lesson that is played beside the views. */
struct explore_lesson {
	char *next;                     /* the lesson to open: a name or file; NULL: none */
	struct lesson *lesson;          /* the one to begin, and where the student has been in it; NULL: none */
	struct lesson_answers *answers;
};

void explore_lesson_free(struct explore_lesson *); /* leaves an empty one */

#endif
