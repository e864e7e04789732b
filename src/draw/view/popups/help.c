/* The help page: keys that have an effect here, and the signs on this screen. */

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "draw/view/view_table.h"
#include "explorer/state/lesson_play.h"
#include "explorer/state/action.h"
#include "explorer/state/state_views.h"

enum {
	MODELS = 1 << VIEW_MODELS,
	CONSTRAINTS = 1 << VIEW_CONSTRAINTS,
	OBSERVATIONS = 1 << VIEW_OBSERVATIONS,
	GEOMETRY = 1 << VIEW_GEOMETRY,
	PATHS = 1 << VIEW_PATHS,
	STALLS = 1 << VIEW_STALLS,
	QUEUES = 1 << VIEW_QUEUES,
	PROBES = 1 << VIEW_PROBES,
	EVENTS = 1 << VIEW_EVENTS,
	DIFF = 1 << VIEW_DIFF,
	LISTED = MODELS | CONSTRAINTS | OBSERVATIONS,
	JUDGING = LISTED | GEOMETRY,
	PROFILE = PATHS | STALLS | QUEUES
};

enum { TWO_COLUMNS = 100, KEYS_END = 12, SIGN_END = 7, NAME_END = 18 };

static const struct {
	const char *sign, *name, *means;
	int views; /* set of 1 << view; 0: all */
} legend[] = {
	{"✓", "feasible", "some mix of µpaths gives these counts", JUDGING},
	{"✗", "infeasible", "no mix of µpaths does: the model is refuted", JUDGING},
	{"⊘", "in doubt", "infeasible, but what the test rests on is in doubt", JUDGING},
	{"≈", "borderline", "too close to the cone's edge to decide", JUDGING},
	{"?", "undecided", "not enough data", JUDGING},
	{"[x]", "on", "[ ] off  [-] not allowed  [~] pending", MODELS},
	{"■", "counter", "a counter that rises on this µpath", JUDGING},
	{"○", "event", "something that no counter sees", MODELS},
	{"◇", "decision", "a µop takes one of its cases", MODELS},
	{"●", "done", "the µpath ends", MODELS},
	{"▸", "folded", "Space or + opens it", JUDGING},
	{"▃█│▅", "slack", "each observation once; those left of the line break it", CONSTRAINTS},
	{"├┼┤", "interval", "where the whole region lies; │ must not be crossed", CONSTRAINTS},
	{"worst", "or slack", "share of the size Σ|coef|·mean; exact totals: in counts", CONSTRAINTS},
	{"*", "marked", "while any are marked, view 2 counts only those", OBSERVATIONS},
	{"d²", "distance", "from the cone in units of the noise; above the threshold: refuted", OBSERVATIONS},
	{"corr", "", "mean size of the correlations between the counters", OBSERVATIONS},
	{"▃▅█", "over time", "activity around its mean; while it grows: d²", OBSERVATIONS},
	{"…8", "left out", "eight terms left out for lack of room; y or Enter shows all", JUDGING},
	{"⡇⢸", "cone", "its shadow: what the model allows of the two counters", GEOMETRY},
	{"⣏⣹", "region",
		"where the mean lies, with the confidence in the header; a point where totals are exact", GEOMETRY},
	{"⠂⠂", "samples", "one dot each; only the selected observation has them", GEOMETRY},
	{"⠒⠒", "gap", "the shortest way from the region to the cone", GEOMETRY},
	{"┌──┐", "module", "a box; a heavy frame is the culprit, the longest queue", PATHS},
	{"╌ ─ ━", "load", "under 5 %, under 30 %, or more of what the stage carries", PATHS},
	{"▷", "enters", "requests begin here, for instance those of a prefetcher", PATHS},
	{"↓41 %", "served", "share of the requests that end here", PATHS},
	{"q 4.8", "queue", "requests that wait here, on average", PATHS},
	{"lat", "latency", "time of a request from here to its answer", PATHS},
	{"stl", "stalled", "share of cycles in which the core waits", PATHS},
	{"▸", "folded", "modules of a kind as one; u shows them one by one", PATHS},
	{"?", "not known", "no counter reports it; it is never guessed", PATHS},
	{"~ >", "about", "a part of the sum is unknown: about, or at least", PATHS},
	{"u██", "part", "its key letter, then its fill", STALLS},
	{"R", "with parts", "its parts, in the rows below it, are drawn instead", STALLS},
	{"B◂◂", "below zero", "its other parts claim more than the whole: an error of the method or counts", STALLS},
	{"┃", "whole", "where a bar should end, if a part is below zero", STALLS},
	{"worst", "", "largest error of a method's parts against the truth, % of the whole", STALLS},
	{"in 12", "compared", "the same in the snapshot that c chose", STALLS},
	{"≈", "no fit", "the parts do not add up; the lines below the table say why", STALLS},
	{"?", "not known", "a counter is missing; its line says which", STALLS},
	{"length", "", "requests there, on average", QUEUES},
	{"hot", "culprit", "the longest queue that a task or core waits for", QUEUES},
	{"▂▄▆", "over time", "a constant line is at half height", QUEUES},
	{"↑ 3×", "trend", "last third over first third; · none seen", QUEUES},
	{"0-7 ×8", "owners", "one line for all: their longest queue", QUEUES},
	{"λ W L", "formula", "arrivals, wait, length = λ × W", QUEUES},
	{"✓", "sharp", "the interval is narrow: within 2 %, or two steps of x", PROBES},
	{"≈", "soft", "the interval is wider: the change is gradual", PROBES},
	{"?", "wanders", "the mean is a tenth or more above the least repetition", PROBES},
	{"∅", "none", "the curve shows no such knee, or does not rise", PROBES},
	{"…", "stopped", "the curve is not whole", PROBES},
	{"⡇", "knee", "what still fits; dots beside it are its interval at 99 %", PROBES},
	{"⠒⠒", "curve", "mean of the repetitions; dots: down to the least", PROBES},
	{"⠄⠄", "beside", "the same probe on the other machine", PROBES},
	{"✓", "exact", "counts what it should; or repeats, and nobody knows what it should", EVENTS},
	{"≈", "to correct", "wrong by an amount that can be subtracted", EVENTS},
	{"✗", "not usable", "noise that nothing explains, or it counts something else", EVENTS},
	{"h", "interrupts", "each interrupt is counted, too; p: page faults", EVENTS},
	{"E F", "exceptions", "floating point: exceptions, and lazy saving of its registers", EVENTS},
	{"D M", "miscounts", "some instructions count more than once, or not at all", EVENTS},
	{"U !", "else", "micro-operations, or something else than its name says", EVENTS},
	{"n", "noise", "differs from run to run, and nothing that is known explains it", EVENTS},
	{"off by", "", "mean of the runs minus the expected count", EVENTS},
	{"range", "", "largest minus smallest count", EVENTS},
	{"left", "", "off by, after what explains the error was subtracted", EVENTS},
	{"m E", "in runs", "mean, expected count; ←E: it is off the scale", EVENTS},
	{"├┼┤", "interval", "where B/A surely lies, at this and every other look; ◂ ▸: it goes on", DIFF},
	{"│ ╎", "0, threshold", "no difference, and one that does not matter", DIFF},
	{"↑ ↓ =", "answer", "B has more, less, or the same within the threshold", DIFF},
	{"A B *", "runs", "in their order; * both. Reversed: off the axis, z shows it", DIFF},
	{"─ ╌", "medians", "of A, of B", DIFF},
	{"\"", "noted", "there is a note on it; L lists all", 0},
	{"dim", "off", "left out by the features that are on, or out of date", JUDGING},
	{"frees", "n", "observations that this feature alone makes feasible", MODELS},
	{"·", "no value", "no counter reports it; 0 is a measured zero", 0},
};

