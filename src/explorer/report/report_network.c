/* The part of a report that is about a network of modules: the path map, queues and culprit, stalls, laws. */
#include "explorer/report/report_table.h"

#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/network/path_map.h"
#include "core/network/queues.h"
#include "core/network/stall_rows.h"
#include "core/network/state.h"
#include "explorer/report/report.h"
#include "explorer/report/report_timeline.h"
#include "explorer/state/state.h"
#include "explorer/state/state_paths.h"
#include "explorer/state/state_queues.h"
#include "work/timeline/run_advice.h"
#include "work/timeline/timeline.h"
#include "work/timeline/timeline_names.h"

const struct network *
report_network_of(const struct timeline_report *p)
{
	return timeline_network(p->session->data.timeline);
}

static void
map_cell(const struct net_map_row *row, const struct network *network, size_t kind, struct str *out)
{
	const struct net_map_cell *cell = &row->cell[kind];

	switch (cell->state) {
	case NET_CELL_ABSENT:
		str_add(out, " | .");
		break;
	case NET_CELL_REPORTED:
		report_number_cell(out, cell->unknown && !(cell->hits > 0) ? NAN : cell->hits);
		if (cell->unknown && cell->hits > 0)
			str_add(out, " or more");
		break;
	case NET_CELL_UNREPORTED:
		str_add(out, " | untold");
		break;
	case NET_CELL_WITH:
		str_add(out, " | with ");
		report_add_text(out, network->kind[cell->with].name);
		break;
	}
}

void
report_path_map(const struct timeline_report *report, struct str *out)
{
	const struct network *network = report_network_of(report);
	const struct net_path_map *map = report->session->answers.timeline.analysis->map;

	str_add(out, "## The path map\n\nHow many requests of each kind were served where. A dot: never; `?`: not "
		"counted; untold: this machine does not report it.\n\n| place");
	for (size_t k = 0; k < network->n_kinds; k++)
		report_cell(out, network->kind[k].name);
	str_add(out, " |\n| ---");
	for (size_t k = 0; k < network->n_kinds; k++)
		str_add(out, " | ---:");
	str_add(out, " |\n");
	for (size_t i = 0; i < map->n_rows; i++) {
		str_add(out, "| ");
		report_add_text(out, map->row[i].place);
		for (size_t k = 0; k < network->n_kinds; k++)
			map_cell(&map->row[i], network, k, out);
		str_add(out, " |\n");
	}
	str_addc(out, '\n');
}

static void
culprit(const struct timeline_report *report, struct str *out)
{
	const struct network *network = report_network_of(report);
	const struct timeline_analysis *analysis = report->session->answers.timeline.analysis;
	size_t some;
	struct queue_culprit *queue_culprit = state_queue_culprits(report->session, &some);

	if (analysis->culprit) {
		str_add(out, "**The culprit** is ");
		report_add_text(out, network->kind[analysis->culprit->kind].name);
		str_add(out, " at ");
		report_add_text(out, network->module[analysis->culprit->module].name);
		if (!isnan(analysis->queues->margin))
			str_addf(out, ", %.3g times the next longest queue", analysis->queues->margin);
		str_add(out, ".\n");
	} else {
		str_add(out, "No queue is long enough to name a culprit, or no length is known.\n");
	}
	for (size_t i = 0; i < some && i < REPORT_ROWS_MOST; i++) {
		str_add(out, i ? ", " : "In the snapshots until then the longest queue was: ");
		report_add_text(out, network->kind[queue_culprit[i].kind].name);
		str_add(out, " at ");
		report_add_text(out, network->module[queue_culprit[i].module].name);
		str_addf(out, " %zu times", queue_culprit[i].snapshots);
	}
	str_add(out, some ? ".\n\n" : "\n");
	free(queue_culprit);
}

void
report_queues(const struct timeline_report *report, struct str *out)
{
	static const char *const column[] = {"kind", "length, requests"};
	const struct network *network = report_network_of(report);
	const struct net_queues *queues = report->session->answers.timeline.analysis->queues;

	str_add(out, "## The queues\n\n");
	culprit(report, out);
	if (queues->known)
		report_head(out, "component", column, 2);
	for (size_t i = 0; i < queues->known && i < REPORT_ROWS_MOST; i++) {
		const struct net_module *m = &network->module[queues->queue[i].module];
		char *owner = state_paths_owner(report->session, m->per, queues->queue[i].owner);

		str_add(out, "| ");
		report_add_text(out, m->name);
		if (*owner) {
			str_add(out, ", ");
			report_add_text(out, owner);
		}
		report_cell(out, network->kind[queues->queue[i].kind].name);
		str_addf(out, " | %.3g |\n", queues->queue[i].length);
		free(owner);
	}
	report_others(out, queues->known, "queues");
	if (queues->n > queues->known)
		str_addf(out, "The length of %zu queues is not known.\n\n", queues->n - queues->known);
}

