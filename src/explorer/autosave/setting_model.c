/* Settings of a model: features, options of the analysis, lists, plot. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "explorer/autosave/autosave.h"
#include "explorer/autosave/setting.h"
#include "explorer/state/state.h"
#include "explorer/state/state_answers.h"

/* --- features ---------------------------------------------------------------------------------------------------- */

static char *
write_features(const struct state *s)
{
	struct str text = {0};

	features_json(s->question.model, &s->question.on, &text);
	return str_take(&text);
}

static void
read_features(struct state *state, const char *text, const struct setting_file *in)
{
	const struct udd_model *model = state->question.model;
	char **name = setting_items(text);
	struct fset on = {0};

	if (!name)
		setting_lost(in->lost, "the features", "");
	for (size_t k = 0; name && name[k]; k++) {
		size_t i = udd_feature_named(model, name[k]);

		if (i < model->n_features)
			fset_put(&on, i, true);
		else
			setting_lost(in->lost, "feature", name[k]);
	}
	if (name && udd_legal(model, &on, NULL)) {
		if (!fset_equal(&on, &state->question.on))
			state_switch_to(state, &on);
	} else if (name) {
		setting_lost(in->lost, "the features, which the model does not allow together now", "");
	}
	str_split_free(name);
}

/* Returns the feature under the cursor. */
static char *
write_feature(const struct state *s)
{
	size_t at = s->view.cursor[PANE_FEATURES] > 0 ? (size_t)s->view.cursor[PANE_FEATURES] : 0;

	return at < s->question.model->n_features ? mem_str(s->question.model->feature[at].name) : NULL;
}

static void
read_feature(struct state *s, const char *text, const struct setting_file *in)
{
	size_t i = udd_feature_named(s->question.model, text);

	(void)in;
	if (i < s->question.model->n_features)
		s->view.cursor[PANE_FEATURES] = (int)i;
}

/* --- options ----------------------------------------------------------------------------------------------------- */

static char *
write_confidence(const struct state *s)
{
	return str_format("%.15g", s->question.how.confidence);
}

static void
read_confidence(struct state *s, const char *text, const struct setting_file *in)
{
	double p;

	if (str_to_double(text, &p) && p > 0 && p < 1)
		s->question.how.confidence = p;
	else
		setting_lost(in->lost, "confidence", text);
}

static char *
write_observations(const struct state *s)
{
	return s->question.how.observations ? mem_str(s->question.how.observations) : NULL;
}

static void
read_observations(struct state *s, const char *text, const struct setting_file *in)
{
	(void)in;
	free(s->question.how.observations);
	s->question.how.observations = mem_str(text);
}

static char *
setting_model_write_counters(const struct state *state)
{
	const struct udd_model *model = state->question.model;
	const char **name;
	char *text;
	size_t n = 0;

	if (!state->question.how.counter)
		return NULL;
	name = mem_new_array(model->n_counters + 1, sizeof *name);
	for (size_t i = 0; i < model->n_counters; i++)
		if (state->question.how.counter[i])
			name[n++] = model->counter[i].name;
	text = setting_list(name);
	free(name);
	return text;
}

static void
read_counters(struct state *state, const char *text, const struct setting_file *in)
{
	const struct udd_model *model = state->question.model;
	char **name = setting_items(text);
	bool *use = mem_new_array(model->n_counters, sizeof *use), some = false;

	for (size_t k = 0; name && name[k]; k++) {
		size_t i = udd_counter_named(model, name[k]);

		if (i < model->n_counters)
			some = use[i] = true;
		else
			setting_lost(in->lost, "counter", name[k]);
	}
	if (some) {
		free(state->question.how.counter);
		state->question.how.counter = use;
		state->question.how.n_counters = model->n_counters;
	} else {
		free(use);
	}
	str_split_free(name);
}

/* --- the plot ---------------------------------------------------------------------------------------------------- */

