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

/* The mean delay of the modules before this one, weighted by the loads that come from them. */
static double
delay_before(const struct finding *finding, size_t module, size_t owner, size_t kind)
{
	const struct network *network = finding->plan->net;
	struct net_range links = net_links_to(finding->plan, module);
	double sum = 0, weight = 0, plain = 0;
	size_t found = 0;

	for (size_t l = 0; l < links.n; l++) {
		size_t from = network->link[links.at[l]].from;
		const double *loads = net_state_loads(finding->s, links.at[l], kind);
		struct net_range owners = net_meets(
			finding->plan, network->module[module].per, owner, network->module[from].per);

		if (network->module[from].cell[kind].state == NET_CELL_ABSENT)
			continue;
		for (size_t i = 0; i < owners.n; i++) {
			double delay = finding->out
					       ->here[(finding->plan->first[from] + owners.at[i]) * network->n_kinds +
						       kind],
			       load = loads[owners.at[i]];

			if (isnan(delay))
				continue;
			plain += delay;
			found++;
			if (load > 0) {
				sum += load * delay;
				weight += load;
			}
		}
	}
	if (weight > 0)
		return sum / weight;
	return found ? plain / (double)found : 0;
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
		size_t first = finding->plan->first[m] * network->n_kinds,
		       cells = finding->plan->first[m + 1] * network->n_kinds - first;

		for (size_t i = 0; i < cells; i++) {
			double reported = net_state_field(
				finding->s, m, i % network->n_kinds, NET_DELAY)[i / network->n_kinds];

			finding->out->before[first + i] = same && i >= network->n_kinds
				? finding->out->before[first + i % network->n_kinds]
				: delay_before(finding, m, i / network->n_kinds, i % network->n_kinds);
			finding->out->here[first + i] = isnan(reported) ? finding->out->before[first + i] : reported;
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
