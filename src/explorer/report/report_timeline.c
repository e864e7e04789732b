#include "explorer/report/report_timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/shell.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/network/path_map.h"
#include "core/network/queues.h"
#include "core/network/stall_rows.h"
#include "core/network/state.h"
#include "core/obs/obs.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"
#include "explorer/report/report.h"
#include "explorer/report/report_table.h"
#include "explorer/state/state.h"
#include "explorer/state/state_paths.h"
#include "explorer/state/state_queues.h"
#include "text/aexpr.h"
#include "work/run/run.h"
#include "work/timeline/stack_count.h"
#include "work/timeline/stack_notes.h"
#include "work/timeline/timeline.h"
#include "work/timeline/timeline_names.h"

void
report_cell(struct str *out, const char *text)
{
	str_add(out, " | ");
	report_add_text(out, text);
}

void
report_number_cell(struct str *out, double v)
{
	char number[NUMBER_TEXT];

	str_addf(out, " | %s", isnan(v) ? "?" : number_count(number, v, true));
}

void
report_others(struct str *out, size_t n, const char *what)
{
	if (n > REPORT_ROWS_MOST)
		str_addf(out, "\nand %zu more %s.\n", n - REPORT_ROWS_MOST, what);
	str_addc(out, '\n');
}

void
report_head(struct str *out, const char *first, const char *const *column, size_t n)
{
	str_addf(out, "| %s", first);
	for (size_t i = 0; i < n; i++)
		report_cell(out, column[i]);
	str_add(out, " |\n| ---");
	for (size_t i = 0; i < n; i++)
		str_add(out, " | ---:");
	str_add(out, " |\n");
}

/* --- what was watched -------------------------------------------------------------------------------------------- */

static void
add_source(struct str *out, size_t *n, const struct obs_table *table)
{
	for (size_t i = 0; i < table->n; i++) {
		bool first = true;

		for (size_t k = 0; k < i && first; k++)
			first = !str_eq(table->obs[k]->source, table->obs[i]->source);
		if (!first || !*table->obs[i]->source)
			continue;
		if (*n < REPORT_ROWS_MOST) {
			str_add(out, *n ? ", " : "");
			report_add_text(out, table->obs[i]->source);
		} else if (*n == REPORT_ROWS_MOST) {
			str_add(out, ", and others");
		}
		++*n;
	}
}

static void
sources(const struct state *s, struct str *out)
{
	size_t n = 0;

	str_add(out, "| source of the data | ");
	for (size_t i = 0; i < s->data.n_tables; i++)
		add_source(out, &n, s->data.table[i]);
	for (size_t i = 0; i < s->data.n_runs; i++)
		if (s->data.run[i]->ops->shown)
			add_source(out, &n, run_table(s->data.run[i]));
	str_add(out, " |\n");
}

static void
snapshot_field(const struct timeline_report *p, const char *name, size_t snapshot, struct str *out)
{
	struct str key = {0}, words = {0};

	timeline_snapshot_key(p->session->data.timeline, snapshot, &key);
	timeline_snapshot_words(str_text(&key), &words);
	report_field(out, name, str_text(&words));
	str_free(&key);
	str_free(&words);
}

void
report_watched(const struct timeline_report *report, struct str *out)
{
	const struct state *state = report->session;
	size_t n = timeline_snapshots(state->data.timeline), n_stacks;
	struct stack *const *stack = timeline_stacks(state->data.timeline, &n_stacks);

	str_add(out, "## What was watched\n\n| | |\n| --- | --- |\n");
	if (report_network_of(report)) {
		report_field(out, "network", report_network_of(report)->name);
		report_field(out, "description", report_network_of(report)->text);
		report_field(out, "file of the network",
			state->question.network_text.path ? state->question.network_text.path : "");
	}
	for (size_t i = 0; i < n_stacks; i++) {
		report_field(out, "stack", stack[i]->name);
		report_field(out, "description", stack[i]->text);
		report_field(out, "file of the stack",
			state->question.stack_text[i].path ? state->question.stack_text[i].path : "");
	}
	if (state->question.subject.argv) {
		struct str line = {0};

		for (size_t i = 0; state->question.subject.argv[i]; i++)
			str_addf(&line, "%s%s", i ? " " : "", state->question.subject.argv[i]);
		report_field(out, "command", str_text(&line));
		str_free(&line);
	}
	sources(state, out);
	str_addf(out, "| snapshots | %zu |\n", n);
	if (n)
		snapshot_field(report, "shown here", state->view.timeline.snapshot, out);
	if (state->view.timeline.compared < n)
		snapshot_field(report, "compared with", state->view.timeline.compared, out);
	report_add_machines(state->data.table, state->data.n_tables, out);
	if (report->machine && *report->machine)
		report_field(out, "written on", report->machine);
	if (report->when)
		report_field(out, "written at", report->when);
	report_field(out, "by", report->program);
	str_addc(out, '\n');
}

/* --- the stack --------------------------------------------------------------------------------------------------- */

static void
bar_row(const struct stack *stack, const struct timeline_bar *bar, struct str *out)
{
	char share[NUMBER_TEXT];

	str_add(out, "| ");
	report_add_text(out, bar->name);
	if (bar->n > 1)
		str_addf(out, " (%zu)", bar->n);
	report_number_cell(out, bar->account->whole);
	for (size_t i = 0; i < stack->n_parts; i++)
		if (stack->part[i].depth == 0)
			str_addf(out, " | %s",
				isnan(bar->account->amount[i].share) ? "?"
					: number_share(share, bar->account->amount[i].share));
	str_add(out, " |\n");
}

