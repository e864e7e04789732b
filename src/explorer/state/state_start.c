#include "explorer/state/state_start.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/str.h"
#include "explorer/state/screen_layout.h"
#include "explorer/state/state.h"
#include "explorer/state/state_views.h"
#include "text/diag.h"
#include "work/files/files.h"
#include "work/files/simulation.h"
#include "work/lesson/answers.h"
#include "work/lesson/lesson_files.h"

#define READ_SECONDS 0.005 /* of the loop's turn, so that no key waits */

void
state_list_home(struct state *state)
{
	struct home *home = &state->data.home;

	openables_free(&home->of);
	home->described = 0;
	openable_add_here(&home->of);
	openable_add_installed(&home->of);
	openable_sort(&home->of);
}

size_t
state_home_rows(const struct state *state)
{
	const struct openables *of = &state->data.home.of;
	size_t n = 0;

	while (n < of->n && of->item[n].kind < OPENABLE_AT_HOME)
		n++;
	return n;
}

bool
state_home_is_read(const struct state *state)
{
	return state->view.current != VIEW_START || state->data.home.described >= state->data.home.of.n;
}

/* "step 4 of 9 · Haswell's hidden features, 10 minutes" */
static void
describe_lesson(struct openable *item)
{
	struct err e = {0};
	struct diags diags = {0};
	struct lesson *lesson = lesson_load(item->name, &diags, &e);
	char *words = lesson ? lesson_progress_words(lesson) : NULL;

	free(item->text);
	item->text = !lesson ? mem_str("does not load; open it to see why")
		: str_format("%s%s%s", words, *words ? " · " : "", lesson->title);
	free(words);
	lesson_free(lesson);
	diags_free(&diags);
}

static void
describe(struct openable *item)
{
	if (item->kind == OPENABLE_LESSON)
		describe_lesson(item);
	else
		openable_describe(item);
}

bool
state_read_home(struct state *state)
{
	struct home *home = &state->data.home;
	double ends = clock_seconds() + READ_SECONDS;

	if (state_home_is_read(state) || state->layout == &layout_initial) /* the first picture does not wait */
		return false;
	do
		describe(&home->of.item[home->described++]);
	while (home->described < home->of.n && clock_seconds() < ends);
	return true;
}

static void
want_model(struct state *s, const char *name, enum open_then then)
{
	requests_add(&s->requests, REQUEST_OPEN, then, name);
}

static void
show_probes_of(struct state *state, char *machine)
{
	free(state->question.subject.probed);
	state->question.subject.probed = machine;
	state_show_view(state, VIEW_PROBES);
}

void
state_open_listed(struct state *state, const struct openable *item)
{
	char *path = openable_expand(item->name);

	if (item->kind == OPENABLE_PROBE) {
		show_probes_of(state, mem_str("native"));
		requests_add(&state->requests, REQUEST_LIST_PROBES, 0, path);
	} else if (item->kind == OPENABLE_MACHINE && item->stackless && str_eq(path, MACHINE_DEFAULT)) {
		want_model(state, "haswell-mmu", OPEN_WATCH_SIMULATED);
	} else if (item->kind == OPENABLE_MACHINE && item->stackless) {
		show_probes_of(state, str_format("sim:%s", path));
	} else if (item->kind == OPENABLE_LESSON) {
		requests_add(&state->requests, REQUEST_LESSON, 0, path);
	} else {
		want_model(state, path,
			item->kind == OPENABLE_MACHINE ? OPEN_WATCH_MACHINE
				: item->kind == OPENABLE_RUNS ? OPEN_RUNS : OPEN_ONLY);
	}
	free(path);
}

