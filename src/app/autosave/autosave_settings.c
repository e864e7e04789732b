/* The explorer's state as keys and values (docs/session-file.md lists them). Everything is called by its name, so that
 * it can be taken up again by a model or data that have changed meanwhile: what has gone is left out and named. */
#include <stdlib.h>
#include <string.h>

#include "app/autosave/autosave.h"
#include "app/state/state.h"
#include "app/state/state_answers.h"
#include "app/state/state_lists.h"
#include "app/state/state_views.h"
#include "base/json.h"
#include "base/mem.h"
#include "collect/store/session_sheet.h"
#include "core/udd/model.h"

static const char *const zoom_names[] = {"auto", "whole", "region"};
static const char *const boxes_names[PLOT_BOXES] = {"independent", "both", "none"};

void
autosave_put(struct sheet *out, const char *key, const char *value)
{
	const char *cell[2] = {key, value};

	if (value)
		sheet_add(out, cell);
}

void
autosave_put_list(struct sheet *out, const char *key, char *const *item)
{
	struct str text = {0};
	struct json_writer w = {.out = &text};

	json_open(&w, NULL, '[');
	for (; item && *item; item++)
		json_str(&w, NULL, *item);
	json_close(&w, ']');
	json_on_one_line(&text, 0);
	autosave_put(out, key, str_text(&text));
	str_free(&text);
}

static void
put_features(const struct state *s, struct sheet *out)
{
	struct str text = {0};
	size_t at = s->view.cursor[PANE_FEATURES] > 0 ? (size_t)s->view.cursor[PANE_FEATURES] : 0;

	features_json(s->question.model, &s->question.on, &text);
	autosave_put(out, "features", str_text(&text));
	if (at < s->question.model->n_features)
		autosave_put(out, "feature", s->question.model->feature[at].name);
	str_free(&text);
}

static void
put_marks(const struct state *s, const struct resume *r, struct sheet *out)
{
	char **name;
	size_t n = 0;

	if (!s->answers.result || r->waits) {
		autosave_put_list(out, "marked", r->marked);
		autosave_put(out, "observation", r->observation);
		autosave_put(out, "constraint", r->constraint);
		return;
	}
	name = mem_new_array(s->answers.result->n_findings + 1, sizeof *name);
	for (size_t i = 0; i < s->answers.result->n_findings && i < s->view.marks.n; i++)
		if (s->view.marks.on[i])
			name[n++] = s->answers.result->finding[i].name;
	autosave_put_list(out, "marked", name);
	autosave_put(out, "observation", state_finding(s) ? state_finding(s)->name : NULL);
	autosave_put(out, "constraint",
		state_constraint(s) && s->view.chose_constraint ? state_constraint(s)->c->text : NULL);
	free(name);
}

static void
put_options(const struct state *s, struct sheet *out)
{
	const struct analysis_options *how = &s->question.how;
	char *confidence = str_format("%.15g", how->confidence),
	     **name = mem_new_array(s->question.model->n_counters + 1, sizeof *name);
	size_t n = 0;

	autosave_put(out, "confidence", confidence);
	autosave_put(out, "region", region_name((enum region_kind)how->decides));
	autosave_put(out, "family_wise", how->family_wise ? "1" : "0");
	autosave_put(out, "split_phases", how->split_phases ? "1" : "0");
	autosave_put(out, "observations", how->observations);
	for (size_t i = 0; how->counter && i < s->question.model->n_counters; i++)
		if (how->counter[i])
			name[n++] = (char *)(uintptr_t)s->question.model->counter[i].name;
	if (how->counter)
		autosave_put_list(out, "counters", name);
	free(name);
	free(confidence);
}

static void
put_plot(const struct state *s, struct sheet *out)
{
	const struct plot_view *p = &s->view.plot;
	size_t n = s->question.model->n_counters;

	if (p->chosen && p->axis[0] < n && p->axis[1] < n) {
		autosave_put(out, "plot_x", s->question.model->counter[p->axis[0]].name);
		autosave_put(out, "plot_y", s->question.model->counter[p->axis[1]].name);
	}
	autosave_put(out, "plot_zoom", zoom_names[p->zoom]);
	autosave_put(out, "plot_boxes", boxes_names[p->boxes]);
}

