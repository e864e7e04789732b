#include "cli/report_net_flows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/flow_run.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/report_net.h"
#include "cli/report_net_page.h"
#include "core/network/flow.h"

/* Flows of one task on one core stand together. */
struct row {
	const struct flow *flow;
	uint64_t ran_ns; /* of the task on the core */
	uint64_t requests;
};

static uint64_t
requests_of(const struct flows *f, const struct flow *k, bool *known)
{
	const struct flow_spec *s = flows_spec(f);
	uint64_t sum = 0;

	*known = true;
	for (size_t i = 0; i < s->n_counters; i++)
		if (s->counter[i].weighs && s->counter[i].destination != FLOW_NOWHERE) {
			sum += k->count[i];
			*known &= k->lost[i] == 0;
		}
	return sum;
}

static uint64_t
ran_of(const struct flows *f, const struct flow *k)
{
	uint64_t ns = 0;

	for (size_t i = FLOW_SPECIALS; i < flows_n(f); i++) {
		const struct flow *o = flows_at(f, i);

		ns += o->life == k->life && o->core == k->core ? o->ran_ns : 0;
	}
	return ns;
}

static int
order(const void *va, const void *vb)
{
	const struct row *a = va, *b = vb;
	bool a_apart = a->flow->destination != FLOW_NOWHERE, b_apart = b->flow->destination != FLOW_NOWHERE;

	if (a->ran_ns != b->ran_ns)
		return a->ran_ns > b->ran_ns ? -1 : 1;
	if (a->flow->life != b->flow->life)
		return a->flow->life < b->flow->life ? -1 : 1;
	if (a->flow->core != b->flow->core)
		return a->flow->core < b->flow->core ? -1 : 1;
	if (a_apart != b_apart)
		return a_apart ? 1 : -1;
	if (a->requests != b->requests)
		return a->requests > b->requests ? -1 : 1;
	return a->flow->number < b->flow->number ? -1 : a->flow->number > b->flow->number;
}

static struct row *
sorted(const struct flows *f, size_t *n)
{
	struct row *row = mem_new_array(flows_n(f), sizeof *row);
	bool known;

	*n = 0;
	for (size_t i = FLOW_SPECIALS; i < flows_n(f); i++) {
		const struct flow *k = flows_at(f, i);

		row[(*n)++] = (struct row){k, ran_of(f, k), requests_of(f, k, &known)};
	}
	if (*n)
		qsort(row, *n, sizeof *row, order);
	return row;
}

static void
add_row(const struct flows *f, const struct flow_names *names, const struct row *r, bool ascii, struct str *out)
{
	char number[NUMBER_TEXT];
	double share = flows_share(f, r->flow);
	bool known;

	str_add(out, "  ");
	net_add_padded(out, names->task(names->ctx, r->flow->task), 20, false);
	str_addc(out, ' ');
	net_add_padded(out, names->core[r->flow->core], 10, false);
	str_addc(out, ' ');
	net_add_padded(out, r->flow->destination == FLOW_NOWHERE ? "" : names->destination[r->flow->destination], 14, false);
	str_addc(out, ' ');
	net_add_padded(out, r->flow->destination == FLOW_NOWHERE ? number_seconds(number, (double)r->ran_ns * 1e-9, ascii) : "", 10, true);
	str_addc(out, ' ');
	requests_of(f, r->flow, &known);
	if (r->flow->destination == FLOW_NOWHERE)
		net_add_padded(out, "", 10, true);
	else
		net_add_padded(out, known ? number_count(number, (double)r->requests, ascii) : "?", 10, true);
	str_addc(out, ' ');
	if (r->flow->destination == FLOW_NOWHERE)
		net_add_padded(out, "", 7, true);
	else
		net_add_padded(out, isnan(share) ? "?" : number_share(number, share), 7, true);
	str_addf(out, " %9llu%s\n", (unsigned long long)r->flow->snapshots, r->flow->ended ? "  ended" : r->flow->over ? "  left" : "");
}

static const char *const apart[FLOW_SPECIALS] = {
	[FLOW_UNFOLLOWED] = "nobody who is followed",
	[FLOW_MIXED] = "several tasks between two reads",
	[FLOW_OTHERS] = "flows beyond the number that is kept apart",
};