static uint64_t
help_scope(const struct state *s)
{
	return s->view.current == VIEW_START ? IN_START : PANE_BIT(state_pane(s));
}

static void
add_action(struct page *p, enum action a)
{
	const struct action_row *k = action_row(a);
	struct line l = page_line(p);

	line_gap(&l, 1);
	line_add(&l, ROLE_ACCENT, CELL_BOLD, "%s", k->keys);
	page_hanging(p, KEYS_END, ROLE_TEXT, k->help);
}

static void
add_keys(struct page *page)
{
	uint64_t here = help_scope(page->s);

	for (int round = 0; round < 2; round++) {
		struct line l = page_line(page);

		line_add(&l, ROLE_DIM, 0, "%s", round == 0 ? "here" : "everywhere");
		for (int a = 1; a < ACTION_COUNT; a++) {
			const struct action_row *row = action_row((enum action)a);
			bool general = row->scopes == IN_ANY || (row->scopes & IN_VIEWS) == IN_VIEWS ||
				(row->scopes & (IN_START | IN(FEATURES))) == (IN_START | IN(FEATURES));

			if ((row->scopes & here) && general == (round == 1) &&
				state_lesson_has(page->s, (enum action)a))
				add_action(page, (enum action)a);
		}
	}
}

static void
add_legend(struct page *page)
{
	for (size_t i = 0; i < sizeof legend / sizeof *legend; i++) {
		struct line l;

		if (legend[i].views && !(legend[i].views & 1 << page->s->view.current))
			continue;
		l = page_line(page);
		line_add(&l, ROLE_ACCENT, 0, "%s", legend[i].sign);
		line_to(&l, SIGN_END);
		line_add(&l, ROLE_TEXT, 0, "%s", legend[i].name);
		page_hanging(page, NAME_END, ROLE_DIM, legend[i].means);
	}
}

static void
add_both(struct page *p)
{
	struct line l;

	add_keys(p);
	page_line(p);
	l = page_line(p);
	line_add(&l, ROLE_DIM, 0, "what is on this screen");
	add_legend(p);
}

/* Draws a column of help, scrolled at most to its end. Returns its number of scroll positions. */
static int
draw_column(const struct state *s, struct grid *g, struct rect r, int first, void (*add)(struct page *))
{
	struct page measure = {.s = s, .g = g, .r = {r.x, r.y, r.w, 0}}, p = {.s = s, .g = g, .r = r};
	int last;

	add(&measure);
	last = measure.row > r.h ? measure.row - r.h : 0;
	p.skip = first < last ? first : last;
	add(&p);
	return last + 1;
}

static int
draw_help(const struct state *state, struct grid *grid, struct rect screen, int first)
{
	struct rect body = {0, 0, screen.w, screen.h - 1}, keys = body, signs;
	bool two = body.w >= TWO_COLUMNS;
	const struct view_row *row = view_row(state->view.current);
	char *title = row->key
		? str_format("Help · %s %s", row->key, state_view_tab(state, state->view.current, false))
		: mem_str("Help · Start");
	int rows, more = 1;

	grid_clear(grid);
	if (two)
		keys.w = body.w / 2;
	rows = draw_column(state, grid, draw_title(grid, keys, title, "keys", true), first, two ? add_keys : add_both);
	if (two) {
		signs = draw_title(grid, (struct rect){keys.w, 0, body.w - keys.w, body.h}, "What is on this screen",
			"legend", false);
		more = draw_column(state, grid, signs, first, add_legend);
	}
	free(title);
	return rows > more ? rows : more;
}

const struct popup_draw popup_draw_help = {.text = draw_help};
