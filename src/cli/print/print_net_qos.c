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
add_thresholds(const struct print_net_page *page, const struct net_qos *qos)
{
	const char *between = " (";

	for (int l = NET_OPTIMAL; l < NET_LOADS; l++)
		if (!isnan(qos->at_least[l])) {
			str_addf(page->out, "%s%s from %.4g", between, net_load_name((enum net_load)l),
				qos->at_least[l]);
			between = ", ";
		}
	if (*qos->source && page->r->options->verbose) {
		str_add(page->out, ": ");
		print_visible(page->out, qos->source);
	}
	str_add(page->out, ")\n");
}

static void
print_net_qos_add_sign(const struct print_net_page *page, const struct net_qos *qos, double v)
{
	struct str unit = {0};

	unit_text(qos->e->unit, &unit);
	str_add(page->out, "    ");
	print_visible(page->out, qos->text);
	if (isnan(v))
		str_add(page->out, ": not known");
	else
		str_addf(page->out, ": %.4g%s%s", v, str_eq(str_text(&unit), "1") ? "" : " ",
			str_eq(str_text(&unit), "1") ? "" : str_text(&unit));
	add_thresholds(page, qos);
	str_free(&unit);
}

/* Prints the sign that decides; the others with -v, and all where none decides. */
static void
add_owner(const struct print_net_page *page, size_t module, size_t owner)
{
	const struct net_module *net_module = &page->r->net->module[module];
	struct net_qos_class c = net_qos_class(page->state, module, owner);

	str_add(page->out, "  ");
	print_visible(page->out, network_module_text(page->r->net, module));
	if (net_state_owners(page->state, module) > 1)
		str_addf(page->out, ", %s %zu", scope_name(net_module->per), owner);
	if (c.known)
		str_addf(page->out, ": %s\n", net_load_name(c.at_least));
	else if (c.at_least > NET_LIGHT || c.at_most < NET_SEVERE)
		str_addf(page->out, ": unknown, from %s to %s\n", net_load_name(c.at_least), net_load_name(c.at_most));
	else
		str_add(page->out, ": not known\n");
	for (size_t i = 0; i < net_module->n_qos; i++)
		if (page->r->options->verbose || i == c.decisive || !c.known || c.decisive == net_module->n_qos)
			print_net_qos_add_sign(page, &net_module->qos[i], net_state_qos(page->state, module, owner, i));
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
write_sign(const struct net_report *report, const struct net_qos *qos, double v)
{
	static const char *const key[NET_LOADS] = {
		[NET_OPTIMAL] = "optimal", [NET_MODERATE] = "moderate", [NET_SEVERE] = "severe"
	};
	struct json_writer *writer = report->json;
	struct str unit = {0};

	unit_text(qos->e->unit, &unit);
	json_open(writer, NULL, '{');
	json_str(writer, "text", qos->text);
	json_num(writer, "value", v);
	json_str(writer, "unit", str_text(&unit));
	for (int l = NET_OPTIMAL; l < NET_LOADS; l++)
		json_num(writer, key[l], qos->at_least[l]);
	json_str(writer, "source", qos->source);
	json_str(writer, "tells", isnan(v) ? NULL : net_load_name(net_qos_load(qos, v)));
	json_close(writer, '}');
	str_free(&unit);
}

void
print_net_write_qos(const struct net_report *report, const struct net_state *state)
{
	struct json_writer *writer = report->json;

	json_open(writer, "qos", '[');
	for (size_t m = 0; m < report->net->n_modules; m++)
		for (size_t o = 0; o < net_state_owners(state, m) && report->net->module[m].n_qos; o++) {
			struct net_qos_class c = net_qos_class(state, m, o);

			json_open(writer, NULL, '{');
			json_str(writer, "module", report->net->module[m].name);
			json_int(writer, "owner", (int64_t)o);
			json_str(writer, "load", c.known ? net_load_name(c.at_least) : NULL);
			json_str(writer, "at_least", net_load_name(c.at_least));
			json_str(writer, "at_most", net_load_name(c.at_most));
			json_open(writer, "signs", '[');
			for (size_t i = 0; i < report->net->module[m].n_qos; i++)
				write_sign(report, &report->net->module[m].qos[i], net_state_qos(state, m, o, i));
			json_close(writer, ']');
			json_close(writer, '}');
		}
	json_close(writer, ']');
}
