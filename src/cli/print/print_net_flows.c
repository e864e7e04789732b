#include "cli/print/print_net_flows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/shell.h"
#include "base/str.h"
#include "cli/counting.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_net.h"
#include "cli/print/print_net_page.h"
#include "cli/print/text_table.h"
#include "core/network/flow_layout.h"
#include "core/network/flow_map.h"
#include "core/network/flow_order.h"
#include "core/network/path_map.h"
#include "core/network/state.h"
#include "core/obs/obs.h"
#include "work/run/flow_recorder.h"
#include "work/run/run.h"
#include "work/timeline/column_owners.h"
#include "work/timeline/flow_sum.h"
#include "work/timeline/network_data.h"

/* --- where requests were served on the way ----------------------------------------------------------------------- */

/* True when a counter counts the requests that end at this module: then it has flows of its own. */
static bool
has_own_flows(const struct flows *f, const struct flow_places *p, size_t module)
{
	const struct flow_spec *s = flows_spec(f);

	for (size_t i = 0; i < s->n_counters; i++)
		if (s->counter[i].destination != FLOW_NOWHERE && p->destination[s->counter[i].destination] == module)
			return true;
	return false;
}

typedef void visit_place(void *to, const struct net_path_map *, size_t row, size_t kind);

/* Calls `visit` for each place that served requests of the task on this core. */
static void
each_place(const struct flows *f, const struct flow_places *p, const struct flow *flow, visit_place *visit, void *to)
{
	struct net_path_map *m = p ? flow_task_map(f, flow, p->counter, p->others, p->state) : NULL;

	for (size_t r = 0; m && r < m->n_rows; r++)
		for (size_t k = 0; k < m->n_kinds && !has_own_flows(f, p, m->row[r].module); k++)
			if (m->row[r].cell[k].state == NET_CELL_REPORTED && !m->row[r].cell[k].unknown &&
				m->row[r].cell[k].hits > 0)
				visit(to, m, r, k);
	net_path_map_free(m);
}

struct place_text {
	struct str *out;
	size_t n;
	bool ascii;
};

static void
print_net_flows_add_place(void *to, const struct net_path_map *m, size_t row, size_t kind)
{
	struct place_text *t = to;
	char number[NUMBER_TEXT];

	str_add(t->out, t->n++ ? "; " : "    served on the way: ");
	print_visible(t->out, m->row[row].place);
	str_addf(t->out, " %s", number_count(number, m->row[row].cell[kind].hits, t->ascii));
}

static void
write_place(void *to, const struct net_path_map *m, size_t row, size_t kind)
{
	struct json_writer *w = to;

	json_open(w, NULL, '{');
	json_str(w, "module", m->net->module[m->row[row].module].name);
	json_str(w, "place", m->row[row].place);
	json_str(w, "kind", m->net->kind[kind].name);
	json_num(w, "hits", m->row[row].cell[kind].hits);
	json_close(w, '}');
}

static void
print_net_flows_add_row(const struct flows *flows, const struct flow_names *names, const struct flow_line *line,
	bool ascii, struct text_table *table)
{
	const struct flow *flow = line->flow;
	bool nowhere = flow->destination == FLOW_NOWHERE;
	double share = flows_share(flows, flow);
	char number[NUMBER_TEXT];

	text_table_row(table, "%s", names->task(names->ctx, flow->task));
	text_table_add(table, names->core[flow->core]);
	text_table_add(table, nowhere ? "" : names->destination[flow->destination]);
	text_table_add(table, nowhere ? number_seconds(number, (double)line->ran_ns * 1e-9, ascii) : "");
	text_table_add(table, nowhere ? "" : line->known ? number_count(number, (double)line->requests, ascii) : "?");
	text_table_add(table, nowhere ? "" : isnan(share) ? "?" : number_share(number, share));
	text_table_addf(table, "%llu", (unsigned long long)flow->snapshots);
	text_table_add(table, flow->ended ? "ended" : flow_is_over(flow) ? "left" : "");
}

static const char *const apart[FLOW_SPECIALS] = {
	[FLOW_UNFOLLOWED] = "no task that is followed",
	[FLOW_MIXED] = "several tasks between two reads",
	[FLOW_OTHERS] = "flows beyond the largest number that is kept separately",
};

static void
add_apart(const struct flows *flows, bool ascii, struct str *out)
{
	char number[NUMBER_TEXT];

	for (size_t i = 0; i < FLOW_SPECIALS; i++) {
		const struct flow *k = flows_at(flows, i);
		bool known;
		uint64_t requests = flow_requests(flows, k, &known);

		if (!k->snapshots && !k->ran_ns)
			continue;
		str_addf(out, "  of %s: ", apart[i]);
		str_addf(out, "%s%s request%s", known ? "" : "at least ", number_count(number, (double)requests, ascii),
			plural_s(requests));
		if (k->ran_ns)
			str_addf(out, ", %s", number_seconds(number, (double)k->ran_ns * 1e-9, ascii));
		if (i == FLOW_OTHERS)
			str_addf(out, "; %llu flows", (unsigned long long)flows_trouble(flows)->folded);
		str_addc(out, '\n');
	}
	if (flows_trouble(flows)->backwards)
		str_addf(out, "  a counter went backwards %llu times; these increments are unknown\n",
			(unsigned long long)flows_trouble(flows)->backwards);
}

