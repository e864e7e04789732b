/* Lessons on the command line. */
#ifndef CLI_LESSON_ARGS_H
#define CLI_LESSON_ARGS_H

#include <stdbool.h>

#include "cli/options.h"
#include "core/lesson/lesson.h"
#include "core/udd/fset.h"

struct fset;
struct json_writer;
struct result;
struct str;

/* Loads a lesson, or prints why not and returns NULL. */
struct lesson *lesson_args_load(const struct options *, const char *arg);

/* The command line that a lesson opens: the explorer's, or a subcommand's. */
struct lesson_line {
	struct options options;
	char **argv; /* owned */
	int argc;
};
/* Makes it; prints a message and returns false if the lesson's arguments are wrong. Call lesson_line_free() in either
 * case. `subcommand`: NULL for the explorer. */
bool lesson_line_make(const struct lesson *, const char *subcommand, struct lesson_line *);
void lesson_line_free(struct lesson_line *);
/* Prints which line of the lesson names what could not be opened, after the message about that. Returns false. */
bool lesson_line_blame(const struct lesson *);

/* A model and data, judged without a screen. */
struct lesson_bench;
/* Opens what the lesson opens. NULL after a message; a lesson that is not about a model gives a bench without one. */
struct lesson_bench *lesson_bench_new(const struct lesson *);
void lesson_bench_free(struct lesson_bench *);
const struct udd_model *lesson_bench_model(const struct lesson_bench *); /* NULL: none */
struct fset lesson_bench_begin(const struct lesson_bench *);
/* Returns the result of these features, which the bench owns until the next call; NULL: there is no model, or these
 * features make none. */
const struct result *lesson_bench_result(struct lesson_bench *, const struct fset *);
/* How a model file does on a case of `source`, judged with the options that the lesson opens its data with. False after
 * a message if one of the files cannot be read. */
bool lesson_bench_case(const struct lesson *, const struct source *, const char *model, const struct lesson_case *,
	bool *holds);

/* Plays the lesson without a student: each task is open at first and can be done, each wrong way can be gone. Appends
 * what was played to the text; false after diagnostics about what cannot be. */
bool lesson_check_play(const struct lesson *, struct str *out);

#endif
