/* One snapshot as text: queues, stalls, figures, broken laws, and missing counters. print_net_map.c prints the path
 * map. */
#include "cli/print/print_net.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/str.h"
#include "base/utf8.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_net_page.h"
#include "cli/print/print_net_estimates.h"
#include "cli/print/print_net_tiering.h"
#include "cli/spec_args.h"
#include "core/network/network.h"
#include "core/network/queues.h"
#include "core/network/stalls.h"
#include "core/obs/obs.h"
#include "work/timeline/column_owners.h"
#include "work/timeline/network_data.h"

#define FEW 8 /* lines of a list without -v */

const char *
print_net_state(enum net_cell_state s)
{
	switch (s) {
	case NET_CELL_ABSENT:
		return "absent";
	case NET_CELL_REPORTED:
		return "told";
	case NET_CELL_UNREPORTED:
		return "untold";
	case NET_CELL_WITH:
		return "with";
	}
	return "";
}

/* Prints a module, and its owner where the data name it. */
static void
add_place(struct print_net_page *page, size_t module, size_t owner, size_t width)
{
	const struct network *network = page->r->net;
	const char *name = net_state_owners(page->state, module) > 1
		? column_owners_name(page->owners, network->module[module].per, owner) : NULL;
	char *place = str_format("%s%s%s", network_module_text(network, module), name ? " " : "", name ? name : "");

	print_padded(page->out, place, width, false);
	free(place);
}

static void
add_queue(struct print_net_page *page, const struct net_queue *queue)
{
	const struct network *network = page->r->net;
	char number[NUMBER_TEXT], other[NUMBER_TEXT];
	struct str unit = {0};

	unit_text(network->module[queue->module].cell[queue->kind].field[NET_DELAY]->unit, &unit);
	str_add(page->out, "  ");
	print_padded(page->out, network->kind[queue->kind].name, 6, false);
	str_add(page->out, " at ");
	add_place(page, queue->module, queue->owner, 14);
	if (isnan(queue->length)) {
		str_addf(page->out, " %9s", "not known");
		if (!isnan(queue->wait))
			str_addf(page->out, " = %s x %s %s", isnan(queue->arrivals) ? "?"
				: number_digits(other, queue->arrivals, 4, page->ascii),
				number_digits(number, queue->wait, 4, page->ascii), str_text(&unit));
		str_addc(page->out, '\n');
	} else {
		str_addf(page->out, " %9s", number_digits(number, queue->length, 4, page->ascii));
		str_addf(page->out, " = %s x %s %s", number_digits(number, queue->arrivals, 4, page->ascii),
			number_digits(other, queue->wait, 4, page->ascii), str_text(&unit));
		if (!str_eq(str_text(&unit), "ns"))
			print_net_add_time(page, print_net_wait_ns(page->state, queue, queue->wait));
		if (network->module[queue->module].model != NET_QUEUE)
			str_addf(page->out, " + %s x %s", number_digits(number, queue->missing, 4, page->ascii),
				number_digits(other, queue->miss_wait, 4, page->ascii));
		if (!isnan(queue->occupied))
			str_addf(page->out, "; by its occupancy %s",
				number_digits(number, queue->occupied, 4, page->ascii));
		if (net_queue_differs(queue))
			str_add(page->out, ", more than a factor of 2 apart");
		str_add(page->out, queue->faster ? "; it answers sooner than the hop before it" : "");
		str_add(page->out, queue->background ? "; no request waits for it\n" : "\n");
	}
	str_free(&unit);
}

/* Requests and their wait are known, and only the clock is missing. */
static bool
lacks_clock(const struct net_state *state, const struct net_queue *queue)
{
	return isnan(queue->arrivals) && !isnan(queue->wait) &&
		!isnan(net_state_cell(state, queue->module, queue->owner, queue->kind).hits);
}

