/* Shared by views of snapshots: header, status, and the text of an empty view. */
#include "draw/view/view_timeline.h"

#include <math.h>
#include <stdlib.h>

#include "base/str.h"
#include "core/network/queues.h"
#include "core/stack/stack.h"
#include "draw/view/view_table.h"
#include "explorer/state/state_sim.h"
#include "explorer/state/state_stalls.h"
#include "work/timeline/methods.h"
#include "work/timeline/timeline.h"

bool
timeline_is_shown(const struct state *s)
{
	return s->data.timeline && view_row(s->view.current)->about == VIEW_ABOUT_SNAPSHOTS;
}

const char *
timeline_lacks(const struct state *s)
{
	return s->data.timeline ? NULL : "no network, no stack";
}

void
timeline_nothing(struct page *p)
{
	page_words(p, ROLE_TEXT, "A model is open. This view shows networks and stacks.");
	page_blank(p);
	page_head(p, "Commands that show something here", "");
	page_words(p, ROLE_TEXT,
		"hecate linux-vm -- CMD    where the memory and file requests of a command go, without a PMU");
	page_words(p, ROLE_TEXT,
		"hecate NETWORK DATA    recorded counters of a machine that a network describes: spr-cxl, haswell");
	page_words(p, ROLE_TEXT, "hecate STACK DATA    where cycles or time went: topdown-l1-spr, naive-hsw");
	page_blank(p);
	page_words(p, ROLE_DIM, "1 goes back to the model.");
}

void
timeline_no_counters(struct page *p, bool network, const char *name, const char *so)
{
	struct str words = {0};

	if (p->s->data.n_tables)
		str_addf(&words, "The data have no counters of %s.", name);
	else
		str_addf(&words, "No %s of %s yet, so %s.", network ? "snapshot" : "data", name, so);
	page_words(p, ROLE_TEXT, str_text(&words));
	str_clear(&words);
	str_addf(&words, "hecate %s FILE --check lists the events that it counts", network ? "net" : "stack");
	page_words(p, ROLE_DIM, str_text(&words));
	str_free(&words);
}

static const char *
subject_name(const struct state *s)
{
	size_t n = timeline_snapshots(s->data.timeline);
	const char *name = n
		? timeline_snapshot(s->data.timeline, s->view.timeline.snapshot < n ? s->view.timeline.snapshot : n - 1)
			  .name
		: "";

	return *name ? name : s->data.name ? s->data.name : state_has_subject(s) ? state_subject(s) : "";
}

/* "culprit HWPF on M2PCIe", or why there is none. Returns its role. */
static enum role
finding_words(const struct state *s, const struct view_draw *v, bool roomy, struct str *out)
{
	const struct network *n = timeline_network(s->data.timeline);
	const struct timeline_analysis *l = s->answers.timeline.analysis;

	if (v->finding && v->finding(s, out))
		return ROLE_TEXT;
	if (!n)
		return ROLE_TEXT;
	if (!l || !l->culprit) {
		str_add(out, !l ? "? no data" : l->queues->awaited ? "no culprit: idle" : "no queue is known");
		return l && l->queues->awaited ? ROLE_DIM : ROLE_UNDECIDED;
	}
	str_addf(out, "culprit %s", n->kind[l->culprit->kind].name);
	if (roomy)
		str_addf(out, " on %s", n->module[l->culprit->module].name);
	return ROLE_HOT;
}

static void
snapshot_words(const struct state *s, bool roomy, struct str *out)
{
	struct timeline_snapshot m;

	if (!timeline_snapshots(s->data.timeline))
		return;
	/* a network's stalls always belong to one snapshot */
	if (s->view.timeline.whole && s->view.current == VIEW_STALLS && !state_shows_stalls(s)) {
		str_add(out, "whole run");
		return;
	}
	m = timeline_snapshot(s->data.timeline, s->view.timeline.snapshot);
	str_addf(out, roomy ? "snapshot %zu of %zu" : "snapshot %zu/%zu", m.number, m.of);
}

