#include "app/report/report_timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/report/report.h"
#include "app/run/live.h"
#include "app/run/tasktime_run.h"
#include "app/state/state.h"
#include "app/state/state_paths.h"
#include "app/state/state_queues.h"
#include "app/timeline/stack_count.h"
#include "app/timeline/stack_notes.h"
#include "app/timeline/timeline.h"
#include "app/timeline/timeline_names.h"
#include "base/number.h"
#include "base/shell.h"
#include "base/str.h"
#include "core/lang/aexpr.h"
#include "core/network/network.h"
#include "core/network/path_map.h"
#include "core/network/queues.h"
#include "core/network/stall_rows.h"
#include "core/network/state.h"
#include "core/obs/obs.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"

#define ROWS_MOST 20 /* of a table that may be long; the rest is counted */

static const struct network *
network_of(const struct timeline_report *p)
{
	return timeline_network(p->session->data.timeline);
}

static void
cell(struct str *out, const char *text)
{
	str_add(out, " | ");
	markdown_add(out, text);
}

/* "?" where it is not known. */
static void
number_cell(struct str *out, double v)
{
	char number[NUMBER_TEXT];

	str_addf(out, " | %s", isnan(v) ? "?" : number_count(number, v, true));
}

static void
others(struct str *out, size_t n, const char *what)
{
	if (n > ROWS_MOST)
		str_addf(out, "\nand %zu more %s.\n", n - ROWS_MOST, what);
	str_addc(out, '\n');
}

/* A table's head: the first column, then others that hold numbers. */
static void
head(struct str *out, const char *first, const char *const *column, size_t n)
{
	str_addf(out, "| %s", first);
	for (size_t i = 0; i < n; i++)
		cell(out, column[i]);
	str_add(out, " |\n| ---");
	for (size_t i = 0; i < n; i++)
		str_add(out, " | ---:");
	str_add(out, " |\n");
}

/* --- what was watched -------------------------------------------------------------------------------------------- */

static void
add_source(struct str *out, size_t *n, const struct obs_table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		bool first = true;

		for (size_t k = 0; k < i && first; k++)
			first = !str_eq(t->obs[k]->source, t->obs[i]->source);
		if (!first || !*t->obs[i]->source)
			continue;
		if (*n < ROWS_MOST) {
			str_add(out, *n ? ", " : "");
			markdown_add(out, t->obs[i]->source);
		} else if (*n == ROWS_MOST) {
			str_add(out, ", and others");
		}
		++*n;
	}
}

static void
sources(const struct state *s, struct str *out)
{
	size_t n = 0;

	str_add(out, "| where the data come from | ");
	for (size_t i = 0; i < s->data.n_tables; i++)
		add_source(out, &n, s->data.table[i]);
	if (s->data.live)
		add_source(out, &n, live_table(s->data.live));
	for (size_t i = 0; i < s->data.n_stalls; i++)
		add_source(out, &n, tasktime_run_table(s->data.stalls[i]));
	str_add(out, " |\n");
}

static void
moment_field(const struct timeline_report *p, const char *name, size_t moment, struct str *out)
{
	struct str key = {0}, words = {0};

	timeline_snapshot_key(p->session->data.timeline, moment, &key);
	timeline_snapshot_words(str_text(&key), &words);
	report_field(out, name, str_text(&words));
	str_free(&key);
	str_free(&words);
}

static void
watched(const struct timeline_report *p, struct str *out)
{
	const struct state *s = p->session;
	size_t n = timeline_snapshots(s->data.timeline), n_stacks;
	struct stack *const *stack = timeline_stacks(s->data.timeline, &n_stacks);

	str_add(out, "## What was watched\n\n| | |\n| --- | --- |\n");
	if (network_of(p)) {
		report_field(out, "network", network_of(p)->name);
		report_field(out, "what it says of itself", network_of(p)->text);
		report_field(
			out, "file of the network", s->question.network_text.path ? s->question.network_text.path : "");
	}
	for (size_t i = 0; i < n_stacks; i++) {
		report_field(out, "stack", stack[i]->name);
		report_field(out, "what it says of itself", stack[i]->text);
		report_field(
			out, "file of the stack", s->question.stack_text[i].path ? s->question.stack_text[i].path : "");
	}
	if (s->question.subject.argv) {
		struct str line = {0};

		for (size_t i = 0; s->question.subject.argv[i]; i++)
			str_addf(&line, "%s%s", i ? " " : "", s->question.subject.argv[i]);
		report_field(out, "command", str_text(&line));
		str_free(&line);
	}
	sources(s, out);
	str_addf(out, "| snapshots | %zu |\n", n);
	if (n)
		moment_field(p, "shown here", s->view.timeline.snapshot, out);
	if (s->view.timeline.compared < n)
		moment_field(p, "compared with", s->view.timeline.compared, out);
	if (p->machine)
		report_field(out, "written on", p->machine);
	report_field(out, "written at", p->when);
	report_field(out, "by", p->program);
	str_addc(out, '\n');
}

