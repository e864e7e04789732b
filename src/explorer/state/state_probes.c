#include "explorer/state/state_probes.h"

#include <string.h>

#include "base/str.h"
#include "explorer/state/pane.h"
#include "explorer/state/state.h"
#include "work/probe/probe_book.h"
#include "work/run/probe_run.h"
#include "work/run/run.h"
#include "work/slices/sliced.h"

void
state_set_probing(struct state *s, struct run *r)
{
	run_free(s->data.probing);
	s->data.probing = r;
}

void
state_set_probes(struct state *s, struct probe_book *b)
{
	state_set_probing(s, NULL);
	probe_book_free(s->data.probes);
	s->data.probes = b;
	s->view.probes.chosen = 0;
	s->view.cursor[PANE_PROBES] = s->view.cursor[PANE_CURVE] = s->view.cursor[PANE_MEANING] = 0;
}

bool
state_probing(const struct state *s)
{
	return run_running(s->data.probing);
}

const struct probe_entry *
state_probe(const struct state *s)
{
	const struct probe_book *b = s->data.probes;

	return b && s->view.probes.chosen < b->n ? &b->entry[s->view.probes.chosen] : NULL;
}

const struct probe_measured *
state_probe_curve(const struct state *s, bool beside)
{
	const struct probe_book *b = s->data.probes;
	const struct probe_entry *e = state_probe(s);

	return e ? probe_book_curve(b, beside ? b->other : b->machine, e->name) : NULL;
}

bool
state_has_curves(const struct state *s)
{
	return s->data.probes && s->data.probes->n_measured;
}

/* What the session file lacks is written when it is left, unless that fails. */
size_t
state_unsaved_curves(const struct state *s)
{
	const struct probe_book *b = s->data.probes;
	size_t n = 0;

	for (size_t i = 0; b && i < b->n_measured && (!s->data.saved.in || s->data.saved.failed); i++) {
		const struct probe_measured *m = b->measured[i];

		n += m->curve.n && (!m->stored.head || m->stored.points < m->curve.n);
	}
	return n;
}

/* --- the list ---------------------------------------------------------------------------------------------------- */

static void
state_probes_choose(struct state *s, size_t probe)
{
	if (probe != s->view.probes.chosen)
		s->view.cursor[PANE_MEANING] = s->view.popup.cursor = 0;
	s->view.probes.chosen = probe;
	s->view.cursor[PANE_PROBES] = s->view.cursor[PANE_CURVE] = (int)probe;
}

void
state_step_probe(struct state *s, int by)
{
	size_t n = s->data.probes ? s->data.probes->n : 0;

	if (n && (s->view.popup.kind == POPUP_NONE || s->view.popup.kind == POPUP_PROBE))
		state_probes_choose(s, (s->view.probes.chosen + n + (size_t)by) % n);
}

static int
probes_length(const struct state *s)
{
	return s->data.probes ? (int)s->data.probes->n : 0;
}

static void
state_probes_choose_listed(struct state *s, enum pane_id pane, int row)
{
	(void)pane;
	if (s->data.probes && row >= 0 && (size_t)row < s->data.probes->n)
		state_probes_choose(s, (size_t)row);
}

static bool
state_probes_listed_has(const struct state *s, size_t row, const char *words)
{
	const struct probe_entry *e = s->data.probes && row < s->data.probes->n ? &s->data.probes->entry[row] : NULL;

	return e && (strcasestr(e->name, words) || (e->probe && strcasestr(e->probe->text, words)));
}

const struct pane_ops state_pane_probes = {
	.length = probes_length, .choose = state_probes_choose_listed, .has = state_probes_listed_has};
const struct pane_ops state_pane_about_probe = {0};

/* --- what is asked for ------------------------------------------------------------------------------------------- */

static bool
may_run(struct state *state)
{
	const struct probe_book *book = state->data.probes;
	struct probe_progress now = probe_run_progress(state->data.probing);

	if (!book || !book->machine) {
		state_say(state, true, "there is no machine that probes could run on");
		return false;
	}
	if (now.running)
		state_say(state, true, "%s is measured now; Esc stops it", now.probe);
	return !now.running;
}

void
state_run_probe(struct state *state, int all)
{
	const struct probe_entry *entry = state_probe(state);
	size_t where = state->view.probes.beside && state->data.probes->other ? PROBE_HERE | PROBE_BESIDE : PROBE_HERE;

	if (!may_run(state))
		return;
	if (all)
		requests_add(&state->requests, REQUEST_PROBE, where, "");
	else if (entry && !probe_book_runs(state->data.probes, state->data.probes->machine, state->view.probes.chosen))
		state_say(state, true, "%s needs a processor itself; it does not run on %s", entry->name,
			state->data.probes->machine);
	else if (entry && entry->probe)
		requests_add(&state->requests, REQUEST_PROBE, where, entry->name);
	else
		state_say(state, true, entry && entry->fault ? "%s: the file of this probe is wrong; i shows how"
						 : "%s: no installed probe has this name", entry ? entry->name : "?");
}

void
state_probe_beside(struct state *state)
{
	const struct probe_book *book = state->data.probes;
	const struct probe_entry *entry = state_probe(state);

	if (!book || !book->other) {
		state_say(state, false, "there is no other machine to show beside this one");
		return;
	}
	state->view.probes.beside = !state->view.probes.beside ||
		(!state_probe_curve(state, true) && !state_probing(state));
	if (state->view.probes.beside && entry && entry->probe && !state_probe_curve(state, true) &&
		!state_probing(state))
		requests_add(&state->requests, REQUEST_PROBE, PROBE_BESIDE, entry->name);
}

void
state_probe_axis(struct state *s)
{
	s->view.probes.log_x = !s->view.probes.log_x;
	state_say(s, false, "x axis: %s", s->view.probes.log_x ? "logarithmic" : "linear");
}

void
state_open_probe(struct state *s)
{
	state_open_about(s, POPUP_PROBE, state_probe(s) != NULL);
}

/* --- slices ------------------------------------------------------------------------------------------------------ */

void
state_set_sliced(struct state *s, struct sliced *x)
{
	sliced_free(s->data.sliced);
	s->data.sliced = x;
	s->view.popup.round = 0;
}

void
state_set_slicing(struct state *s, struct slicing *x)
{
	slicing_free(s->data.slicing);
	s->data.slicing = x;
}

void
state_open_slices(struct state *s)
{
	state_open_popup(s, POPUP_SLICES);
	state_request(s, REQUEST_SLICES);
}

/* After the rounds come the probes to run next. */
void
state_turn_slices(struct state *s, int by)
{
	size_t n = s->data.sliced ? 2 + s->data.sliced->skp->n_second : 1;

	s->view.popup.round = (s->view.popup.round + n + (size_t)by) % n;
	s->view.popup.cursor = 0;
}

void
state_write_slices(struct state *s)
{
	if (s->view.popup.kind == POPUP_SLICES && s->data.sliced)
		state_request(s, REQUEST_PICTURE);
	else
		state_say(s, false, "the slices are not simulated yet: there is no map to write");
}