static void
put_model(const struct state *s, const struct resume *r, struct sheet *out)
{
	autosave_put(out, "model", s->question.model->name);
	put_features(s, out);
	put_marks(s, r, out);
	autosave_put(out, "sort_constraints", constraint_sort_name(s->view.constraint_sort));
	autosave_put(out, "sort_observations", observation_sort_name(s->view.observation_sort));
	autosave_put(out, "filter_constraints", s->view.filter[VIEW_CONSTRAINTS]);
	autosave_put(out, "filter_observations", s->view.filter[VIEW_OBSERVATIONS]);
	put_plot(s, out);
	put_options(s, out);
}

void
autosave_settings_of(const struct state *s, const struct resume *r, struct sheet *out)
{
	*out = (struct sheet){.n_columns = session_sheet_columns(SHEET_SETTING)};
	if (s->question.model)
		put_model(s, r, out);
	else
		autosave_timeline_of(s, out);
	autosave_put(out, "view", view_row(s->view.current)->name);
	autosave_put(out, "pane", s->view.current == VIEW_START ? NULL : pane_name(s->view.focus));
	if (s->question.subject.argv)
		autosave_put_list(out, "command", s->question.subject.argv);
}

/* The other way. */

const char *
autosave_value(const struct sheet *in, const char *key)
{
	for (size_t i = 0; i < in->n_rows; i++)
		if (str_eq(sheet_cell(in, i, 0), key))
			return sheet_cell(in, i, 1);
	return NULL;
}

static size_t
number_of(const char *const *name, size_t n, const char *word)
{
	size_t i = 0;

	while (i < n && !(name[i] && str_eq(name[i], word)))
		i++;
	return i;
}

void
autosave_lost(struct str *lost, const char *kind, const char *name)
{
	str_addf(lost, "%s%s%s%s", lost->n ? ", " : "", kind, *name ? " " : "", name);
}

char **
autosave_list(const char *text)
{
	struct json *list = text ? json_parse(text, strlen(text), NULL) : NULL;
	char **out = NULL;
	size_t n = 0;

	if (list && list->kind == JSON_ARRAY) {
		out = mem_new_array(list->n + 1, sizeof *out);
		for (const struct json *x = list->first; x; x = x->next)
			if (x->kind == JSON_STRING)
				out[n++] = mem_str(x->text);
	}
	json_free(list);
	return out;
}

static void
take_features(struct state *s, const struct sheet *in, struct str *lost)
{
	const char *text = autosave_value(in, "features"), *at = autosave_value(in, "feature");
	char **name = autosave_list(text);
	struct fset on = {0};

	if (text && !name)
		autosave_lost(lost, "the features", "");
	for (size_t k = 0; name && name[k]; k++) {
		size_t i = 0;

		while (i < s->question.model->n_features && !str_eq(s->question.model->feature[i].name, name[k]))
			i++;
		if (i < s->question.model->n_features)
			fset_put(&on, i, true);
		else
			autosave_lost(lost, "feature", name[k]);
	}
	if (name && udd_legal(s->question.model, &on, NULL)) {
		if (!fset_equal(&on, &s->question.on))
			state_switch_to(s, &on);
	} else if (name) {
		autosave_lost(lost, "the features, which the model does not allow together now", "");
	}
	for (size_t i = 0; at && i < s->question.model->n_features; i++)
		if (str_eq(s->question.model->feature[i].name, at))
			s->view.cursor[PANE_FEATURES] = (int)i;
	str_split_free(name);
}

static void
take_counters(struct state *s, const char *text, struct str *lost)
{
	char **name = autosave_list(text);
	bool *use = mem_new_array(s->question.model->n_counters, sizeof *use), some = false;

	for (size_t k = 0; name && name[k]; k++) {
		bool found = false;

		for (size_t i = 0; i < s->question.model->n_counters; i++)
			if (str_eq(s->question.model->counter[i].name, name[k]))
				use[i] = found = true;
		some |= found;
		if (!found)
			autosave_lost(lost, "counter", name[k]);
	}
	if (some) {
		free(s->question.how.counter);
		s->question.how.counter = use;
		s->question.how.n_counters = s->question.model->n_counters;
	} else {
		free(use);
	}
	str_split_free(name);
}