/* --- the network ------------------------------------------------------------------------------------------------- */

static void
map_cell(const struct net_map_row *row, const struct network *n, size_t kind, struct str *out)
{
	const struct net_map_cell *c = &row->cell[kind];

	switch (c->state) {
	case NET_CELL_ABSENT:
		str_add(out, " | .");
		break;
	case NET_CELL_REPORTED:
		number_cell(out, c->unknown && !(c->hits > 0) ? NAN : c->hits);
		if (c->unknown && c->hits > 0)
			str_add(out, " or more");
		break;
	case NET_CELL_UNREPORTED:
		str_add(out, " | untold");
		break;
	case NET_CELL_WITH:
		str_add(out, " | with ");
		markdown_add(out, n->kind[c->with].name);
		break;
	}
}

static void
path_map(const struct timeline_report *p, struct str *out)
{
	const struct network *n = network_of(p);
	const struct net_path_map *m = p->session->answers.timeline.look->map;

	str_add(out,
		"## The path map\n\nHow many requests of each kind were served where. A dot: never; `?`: not counted; "
		"untold: this machine does not tell.\n\n| place");
	for (size_t k = 0; k < n->n_kinds; k++)
		cell(out, n->kind[k].name);
	str_add(out, " |\n| ---");
	for (size_t k = 0; k < n->n_kinds; k++)
		str_add(out, " | ---:");
	str_add(out, " |\n");
	for (size_t i = 0; i < m->n_rows; i++) {
		str_add(out, "| ");
		markdown_add(out, m->row[i].place);
		for (size_t k = 0; k < n->n_kinds; k++)
			map_cell(&m->row[i], n, k, out);
		str_add(out, " |\n");
	}
	str_addc(out, '\n');
}

static void
culprit(const struct timeline_report *p, struct str *out)
{
	const struct network *n = network_of(p);
	const struct timeline_analysis *look = p->session->answers.timeline.look;
	size_t some;
	struct queue_culprit *c = state_queue_culprits(p->session, &some);

	if (look->culprit) {
		str_add(out, "**The culprit** is ");
		markdown_add(out, n->kind[look->culprit->kind].name);
		str_add(out, " at ");
		markdown_add(out, n->module[look->culprit->module].name);
		if (!isnan(look->queues->margin))
			str_addf(out, ", %.3g times the next longest queue", look->queues->margin);
		str_add(out, ".\n");
	} else {
		str_add(out, "No queue is long enough to accuse anybody, or no length is known.\n");
	}
	for (size_t i = 0; i < some && i < ROWS_MOST; i++) {
		str_add(out, i ? ", " : "In the snapshots until then the longest queue was: ");
		markdown_add(out, n->kind[c[i].kind].name);
		str_add(out, " at ");
		markdown_add(out, n->module[c[i].module].name);
		str_addf(out, " %zu times", c[i].snapshots);
	}
	str_add(out, some ? ".\n\n" : "\n");
	free(c);
}

static void
queues(const struct timeline_report *p, struct str *out)
{
	static const char *const column[] = {"kind", "length, requests"};
	const struct network *n = network_of(p);
	const struct net_queues *q = p->session->answers.timeline.look->queues;

	str_add(out, "## The queues\n\n");
	culprit(p, out);
	if (q->known)
		head(out, "component", column, 2);
	for (size_t i = 0; i < q->known && i < ROWS_MOST; i++) {
		const struct net_module *m = &n->module[q->queue[i].module];
		char *owner = state_paths_owner(p->session, m->per, q->queue[i].owner);

		str_add(out, "| ");
		markdown_add(out, m->name);
		if (*owner) {
			str_add(out, ", ");
			markdown_add(out, owner);
		}
		cell(out, n->kind[q->queue[i].kind].name);
		str_addf(out, " | %.3g |\n", q->queue[i].length);
		free(owner);
	}
	others(out, q->known, "queues");
	if (q->n > q->known)
		str_addf(out, "The length of %zu queues is not known.\n\n", q->n - q->known);
}

