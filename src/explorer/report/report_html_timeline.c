/* The report on a session of a network, a stack, or both, as HTML. */
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/str.h"
#include "base/xml.h"
#include "core/network/network.h"
#include "core/network/path_map.h"
#include "core/network/queues.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"
#include "explorer/report/report.h"
#include "explorer/report/report_html.h"
#include "explorer/report/report_page.h"
#include "explorer/report/report_table.h"
#include "explorer/report/report_timeline.h"
#include "explorer/state/state.h"
#include "work/timeline/run_answer.h"
#include "work/timeline/timeline.h"

/* The largest part of the largest bar of the whole run. */
static void
largest_part(const struct state *state, const struct stack *stack, size_t number, struct str *out)
{
	struct timeline_bars *bars = timeline_bars_by(state->data.timeline, number, TIMELINE_WHOLE, false);
	const struct timeline_bar *most = NULL;
	size_t part = 0;
	double share = 0;
	char text[NUMBER_TEXT];

	for (size_t i = 0; bars && i < bars->n; i++)
		if (!isnan(bars->bar[i].account->whole) &&
			(!most || bars->bar[i].account->whole > most->account->whole))
			most = &bars->bar[i];
	for (size_t i = 0; most && i < stack->n_parts; i++)
		if (stack->part[i].depth == 0 && most->account->amount[i].share > share) {
			share = most->account->amount[i].share;
			part = i;
		}
	if (share > 0) {
		str_addf(out, "%s: %s %% of %s is %s", most->name, number_share(text, share), stack->whole_name,
			stack->part[part].name);
		if (*stack->part[part].text)
			str_addf(out, " (%s)", stack->part[part].text);
	}
	timeline_bars_free(bars);
}

/* "DRd: 97.1 % at L1D; RFO: …": where most requests of each kind are served. */
static void
most_served(const struct network *network, const struct net_path_map *map, struct str *out)
{
	char text[NUMBER_TEXT];

	for (size_t k = 0; k < network->n_kinds; k++) {
		const struct net_map_row *most = NULL;
		double sum = 0;

		for (size_t i = 0; i < map->n_rows; i++)
			if (map->row[i].cell[k].state == NET_CELL_REPORTED && map->row[i].cell[k].hits > 0) {
				sum += map->row[i].cell[k].hits;
				most = most && most->cell[k].hits >= map->row[i].cell[k].hits ? most : &map->row[i];
			}
		if (most)
			str_addf(out, "%s%s: %s %% at %s", out->n ? "; " : "Of the requests that are counted, ",
				network->kind[k].name, number_share(text, most->cell[k].hits / sum), most->place);
	}
}

/* The session's answer in one sentence. */
static void
answer_words(const struct timeline_report *report, struct str *out)
{
	const struct state *state = report->session;
	const struct timeline_analysis *analysis = state->answers.timeline.analysis;
	const struct network *network = report_network_of(report);
	size_t n;
	struct stack *const *stack = timeline_stacks(state->data.timeline, &n);

	if (report->answer || state->answers.timeline.answer) {
		run_answer_sentence(report->answer ? report->answer : state->answers.timeline.answer, false, out);
	} else if (network && analysis && analysis->culprit) {
		str_addf(out, "The culprit is %s at %s", network->kind[analysis->culprit->kind].name,
			network->module[analysis->culprit->module].name);
		if (!isnan(analysis->queues->margin))
			str_addf(out, ", whose queue is %.3g times the next longest", analysis->queues->margin);
	} else if (n) {
		largest_part(state, stack[0], 0, out);
	} else if (network && analysis) {
		most_served(network, analysis->map, out);
	}
}

static void
answer(const struct timeline_report *report, struct html_page *page)
{
	struct str text = {0};

	answer_words(report, &text);
	if (text.n) {
		str_add(&page->head, "<div class=\"answer plain\">\n<p class=\"verdict\">");
		xml_add(&page->head, str_text(&text));
		str_add(&page->head, "</p>\n</div>\n");
	}
	str_free(&text);
}

static void
add_timeline_section(struct html_page *page, const struct timeline_report *report,
	void (*write)(const struct timeline_report *, struct str *))
{
	struct str text = {0};

	write(report, &text);
	html_markdown(page, str_text(&text));
	str_free(&text);
}

static void
network_sections(const struct timeline_report *report, const struct report_drawings *drawings, struct html_page *page)
{
	add_timeline_section(page, report, report_path_map);
	report_add_drawing(page, drawings, DRAWING_PATHS, "The paths: view 5 of the explorer.");
	add_timeline_section(page, report, report_queues);
	report_add_drawing(page, drawings, DRAWING_QUEUES, "The queues: view 7 of the explorer.");
	add_timeline_section(page, report, report_stalls);
	add_timeline_section(page, report, report_advice);
}

static void
stack_sections(const struct state *state, struct stack *const *stack, size_t n, struct html_page *page)
{
	for (size_t i = 0; i < n; i++) {
		struct str text = {0};

		report_bars(state, stack[i], i, n > 1, &text);
		html_markdown(page, str_text(&text));
		str_free(&text);
	}
}

static void
repeat(const struct timeline_report *report, size_t n_stacks, struct html_page *page)
{
	const struct question *question = &report->session->question;
	char *text = str_format("Made by %s.", report->program);

	add_timeline_section(page, report, report_see_again);
	html_paragraph(page, text);
	free(text);
	if (question->network_text.text)
		report_add_source(page, question->network_text.path, question->network_text.text);
	for (size_t i = 0; i < n_stacks; i++)
		if (question->stack_text[i].text)
			report_add_source(page, question->stack_text[i].path, question->stack_text[i].text);
}

void
timeline_report_html(const struct timeline_report *report, const struct report_drawings *drawings, struct str *out)
{
	const struct state *state = report->session;
	struct html_page page = {0};
	struct str title = {0}, notes = {0};
	size_t n, snapshots = timeline_snapshots(state->data.timeline);
	struct stack *const *stack = timeline_stacks(state->data.timeline, &n);

	if (report_network_of(report))
		str_add(&title, report_network_of(report)->name);
	for (size_t i = 0; i < n && !report_network_of(report); i++)
		str_addf(&title, "%s%s", i ? ", " : "", stack[i]->name);
	str_addf(&page.head, "<p class=\"kind\">%s</p>\n<h1>", report_network_of(report)
		? "A network of modules that requests flow through" : "Where the time goes");
	xml_add(&page.head, str_text(&title));
	if (snapshots)
		str_addf(&page.head, ": %zu snapshot%s", snapshots, plural_s(snapshots));
	str_add(&page.head, "</h1>\n");
	answer(report, &page);
	if (state->answers.timeline.analysis)
		network_sections(report, drawings, &page);
	stack_sections(state, stack, n, &page);
	report_add_drawing(&page, drawings, DRAWING_STALLS,
		n ? "The bars: view 6 of the explorer." : "The stalls: view 6 of the explorer.");
	if (state->answers.timeline.analysis) {
		add_timeline_section(&page, report, report_laws);
		add_timeline_section(&page, report, report_unknown);
	}
	report_curves(state, drawings, &page);
	report_notes(&state->question.remarks, &notes);
	html_markdown(&page, str_text(&notes));
	add_timeline_section(&page, report, report_watched);
	repeat(report, n, &page);
	html_end(&page, str_text(&title), report->program, str_text(&drawings->colors), out);
	str_free(&title);
	str_free(&notes);
}
