/* What limits the stalls and queues of a report, as text and as JSON: clocks that are not known, loads of pairs that
 * are not counted or do not add up, and two lengths of one queue that differ. */
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_net.h"
#include "cli/print/print_net_page.h"
#include "core/network/network.h"
#include "core/network/queues.h"
#include "core/network/state.h"

#define FEW 4 /* pairs that do not add up, without -v */

static const char *
weight_word(enum net_weight w)
{
	switch (w) {
	case NET_BY_DELAY:
		return "delay";
	case NET_BY_REQUESTS:
		return "requests";
	}
	return "";
}

typedef bool link_test(struct net_stalls *const *, size_t n, size_t link);

/* Names the links of which the test is true. */
static void
add_links(struct print_net_page *page, struct net_stalls *const *stalls, size_t n, link_test *test, const char *what)
{
	const struct network *network = page->r->net;
	size_t some = 0;

	for (size_t l = 0; l < network->n_links; l++) {
		if (!test(stalls, n, l))
			continue;
		str_addf(page->out, "%s", some++ ? ", " : what);
		print_visible(page->out, network->module[network->link[l].from].name);
		str_add(page->out, " -> ");
		print_visible(page->out, network->module[network->link[l].to].name);
	}
	if (some)
		str_addc(page->out, '\n');
}

struct misfit {
	size_t link, owner, kind;
	double sum, load;
};

/* Calls f for each sender whose pairs do not add up to its load. */
static void
each_misfit(const struct net_state *state, void (*f)(void *ctx, const struct misfit *), void *ctx)
{
	const struct network *network = net_state_network(state);

	for (size_t l = 0; l < network->n_links; l++)
		for (size_t o = 0; o < net_state_owners(state, network->link[l].from); o++)
			for (size_t k = 0; k < network->n_kinds; k++) {
				struct misfit m = {
					.link = l, .owner = o, .kind = k, .load = net_state_load(state, l, o, k)};

				if (!net_state_pairs_fit(state, l, o, k, &m.sum))
					f(ctx, &m);
			}
}

struct misfit_text {
	struct print_net_page *page;
	size_t n;
};

static void
add_misfit(void *ctx, const struct misfit *m)
{
	struct misfit_text *text = ctx;
	struct print_net_page *page = text->page;
	const struct network *network = page->r->net;
	char sum[NUMBER_TEXT], load[NUMBER_TEXT];

	if (text->n++ >= FEW && !page->r->options->verbose)
		return;
	str_add(page->out, "  pairs of ");
	print_visible(page->out, network->module[network->link[m->link].from].name);
	str_addf(page->out, " %zu -> ", m->owner);
	print_visible(page->out, network->module[network->link[m->link].to].name);
	str_add(page->out, ", ");
	print_visible(page->out, network->kind[m->kind].name);
	str_addf(page->out, ", add up to %s, but it sent %s\n", number_full(sum, m->sum, page->ascii),
		number_full(load, m->load, page->ascii));
}

void
print_net_add_stall_doubts(struct print_net_page *page, struct net_stalls *const *stalls, size_t n)
{
	struct misfit_text text = {.page = page};
	double elsewhere = 0;

	for (size_t at = 0; n && at < stalls[0]->n_owners * stalls[0]->n_kinds; at++)
		elsewhere += stalls[0]->elsewhere[at];
	str_addf(page->out, "  own stalls divided by %s\n",
		page->r->weight == NET_BY_DELAY ? "requests x delay; by requests alone where no delay is known"
						: "requests alone (--weight requests)");
	if (elsewhere > 0)
		str_add(page->out,
			"  own stalls of requests that are served on the way are in no destination (--json)\n");
	add_links(page, stalls, n, net_stalls_unconverted, "  cycles not converted, because a clock is not known: ");
	add_links(page, stalls, n, net_stalls_spread,
		"  no counter of pairs, so each sender is taken to use all receivers alike: ");
	each_misfit(page->state, add_misfit, &text);
	if (text.n > FEW && !page->r->options->verbose)
		str_addf(page->out, "  %zu more pairs that do not add up (-v)\n", text.n - FEW);
}

void
print_net_add_time(struct print_net_page *page, double ns)
{
	char number[NUMBER_TEXT];

	if (!isnan(ns))
		str_addf(page->out, " (%s)", number_seconds(number, ns * 1e-9, page->ascii));
}

double
print_net_wait_ns(const struct net_state *state, const struct net_queue *queue, double wait)
{
	const struct network *network = net_state_network(state);
	const struct aexpr *delay = network->module[queue->module].cell[queue->kind].field[NET_DELAY];
	double elapsed = net_state_seconds(state) * 1e9;

	if (unit_equal(delay->unit, unit_of(UNIT_NS)))
		return wait;
	return elapsed > 0 ? wait / net_state_ticks(state, queue->module, queue->owner) * elapsed : NAN;
}

static void
write_links(struct json_writer *writer, const struct network *network, struct net_stalls *const *stalls, size_t n,
	link_test *test, const char *key)
{
	json_open(writer, key, '[');
	for (size_t l = 0; l < network->n_links; l++) {
		if (!test(stalls, n, l))
			continue;
		json_open(writer, NULL, '{');
		json_str(writer, "from", network->module[network->link[l].from].name);
		json_str(writer, "to", network->module[network->link[l].to].name);
		json_close(writer, '}');
	}
	json_close(writer, ']');
}

struct misfit_json {
	const struct net_report *report;
};

static void
write_misfit(void *ctx, const struct misfit *m)
{
	const struct net_report *report = ((struct misfit_json *)ctx)->report;
	const struct network *network = report->net;

	json_open(report->json, NULL, '{');
	json_str(report->json, "from", network->module[network->link[m->link].from].name);
	json_str(report->json, "to", network->module[network->link[m->link].to].name);
	json_int(report->json, "owner", (int64_t)m->owner);
	json_str(report->json, "kind", network->kind[m->kind].name);
	json_num(report->json, "sum", m->sum);
	json_num(report->json, "load", m->load);
	json_close(report->json, '}');
}

void
print_net_write_stall_doubts(
	const struct net_report *report, const struct net_state *state, struct net_stalls *const *stalls, size_t n)
{
	struct json_writer *writer = report->json;
	const struct network *network = report->net;

	json_str(writer, "weight", weight_word(report->weight));
	json_open(writer, "elsewhere", '[');
	for (size_t m = 0; m < network->n_modules && n; m++)
		for (size_t k = 0; k < network->n_kinds; k++) {
			double stall = 0;

			for (size_t o = 0; o < net_state_owners(state, m); o++)
				stall += stalls[0]->elsewhere[net_stalls_at(stalls[0], m, o, k)];
			if (!(stall > 0))
				continue;
			json_open(writer, NULL, '{');
			json_str(writer, "module", network->module[m].name);
			json_str(writer, "kind", network->kind[k].name);
			json_num(writer, "stall", stall);
			json_close(writer, '}');
		}
	json_close(writer, ']');
	write_links(writer, network, stalls, n, net_stalls_unconverted, "unconverted");
	write_links(writer, network, stalls, n, net_stalls_spread, "spread");
	json_open(writer, "pairs_off", '[');
	each_misfit(state, write_misfit, &(struct misfit_json){report});
	json_close(writer, ']');
}