void
print_net_flows(const struct flows *flows, const struct flow_names *names, size_t most, bool ascii, struct str *out)
{
	static const struct text_column column[] = {{.title = "task", .gap = 2, .width = 20},
		{.title = "core", .gap = 1, .width = 10}, {.title = "destination", .gap = 1, .width = 14},
		{.title = "ran", .right = true, .gap = 1, .width = 10},
		{.title = "requests", .right = true, .gap = 1, .width = 10},
		{.title = "%", .right = true, .gap = 1, .width = 7},
		{.title = "snapshots", .right = true, .gap = 1, .width = 9}, {0}};
	struct text_table *table = text_table_new(column, sizeof column / sizeof *column, ascii);
	size_t n;
	struct flow_line *row = flow_lines(flows, &n);

	for (size_t i = 0; i < n && i < most; i++) {
		struct place_text text = {.ascii = ascii};

		print_net_flows_add_row(flows, names, &row[i], ascii, table);
		text.out = text_table_below(table);
		if (row[i].flow->destination == FLOW_NOWHERE)
			each_place(flows, names->places, row[i].flow, print_net_flows_add_place, &text);
		if (text.n)
			str_addc(text.out, '\n');
	}
	if (n) {
		str_add(out, "\nflows: the events of each task on a core, and the destinations of its requests\n");
		text_table_end(table, out);
		if (most < n)
			str_addf(out, "  %zu more (-v)\n", n - most);
		add_apart(flows, ascii, out);
	} else {
		text_table_free(table);
	}
	free(row);
}

static void
print_net_flows_write_flow(const struct flows *flows, const struct flow_names *names, const struct flow_line *line,
	struct json_writer *writer)
{
	const struct flow *flow = line->flow;

	json_open(writer, NULL, '{');
	json_str(writer, "task", names->task(names->ctx, flow->task));
	json_str(writer, "core", names->core[flow->core]);
	json_str(writer, "destination",
		flow->destination == FLOW_NOWHERE ? NULL : names->destination[flow->destination]);
	json_num(writer, "ran", flow->destination == FLOW_NOWHERE ? (double)line->ran_ns * 1e-9 : NAN);
	json_num(writer, "requests", line->known && flow->destination != FLOW_NOWHERE ? (double)line->requests : NAN);
	json_num(writer, "share", flows_share(flows, flow));
	json_int(writer, "snapshots", (int64_t)flow->snapshots);
	json_bool(writer, "ended", flow->ended);
	json_open(writer, "served", '[');
	if (flow->destination == FLOW_NOWHERE)
		each_place(flows, names->places, flow, write_place, writer);
	json_close(writer, ']');
	json_close(writer, '}');
}

void
print_net_flows_json(const struct flows *flows, const struct flow_names *names, struct json_writer *writer)
{
	static const char *const key[FLOW_SPECIALS] = {
		[FLOW_UNFOLLOWED] = "unfollowed", [FLOW_MIXED] = "mixed", [FLOW_OTHERS] = "others"
	};
	size_t n;
	struct flow_line *row = flow_lines(flows, &n);

	json_open(writer, "flows", '[');
	for (size_t i = 0; i < n; i++)
		print_net_flows_write_flow(flows, names, &row[i], writer);
	json_close(writer, ']');
	json_open(writer, "flows_apart", '{');
	for (size_t i = 0; i < FLOW_SPECIALS; i++) {
		bool known;
		double requests = (double)flow_requests(flows, flows_at(flows, i), &known);

		json_num(writer, key[i], known ? requests : NAN);
	}
	json_int(writer, "folded", (int64_t)flows_trouble(flows)->folded);
	json_int(writer, "backwards", (int64_t)flows_trouble(flows)->backwards);
	json_close(writer, '}');
	free(row);
}

#define ROWS_USUAL 24

/* What a report needs in addition to the flows. */
struct flow_page {
	const struct flows *flows;
	struct flow_names names;
	struct flow_places places;
	double *others;
	struct flow_sum *sum; /* sum of recorded flows; NULL: flows of a run */
};

static void
flow_page_end(struct flow_page *p)
{
	net_state_free(p->places.state);
	free(p->others);
	flow_sum_free(p->sum);
}

void
print_net_flow_page_free(struct flow_page *p)
{
	if (!p)
		return;
	flow_page_end(p);
	free(p);
}