static void
take_options(struct state *s, const struct sheet *in, unsigned given, struct str *lost)
{
	const char *v;
	double p;

	if (!(given & AUTOSAVE_CONFIDENCE) && (v = autosave_value(in, "confidence"))) {
		if (str_to_double(v, &p) && p > 0 && p < 1)
			s->question.how.confidence = p;
		else
			autosave_lost(lost, "confidence", v);
	}
	if (!(given & AUTOSAVE_REGION) && (v = autosave_value(in, "region"))) {
		size_t kind = 0;

		while (kind < REGION_KINDS && !str_eq(region_name((enum region_kind)kind), v))
			kind++;
		if (kind < REGION_KINDS)
			s->question.how.decides = (int)kind;
		else
			autosave_lost(lost, "region", v);
	}
	if (!(given & AUTOSAVE_FAMILY_WISE) && (v = autosave_value(in, "family_wise")))
		s->question.how.family_wise = str_eq(v, "1");
	if (!(given & AUTOSAVE_PHASES) && (v = autosave_value(in, "split_phases")))
		s->question.how.split_phases = str_eq(v, "1");
	if (!(given & AUTOSAVE_OBSERVATIONS) && (v = autosave_value(in, "observations"))) {
		free(s->question.how.observations);
		s->question.how.observations = mem_str(v);
	}
	if (!(given & AUTOSAVE_COUNTERS) && (v = autosave_value(in, "counters")))
		take_counters(s, v, lost);
}

static void
take_plot(struct state *s, const struct sheet *in, struct str *lost)
{
	struct plot_view *p = &s->view.plot;
	static const char *const key[2] = {"plot_x", "plot_y"};
	size_t at[2] = {SIZE_MAX, SIZE_MAX}, n = s->question.model->n_counters, zoom, boxes;
	const char *v;

	for (int axis = 0; axis < 2; axis++) {
		v = autosave_value(in, key[axis]);
		for (size_t i = 0; v && i < n; i++)
			if (str_eq(s->question.model->counter[i].name, v))
				at[axis] = i;
		if (v && at[axis] == SIZE_MAX)
			autosave_lost(lost, "counter", v);
	}
	if (at[0] < n && at[1] < n) {
		p->axis[0] = at[0];
		p->axis[1] = at[1];
		p->chosen = true;
	}
	v = autosave_value(in, "plot_zoom");
	zoom = v ? number_of(zoom_names, 3, v) : 3;
	p->zoom = zoom < 3 ? (enum plot_zoom)zoom : p->zoom;
	v = autosave_value(in, "plot_boxes");
	boxes = v ? number_of(boxes_names, PLOT_BOXES, v) : PLOT_BOXES;
	p->boxes = boxes < PLOT_BOXES ? (enum plot_boxes)boxes : p->boxes;
}

static char *
copy(const char *text)
{
	return text && *text ? mem_str(text) : NULL;
}

static void
take_lists(struct state *s, const struct sheet *in)
{
	const char *v;

	if ((v = autosave_value(in, "sort_constraints")))
		for (int i = 0; i < CONSTRAINT_SORTS; i++)
			if (str_eq(constraint_sort_name((enum constraint_sort)i), v))
				s->view.constraint_sort = (enum constraint_sort)i;
	if ((v = autosave_value(in, "sort_observations")))
		for (int i = 0; i < OBSERVATION_SORTS; i++)
			if (str_eq(observation_sort_name((enum observation_sort)i), v))
				s->view.observation_sort = (enum observation_sort)i;
	free(s->view.filter[VIEW_CONSTRAINTS]);
	free(s->view.filter[VIEW_OBSERVATIONS]);
	s->view.filter[VIEW_CONSTRAINTS] = copy(autosave_value(in, "filter_constraints"));
	s->view.filter[VIEW_OBSERVATIONS] = copy(autosave_value(in, "filter_observations"));
}