static void
add_queues(struct print_net_page *page)
{
	const struct network *network = page->r->net;
	char number[NUMBER_TEXT];
	struct net_queues *queues = net_queues_new(page->state);
	size_t shown = page->r->options->verbose ? queues->n : queues->known < FEW ? queues->known : FEW,
	       waits = 0;

	if (queues->n)
		str_add(page->out,
			"\nqueues, longest first: requests there on average = rate x wait, of hits and of misses\n");
	for (size_t i = 0; i < shown; i++)
		add_queue(page, &queues->queue[i]);
	if (shown < queues->known)
		str_addf(page->out, "  %zu more (-v)\n", queues->known - shown);
	for (size_t i = queues->known; i < queues->n && !page->r->options->verbose && waits < FEW; i++)
		if (lacks_clock(page->state, &queues->queue[i])) {
			add_queue(page, &queues->queue[i]);
			waits++;
		}
	if (queues->known + waits < queues->n && !page->r->options->verbose)
		str_addf(page->out, "  %zu of unknown length (-v)\n", queues->n - queues->known - waits);
	if (queues->awaited && queues->queue[0].length > 0) {
		str_add(page->out, "  culprit: ");
		print_visible(page->out, network->kind[queues->queue[0].kind].name);
		str_add(page->out, " at ");
		add_place(page, queues->queue[0].module, queues->queue[0].owner, 0);
		if (!isnan(queues->margin))
			str_addf(page->out, ", %s times the next",
				number_digits(number, queues->margin, 3, page->ascii));
		str_addc(page->out, '\n');
	}
	net_queues_free(queues);
}

/* Prints one component's stalls, over all owners. Components without stalls are left out. */
static void
add_component(struct print_net_page *page, const struct net_stalls *stalls, size_t module, size_t kind)
{
	const struct network *network = page->r->net;
	double stall = 0, own = 0, hidden = 0, stuck = 0, ns = 0;
	size_t owners = net_state_owners(page->state, module), most = 0;
	const char *name;
	char number[NUMBER_TEXT];

	for (size_t o = 0; o < owners; o++) {
		size_t at = net_stalls_at(stalls, module, o, kind);

		most = stalls->stall[at] > stalls->stall[net_stalls_at(stalls, module, most, kind)] ? o : most;

		stall += stalls->stall[at];
		own += stalls->own[at];
		hidden += stalls->hidden[at];
		stuck += stalls->stuck[at];
		ns += stalls->stall[at] > 0 ? net_stalls_ns(stalls, at, stalls->stall[at]) : 0;
	}
	if (!(stall > 0) && !(hidden > 0))
		return;
	str_add(page->out, "    ");
	print_padded(page->out, network->kind[kind].name, 6, false);
	str_add(page->out, " at ");
	print_padded(page->out, network_module_text(network, module), 14, false);
	str_add(page->out, " ");
	print_right(page->out, number_count(number, stall, page->ascii), NET_COLUMN, false);
	print_net_add_time(page, ns);
	if (net_stalls_reported(page->state, module, kind))
		str_addf(page->out, ", %s its own", number_count(number, own, page->ascii));
	else
		str_add(page->out, ", passed back to it; no counter counts its own");
	if (hidden > 0)
		str_addf(page->out, "; %s more hidden by other work", number_count(number, hidden, page->ascii));
	name = owners > 1 && stall > 0 ? column_owners_name(page->owners, network->module[module].per, most) : NULL;
	if (name)
		str_addf(page->out, "; %.0f %% at %s",
			100 * stalls->stall[net_stalls_at(stalls, module, most, kind)] / stall, name);
	if (stuck > 0)
		str_addf(page->out, "; %s not passed back: no load is known", number_count(number, stuck, page->ascii));
	str_addc(page->out, '\n');
}

static bool
has_stalls(const struct net_stalls *s)
{
	for (size_t i = 0; i < s->n_owners * s->n_kinds; i++)
		if (s->stall[i] > 0)
			return true;
	return false;
}

