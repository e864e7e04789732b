/* Compares the signs of a module's load with their thresholds. An unknown sign may hide a heavier class: then the
 * class is known only to lie between at_least and at_most. */
#include "core/network/qos.h"

#include <math.h>

#include "core/network/state.h"

const char *
net_load_name(enum net_load l)
{
	switch (l) {
	case NET_LIGHT:
		return "light load";
	case NET_OPTIMAL:
		return "optimal load";
	case NET_MODERATE:
		return "moderate overload";
	case NET_SEVERE:
		return "severe overload";
	case NET_LOADS:
		break;
	}
	return "";
}

enum net_load
net_qos_load(const struct net_qos *q, double value)
{
	enum net_load load = NET_LIGHT;

	for (int l = NET_OPTIMAL; l < NET_LOADS; l++)
		if (value >= q->at_least[l]) /* never true for NAN, a class without threshold */
			load = (enum net_load)l;
	return load;
}

enum net_load
net_qos_heaviest(const struct net_qos *q)
{
	return net_qos_load(q, INFINITY);
}

struct net_qos_class
net_qos_class(const struct net_state *state, size_t module, size_t owner)
{
	const struct net_module *net_module = &net_state_network(state)->module[module];
	struct net_qos_class c = {.at_least = NET_LIGHT, .decisive = net_module->n_qos};

	for (size_t i = 0; i < net_module->n_qos; i++) {
		double v = net_state_qos(state, module, owner, i);
		enum net_load load = isnan(v) ? NET_LIGHT : net_qos_load(&net_module->qos[i], v);

		c.unknown += isnan(v) ? 1 : 0;
		if (load > c.at_least) {
			c.at_least = load;
			c.decisive = i;
		}
	}
	c.at_most = c.at_least;
	for (size_t i = 0; i < net_module->n_qos; i++)
		if (isnan(net_state_qos(state, module, owner, i)) && net_qos_heaviest(&net_module->qos[i]) > c.at_most)
			c.at_most = net_qos_heaviest(&net_module->qos[i]);
	c.known = c.at_least == c.at_most;
	return c;
}
