#include "explorer/state/state_phases.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/obs/obs.h"
#include "explorer/state/pane.h"
#include "explorer/state/state.h"
#include "work/phases/phases.h"
#include "work/run/run.h"
#include "work/timeline/timeline.h"

/* The recorded tables, and those of the runs; the caller frees the array. *amount changes whenever they grow. */
static const struct obs_table **
phases_tables(const struct state *state, size_t *n, size_t *amount, size_t *cells)
{
	const struct obs_table **table = mem_new_array(state->data.n_tables + state->data.n_runs, sizeof *table);

	*n = *amount = *cells = 0;
	for (size_t i = 0; i < state->data.n_tables; i++)
		table[(*n)++] = state->data.table[i];
	for (size_t i = 0; i < state->data.n_runs; i++)
		if (state->data.run[i]->ops->shown && run_table(state->data.run[i]))
			table[(*n)++] = run_table(state->data.run[i]);
	for (size_t i = 0; i < *n; i++)
		for (size_t k = 0; k < table[i]->n; k++) {
			*amount += 1 + table[i]->obs[k]->n_rows + table[i]->obs[k]->folded;
			*cells += table[i]->obs[k]->n_rows * table[i]->n_columns;
		}
	return table;
}

void
state_phases_forget(struct state *state)
{
	struct phases_answers *answers = &state->answers.phases;

	for (size_t i = 0; i < answers->n; i++)
		phases_free(answers->run[i]);
	free(answers->run);
	*answers = (struct phases_answers){0};
}

/* Appends the phases of a table's sets. A single row shows nothing over time. */
static void
add_runs(struct state *state, const struct obs_table *table)
{
	const struct network *network = state->data.timeline ? timeline_network(state->data.timeline) : NULL;
	struct series_choice choice = {.network = network,
		.most_rows = table->n_columns > PHASES_VIEW_MANY ? PHASES_VIEW_ROWS / 2 : PHASES_VIEW_ROWS};
	struct phases_answers *answers = &state->answers.phases;
	size_t n;
	struct series_set **set = series_sets(table, &choice, &n);

	answers->run = mem_resize(answers->run, answers->n + n + 1, sizeof(struct phases *));
	for (size_t i = 0; i < n; i++) {
		if (set[i]->rows > 1 && set[i]->n)
			answers->run[answers->n++] = phases_new(set[i], &(struct phases_how){.brief = true});
		else
			series_set_free(set[i]);
	}
	free(set);
}

/* Puts the cursors on the largest change, unless the user has put them elsewhere. */
static void
place_cursors(struct state *state)
{
	const struct phases *p = state_phases(state);
	struct phases_view *view = &state->view.timeline.phases;
	size_t window = p ? phases_largest_change(p) : 0;

	if (view->run >= state->answers.phases.n)
		view->run = 0;
	if (!p || view->chose)
		return;
	state->view.cursor[PANE_PHASE_WINDOWS] = (int)window;
	state->view.cursor[PANE_PHASE_SERIES] = window ? (int)p->windows->window[window].series : 0;
}

void
state_phases_show(struct state *state)
{
	struct phases_answers *answers = &state->answers.phases;
	size_t n, amount, cells;
	const struct obs_table **table;
	double now = state->view.frame.now;

	if (state->view.current != VIEW_PHASES)
		return;
	table = phases_tables(state, &n, &amount, &cells);
	if (amount != answers->amount &&
		(!answers->n || now - answers->at >= PHASES_VIEW_SECONDS || now < answers->at)) {
		state_phases_forget(state);
		answers->amount = amount;
		answers->at = now;
		answers->too_long = cells > PHASES_VIEW_CELLS;
		for (size_t i = 0; i < n && !answers->too_long; i++)
			add_runs(state, table[i]);
		place_cursors(state);
	}
	free(table);
	if (state_phases(state))
		phases_detail(answers->run[state->view.timeline.phases.run], state_phases_series(state));
}

const struct phases *
state_phases(const struct state *state)
{
	const struct phases_answers *answers = &state->answers.phases;
	size_t run = state->view.timeline.phases.run;

	return answers->n ? answers->run[run < answers->n ? run : 0] : NULL;
}

static size_t
within(int cursor, size_t n)
{
	return cursor < 0 || !n ? 0 : (size_t)cursor < n ? (size_t)cursor : n - 1;
}

size_t
state_phases_series(const struct state *state)
{
	const struct phases *p = state_phases(state);

	return p ? within(state->view.cursor[PANE_PHASE_SERIES], p->set->n) : 0;
}

size_t
state_phases_window(const struct state *state)
{
	const struct phases *p = state_phases(state);

	return p ? within(state->view.cursor[PANE_PHASE_WINDOWS], p->windows->n) : 0;
}

size_t
state_phases_against(const struct state *state)
{
	const struct phases *p = state_phases(state);
	size_t here = state_phases_window(state), held = state->view.timeline.phases.held;

	if (p && held && held <= p->windows->n)
		return held - 1;
	return here ? here - 1 : p && p->windows->n > 1 ? 1 : 0;
}

void
state_phases_hold(struct state *state)
{
	struct phases_view *view = &state->view.timeline.phases;
	size_t here = state_phases_window(state) + 1;

	if (!state_phases(state)) {
		state_say(state, false, "there is no series over time yet, so there are no windows");
		return;
	}
	view->held = view->held == here ? 0 : here;
	view->chose = true;
	if (view->held)
		state_say(state, false,
			"other windows are compared with window %zu; c there again: with the one before", here);
	else
		state_say(state, false, "each window is compared with the one before");
}

void
state_phases_next_run(struct state *state)
{
	struct phases_view *view = &state->view.timeline.phases;
	size_t n = state->answers.phases.n;

	if (n < 2) {
		state_say(state, false, "there is no other run here");
		return;
	}
	*view = (struct phases_view){.run = (view->run + 1) % n};
	state->view.cursor[PANE_PHASE_CHANGED] = 0;
	place_cursors(state);
	state_phases_show(state);
}

/* --- panes ------------------------------------------------------------------------------------------------------- */

static int
count_series(const struct state *state)
{
	return state_phases(state) ? (int)state_phases(state)->set->n : 0;
}

static int
count_windows(const struct state *state)
{
	return state_phases(state) ? (int)state_phases(state)->windows->n : 0;
}

static void
choose_row(struct state *state, enum pane_id pane, int row)
{
	state->view.timeline.phases.chose = true;
	state->view.cursor[pane] = row;
	state->view.cursor[PANE_PHASE_CHANGED] = 0;
	if (pane == PANE_PHASE_SERIES)
		state_phases_show(state);
}

static bool
series_has(const struct state *state, size_t row, const char *words)
{
	const struct phases *p = state_phases(state);

	return p && row < p->set->n && strcasestr(p->set->series[row], words);
}

const struct pane_ops state_pane_phase_series = {.length = count_series, .choose = choose_row, .has = series_has};
const struct pane_ops state_pane_phase_windows = {.length = count_windows, .choose = choose_row};
const struct pane_ops state_pane_about_phases = {0};