static void
add_stalls(struct print_net_page *page)
{
	const struct network *network = page->r->net;
	size_t ends, some = 0;
	struct net_stalls **s = net_stalls_all(page->state, page->r->weight, &ends);

	for (size_t d = 0; d < ends; d++) {
		if (!has_stalls(s[d]))
			continue;
		str_add(page->out, some++ ? "  for " : "\nstalls, passed back from where requests end\n  for ");
		print_visible(page->out, network_module_text(network, s[d]->destination));
		str_addc(page->out, '\n');
		for (size_t m = network->n_modules; m-- > 0;)
			for (size_t k = 0; k < network->n_kinds; k++)
				add_component(page, s[d], m, k);
	}
	if (some)
		print_net_add_stall_doubts(page, s, ends);
	net_stalls_all_free(s, ends);
}

static void
print_net_add_totals(struct print_net_page *page)
{
	const struct network *network = page->r->net;
	char number[NUMBER_TEXT];

	for (size_t i = 0; i < network->n_totals; i++) {
		double v = net_state_total(page->state, i);
		struct str unit = {0};

		unit_text(network->total[i].e->unit, &unit);
		str_add(page->out, i ? "  " : "\nfigures\n  ");
		print_visible(page->out, network->total[i].text);
		if (isnan(v))
			str_add(page->out, ": not known\n");
		else if (fabs(v) < 1000)
			str_addf(page->out, ": %s %s\n", number_digits(number, v, 4, page->ascii),
				str_eq(str_text(&unit), "1") ? "" : str_text(&unit));
		else
			str_addf(page->out, ": %s %s", number_count(number, v, page->ascii),
				str_eq(str_text(&unit), "1") ? "" : str_text(&unit));
		if (fabs(v) >= 1000 && str_eq(str_text(&unit), "bytes") && net_state_seconds(page->state) > 0)
			str_addf(page->out, ", %s/s",
				number_bytes(number, v / net_state_seconds(page->state), page->ascii));
		if (fabs(v) >= 1000)
			str_addc(page->out, '\n');
		str_free(&unit);
	}
}

static void
add_laws(struct print_net_page *page)
{
	const struct network *network = page->r->net;
	size_t unknown = 0, broken = 0;

	for (size_t i = 0; i < network->n_laws; i++) {
		double left, right;

		net_state_law(page->state, i, &left, &right);
		if (isnan(left) || isnan(right)) {
			unknown++;
		} else if (!net_state_law_holds(page->state, i)) {
			str_add(page->out, broken++ ? "  " : "\nbroken laws\n  ");
			print_visible(page->out, network->law[i].text);
			str_addf(page->out, ": %.10g is not %s %.10g", left, network->law[i].equal ? "=" : "<=", right);
			if (network->law[i].within > 0)
				str_addf(page->out, " within %g %%", 100 * network->law[i].within);
			str_addc(page->out, '\n');
		}
	}
	if (network->n_laws)
		str_addf(page->out, "%s%zu of %zu laws hold%s", broken ? "  " : "\n",
			network->n_laws - broken - unknown, network->n_laws, unknown ? "" : "\n");
	if (unknown)
		str_addf(page->out, "; %zu have an unknown counter\n", unknown);
}

struct taken {
	struct str *out;
	size_t n, most;
};

static void
add_taken(void *ctx, const char *what)
{
	struct taken *t = ctx;

	if (t->n < t->most) {
		str_add(t->out, t->n ? ", " : ": takes away ");
		print_visible(t->out, what);
	}
	t->n++;
}

static void
note_use(void *ctx, const char *what)
{
	(void)what;
	*(bool *)ctx = true;
}

static bool
is_used(const struct network *n, size_t counter)
{
	bool used = false;

	net_each_use(n, counter, note_use, &used);
	return used;
}

static void
add_lacking_counter(struct print_net_page *page, const struct network_data *data, size_t c)
{
	const struct counter_item *counter = &page->r->net->counter[c];
	struct taken t = {page->out, 0, page->r->options->verbose ? SIZE_MAX : 3};

	str_add(page->out, "  ");
	print_visible(page->out, counter->name);
	str_addf(page->out, " (%s)", counter->unresolved ? "unresolved" : data->counter[c].why);
	net_each_use(page->r->net, c, add_taken, &t);
	if (t.n > t.most)
		str_addf(page->out, " and %zu more", t.n - t.most);
	str_addc(page->out, '\n');
}

