#include "explorer/control/control_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/store/session_summary.h"
#include "convert/fdl/fdl.h"
#include "core/network/network.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "core/udd/model.h"
#include "explorer/autosave/autosave.h"
#include "explorer/control/control.h"
#include "explorer/state/state_events.h"
#include "explorer/state/state_start.h"
#include "explorer/state/state_texts.h"
#include "explorer/state/state_timeline.h"
#include "explorer/state/state_views.h"
#include "text/diag.h"
#include "work/files/data.h"
#include "work/files/recent.h"
#include "work/files/recording.h"
#include "work/files/simulation.h"
#include "work/files/texts.h"
#include "work/probe/probe_store.h"
#include "work/trust/table.h"

/* Shows why a file does not open: diagnostics of its text, otherwise *e. */
static void
say_why(struct state *state, const char *name, const struct diags *found, const struct err *e)
{
	struct str lines = {0};
	char *title = str_format("%s does not load", name);

	diags_print(found, "", &lines);
	if (found->n)
		state_show_text(state, POPUP_TEXT, title, str_text(&lines));
	else
		state_say(state, true, "%s%s%s", e->what, *e->hint ? "; " : "", e->hint);
	str_free(&lines);
	free(title);
}

/* --- a session file ---------------------------------------------------------------------------------------------- */

/* What a session file or a machine brings, read before the present contents are given up. */
struct recorded {
	struct bundle bundle;
	struct udd_model *model;  /* NULL: it has a network or stacks */
	struct fset on;
	struct network *network;
	struct text network_text;
	struct stack **stack;
	struct text *stack_text;
	size_t n_stacks;
	struct obs_table *table;
};

static void
free_recorded(struct recorded *recorded)
{
	obs_table_free(recorded->table);
	udd_free(recorded->model);
	bundle_free(&recorded->bundle);
	network_free(recorded->network);
	text_free(&recorded->network_text);
	for (size_t i = 0; i < recorded->n_stacks; i++) {
		stack_free(recorded->stack[i]);
		text_free(&recorded->stack_text[i]);
	}
	free(recorded->stack);
	free(recorded->stack_text);
}

static bool
read_model(const char *path, const struct session_text *text, struct recorded *r, struct diags *found, struct err *e)
{
	struct udd_loader loader = bundle_loader(&r->bundle);

	if (!(text ? recording_load_model_at(path, text->number, &r->bundle, e)
		      : recording_load_model(path, &r->bundle, e)))
		return false;
	r->model = udd_parse(r->bundle.path, &loader, found);
	return r->model && udd_choose(r->model, NULL, NULL, NULL, &r->on, e);
}

static bool
read_network(const char *path, struct recorded *r, struct diags *found, struct err *e)
{
	if (!recording_holds(path, TEXT_NETWORK))
		return true;
	return recording_load_text(path, TEXT_NETWORK, &r->network_text, e) &&
		(r->network = text_network(&r->network_text, found));
}

static bool
read_stacks(const char *path, struct recorded *r, struct diags *found, struct err *e)
{
	if (!recording_load_texts(path, TEXT_STACK, &r->stack_text, &r->n_stacks, e))
		return false;
	r->stack = mem_new_array(r->n_stacks, sizeof(struct stack *));
	for (size_t i = 0; i < r->n_stacks; i++)
		if (!(r->stack[i] = text_stack(&r->stack_text[i], found)))
			return false;
	return true;
}

/* `text`: one of the file's; NULL: what it opens with. False with a message in *e or diagnostics of the text. */
static bool
read_recorded(const char *path, const struct session_text *text, struct recorded *r, struct diags *found, struct err *e)
{
	enum text_kind kind = text ? text->kind : TEXT_MODEL;

	if (!text && !recording_brings(path, &kind, e))
		return false;
	if (kind == TEXT_MODEL)
		return read_model(path, text, r, found, e) && (r->table = data_read(path, false, e));
	return read_network(path, r, found, e) && read_stacks(path, r, found, e) &&
		(r->table = data_open(path, false, e));
}

/* Puts network and stacks into the state. */
static void
take_timeline(struct state *s, struct recorded *r)
{
	state_open_timeline(s, r->network, &r->network_text, NULL, &(struct text){0});
	r->network = NULL;
	for (size_t i = 0; i < r->n_stacks; i++)
		state_add_stack(s, r->stack[i], &r->stack_text[i]);
	r->n_stacks = 0;
}

