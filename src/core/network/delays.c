/* Finds delays from left to right. */
#include "core/network/delays.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/network/plan.h"

struct finding {
	const struct net_state *s;
	const struct net_plan *plan;
	const struct net_delays *out;
};

/* Sums over the modules before one owner's module: delays times loads, loads, delays, and how many delays. */
struct before {
	double sum, weight, plain, found;
};

static void
add_before(struct before *before, double delay, double load)
{
	if (isnan(delay))
		return;
	before->plain += delay;
	before->found++;
	if (load > 0) {
		before->sum += load * delay;
		before->weight += load;
	}
}

/* The mean delay of the modules before this one, weighted by the loads that come from them. */
static double
delay_before(const struct finding *finding, size_t module, size_t owner, size_t kind)
{
	const struct network *network = finding->plan->net;
	struct net_range links = net_links_to(finding->plan, module);
	struct before before = {0};

	for (size_t l = 0; l < links.n; l++) {
		size_t from = network->link[links.at[l]].from;
		const double *load = net_state_loads(finding->s, links.at[l], kind),
			     *here = finding->out->here + net_delays_at(finding->plan, from, 0, kind);
		struct net_range owners = net_meets(
			finding->plan, network->module[module].per, owner, network->module[from].per);

		for (size_t i = 0; i < owners.n && network->module[from].cell[kind].state != NET_CELL_ABSENT; i++)
			add_before(&before, here[owners.at[i]], load[owners.at[i]]);
	}
	if (before.weight > 0)
		return before.sum / before.weight;
	return before.found > 0 ? before.plain / before.found : 0;
}

/* Returns true if delay_before() is the same for all owners of the module: then it is computed once. */
static bool
same_before(const struct net_plan *p, size_t module)
{
	struct net_range links = net_links_to(p, module);
	bool same = true;

	for (size_t l = 0; l < links.n; l++)
		same &= net_meets_all(p->net->module[p->net->link[links.at[l]].from].per, p->net->module[module].per);
	return same;
}

/* Links go to the right only, so the delays before a module are known when the loop gets to it. */
static void
find_delays(const struct finding *finding)
{
	const struct network *network = finding->plan->net;

	for (size_t m = 0; m < network->n_modules; m++) {
		bool same = same_before(finding->plan, m);
		size_t owners = finding->plan->first[m + 1] - finding->plan->first[m];

		for (size_t k = 0; k < network->n_kinds; k++) {
			const double *reported = net_state_field(finding->s, m, k, NET_DELAY);
			size_t first = net_delays_at(finding->plan, m, 0, k);
			double *before = finding->out->before + first, *here = finding->out->here + first;

			for (size_t o = 0; o < owners; o++) {
				before[o] = same && o ? before[0] : delay_before(finding, m, o, k);
				here[o] = isnan(reported[o]) ? before[o] : reported[o];
			}
		}
	}
}

struct net_delays *
net_delays_new(const struct net_plan *plan)
{
	struct net_delays *delays = mem_new(sizeof *delays);
	size_t cells = plan->first[plan->net->n_modules] * plan->net->n_kinds;

	delays->before = mem_new_array(cells, sizeof *delays->before);
	delays->here = mem_new_array(cells, sizeof *delays->here);
	return delays;
}

void
net_delays_find(struct net_delays *delays, const struct net_state *state)
{
	find_delays(&(struct finding){state, net_state_plan(state), delays});
	delays->found = true;
}

void
net_delays_free(struct net_delays *delays)
{
	if (!delays)
		return;
	free(delays->before);
	free(delays->here);
	free(delays);
}