/* Unknown counters that something needs; with -v all unknown counters. */
static void
add_lacking(struct print_net_page *page, const struct network_data *data)
{
	const struct network *network = page->r->net;
	bool all = page->r->options->verbose;
	size_t lacking = 0, missed = 0, shown = 0;

	for (size_t c = 0; c < network->n_counters; c++)
		if (data->counter[c].why) {
			lacking++;
			missed += is_used(network, c) ? 1 : 0;
		}
	if (!lacking)
		return;
	str_addf(page->out, "\ncounters that are not known here: %zu of %zu, %zu of them used\n", lacking,
		network->n_counters, missed);
	for (size_t c = 0; c < network->n_counters && (all || shown < FEW); c++) {
		if (!data->counter[c].why || (!all && !is_used(network, c)))
			continue;
		shown++;
		add_lacking_counter(page, data, c);
	}
	if (shown < lacking)
		str_addf(page->out, "  %zu more (-v)\n", lacking - shown);
}

/* Owners that were counted before or elsewhere, but not in this snapshot. */
static void
add_gone(struct print_net_page *page)
{
	const struct net_shape *shape = net_state_shape(page->state);
	size_t some = 0;

	for (int per = 0; per < SCOPES; per++)
		for (size_t o = 0; o < shape->n[per]; o++)
			if (net_state_gone(page->state, (enum scope)per, o)) {
				const char *name = column_owners_name(page->owners, (enum scope)per, o);

				str_add(page->out, some++ ? ", " : "\nnothing was counted of ");
				if (name)
					print_visible(page->out, name);
				else
					str_addf(page->out, "%s %zu", scope_name((enum scope)per), o);
			}
	if (some)
		str_add(page->out, ": taken offline? Their counts are unknown\n");
}

static void
add_bad_counters(struct print_net_page *page, size_t (*bad)(const struct net_state *, size_t counter), const char *what)
{
	size_t some = 0;

	for (size_t c = 0; c < page->r->net->n_counters; c++)
		if (bad(page->state, c)) {
			str_add(page->out, some++ ? ", " : what);
			print_visible(page->out, page->r->net->counter[c].name);
		}
	if (some)
		str_addc(page->out, '\n');
}

static bool
counts_something(const struct net_state *state, size_t module)
{
	for (size_t o = 0; o < net_state_owners(state, module); o++)
		for (size_t k = 0; k < net_state_network(state)->n_kinds; k++)
			if (!isnan(net_state_cell(state, module, o, k).hits))
				return true;
	return false;
}

void
print_net_add_known_for(const struct network *network, const struct net_state *state, struct str *out)
{
	bool some = false;

	for (size_t m = 0; m < network->n_modules; m++) {
		struct str kinds = {0};

		if (net_add_unknown_for_core(network, m, &kinds) && (!state || counts_something(state, m))) {
			str_add(out, some ? "  " : "\nknown as a whole, unknown for the core\n  ");
			some = true;
			print_visible(out, network->module[m].name);
			str_addf(out, ", known for the %s: ", scope_name(network->module[m].per));
			print_visible(out, str_text(&kinds));
			str_addc(out, '\n');
		}
		str_free(&kinds);
	}
}

/* Which alternative of a counter the data have. */
static void
add_taken_alternatives(struct print_net_page *page, const struct network_data *data)
{
	size_t some = 0;

	for (size_t c = 0; c < page->r->net->n_counters; c++) {
		const struct event_sum *taken = data->counter[c].taken;
		struct str events = {0};

		if (!taken || data->counter[c].why)
			continue;
		event_sum_text(taken, &events);
		str_add(page->out, some++ ? ", " : "\nalternatives that were counted: ");
		print_visible(page->out, page->r->net->counter[c].name);
		str_add(page->out, " by ");
		print_visible(page->out, str_text(&events));
		str_free(&events);
	}
	if (some)
		str_addc(page->out, '\n');
}