void
report_stalls(const struct timeline_report *report, struct str *out)
{
	const struct network *network = report_network_of(report);
	const struct net_stall_rows *rows = report->session->answers.timeline.rows;

	if (!rows || !(rows->own > 0))
		return;
	str_addf(out,
		"## Stalls by who waits\n\nWhere each stall arose, in %s. Hidden: more than "
		"its owner was seen to stall; stuck: the load of those who could take it is unknown.\n\n"
		"| who | kind | stall | hidden | stuck | most of it from |\n"
		"| --- | --- | ---: | ---: | ---: | --- |\n",
		rows->in_ns ? "ns, because the modules' clocks differ" : "the unit of its counter");
	for (size_t i = 0; i < rows->n && i < REPORT_ROWS_MOST; i++) {
		const struct net_stall_row *row = &rows->row[i];
		size_t most = 0;

		str_add(out, "| ");
		report_add_text(out,
			row->per < SCOPES ? timeline_owner(report->session->data.timeline, row->per, row->owner)
					  : "all");
		report_cell(out, network->kind[row->kind].name);
		report_number_cell(out, row->stall);
		report_number_cell(out, row->hidden);
		report_number_cell(out, row->stuck);
		for (size_t m = 0; m < rows->n_modules; m++)
			most = row->from[m] > row->from[most] ? m : most;
		report_cell(out, row->stall > 0 ? network->module[most].name : ".");
		str_add(out, " |\n");
	}
	report_others(out, rows->n, "rows");
}

void
report_advice(const struct timeline_report *report, struct str *out)
{
	const struct run_advices *advices = report->session->answers.timeline.advices;

	if (!advices || (!advices->n && !advices->disk))
		return;
	str_add(out, "## What to try\n\n");
	for (size_t i = 0; i < advices->n; i++) {
		str_add(out, "- ");
		report_add_text(out, advices->list[i].evidence);
		str_add(out, ": **");
		report_add_text(out, advices->list[i].change);
		str_add(out, "**\n");
	}
	str_add(out, advices->n ? "\n" : "");
	if (advices->disk) {
		report_add_text(out, advices->disk);
		str_add(out, "\n\n");
	}
}

void
report_laws(const struct timeline_report *report, struct str *out)
{
	const struct network *network = report_network_of(report);
	const struct net_state *state = report->session->answers.timeline.analysis->state;

	if (!network->n_laws)
		return;
	str_add(out, "## Laws\n\n| law | left | | right | |\n| --- | ---: | --- | ---: | --- |\n");
	for (size_t i = 0; i < network->n_laws; i++) {
		double left, right;

		net_state_law(state, i, &left, &right);
		str_add(out, "| ");
		report_add_text(out, network->law[i].text);
		report_number_cell(out, left);
		str_add(out, network->law[i].equal ? " | =" : " | &lt;=");
		report_number_cell(out, right);
		str_addf(out, " | %s |\n",
			isnan(left) || isnan(right)             ? "not known"
				: net_state_law_holds(state, i) ? "holds"
								: "**broken**");
	}
	str_addc(out, '\n');
}

void
report_unknown(const struct timeline_report *report, struct str *out)
{
	const struct network *network = report_network_of(report);
	const struct timeline_analysis *analysis = report->session->answers.timeline.analysis;
	size_t some = 0;

	str_add(out, "## What is not known\n\n");
	for (size_t i = 0; i < network->n_counters; i++)
		if (isnan(analysis->counter[i].value)) {
			some++;
			str_add(out, "- ");
			report_add_text(out, network->counter[i].name);
			str_add(out, ": ");
			report_add_text(out, analysis->counter[i].why ? analysis->counter[i].why : "not counted");
			str_addc(out, '\n');
		} else if (analysis->counter[i].unknown) {
			some++;
			str_add(out, "- ");
			report_add_text(out, network->counter[i].name);
			str_addf(out, ": unknown for %zu of its owners\n", analysis->counter[i].unknown);
		}
	if (!some)
		str_add(out, "All counters of the network were counted.\n");
	if (net_state_below_zero(analysis->state))
		str_addf(out, "- %zu values came out below zero and count as 0\n",
			net_state_below_zero(analysis->state));
	str_addc(out, '\n');
}
