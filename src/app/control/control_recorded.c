#include "app/control/control_recorded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/autosave/autosave.h"
#include "app/control/control.h"
#include "app/files/data.h"
#include "app/files/recording.h"
#include "app/files/texts.h"
#include "app/state/state.h"
#include "app/state/state_start.h"
#include "app/state/state_timeline.h"
#include "base/err.h"
#include "base/mem.h"
#include "core/lang/diag.h"
#include "core/network/network.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "core/udd/model.h"

/* The contents of a session file, read before the present ones are given up. */
struct network_data {
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
free_recorded(struct network_data *r)
{
	obs_table_free(r->table);
	udd_free(r->model);
	bundle_free(&r->bundle);
	network_free(r->network);
	text_free(&r->network_text);
	for (size_t i = 0; i < r->n_stacks; i++) {
		stack_free(r->stack[i]);
		text_free(&r->stack_text[i]);
	}
	free(r->stack);
	free(r->stack_text);
}

static bool
read_model(const char *path, struct network_data *r, struct diags *found, struct err *e)
{
	struct udd_loader loader = bundle_loader(&r->bundle);

	if (!recording_load_model(path, &r->bundle, e))
		return false;
	r->model = udd_parse(r->bundle.path, &loader, found);
	return r->model && udd_choose(r->model, NULL, NULL, NULL, &r->on, e);
}

static bool
read_network(const char *path, struct network_data *r, struct diags *found, struct err *e)
{
	if (!recording_holds(path, TEXT_NETWORK))
		return true;
	return recording_load_text(path, TEXT_NETWORK, &r->network_text, e) &&
		(r->network = text_network(&r->network_text, found));
}

static bool
read_stacks(const char *path, struct network_data *r, struct diags *found, struct err *e)
{
	if (!recording_load_texts(path, TEXT_STACK, &r->stack_text, &r->n_stacks, e))
		return false;
	r->stack = mem_new_array(r->n_stacks, sizeof(struct stack *));
	for (size_t i = 0; i < r->n_stacks; i++)
		if (!(r->stack[i] = text_stack(&r->stack_text[i], found)))
			return false;
	return true;
}

/* False with a message in *e or diagnostics of the text. */
static bool
read_recorded(const char *path, struct network_data *r, struct diags *found, struct err *e)
{
	enum text_kind kind;

	if (!recording_brings(path, &kind, e))
		return false;
	if (kind == TEXT_MODEL)
		return read_model(path, r, found, e) && (r->table = data_read(path, false, e));
	return read_network(path, r, found, e) && read_stacks(path, r, found, e) &&
		(r->table = data_open(path, false, e));
}

static void
say_why(struct state *s, const char *path, const struct diags *found, const struct err *e)
{
	if (!found->n) {
		state_say(s, true, "%s%s%s", e->what, *e->hint ? "; " : "", e->hint);
		return;
	}
	str_clear(&s->view.popup.text);
	diags_print(found, "", &s->view.popup.text);
	snprintf(s->view.popup.title, sizeof s->view.popup.title, "%s does not load", path);
	state_open_popup(s, POPUP_TEXT);
}

/* Puts all of it into the state. */
static void
take(struct state *s, struct network_data *r, const char *path)
{
	struct analysis_options how = {.confidence = 0.99};
	const char *slash = strrchr(path, '/');

	if (r->model) {
		state_set_model(s, &r->bundle, r->model, &how, &r->on);
		r->model = NULL;
	} else {
		state_set_profile(s, r->network, &r->network_text, NULL, &(struct text){0});
		r->network = NULL;
		for (size_t i = 0; i < r->n_stacks; i++)
			state_add_stack(s, r->stack[i], &r->stack_text[i]);
		r->n_stacks = 0;
	}
	s->data.table = mem_new(sizeof *s->data.table);
	s->data.table[0] = r->table;
	s->data.n_tables = 1;
	r->table = NULL;
	s->data.name = mem_str(slash ? slash + 1 : path);
}

void
control_recorded_open(struct control *d, const char *path)
{
	struct state *s = d->s;
	struct network_data r = {0};
	struct diags found = {0};
	struct err e = {0};

	if (read_recorded(path, &r, &found, &e)) {
		control_leave(d);
		take(s, &r, path);
		state_timeline_follow(s);
		autosave_restore(d->file, s, path, 0);
	} else {
		say_why(s, path, &found, &e);
	}
	diags_free(&found);
	free_recorded(&r);
}