/* Puts all of it into the state. */
static void
control_files_take(struct state *state, struct recorded *recorded, const char *path)
{
	struct analysis_options how = {.confidence = 0.99};
	const char *slash = strrchr(path, '/');

	if (recorded->model) {
		state_set_model(state, &recorded->bundle, recorded->model, &how, &recorded->on);
		recorded->model = NULL;
	} else {
		take_timeline(state, recorded);
	}
	state->data.table = mem_new(sizeof *state->data.table);
	state->data.table[0] = recorded->table;
	state->data.n_tables = 1;
	recorded->table = NULL;
	state->data.name = mem_str(slash ? slash + 1 : path);
}

/* Reads data that come without a model, and asks for one. False: there are none, or the status line says why not. */
static bool
ask_for_model(struct state *state, const char *path)
{
	struct err e = {0};
	struct obs_table *table = data_read(path, false, &e);

	if (table)
		state_ask_for_model(state, table, mem_str(path));
	else
		say_why(state, path, &(struct diags){0}, &e);
	return table != NULL;
}

/* Opens the file's model or network and stacks, its data and settings; further changes are saved in it. */
static void
open_recorded(struct control *control, const char *path, const struct session_text *text)
{
	struct state *state = control->s;
	struct recorded r = {0};
	struct diags found = {0};
	struct err e = {0};

	if (!text && !recording_brings(path, &(enum text_kind){TEXT_MODEL}, &e) && probe_store_holds(path)) {
		control_leave(control);
		state_forget(state);
		autosave_restore(control->file, state, path, 0);
		state_show_view(state, VIEW_PROBES);
	} else if (!text && e.what[0] && ask_for_model(state, path)) {
		;
	} else if (read_recorded(path, text, &r, &found, &e)) {
		control_leave(control);
		control_files_take(state, &r, path);
		state_timeline_recorded(state);
		autosave_restore(control->file, state, path, 0);
	} else {
		say_why(state, path, &found, &e);
	}
	diags_free(&found);
	free_recorded(&r);
}

/* --- a network or a stack ---------------------------------------------------------------------------------------- */

/* Reads and parses a text. False: the screen says why. */
static bool
control_files_read_text(struct state *state, const char *name, enum text_kind kind, struct text *t,
	struct network **net, struct stack **stack)
{
	struct diags found = {0};
	struct err e = {0};
	bool good = text_load(name, kind, t, &e);

	if (good && kind == TEXT_NETWORK)
		good = (*net = text_network(t, &found)) != NULL;
	else if (good)
		good = (*stack = text_stack(t, &found)) != NULL;
	if (!good)
		say_why(state, name, &found, &e);
	diags_free(&found);
	return good;
}

static bool
open_timeline(struct control *control, const char *name, enum text_kind kind, bool ask)
{
	struct state *state = control->s;
	struct text net_text = {0}, stack_text = {0};
	struct network *net = NULL;
	struct stack *stack = NULL;
	bool good = control_files_read_text(
		state, name, kind, kind == TEXT_NETWORK ? &net_text : &stack_text, &net, &stack);

	if (good && net && net->stack)
		good = control_files_read_text(state, net->stack, TEXT_STACK, &stack_text, &net, &stack);
	if (good) {
		control_leave(control);
		state_open_timeline(state, net, &net_text, stack, &stack_text);
		if (ask)
			state_ask_for_command(state);
	} else {
		network_free(net);
		stack_free(stack);
	}
	text_free(&net_text);
	text_free(&stack_text);
	return good;
}

/* Adds the installed totals of the page-fault example to the state, whose model is open. */
static void
take_demo_totals(struct state *state)
{
	struct err e = {0};
	char *path = file_find(DEMO_TOTALS, RUNS_FOLDERS, ".csv", &e);
	struct obs_table *table = path ? data_read(path, true, &e) : NULL;

	if (table) {
		state_add_recorded(state, table);
		state->data.name = mem_str(DEMO_TOTALS ".csv");
	} else {
		state_say(state, true, "%s%s%s", e.what, *e.hint ? "; " : "", e.hint);
	}
	free(path);
}

/* Puts a file at the head of the recent ones. */
static void
note_recent(struct state *state, const char *path)
{
	recent_add(path);
	state_list_home(state);
}