/* The machine's snapshot for the time of the flows. Counters that tasks have but flows do not are unknown in it. */
static double *
counts_of_others(const struct net_report *report, const struct obs_table *counted, const char *pattern)
{
	double *others = mem_new_array(report->net->n_counters, sizeof *others);
	struct network_data *all = network_data_new(report->net, counted, pattern, false);
	struct net_state *state = net_state_new(report->net, &all->owners->shape);

	if (all->n)
		network_data_take(all, all->n - 1, state);
	for (size_t i = 0; i < report->net->n_counters; i++)
		others[i] = all->n && report->net->counter[i].scope != SCOPE_TASK &&
				!scope_within(report->net->counter[i].scope, SCOPE_CORE)
			? all->counter[i].value
			: NAN;
	net_state_free(state);
	network_data_free(all);
	return others;
}

static void
flow_page_begin(
	struct flow_page *page, const struct net_report *report, const size_t *counter, const size_t *destination)
{
	static const size_t first[1];
	static const struct net_shape one = {.n = {1, 1, 1, 1, 1, 1, 1, 1},
		.part_of = {
			[SCOPE_THREAD] = first, [SCOPE_CORE] = first, [SCOPE_SLICE] = first, [SCOPE_CHANNEL] = first}};

	page->places = (struct flow_places){.counter = counter,
		.others = page->others,
		.state = net_state_new(report->net, &one),
		.destination = destination};
	page->names.places = &page->places;
}

/* The name as a pattern for fnmatch(3) that matches only this name. */
static char *
pattern_of(const char *name)
{
	struct str out = {0};

	for (; *name; name++)
		str_addf(&out, "%s%c", strchr("*?[\\", *name) ? "\\" : "", *name);
	return str_take(&out);
}

/* False where the run has no flows. */
static bool
flow_page_of_run(struct flow_page *page, const struct net_report *report, const struct counting *counting)
{
	const struct obs *whole = run_facts(counting->run.counts).whole;
	char *pattern;
	struct flow_recorded f = {0};

	*page = (struct flow_page){0};
	if (report->flows)
		f = flow_recorder_recorded(report->flows);
	if (!f.flows)
		return false;
	pattern = whole ? pattern_of(whole->name) : NULL;
	*page = (struct flow_page){
		.flows = f.flows,
		.others = counts_of_others(report, counting_table(counting), pattern),
		.names = {.task = flow_recorder_task,
			.ctx = report->flows,
			.core = f.core,
			.destination = f.destination},
	};
	free(pattern);
	flow_page_begin(page, report, f.layout->number, f.layout->destination);
	return true;
}

/* The flows after the last wanted observation of the network. */
static struct flow_sum *
last_flows(const struct net_report *r, const struct obs_table *t)
{
	struct network_data *all = network_data_new(r->net, t, r->options->observations, false);
	struct flow_part part = {.table = t};

	if (all->n)
		part = flow_sum_part(t, network_data_source(all, all->n - 1));
	network_data_free(all);
	return flow_sum_new(r->net, &part, 1, -INFINITY, INFINITY);
}

struct flow_page *
print_net_recorded_flows(
	const struct net_report *report, const struct obs_table *table, const char *path, struct err *e)
{
	struct flow_sum *sum = last_flows(report, table);
	struct flow_page *page;

	if (!sum) {
		err_set(e, "%s has no flows with the observation that was counted last", path);
		shell_hint(e, "hecate record --flows -m %s -o FILE -- COMMAND records them", report->net->name);
		return NULL;
	}
	if (flow_sum_foreign(sum) && !report->options->quiet)
		log_line(NULL,
			"%s: left out %zu observations of flows, because this network does not have their modules",
			path, flow_sum_foreign(sum));
	page = mem_new(sizeof *page);
	*page = (struct flow_page){
		.flows = flow_sum_flows(sum),
		.others = counts_of_others(report, table, report->options->observations),
		.sum = sum,
		.names = {.task = flow_sum_task,
			.ctx = sum,
			.core = flow_sum_cores(sum),
			.destination = flow_sum_destination_names(sum)},
	};
	flow_page_begin(page, report, flow_sum_counters(sum), flow_sum_destinations(sum));
	return page;
}

static void
say_trouble(const struct net_report *r)
{
	struct str text = {0};

	flow_recorder_explain(r->flows, &text);
	print_remarks(r->options, &text);
	str_free(&text);
}

void
print_net_flow_run(const struct net_report *report, const struct counting *counting, struct str *out)
{
	size_t most = report->options->verbose ? SIZE_MAX : ROWS_USUAL;
	struct flow_page p;

	if (flow_page_of_run(&p, report, counting)) {
		print_net_flows(p.flows, &p.names, most, report->options->ascii, out);
		say_trouble(report);
		flow_page_end(&p);
	} else if (report->recorded_flows) {
		print_net_flows(report->recorded_flows->flows, &report->recorded_flows->names, most,
			report->options->ascii, out);
	}
}

void
print_net_flow_run_json(const struct net_report *r, const struct counting *c)
{
	struct flow_page p;

	if (flow_page_of_run(&p, r, c)) {
		print_net_flows_json(p.flows, &p.names, r->json);
		say_trouble(r);
		flow_page_end(&p);
	} else if (r->recorded_flows) {
		print_net_flows_json(r->recorded_flows->flows, &r->recorded_flows->names, r->json);
	}
}