static void
add_apart(const struct flows *f, bool ascii, struct str *out)
{
	char number[NUMBER_TEXT];

	for (size_t i = 0; i < FLOW_SPECIALS; i++) {
		const struct flow *k = flows_at(f, i);
		bool known;
		uint64_t requests = requests_of(f, k, &known);

		if (!k->snapshots && !k->ran_ns)
			continue;
		str_addf(out, "  of %s: ", apart[i]);
		str_addf(out, "%s%s request%s", known ? "" : "at least ", number_count(number, (double)requests, ascii), requests == 1 ? "" : "s");
		if (k->ran_ns)
			str_addf(out, ", %s", number_seconds(number, (double)k->ran_ns * 1e-9, ascii));
		if (i == FLOW_OTHERS)
			str_addf(out, "; %llu flows", (unsigned long long)flows_trouble(f)->folded);
		str_addc(out, '\n');
	}
	if (flows_trouble(f)->backwards)
		str_addf(out, "  %llu times a counter went back: what it rose is not known\n", (unsigned long long)flows_trouble(f)->backwards);
}

void
report_net_flows(const struct flows *f, const struct flow_names *names, size_t most, bool ascii, struct str *out)
{
	size_t n;
	struct row *row = sorted(f, &n);

	if (n) {
		str_add(out, "\nflows: what each task did on a core, and the destinations of its requests\n  ");
		net_add_padded(out, "task", 20, false);
		str_addf(out, " %-10s %-14s %10s %10s %7s %9s\n", "core", "destination", "ran", "requests", "%", "snapshots");
	}
	for (size_t i = 0; i < n && i < most; i++)
		add_row(f, names, &row[i], ascii, out);
	if (most < n)
		str_addf(out, "  %zu more (-v)\n", n - most);
	if (n)
		add_apart(f, ascii, out);
	free(row);
}

static void
write_flow(const struct flows *f, const struct flow_names *names, const struct row *r, struct json_writer *w)
{
	const struct flow *k = r->flow;
	bool known;

	requests_of(f, k, &known);
	json_open(w, NULL, '{');
	json_str(w, "task", names->task(names->ctx, k->task));
	json_str(w, "core", names->core[k->core]);
	json_str(w, "destination", k->destination == FLOW_NOWHERE ? NULL : names->destination[k->destination]);
	json_num(w, "ran", k->destination == FLOW_NOWHERE ? (double)r->ran_ns * 1e-9 : NAN);
	json_num(w, "requests", known && k->destination != FLOW_NOWHERE ? (double)r->requests : NAN);
	json_num(w, "share", flows_share(f, k));
	json_int(w, "snapshots", (int64_t)k->snapshots);
	json_bool(w, "ended", k->ended);
	json_close(w, '}');
}

void
report_net_flows_json(const struct flows *f, const struct flow_names *names, struct json_writer *w)
{
	static const char *const key[FLOW_SPECIALS] = {[FLOW_UNFOLLOWED] = "unfollowed", [FLOW_MIXED] = "mixed", [FLOW_OTHERS] = "others"};
	size_t n;
	struct row *row = sorted(f, &n);

	json_open(w, "flows", '[');
	for (size_t i = 0; i < n; i++)
		write_flow(f, names, &row[i], w);
	json_close(w, ']');
	json_open(w, "flows_apart", '{');
	for (size_t i = 0; i < FLOW_SPECIALS; i++) {
		bool known;
		double requests = (double)requests_of(f, flows_at(f, i), &known);

		json_num(w, key[i], known ? requests : NAN);
	}
	json_int(w, "folded", (int64_t)flows_trouble(f)->folded);
	json_int(w, "backwards", (int64_t)flows_trouble(f)->backwards);
	json_close(w, '}');
	free(row);
}

#define ROWS_USUAL 24

static struct flow_names
names_of(struct flow_run *run)
{
	return (struct flow_names){.task = flow_run_task, .ctx = run, .core = flow_run_cores(run), .destination = flow_run_destinations(run)};
}

static void
say_trouble(const struct net_report *r)
{
	struct str text = {0};
	char **line;

	flow_run_explain(r->flows, &text);
	line = str_split(str_text(&text), '\n', NULL);
	for (size_t i = 0; line[i] && !r->options->quiet; i++)
		if (*line[i])
			log_line(NULL, "%s", line[i]);
	str_split_free(line);
	str_free(&text);
}

void
report_net_flow_run(const struct net_report *r, struct str *out)
{
	struct flow_names names;

	if (!r->flows || !flow_run_flows(r->flows))
		return;
	names = names_of(r->flows);
	report_net_flows(flow_run_flows(r->flows), &names, r->options->verbose ? SIZE_MAX : ROWS_USUAL, r->options->ascii, out);
	say_trouble(r);
}

void
report_net_flow_run_json(const struct net_report *r)
{
	struct flow_names names;

	if (!r->flows || !flow_run_flows(r->flows))
		return;
	names = names_of(r->flows);
	report_net_flows_json(flow_run_flows(r->flows), &names, r->json);
	say_trouble(r);
}
