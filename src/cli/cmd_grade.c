/* hecate grade: a lesson's answers, judged again by the engine. */
#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include "cli/commands.h"
#include "cli/lesson_args.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/writing.h"

int
cmd_grade(const struct options *options)
{
	struct lesson *lesson;
	struct str out = {0};
	struct err e = {0};
	bool good;

	if (!options->n_args) {
		err_set(&e, "grade needs a lesson");
		err_hint(&e, "hecate --lesson lists them");
		return print_failure(&e);
	}
	lesson = lesson_args_load(options, options->arg[0]);
	if (!lesson)
		return 2;
	good = lesson_check_play(lesson, &out);
	if (good) {
		str_addf(&out, "%s: %zu steps, %u points\n", lesson->name, lesson->n_steps, lesson_points(lesson));
		good = writing_text(options, &out);
	}
	str_free(&out);
	lesson_free(lesson);
	return good ? 0 : 2;
}