/* Writes what a reader must know before trusting a bar, each sentence once. */
static void
bar_notes(const struct stack *stack, const struct timeline_bars *bars, struct str *out)
{
	struct str seen = {0};

	for (size_t i = 0; i < bars->n && i < REPORT_ROWS_MOST; i++) {
		const struct stack_bar bar = {
			.stack = stack, .counts = bars->bar[i].counts, .account = bars->bar[i].account};
		char **note = stack_notes(&bar);

		for (size_t k = 0; note[k]; k++) {
			char *line = str_format("\n%s\n", note[k]);

			if (!strstr(str_text(&seen), line)) {
				str_add(&seen, line);
				str_add(out, "- ");
				report_add_text(out, bars->bar[i].name);
				str_add(out, ": ");
				report_add_text(out, note[k]);
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
bars(const struct stack *stack, const struct timeline_bars *timeline_bars, const char *of, struct str *out)
{
	struct str unit = {0};

	if (!timeline_bars || !timeline_bars->n)
		return;
	unit_text(stack->whole->unit, &unit);
	str_addf(out, "### %s\n\nThe whole in %s, its parts in percent.\n\n| ", of, str_text(&unit));
	str_add(out, "bar");
	report_cell(out, stack->whole_name);
	for (size_t i = 0; i < stack->n_parts; i++)
		if (stack->part[i].depth == 0)
			report_cell(out, stack->part[i].name);
	str_add(out, " |\n| --- | ---:");
	for (size_t i = 0; i < stack->n_parts; i++)
		str_add(out, stack->part[i].depth == 0 ? " | ---:" : "");
	str_add(out, " |\n");
	for (size_t i = 0; i < timeline_bars->n && i < REPORT_ROWS_MOST; i++)
		bar_row(stack, &timeline_bars->bar[i], out);
	report_others(out, timeline_bars->n, "bars");
	bar_notes(stack, timeline_bars, out);
	str_free(&unit);
}

/* Returns the bars of a snapshot. Many tasks are grouped by program. */
static struct timeline_bars *
few_bars(const struct state *s, size_t stack, size_t snapshot)
{
	struct timeline_bars *b = timeline_bars_by(s->data.timeline, stack, snapshot, s->view.timeline.grouped);

	if (!b || b->n <= REPORT_ROWS_MOST || s->view.timeline.grouped)
		return b;
	timeline_bars_free(b);
	return timeline_bars_by(s->data.timeline, stack, snapshot, true);
}

void
report_bars(const struct state *state, const struct stack *by, size_t stack, bool named, struct str *out)
{
	struct timeline_bars *whole = few_bars(state, stack, TIMELINE_WHOLE),
			     *shown = timeline_snapshots(state->data.timeline)
		? few_bars(state, stack, state->view.timeline.snapshot)
		: NULL;

	str_add(out, "## Where the time goes");
	if (named) {
		str_add(out, ", by ");
		report_add_text(out, by->name);
	}
	str_add(out, "\n\n");
	if (!whole || !whole->n)
		str_add(out, "No event of the stack was counted.\n\n");
	bars(by, whole, "The whole run", out);
	bars(by, shown, "The snapshot shown", out);
	timeline_bars_free(whole);
	timeline_bars_free(shown);
}

/* ---- */

void
report_see_again(const struct timeline_report *report, struct str *out)
{
	static const char *const command[] = {"net", "stack", "report"};

	str_add(out, "## How to see it again\n\n");
	if (!report->n_args) {
		str_add(out, "The session was in no file when this was written: w, then f, in the explorer keeps "
			"it in one.\n");
		return;
	}
	for (size_t i = 0; i < sizeof command / sizeof *command; i++) {
		if ((i == 0 && !report_network_of(report)) || (i == 1 && report_network_of(report)))
			continue;
		str_addf(out, "    hecate %s", command[i]);
		for (size_t k = 0; k < report->n_args; k++) {
			str_addc(out, ' ');
			shell_add_file(out, report->args[k]);
		}
		str_addc(out, '\n');
	}
}

static void
picture(const struct timeline_report *p, enum report_picture_kind which, const char *title, struct str *out)
{
	report_picture(out, title, p->picture[which], p->no_picture);
}

void
timeline_report_markdown(const struct timeline_report *report, struct str *out)
{
	const struct state *state = report->session;
	size_t n;
	struct stack *const *stack = timeline_stacks(state->data.timeline, &n);

	str_add(out, "# ");
	if (report_network_of(report))
		report_add_text(out, report_network_of(report)->name);
	for (size_t i = 0; i < n && !report_network_of(report); i++) {
		str_add(out, i ? ", " : "");
		report_add_text(out, stack[i]->name);
	}
	str_addf(out, ": %zu snapshots\n\n", timeline_snapshots(state->data.timeline));
	report_watched(report, out);
	if (state->answers.timeline.analysis) {
		picture(report, PICTURE_PATHS, "the paths", out);
		report_path_map(report, out);
		report_queues(report, out);
		picture(report, PICTURE_QUEUES, "the queues", out);
		report_stalls(report, out);
		report_advice(report, out);
	}
	for (size_t i = 0; i < n; i++)
		report_bars(state, stack[i], i, n > 1, out);
	picture(report, PICTURE_STALLS, "the stalls", out);
	if (state->answers.timeline.analysis) {
		report_laws(report, out);
		report_unknown(report, out);
	}
	report_notes(&state->question.remarks, out);
	report_see_again(report, out);
}
