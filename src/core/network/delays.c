/* Finds delays from left to right. */
#include "core/network/delays.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/network/plan.h"

struct finding {
	const struct net_state *s;
	const struct net_plan *plan;
	const struct net_delays *out;
};

static void
delays_add(struct net_delays_before *before, double delay, double load)
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

/* Adds up, for the first owners of a module, what comes over one link. */
static void
delays_add_link(const struct finding *finding, size_t link, size_t kind, size_t owners)
{
	const struct network *network = finding->plan->net;
	const struct net_link *l = &network->link[link];
	enum scope per = network->module[l->to].per, other = network->module[l->from].per;
	const double *load = net_state_loads(finding->s, link, kind),
		     *here = finding->out->here + net_delays_at(finding->plan, l->from, 0, kind);

	if (network->module[l->from].cell[kind].state == NET_CELL_ABSENT)
		return;
	for (size_t o = 0; o < owners && per == other; o++)
		delays_add(&finding->out->sum[o], here[o], load[o]);
	for (size_t o = 0; o < owners && per != other; o++) {
		struct net_range from = net_meets(finding->plan, per, o, other);

		for (size_t i = 0; i < from.n; i++)
			delays_add(&finding->out->sum[o], here[from.at[i]], load[from.at[i]]);
	}
}

/* Returns the mean delay of the modules before, weighted by the loads that come from them. */
static double
mean_before(const struct net_delays_before *before)
{
	if (before->weight > 0)
		return before->sum / before->weight;
	return before->found > 0 ? before->plain / before->found : 0;
}

/* Returns true if the delay before is the same for all owners of the module: then it is computed once. */
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
		struct net_range links = net_links_to(finding->plan, m);
		struct net_delays_before *sum = finding->out->sum;
		size_t owners = finding->plan->first[m + 1] - finding->plan->first[m];

		for (size_t k = 0; k < network->n_kinds; k++) {
			const double *reported = net_state_field(finding->s, m, k, NET_DELAY);
			size_t first = net_delays_at(finding->plan, m, 0, k);
			double *before = finding->out->before + first, *here = finding->out->here + first;

			memset(sum, 0, owners * sizeof *sum);
			for (size_t l = 0; l < links.n; l++)
				delays_add_link(finding, links.at[l], k, same && owners ? 1 : owners);
			for (size_t o = 0; o < owners; o++) {
				before[o] = same && o ? before[0] : mean_before(&sum[o]);
				here[o] = isnan(reported[o]) ? before[o] : reported[o];
			}
		}
	}
}

struct net_delays *
net_delays_new(const struct net_plan *plan)
{
	struct net_delays *delays = mem_new(sizeof *delays);
	size_t cells = plan->first[plan->net->n_modules] * plan->net->n_kinds, most = 0;

	delays->before = mem_new_array(cells, sizeof *delays->before);
	delays->here = mem_new_array(cells, sizeof *delays->here);
	for (int k = 0; k < SCOPES; k++)
		most = plan->shape->n[k] > most ? plan->shape->n[k] : most;
	delays->sum = mem_new_array(most, sizeof *delays->sum);
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
	free(delays->sum);
	free(delays);
}