void
draw_timeline_header(const struct state *s, const struct view_draw *v, struct grid *g)
{
	struct rect row = {0, 0, g->w, 1};
	struct pen right = pen_on(g, row, ROLE_TEXT);
	struct line l = line_on(g, row, 0);
	struct str finding = {0}, snapshot = {0};
	const struct network *n = timeline_network(s->data.timeline);
	const struct stack *k = timeline_stack(s->data.timeline);
	int end = g->w - 1;

	right.fg = finding_words(s, v, g->w >= 112, &finding);
	right.attr = CELL_BOLD;
	pen_right(&right, end, 0, str_text(&finding));
	end -= finding.n ? pen_columns(&right, str_text(&finding)) + 2 : 0;
	snapshot_words(s, g->w >= 112, &snapshot);
	right.fg = ROLE_TEXT;
	right.attr = 0;
	pen_right(&right, end, 0, str_text(&snapshot));
	l.end = end - (snapshot.n ? pen_columns(&right, str_text(&snapshot)) + 2 : 0);
	if (g->w >= 60) {
		line_add(&l, ROLE_ACCENT, 0, "hecate");
		line_gap(&l, 2);
	}
	if (!n && state_compares_methods(s))
		line_add(&l, ROLE_TEXT, CELL_BOLD, "%zu methods", timeline_methods(s->data.timeline)->n_stacks);
	else
		line_add(&l, ROLE_TEXT, CELL_BOLD, "%s", n ? n->name : k->name);
	line_gap(&l, 2);
	line_add(&l, ROLE_DIM, 0, "%s", subject_name(s));
	str_free(&finding);
	str_free(&snapshot);
}

void
draw_timeline_tiny(const struct state *s, const struct view_draw *v, struct grid *g)
{
	struct str words = {0};
	struct line l = line_on(g, (struct rect){-1, 0, g->w + 1, g->h}, 0);
	enum role role = finding_words(s, v, true, &words);
	const struct network *n = timeline_network(s->data.timeline);

	if (g->w >= 20 && g->h >= 3) {
		line_add(&l, ROLE_TEXT, CELL_BOLD, "%s ", n ? n->name : timeline_stack(s->data.timeline)->name);
		line_add(&l, ROLE_DIM, 0, "%s", subject_name(s));
		l = line_on(g, (struct rect){-1, 0, g->w + 1, g->h}, 1);
		line_add(&l, role, CELL_BOLD, "%s", str_text(&words));
		str_clear(&words);
		snapshot_words(s, true, &words);
		l = line_on(g, (struct rect){-1, 0, g->w + 1, g->h}, 2);
		line_add(&l, ROLE_DIM, 0, "%s", str_text(&words));
		if (g->h > 3) {
			l = line_on(g, (struct rect){-1, 0, g->w + 1, g->h}, g->h - 1);
			line_add(&l, ROLE_DIM, 0, "? help  q quit  40x10 shows more");
		}
	} else {
		line_add(&l, role, CELL_BOLD, "%s", str_text(&words));
	}
	str_free(&words);
}

char *
timeline_state_words(const struct state *s)
{
	struct str out = {0};
	char number[NUMBER_TEXT];
	bool live = state_running(s);
	double asked, kept;

	state_interval(s, &asked, &kept);
	if (s->view.timeline.frozen)
		str_add(&out, live ? "frozen" : s->view.timeline.compared != TIMELINE_NONE ? "compared" : "");
	else if (live && isinf(kept))
		str_add(&out, "live, reported at the end");
	else if (live)
		str_addf(&out, "live %s", number_seconds(number, kept, false));
	if (live && kept > asked)
		str_addf(&out, ", slowed from %s", number_seconds(number, asked, false));
	if (!s->data.machine.has_pmu && live && !state_is_simulated(s))
		str_add(&out, out.n ? " · no hardware PMU" : "no hardware PMU");
	return str_take(&out);
}