static void
stalls(const struct timeline_report *p, struct str *out)
{
	const struct network *n = network_of(p);
	const struct net_stall_rows *r = p->session->answers.timeline.rows;

	if (!r || !(r->own > 0))
		return;
	str_add(out,
		"## Stalls by who waits\n\nWhere each arose, in the unit of its counter; hidden: over what its owner "
		"was seen to stall; stuck: no load is told of those who could take it.\n\n"
		"| who | kind | stall | hidden | stuck | most of it from |\n| --- | --- | ---: | ---: | ---: | --- "
		"|\n");
	for (size_t i = 0; i < r->n && i < ROWS_MOST; i++) {
		const struct net_stall_row *row = &r->row[i];
		size_t most = 0;

		str_add(out, "| ");
		markdown_add(out,
			row->per < SCOPES ? timeline_owner(p->session->data.timeline, row->per, row->owner) : "all");
		cell(out, n->kind[row->kind].name);
		number_cell(out, row->stall);
		number_cell(out, row->hidden);
		number_cell(out, row->stuck);
		for (size_t m = 0; m < r->n_modules; m++)
			most = row->from[m] > row->from[most] ? m : most;
		cell(out, row->stall > 0 ? n->module[most].name : ".");
		str_add(out, " |\n");
	}
	others(out, r->n, "rows");
}

static void
laws(const struct timeline_report *p, struct str *out)
{
	const struct network *n = network_of(p);
	const struct net_state *state = p->session->answers.timeline.look->state;

	if (!n->n_laws)
		return;
	str_add(out, "## Laws\n\n| law | left | | right | |\n| --- | ---: | --- | ---: | --- |\n");
	for (size_t i = 0; i < n->n_laws; i++) {
		double left, right;

		net_state_law(state, i, &left, &right);
		str_add(out, "| ");
		markdown_add(out, n->law[i].text);
		number_cell(out, left);
		str_add(out, n->law[i].equal ? " | =" : " | &lt;=");
		number_cell(out, right);
		str_addf(out, " | %s |\n",
			isnan(left) || isnan(right)             ? "not known"
				: net_state_law_holds(state, i) ? "holds"
								: "**broken**");
	}
	str_addc(out, '\n');
}

static void
unknown(const struct timeline_report *p, struct str *out)
{
	const struct network *n = network_of(p);
	const struct timeline_analysis *look = p->session->answers.timeline.look;
	size_t some = 0;

	str_add(out, "## What is not known\n\n");
	for (size_t i = 0; i < n->n_counters; i++)
		if (isnan(look->counter[i].value)) {
			some++;
			str_add(out, "- ");
			markdown_add(out, n->counter[i].name);
			str_add(out, ": ");
			markdown_add(out, look->counter[i].why ? look->counter[i].why : "not counted");
			str_addc(out, '\n');
		} else if (look->counter[i].unknown) {
			some++;
			str_add(out, "- ");
			markdown_add(out, n->counter[i].name);
			str_addf(out, ": not known of %zu of those who have one\n", look->counter[i].unknown);
		}
	if (!some)
		str_add(out, "All counters of the network were counted.\n");
	if (net_state_below_zero(look->state))
		str_addf(out, "- %zu values came out below zero, and are taken as 0\n",
			net_state_below_zero(look->state));
	str_addc(out, '\n');
}

/* --- the stack --------------------------------------------------------------------------------------------------- */

static void
bar_row(const struct stack *s, const struct timeline_bar *b, struct str *out)
{
	char share[NUMBER_TEXT];

	str_add(out, "| ");
	markdown_add(out, b->name);
	if (b->n > 1)
		str_addf(out, " (%zu)", b->n);
	number_cell(out, b->account->whole);
	for (size_t i = 0; i < s->n_parts; i++)
		if (s->part[i].depth == 0)
			str_addf(out, " | %s",
				isnan(b->account->amount[i].share) ? "?"
								   : number_share(share, b->account->amount[i].share));
	str_add(out, " |\n");
}

/* What must be known before a bar is believed, each sentence once. */
static void
bar_notes(const struct stack *s, const struct timeline_bars *b, struct str *out)
{
	struct str seen = {0};

	for (size_t i = 0; i < b->n && i < ROWS_MOST; i++) {
		const struct stack_bar bar = {.stack = s, .counts = b->bar[i].counts, .account = b->bar[i].account};
		char **note = stack_notes(&bar);

		for (size_t k = 0; note[k]; k++) {
			char *line = str_format("\n%s\n", note[k]);

			if (!strstr(str_text(&seen), line)) {
				str_add(&seen, line);
				str_add(out, "- ");
				markdown_add(out, b->bar[i].name);
				str_add(out, ": ");
				markdown_add(out, note[k]);
				str_addc(out, '\n');
			}
			free(line);
		}
		str_split_free(note);
	}
	if (seen.n)
		str_addc(out, '\n');
	str_free(&seen);
}

