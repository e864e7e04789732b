#include "explorer/state/state_start.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/shell.h"
#include "base/str.h"
#include "convert/fdl/fdl.h"
#include "core/network/network.h"
#include "core/stack/stack.h"
#include "core/udd/model.h"
#include "explorer/state/screen_layout.h"
#include "explorer/state/state.h"
#include "explorer/state/state_views.h"
#include "text/diag.h"
#include "work/files/texts.h"

/* The title of an installed model, network or stack. Reading one takes well under a millisecond. */
static char *
state_start_describe(const char *name, enum text_kind kind)
{
	struct bundle b = {0};
	struct udd_loader loader = bundle_disk_loader(&b);
	struct diags d = {0};
	struct err e = {0};
	struct text text = {0};
	char *path = kind == TEXT_MODEL ? file_find_model(name, &e) : NULL, *title = NULL;
	struct udd_model *model = path ? model_read(path, &loader, &d) : NULL;
	bool there = kind != TEXT_MODEL && text_load(name, kind, &text, &e);
	struct network *net = there && kind == TEXT_NETWORK ? text_network(&text, &d) : NULL;
	struct stack *stack = there && kind == TEXT_STACK ? text_stack(&text, &d) : NULL;

	if (model)
		title = mem_str(model->text);
	else if (net || stack)
		title = str_format("%s: %s", text_word(kind), net ? net->text : stack->text);
	else
		title = mem_str("does not load; open it to see why");
	udd_free(model);
	network_free(net);
	stack_free(stack);
	text_free(&text);
	diags_free(&d);
	bundle_free(&b);
	free(path);
	return title;
}

static void
state_start_add_names(struct state *state, size_t *n, size_t *cap, size_t *cap_texts, const char *folders,
	const char *ending, enum text_kind kind)
{
	char **name = file_names(folders, ending);

	for (size_t i = 0; name[i]; i++) {
		mem_grow(&state->data.installed.name, cap, *n + 2, sizeof *state->data.installed.name);
		mem_grow(&state->data.installed.text, cap_texts, *n + 2, sizeof *state->data.installed.text);
		state->data.installed.name[*n] = mem_str(name[i]);
		state->data.installed.text[(*n)++] = state_start_describe(name[i], kind);
	}
	str_split_free(name);
}

void
state_list_models(struct state *state)
{
	size_t n = 0, cap = 0, cap_texts = 0;

	str_split_free(state->data.installed.name);
	str_split_free(state->data.installed.text);
	state->data.installed.name = state->data.installed.text = NULL;
	state_start_add_names(state, &n, &cap, &cap_texts, "models", MODEL_ENDINGS, TEXT_MODEL);
	state_start_add_names(state, &n, &cap, &cap_texts, NETWORK_FOLDERS, ".net", TEXT_NETWORK);
	state_start_add_names(state, &n, &cap, &cap_texts, STACK_FOLDERS, ".stack", TEXT_STACK);
	mem_grow(&state->data.installed.name, &cap, n + 1, sizeof *state->data.installed.name);
	mem_grow(&state->data.installed.text, &cap_texts, n + 1, sizeof *state->data.installed.text);
	state->data.installed.name[n] = state->data.installed.text[n] = NULL;
}

static void
want_model(struct state *s, const char *name, enum open_then then)
{
	requests_add(&s->requests, REQUEST_OPEN, then, name);
}

void
state_start_open(struct state *state)
{
	if (state_start_pane(state) == START_MEASURE) {
		state_open_popup(state, POPUP_DOCTOR);
		return;
	}
	if (state_start_pane(state) == START_MODELS) {
		if (state->data.installed.name && state->data.installed.name[0])
			want_model(
				state, state->data.installed.name[state->view.start.cursor[START_MODELS]], OPEN_ONLY);
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
		free(state->question.subject.probed);
		state->question.subject.probed = mem_str("native");
		state_show_view(state, VIEW_PROBES);
		break;
	case START_HASWELL:
		want_model(state, "haswell-mmu", OPEN_ONLY);
		break;
	case START_TRUST:
		want_model(state, "static-benchmark", OPEN_RUNS);
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