static void
take_view(struct state *s, const struct sheet *in)
{
	const char *view = autosave_value(in, "view"), *pane = autosave_value(in, "pane");
	enum view v = VIEW_START;
	enum pane_id p = 0;

	while (v < VIEW_COUNT && !(view && str_eq(view_row(v)->name, view)))
		v++;
	if (v == VIEW_START || v >= VIEW_COUNT || (!s->question.model && v < VIEW_PATHS) ||
		(s->question.model && !s->data.timeline && v >= VIEW_PATHS))
		return;
	state_show_view(s, v);
	for (p = view_row(v)->first; pane && p < view_row(v)->end; p++)
		if (str_eq(pane_name(p), pane))
			s->view.focus = p;
}

static void
take_command(struct state *s, const struct sheet *in, unsigned given)
{
	const char *command = autosave_value(in, "command");

	if ((given & AUTOSAVE_COMMAND) || !command || s->question.subject.argv)
		return;
	s->question.subject.argv = autosave_list(command);
	if (s->question.subject.argv && !s->question.subject.argv[0]) {
		str_split_free(s->question.subject.argv);
		s->question.subject.argv = NULL;
	}
}

static void
take_model(struct state *s, const struct sheet *in, unsigned given, struct resume *r, struct str *lost)
{
	const char *model = autosave_value(in, "model");
	bool same = model && str_eq(model, s->question.model->name);

	if (model && !same)
		autosave_lost(lost, "what belongs to model", model);
	if (same && !(given & AUTOSAVE_FEATURES))
		take_features(s, in, lost);
	take_options(s, in, same ? given : given | AUTOSAVE_COUNTERS, lost);
	if (same)
		take_plot(s, in, lost);
	take_lists(s, in);
	*r = (struct resume){.observation = copy(autosave_value(in, "observation")),
		.constraint = same ? copy(autosave_value(in, "constraint")) : NULL,
		.marked = autosave_list(autosave_value(in, "marked")),
		.waits = true};
	state_request(s, REQUEST_LOAD);
	state_request(s, REQUEST_RESULT);
}

void
autosave_settings_take(struct state *s, const struct sheet *in, unsigned given, struct resume *r, struct str *lost)
{
	if (in->n_rows == 0)
		return;
	if (s->question.model)
		take_model(s, in, given, r, lost);
	else
		autosave_timeline_take(s, in, given, lost);
	take_view(s, in);
	take_command(s, in, given);
}

static size_t
find_finding(const struct state *s, const char *name)
{
	size_t i = 0;

	while (i < s->answers.result->n_findings && !str_eq(s->answers.result->finding[i].name, name))
		i++;
	return i;
}

static void
resume_marks(struct state *s, const struct resume *r, struct str *lost)
{
	bool some = false;

	for (size_t k = 0; r->marked && r->marked[k]; k++) {
		size_t i = find_finding(s, r->marked[k]);

		if (i < s->answers.result->n_findings && i < s->view.marks.n)
			some = s->view.marks.on[i] = true;
		else
			autosave_lost(lost, "the mark on", r->marked[k]);
	}
	if (some)
		state_remake_constraints(s);
}

void
autosave_settings_resume(struct state *s, struct resume *r, struct str *lost)
{
	r->waits = false;
	resume_marks(s, r, lost);
	if (r->observation) {
		size_t i = find_finding(s, r->observation);

		if (i < s->answers.result->n_findings)
			s->view.selected = i;
		else
			autosave_lost(lost, "observation", r->observation);
	}
	for (size_t i = 0; r->constraint && i < s->answers.constraints->n; i++)
		if (str_eq(s->answers.constraints->row[i].c->text, r->constraint)) {
			s->view.constraint = i;
			s->view.chose_constraint = true;
		}
	if (r->constraint && !s->view.chose_constraint)
		autosave_lost(lost, "constraint", r->constraint);
	state_sync_cursors(s);
}

void
resume_free(struct resume *r)
{
	free(r->observation);
	free(r->constraint);
	str_split_free(r->marked);
	*r = (struct resume){0};
}