static void
bars(const struct stack *s, const struct timeline_bars *b, const char *of, struct str *out)
{
	struct str unit = {0};

	if (!b || !b->n)
		return;
	unit_text(s->whole->unit, &unit);
	str_addf(out, "### %s\n\nThe whole in %s, the parts in percent of it.\n\n| ", of, str_text(&unit));
	str_add(out, "bar");
	cell(out, s->whole_name);
	for (size_t i = 0; i < s->n_parts; i++)
		if (s->part[i].depth == 0)
			cell(out, s->part[i].name);
	str_add(out, " |\n| --- | ---:");
	for (size_t i = 0; i < s->n_parts; i++)
		str_add(out, s->part[i].depth == 0 ? " | ---:" : "");
	str_add(out, " |\n");
	for (size_t i = 0; i < b->n && i < ROWS_MOST; i++)
		bar_row(s, &b->bar[i], out);
	others(out, b->n, "bars");
	bar_notes(s, b, out);
	str_free(&unit);
}

/* Many tasks stand together by program. */
static struct timeline_bars *
few_bars(const struct state *s, size_t stack, size_t moment)
{
	struct timeline_bars *b = timeline_bars_by(s->data.timeline, stack, moment, s->view.timeline.grouped);

	if (!b || b->n <= ROWS_MOST || s->view.timeline.grouped)
		return b;
	timeline_bars_free(b);
	return timeline_bars_by(s->data.timeline, stack, moment, true);
}

/* By one method of accounting; its name is in the title where there are others. */
static void
all_bars(const struct state *s, const struct stack *by, size_t stack, bool named, struct str *out)
{
	struct timeline_bars *whole = few_bars(s, stack, TIMELINE_WHOLE),
			     *shown = timeline_snapshots(s->data.timeline)
		? few_bars(s, stack, s->view.timeline.snapshot)
		: NULL;

	str_add(out, "## Where the time goes");
	if (named) {
		str_add(out, ", by ");
		markdown_add(out, by->name);
	}
	str_add(out, "\n\n");
	if (!whole || !whole->n)
		str_add(out, "Nothing was counted that the stack is made of.\n\n");
	bars(by, whole, "The whole run", out);
	bars(by, shown, "The snapshot shown", out);
	timeline_bars_free(whole);
	timeline_bars_free(shown);
}

/* ---- */

static void
again(const struct timeline_report *p, struct str *out)
{
	static const char *const command[] = {"net", "stack", "report"};

	str_add(out, "## How to see it again\n\n");
	if (!p->n_args) {
		str_add(out,
			"The session was in no file when this was written: w, then f, in the explorer keeps it in "
			"one.\n");
		return;
	}
	for (size_t i = 0; i < sizeof command / sizeof *command; i++) {
		if ((i == 0 && !network_of(p)) || (i == 1 && network_of(p)))
			continue;
		str_addf(out, "    hecate %s", command[i]);
		for (size_t k = 0; k < p->n_args; k++) {
			str_addc(out, ' ');
			shell_add_file(out, p->args[k]);
		}
		str_addc(out, '\n');
	}
}

static void
picture(const struct timeline_report *p, enum profile_picture which, const char *title, struct str *out)
{
	report_picture(out, title, p->picture[which], p->no_picture);
}

void
timeline_report_markdown(const struct timeline_report *p, struct str *out)
{
	const struct state *s = p->session;
	size_t n;
	struct stack *const *stack = timeline_stacks(s->data.timeline, &n);

	str_add(out, "# ");
	if (network_of(p))
		markdown_add(out, network_of(p)->name);
	for (size_t i = 0; i < n && !network_of(p); i++) {
		str_add(out, i ? ", " : "");
		markdown_add(out, stack[i]->name);
	}
	str_addf(out, ": %zu snapshots\n\n", timeline_snapshots(s->data.timeline));
	watched(p, out);
	if (s->answers.timeline.look) {
		picture(p, PICTURE_PATHS, "the paths", out);
		path_map(p, out);
		queues(p, out);
		picture(p, PICTURE_QUEUES, "the queues", out);
		stalls(p, out);
	}
	for (size_t i = 0; i < n; i++)
		all_bars(s, stack[i], i, n > 1, out);
	picture(p, PICTURE_STALLS, "the stalls", out);
	if (s->answers.timeline.look) {
		laws(p, out);
		unknown(p, out);
	}
	report_notes(&s->question.remarks, out);
	again(p, out);
}