/* Did the user choose counters for both axes? */
static bool
has_axes(const struct state *s)
{
	const struct plot_view *p = &s->view.plot;
	size_t n = s->question.model->n_counters;

	return p->chosen && p->axis[0] < n && p->axis[1] < n;
}

static char *
write_plot_x(const struct state *s)
{
	return has_axes(s) ? mem_str(s->question.model->counter[s->view.plot.axis[0]].name) : NULL;
}

static char *
write_plot_y(const struct state *s)
{
	return has_axes(s) ? mem_str(s->question.model->counter[s->view.plot.axis[1]].name) : NULL;
}

static size_t
axis_of(const struct state *s, const char *text, const struct setting_file *in)
{
	size_t i = text ? udd_counter_named(s->question.model, text) : SIZE_MAX;

	if (text && i >= s->question.model->n_counters && in)
		setting_lost(in->lost, "counter", text);
	return i;
}

static void
read_plot_x(struct state *s, const char *text, const struct setting_file *in)
{
	axis_of(s, text, in);
}

/* Takes both axes or none. */
static void
read_plot_y(struct state *s, const char *text, const struct setting_file *in)
{
	struct plot_view *p = &s->view.plot;
	size_t x = axis_of(s, setting_value(in->table, "plot_x"), NULL), y = axis_of(s, text, in),
		n = s->question.model->n_counters;

	if (x < n && y < n) {
		p->axis[0] = x;
		p->axis[1] = y;
		p->chosen = true;
	}
}

/* --- late rows: they need a result ------------------------------------------------------------------------------- */

static size_t
find_finding(const struct state *s, const char *name)
{
	size_t i = 0;

	while (i < s->answers.result->n_findings && !str_eq(s->answers.result->finding[i].name, name))
		i++;
	return i;
}

static char *
write_marked(const struct state *state)
{
	const struct result *result = state->answers.result;
	const char **name = mem_new_array(result->n_findings + 1, sizeof *name);
	char *text;
	size_t n = 0;

	for (size_t i = 0; i < result->n_findings && i < state->view.marks.n; i++)
		if (state->view.marks.on[i])
			name[n++] = result->finding[i].name;
	text = setting_list(name);
	free(name);
	return text;
}

static void
read_marked(struct state *state, const char *text, const struct setting_file *in)
{
	char **name = setting_items(text);
	bool some = false;

	for (size_t k = 0; name && name[k]; k++) {
		size_t i = find_finding(state, name[k]);

		if (i < state->answers.result->n_findings && i < state->view.marks.n)
			some = state->view.marks.on[i] = true;
		else
			setting_lost(in->lost, "the mark on", name[k]);
	}
	if (some)
		state_remake_constraints(state);
	str_split_free(name);
}

static char *
setting_model_write_observation(const struct state *s)
{
	return state_finding(s) ? mem_str(state_finding(s)->name) : NULL;
}

static void
read_observation(struct state *s, const char *text, const struct setting_file *in)
{
	size_t i = find_finding(s, text);

	if (i < s->answers.result->n_findings)
		s->view.selected = i;
	else if (*text)
		setting_lost(in->lost, "observation", text);
}

static char *
write_constraint(const struct state *s)
{
	return state_constraint(s) && s->view.chose_constraint ? mem_str(state_constraint(s)->c->text) : NULL;
}

static void
read_constraint(struct state *s, const char *text, const struct setting_file *in)
{
	for (size_t i = 0; i < s->answers.constraints->n; i++)
		if (str_eq(s->answers.constraints->row[i].c->text, text)) {
			s->view.constraint = i;
			s->view.chose_constraint = true;
		}
	if (!s->view.chose_constraint && *text)
		setting_lost(in->lost, "constraint", text);
}

/* --- words ------------------------------------------------------------------------------------------------------- */

static const char *
zoom_word(int i)
{
	static const char *const word[] = {[ZOOM_AUTO] = "auto", [ZOOM_WHOLE] = "whole", [ZOOM_REGION] = "region"};

	return word[i];
}

static const char *
boxes_word(int i)
{
	static const char *const word[PLOT_BOXES] = {"independent", "both", "none"};

	return word[i];
}

