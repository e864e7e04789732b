/* argv to a subcommand or the explorer, nothing else. */

#include <locale.h>
#include <stdio.h>

#include "base/budget.h"
#include "base/caps.h"
#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "explorer/engine/engine.h"
#include "explorer/state/explore_start.h"
#include "ui/explorer.h"

static int
main_print_text(const char *text)
{
	return fputs(text, stdout) == EOF || fflush(stdout) ? 2 : 0;
}

/* Model and data are loaded, then the screen is entered; the engine inherits the data when the model is asked about. */
static int
start_explorer(const struct options *options, struct explore_lesson *lesson)
{
	struct explore_start start = {0};
	struct err e = {0};
	struct engine *engine = engine_start(&e);

	if (!engine)
		return print_failure(&e);
	if (cmd_explore_prepare(options, lesson, &start))
		return explore(&start, engine, lesson);
	explore_start_free(&start);
	explore_lesson_free(lesson);
	engine_close(engine);
	return 2;
}

/* A lesson that is chosen in the explorer is opened by a new one, as if the command line had named it. */
static int
explore_all(const struct options *options)
{
	struct explore_lesson lesson = {0};
	int status;

	do
		status = start_explorer(options, &lesson);
	while (lesson.next && !status);
	explore_lesson_free(&lesson);
	return status;
}

int
main(int argc, char **argv)
{
	struct options o;
	struct str text = {0};
	struct err e = {0};
	int status;

	if (!caps_confine(&e))
		return print_failure(&e);
	setlocale(LC_CTYPE, "");
	if (!options_parse(argc, argv, &o, &e) || !budget_allow(o.read_seconds, o.read_mb, &e)) {
		status = print_failure(&e);
	} else if (o.version) {
		str_addf(&text, "%s\nLicence GPL-3.0-or-later. There is no warranty.\n", program_version);
		status = main_print_text(str_text(&text));
	} else if (o.help) {
		help_text(&o, &text);
		status = main_print_text(str_text(&text));
	} else if (o.command->run && !cmd_diff_is_shown(&o)) {
		if (!(o.command->bit & C_COUNTS))
			caps_drop();
		status = o.command->run(&o);
	} else if (!o.command->run && cmd_lessons_wanted(&o)) {
		status = cmd_lessons(&o);
	} else {
		mem_return_large();
		status = explore_all(&o);
	}
	str_free(&text);
	options_free(&o);
	return status;
}