void
state_start_open(struct state *state)
{
	if (state_start_pane(state) == START_MEASURE) {
		state_open_popup(state, POPUP_DOCTOR);
		return;
	}
	if (state_start_pane(state) == START_MODELS) {
		if ((size_t)state->view.start.cursor[START_MODELS] < state_home_rows(state))
			state_open_listed(state, &state->data.home.of.item[state->view.start.cursor[START_MODELS]]);
		return;
	}
	switch ((enum start_item)state->view.start.cursor[START_MENU]) {
	case START_DEMO:
		want_model(state, "linux-page-faults", OPEN_ASK_COMMAND);
		break;
	case START_RECORDED:
		want_model(state, "linux-page-faults", OPEN_RECORDED);
		break;
	case START_PATHS:
		want_model(state, "linux-vm", OPEN_ASK_COMMAND);
		break;
	case START_TASKS:
		want_model(state, "stall-sources", OPEN_ASK_COMMAND);
		break;
	case START_SIMULATED:
		want_model(state, "haswell-mmu", OPEN_WATCH_SIMULATED);
		break;
	case START_CYCLES:
		want_model(state, "core", OPEN_WATCH_MACHINE);
		break;
	case START_PROBES:
		show_probes_of(state, mem_str("native"));
		break;
	case START_HASWELL:
		want_model(state, "haswell-mmu", OPEN_ONLY);
		break;
	case START_TRUST:
		want_model(state, "static-benchmark", OPEN_RUNS);
		break;
	case START_LESSONS:
		state_open_prompt(state, PROMPT_OPEN, openable_word(OPENABLE_LESSON));
		break;
	case START_OPEN:
		state_open_prompt(state, PROMPT_OPEN, "");
		break;
	case START_DOCTOR:
		state_open_popup(state, POPUP_DOCTOR);
		break;
	case START_ITEMS:
		break;
	}
}

void
state_start_item(struct state *s, enum start_item i)
{
	s->view.start.focus = START_MENU;
	s->view.start.cursor[START_MENU] = (int)i;
	state_start_open(s);
}

static bool
on_path(const char *program)
{
	const char *path = getenv("PATH");
	char **dir = str_split(path && *path ? path : "/usr/bin:/bin", ':', NULL);
	bool found = false;

	for (size_t i = 0; dir[i] && !found; i++) {
		char *full = str_format("%s/%s", dir[i], program);

		found = access(full, X_OK) == 0;
		free(full);
	}
	str_split_free(dir);
	return found;
}

/* The compiler demo's command line. Without a compiler a shell, which starts programs, too; the caller frees. */
static char *
demo_command(void)
{
	static const char *const compiler[] = {"gcc", "cc", "clang"};
	struct err e;
	char *file = file_find("hello", "models/demo", ".c", &e), *line = NULL;

	for (size_t i = 0; file && i < sizeof compiler / sizeof *compiler && !line; i++)
		if (on_path(compiler[i]))
			line = str_format("%s -O2 -c %s -o /dev/null", compiler[i], file);
	free(file);
	return line ? line : mem_str("sh -c 'ls /usr/share | sort'");
}

void
state_ask_for_command(struct state *state)
{
	struct str line = {0};

	if (!state->question.model && !state->data.timeline) {
		state_say(state, false, "no model is open that could judge a command; S opens one");
		return;
	}
	for (size_t i = 0; state->question.subject.argv && state->question.subject.argv[i]; i++) {
		str_add(&line, i ? " " : "");
		shell_add_word(&line, state->question.subject.argv[i]);
	}
	if (!line.n) {
		char *demo = demo_command();

		str_add(&line, demo);
		free(demo);
	}
	state_open_prompt(state, PROMPT_COMMAND, str_text(&line));
	str_free(&line);
}

void
state_run_command(struct state *s)
{
	if (!s->question.model && !s->data.timeline)
		state_say(s, false, "no model is open that could judge a command; S opens one");
	else if (state_running(s))
		state_say(s, true, "%s still runs; Esc ends it", state_subject(s));
	else if (state_has_subject(s))
		state_request(s, REQUEST_RUN);
	else
		state_ask_for_command(s);
}