/* --- a model ----------------------------------------------------------------------------------------------------- */

/* Runs a simulated machine as the command; the model or the stacks are open. */
static void
watch_simulated(struct state *state, const char *machine)
{
	struct err e = {0};
	char *name = str_format("sim:%s", machine), *text = simulation_watched(name, &e), **argv;

	free(name);
	if (!text) {
		state_say(state, true, "%s", e.what);
		return;
	}
	argv = mem_new_array(2, sizeof *argv);
	argv[0] = text;
	state_set_command(state, argv);
	state_request(state, REQUEST_RUN);
}

static bool
open_model(struct control *control, const char *name, enum open_then then)
{
	struct state *state = control->s;
	struct bundle b = {0};
	struct udd_loader loader = bundle_disk_loader(&b);
	struct analysis_options how = analysis_options_default();
	struct diags found = {0};
	struct err e = {0};
	char *path = file_find_model(name, &e);
	struct udd_model *model = path ? model_read(path, &loader, &found) : NULL;
	struct fset on;
	bool good = false;

	if (state->question.how.confidence > 0)
		how.confidence = state->question.how.confidence;
	if (model && udd_choose(model, NULL, NULL, NULL, &on, &e)) {
		control_leave(control);
		state_set_model(state, &b, model, &how, &on);
		good = true;
		if (then == OPEN_ASK_COMMAND)
			state_act(state, ACTION_command);
		else if (then == OPEN_WATCH_SIMULATED)
			watch_simulated(state, MACHINE_DEFAULT);
		else if (then == OPEN_RECORDED)
			take_demo_totals(state);
	} else {
		say_why(state, name, model ? &(struct diags){0} : &found, &e); /* warnings are no reason */
		udd_free(model);
	}
	if (good && file_is_path(name))
		note_recent(state, name);
	diags_free(&found);
	bundle_free(&b);
	free(path);
	return good;
}

void
control_judge(struct control *control, const char *model)
{
	struct state *state = control->s;
	struct waiting *waiting = &state->data.home.waiting;
	const char *slash = waiting->path ? strrchr(waiting->path, '/') : NULL;
	enum text_kind kind = TEXT_MODEL;
	bool timeline = text_kind_of(model, &kind, &(struct err){0}) && kind != TEXT_MODEL;

	if (waiting->table && (timeline ? open_timeline(control, model, kind, false)
					: open_model(control, model, OPEN_ONLY))) {
		state_add_recorded(state, waiting->table);
		waiting->table = NULL;
		if (timeline)
			state_timeline_recorded(state);
		state->data.name = mem_str(slash ? slash + 1 : waiting->path);
		note_recent(state, waiting->path);
	}
	state_forget_waiting(state);
}

/* --- a machine ---------------------------------------------------------------------------------------------------- */

/* Reads the stacks of a machine. False: the screen says why. */
static bool
read_machine_stacks(struct state *state, const char *name, const struct sim_machine *machine, struct recorded *recorded)
{
	struct network *none = NULL;
	struct err e = {0};

	if (!machine->n_stacks) {
		err_set(&e, "%s: the file of this machine names no stacks", name);
		err_hint(&e, "add a line such as: stacks truth, fmt;");
		say_why(state, name, &(struct diags){0}, &e);
		return false;
	}
	recorded->stack = mem_new_array(machine->n_stacks, sizeof *recorded->stack);
	recorded->stack_text = mem_new_array(machine->n_stacks, sizeof *recorded->stack_text);
	for (size_t i = 0; i < machine->n_stacks; i++) {
		recorded->n_stacks = i + 1;
		if (!control_files_read_text(
			    state, machine->stack[i], TEXT_STACK, &recorded->stack_text[i], &none, &recorded->stack[i]))
			return false;
	}
	return true;
}

/* Opens the stacks of a simulated machine, and runs it. */
static void
watch_machine(struct control *control, const char *name)
{
	struct state *state = control->s;
	struct recorded r = {0};
	struct simulation how;
	struct err e = {0};

	if (!simulation_load(name, NULL, &how, &e)) {
		say_why(state, name, &(struct diags){0}, &e);
	} else if (read_machine_stacks(state, name, how.machine, &r)) {
		control_leave(control);
		take_timeline(state, &r);
		watch_simulated(state, name);
	}
	simulation_free(&how);
	free_recorded(&r);
}

