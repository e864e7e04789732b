/* How loaded modules are, with the counts and thresholds that decide it. */
#include <math.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_net_page.h"
#include "core/network/qos.h"
#include "core/network/state.h"

static void
add_thresholds(const struct print_net_page *p, const struct net_qos *q)
{
	const char *between = " (";

	for (int l = NET_OPTIMAL; l < NET_LOADS; l++)
		if (!isnan(q->at_least[l])) {
			str_addf(p->out, "%s%s from %.4g", between, net_load_name((enum net_load)l), q->at_least[l]);
			between = ", ";
		}
	if (*q->source && p->r->options->verbose) {
		str_add(p->out, ": ");
		print_visible(p->out, q->source);
	}
	str_add(p->out, ")\n");
}

static void
print_net_qos_add_sign(const struct print_net_page *p, const struct net_qos *q, double v)
{
	struct str unit = {0};

	unit_text(q->e->unit, &unit);
	str_add(p->out, "    ");
	print_visible(p->out, q->text);
	if (isnan(v))
		str_add(p->out, ": not known");
	else
		str_addf(p->out, ": %.4g%s%s", v, str_eq(str_text(&unit), "1") ? "" : " ",
			str_eq(str_text(&unit), "1") ? "" : str_text(&unit));
	add_thresholds(p, q);
	str_free(&unit);
}

/* Prints the sign that decides; the others with -v, and all where none decides. */
static void
add_owner(const struct print_net_page *p, size_t module, size_t owner)
{
	const struct net_module *m = &p->r->net->module[module];
	struct net_qos_class c = net_qos_class(p->state, module, owner);

	str_add(p->out, "  ");
	print_visible(p->out, print_net_module_text(p->r->net, module));
	if (net_state_owners(p->state, module) > 1)
		str_addf(p->out, ", %s %zu", scope_name(m->per), owner);
	if (c.known)
		str_addf(p->out, ": %s\n", net_load_name(c.at_least));
	else if (c.at_least > NET_LIGHT || c.at_most < NET_SEVERE)
		str_addf(p->out, ": unknown, from %s to %s\n", net_load_name(c.at_least), net_load_name(c.at_most));
	else
		str_add(p->out, ": not known\n");
	for (size_t i = 0; i < m->n_qos; i++)
		if (p->r->options->verbose || i == c.decisive || !c.known || c.decisive == m->n_qos)
			print_net_qos_add_sign(p, &m->qos[i], net_state_qos(p->state, module, owner, i));
}

void
print_net_add_qos(struct print_net_page *p)
{
	bool some = false;

	for (size_t m = 0; m < p->r->net->n_modules; m++)
		for (size_t o = 0; o < net_state_owners(p->state, m) && p->r->net->module[m].n_qos; o++) {
			if (!some)
				str_add(p->out, "\nload, by the heaviest of its signs\n");
			some = true;
			add_owner(p, m, o);
		}
}

static void
write_sign(const struct net_report *r, const struct net_qos *q, double v)
{
	static const char *const key[NET_LOADS] = {
		[NET_OPTIMAL] = "optimal", [NET_MODERATE] = "moderate", [NET_SEVERE] = "severe"
	};
	struct json_writer *w = r->json;
	struct str unit = {0};

	unit_text(q->e->unit, &unit);
	json_open(w, NULL, '{');
	json_str(w, "text", q->text);
	json_num(w, "value", v);
	json_str(w, "unit", str_text(&unit));
	for (int l = NET_OPTIMAL; l < NET_LOADS; l++)
		json_num(w, key[l], q->at_least[l]);
	json_str(w, "source", q->source);
	json_str(w, "tells", isnan(v) ? NULL : net_load_name(net_qos_load(q, v)));
	json_close(w, '}');
	str_free(&unit);
}

void
print_net_write_qos(const struct net_report *r, const struct net_state *state)
{
	struct json_writer *w = r->json;

	json_open(w, "qos", '[');
	for (size_t m = 0; m < r->net->n_modules; m++)
		for (size_t o = 0; o < net_state_owners(state, m) && r->net->module[m].n_qos; o++) {
			struct net_qos_class c = net_qos_class(state, m, o);

			json_open(w, NULL, '{');
			json_str(w, "module", r->net->module[m].name);
			json_int(w, "owner", (int64_t)o);
			json_str(w, "load", c.known ? net_load_name(c.at_least) : NULL);
			json_str(w, "at_least", net_load_name(c.at_least));
			json_str(w, "at_most", net_load_name(c.at_most));
			json_open(w, "signs", '[');
			for (size_t i = 0; i < r->net->module[m].n_qos; i++)
				write_sign(r, &r->net->module[m].qos[i], net_state_qos(state, m, o, i));
			json_close(w, ']');
			json_close(w, '}');
		}
	json_close(w, ']');
}