static const char *
region_word(int i)
{
	return region_name((enum region_kind)i);
}

static const char *
constraint_sort_word(int i)
{
	return constraint_sort_name((enum constraint_sort)i);
}

static const char *
observation_sort_word(int i)
{
	return observation_sort_name((enum observation_sort)i);
}

/* SETTING_WORD copies these enums as int. */
static_assert(sizeof(enum plot_zoom) == sizeof(int) && sizeof(enum plot_boxes) == sizeof(int) &&
		sizeof(enum constraint_sort) == sizeof(int) && sizeof(enum observation_sort) == sizeof(int),
	"see SETTING_WORD");

const struct setting settings_of_model[] = {
	{"features", WHEN_SAME_MODEL, .given = AUTOSAVE_FEATURES, .write = write_features, .read = read_features},
	{"feature", WHEN_SAME_MODEL, .place = true, .given = AUTOSAVE_FEATURES, .write = write_feature,
		.read = read_feature},
	{"confidence", WHEN_MODEL, .given = AUTOSAVE_CONFIDENCE, .write = write_confidence, .read = read_confidence},
	{"region", WHEN_MODEL, .given = AUTOSAVE_REGION, .kind = SETTING_WORD, .at = SETTING_AT(question.how.decides),
		.words = region_word, .n_words = REGION_KINDS, .lost_as = "region"},
	{"one_by_one", WHEN_MODEL, .given = AUTOSAVE_FAMILY_WISE, .kind = SETTING_FLAG,
		.at = SETTING_AT(question.how.one_by_one)},
	{"split_phases", WHEN_MODEL, .given = AUTOSAVE_PHASES, .kind = SETTING_FLAG,
		.at = SETTING_AT(question.how.split_phases)},
	{"observations", WHEN_MODEL, .given = AUTOSAVE_OBSERVATIONS, .write = write_observations,
		.read = read_observations},
	{"counters", WHEN_SAME_MODEL, .given = AUTOSAVE_COUNTERS, .write = setting_model_write_counters,
		.read = read_counters},
	{"plot_x", WHEN_SAME_MODEL, .place = true, .write = write_plot_x, .read = read_plot_x},
	{"plot_y", WHEN_SAME_MODEL, .place = true, .write = write_plot_y, .read = read_plot_y},
	{"plot_zoom", WHEN_SAME_MODEL, .place = true, .kind = SETTING_WORD, .at = SETTING_AT(view.plot.zoom),
		.words = zoom_word, .n_words = ZOOM_REGION + 1},
	{"plot_boxes", WHEN_SAME_MODEL, .place = true, .kind = SETTING_WORD, .at = SETTING_AT(view.plot.boxes),
		.words = boxes_word, .n_words = PLOT_BOXES},
	{"sort_constraints", WHEN_MODEL, .kind = SETTING_WORD, .at = SETTING_AT(view.sort.constraints),
		.words = constraint_sort_word, .n_words = CONSTRAINT_SORTS},
	{"sort_observations", WHEN_MODEL, .kind = SETTING_WORD, .at = SETTING_AT(view.sort.observations),
		.words = observation_sort_word, .n_words = OBSERVATION_SORTS},
	{"filter_constraints", WHEN_MODEL, .kind = SETTING_TEXT, .at = SETTING_AT(view.filter[VIEW_CONSTRAINTS]),
		.resets = true},
	{"filter_observations", WHEN_MODEL, .kind = SETTING_TEXT, .at = SETTING_AT(view.filter[VIEW_OBSERVATIONS]),
		.resets = true},
	{"marked", WHEN_MODEL, .stage = SETTING_LATE, .write = write_marked, .read = read_marked},
	{"observation", WHEN_MODEL, .place = true, .stage = SETTING_LATE, .write = setting_model_write_observation,
		.read = read_observation},
	{"constraint", WHEN_SAME_MODEL, .place = true, .stage = SETTING_LATE, .write = write_constraint,
		.read = read_constraint},
	{0},
};