/* --- a table of runs ---------------------------------------------------------------------------------------------- */

static void
read_runs(struct state *s, char *const *path, size_t n, const char *expected)
{
	struct err e = {0};
	struct trust_table *t = trust_table_read(path, n, expected, &e);

	if (t)
		state_open_repeated(s, t);
	else
		state_say(s, true, "%s%s%s", e.what, *e.hint ? "; " : "", e.hint);
}

/* Reads an installed table, and NAME-expected.csv next to it. */
static void
open_installed_runs(struct state *state, const char *name)
{
	struct err e = {0};
	char *with = str_format("%s-expected", name), *path = file_find(name, RUNS_FOLDERS, ".csv", &e),
	     *expected = path ? file_find(with, RUNS_FOLDERS, ".csv", &e) : NULL;

	if (expected)
		read_runs(state, &path, 1, expected);
	else
		state_say(state, true, "%s", e.what);
	free(expected);
	free(path);
	free(with);
}

static void
open_runs(struct state *state, const char *path, bool expected)
{
	const struct trust_table *open = state->data.repeated;
	char *copy = mem_str(path);

	if (!expected)
		read_runs(state, &copy, 1, NULL);
	else if (open)
		read_runs(state, open->path, open->n_paths, path);
	else
		state_say(state, true, "%s has expected counts, but no runs are open; open the table of runs first",
			path);
	free(copy);
}

bool
control_opens_beside(const char *name, enum open_then then)
{
	return then == OPEN_RUNS || (file_is_path(name) && trust_table_kind_of(name) != TRUST_TABLE_NONE);
}

void
control_list_texts(struct control *control)
{
	struct saved *saved = &control->s->data.saved;
	struct session_text *list = NULL;
	int64_t shown = autosave_shown(control->file);
	struct err e = {0};
	size_t n = 0;

	if (saved->in && !session_texts_read(saved->in, &list, &n, &e))
		state_say(control->s, true, "%s", e.what);
	for (size_t i = 0; i < n; i++)
		list[i].shown = shown < 0 ? list[i].opens : list[i].number == shown;
	state_set_texts(control->s, list, n);
}

void
control_open_text(struct control *control, size_t number)
{
	struct state *state = control->s;
	struct session_text text = {0};
	char *path = state->data.saved.in ? mem_str(state->data.saved.in) : NULL;
	struct err e = {0};

	for (size_t i = 0; i < state->data.saved.n_texts; i++)
		if (state->data.saved.text[i].number == (int64_t)number)
			text = state->data.saved.text[i];
	if (!path || !text.number)
		state_say(state, true, "the session file has no such model any more");
	else if (!autosave_now(control->file, state, &e))
		state_say(state, true, "not saved, so this stays open: %s", e.what);
	else
		open_recorded(control, path, &text);
	free(path);
}

/* Is it a file of data: neither a text nor an installed name? */
static bool
is_bare_data(const char *name)
{
	struct err e = {0};
	enum text_kind kind;
	char *model;
	bool other;

	if (access(name, F_OK) != 0 || file_is_folder(name) || file_has_ending(name, MODEL_ENDINGS ":.net:.stack"))
		return false;
	if (file_is_path(name))
		return true;
	model = file_find_model(name, &e);
	other = text_kind_of(name, &kind, &e) && kind != TEXT_MODEL;
	free(model);
	return !model && !other;
}

void
control_open_file(struct control *control, const char *name, enum open_then then)
{
	enum trust_table_kind table = file_is_path(name) ? trust_table_kind_of(name) : TRUST_TABLE_NONE;
	struct err e = {0};
	enum text_kind kind;

	if (then == OPEN_RUNS)
		open_installed_runs(control->s, name);
	else if (table != TRUST_TABLE_NONE)
		open_runs(control->s, name, table == TRUST_TABLE_EXPECTED);
	else if (then == OPEN_WATCH_MACHINE)
		watch_machine(control, name);
	else if (recording_is(name))
		open_recorded(control, name, NULL);
	else if (is_bare_data(name))
		ask_for_model(control->s, name);
	else if (text_kind_of(name, &kind, &e) && kind != TEXT_MODEL)
		open_timeline(control, name, kind, then == OPEN_ASK_COMMAND);
	else
		open_model(control, name, then);
}