static void
print_net_add_notes(
	struct print_net_page *page, const struct network_data *data, const struct network_data_snapshot *snapshot)
{
	const struct network *network = page->r->net;
	size_t scaled = 0, below = net_state_below_zero(page->state);

	add_taken_alternatives(page, data);
	add_gone(page);
	add_bad_counters(page, net_state_wrong, "\nbelow zero, and therefore unknown: ");
	add_bad_counters(page, net_state_impossible, "\nmore than any clock allows, and therefore unknown: ");
	for (size_t c = 0; c < network->n_counters; c++)
		scaled += !data->counter[c].why && data->counter[c].counted < snapshot->intervals;
	if (scaled)
		str_addf(page->out, "\n%zu counter%s not counted in every interval, and %s scaled up\n", scaled,
			scaled == 1 ? " was" : "s were", scaled == 1 ? "is" : "are");
	if (below)
		str_addf(page->out, "\n%zu value%s out below zero, and %s shown as 0\n", below,
			below == 1 ? " came" : "s came", below == 1 ? "is" : "are");
}

/* Lists the owners in the data. */
static void
add_owners(const struct column_owners *owners, struct str *out)
{
	bool some = false;

	for (int k = 0; k < SCOPES; k++) {
		if (!owners->name[k] || owners->stands[k] || (k == SCOPE_THREAD && owners->threads_are_cores))
			continue;
		str_addf(out, "%s%zu %s%s", some ? ", " : "\nowners named in the data: ", owners->shape.n[k],
			scope_name((enum scope)k), plural_s(owners->shape.n[k]));
		some = true;
	}
	str_add(out,
		some ? "\n\n"
		     : "\nthe data name no cores, slices or channels: counts per core, slice or channel are taken as "
		       "those of a single one\n\n");
}

bool
print_net_has(const struct net_report *r, enum spec_statistic what)
{
	return !r->spec || spec_args_want(r->spec, what);
}

void
print_net_text(struct net_report *report, const struct network_data *data, size_t snapshot,
	const struct net_state *state, struct str *out)
{
	const struct network_data_snapshot *network_data_snapshot = &data->snapshot[snapshot];
	struct print_net_page p = {report, state, data->owners, out, print_ascii(report->options)};
	enum net_by by;

	if (report->n_reported++) {
		str_addc(out, '\n');
	} else {
		str_addf(out, "network %s: ", report->net->name);
		print_visible(out, *report->net->text ? report->net->text : report->file);
		add_owners(data->owners, out);
	}
	print_visible(out, network_data_obs(data, snapshot)->name);
	if (network_data_snapshot->n_rows == 1)
		str_addf(out, ", row %zu", network_data_snapshot->first_row + 1);
	else
		str_addf(out, ", rows %zu to %zu", network_data_snapshot->first_row + 1,
			network_data_snapshot->first_row + network_data_snapshot->n_rows);
	if (!isnan(network_data_snapshot->seconds))
		str_addf(out, ", %.4g s", network_data_snapshot->seconds);
	str_addc(out, '\n');
	if (print_net_has(report, SPEC_PATHS) || print_net_has(report, SPEC_SHARES))
		print_net_add_map(&p);
	if (print_net_has(report, SPEC_QUEUES))
		add_queues(&p);
	if (print_net_has(report, SPEC_STALLS))
		add_stalls(&p);
	if (print_net_wants_by(report, &by))
		print_net_add_by(&p, data->owners, by);
	if (report->estimates)
		print_net_estimates(data, snapshot, state, report->estimates, out);
	if (report->tiering)
		print_net_tiering(data, out);
	if (print_net_has(report, SPEC_LOAD))
		print_net_add_qos(&p);
	if (print_net_has(report, SPEC_FIGURES))
		print_net_add_totals(&p);
	if (print_net_has(report, SPEC_LAWS))
		add_laws(&p);
	print_net_add_advice(&p, data);
	print_net_add_known_for(report->net, state, out);
	add_lacking(&p, data);
	print_net_add_notes(&p, data, network_data_snapshot);
}
