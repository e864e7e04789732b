/* The explorer: terminal, engine, command and session in one loop. */
#ifndef UI_EXPLORER_H
#define UI_EXPLORER_H

#include <stdbool.h>
#include <stddef.h>

#include "app/analysis.h"
#include "app/files.h"
#include "core/udd/fset.h"
#include "ui/term.h"

struct obs_table;
struct udd_model;

/* What the command line asked for. Everything is taken over by explore(). */
struct explore_start {
	struct bundle bundle;
	struct udd_model *model;        /* NULL: the start screen */
	struct analysis_options how;
	struct fset on;
	struct obs_table **table;       /* recorded data */
	size_t n_tables;
	char *data_name;
	char **argv;                    /* the command to run; NULL-terminated, owned; NULL: none */
	size_t runs;
	struct term_options term;
	const char *theme;              /* name or file; NULL: dark */
	bool no_motion;
};

struct engine;

/* Runs until the user leaves; returns the exit status. The engine was started before anything else was opened. */
int explore(struct explore_start *, struct engine *);

#endif
