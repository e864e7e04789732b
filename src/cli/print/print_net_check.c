/* Describes a network without data: stages, modules, kinds, counters, and what is unresolved or not counted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "base/utf8.h"
#include "cli/options.h"
#include "cli/print/print_net.h"
#include "cli/print/print_net_page.h"

static void
add_visible(struct str *out, const char *text)
{
	utf8_add_visible(out, text, strlen(text));
}

static const char *
model_name(enum net_model m)
{
	switch (m) {
	case NET_QUEUE:
		return "queue";
	case NET_CACHE:
		return "cache";
	case NET_HOME:
		return "home";
	}
	return "";
}

static size_t
count_unresolved(const struct network *n)
{
	size_t unresolved = 0;

	for (size_t i = 0; i < n->n_counters; i++)
		unresolved += n->counter[i].unresolved != NULL;
	return unresolved;
}

static void
add_stages(const struct network *network, struct str *out)
{
	for (size_t s = 0; s < network->n_stages; s++) {
		str_add(out, "  ");
		add_visible(out, network->stage[s].name);
		for (size_t m = network->stage[s].first; m < network->stage[s].first + network->stage[s].n; m++) {
			str_add(out, m == network->stage[s].first ? ": " : ", ");
			add_visible(out, network->module[m].name);
			if (network->module[m].per != SCOPE_SYSTEM)
				str_addf(out, " per %s", scope_name(network->module[m].per));
			if (network->module[m].times > 1)
				str_addf(out, " times %u", (unsigned)network->module[m].times);
		}
		str_addc(out, '\n');
	}
}

/* Lists values that the machine's counters do not count, or count for two kinds together. */
static void
add_not_counted(const struct network *network, struct str *out)
{
	bool some = false;

	for (size_t m = 0; m < network->n_modules; m++)
		for (size_t k = 0; k < network->n_kinds; k++) {
			const struct net_cell *cell = &network->module[m].cell[k];

			if (cell->state != NET_CELL_UNREPORTED && cell->state != NET_CELL_WITH)
				continue;
			str_add(out, some ? "  " : "\nnot counted separately\n  ");
			some = true;
			add_visible(out, network->kind[k].name);
			str_add(out, " at ");
			add_visible(out, network->module[m].name);
			if (cell->state == NET_CELL_WITH) {
				str_add(out, ", with ");
				add_visible(out, network->kind[cell->with].name);
			}
			str_add(out, ": ");
			add_visible(out, cell->why);
			str_addc(out, '\n');
		}
}

static void
add_events(const struct counter_item *item, struct str *out)
{
	for (size_t i = 0; i < item->n_choices; i++) {
		str_add(out, i ? " or " : " = ");
		for (size_t k = 0; k < item->choice[i].n; k++) {
			str_add(out, k ? " + " : "");
			add_visible(out, item->choice[i].event[k].name);
			if (item->choice[i].event[k].filter) {
				str_add(out, " if ");
				add_visible(out, item->choice[i].event[k].filter);
			}
		}
	}
}

static void
print_net_check_add_counters(const struct network *network, bool all, struct str *out)
{
	size_t unresolved = count_unresolved(network);

	if (all && unresolved < network->n_counters)
		str_add(out, "\nresolved\n");
	for (size_t i = 0; i < network->n_counters && all; i++) {
		const struct counter_item *item = &network->counter[i];

		if (item->unresolved)
			continue;
		str_add(out, "  ");
		add_visible(out, item->name);
		add_events(item, out);
		str_addf(out, " per %s", scope_name(item->scope));
		str_add(out, *item->text ? ": " : "");
		add_visible(out, item->text);
		str_addc(out, '\n');
	}
	if (unresolved)
		str_add(out, "\nunresolved\n");
	for (size_t i = 0; i < network->n_counters; i++)
		if (network->counter[i].unresolved) {
			str_add(out, "  ");
			add_visible(out, network->counter[i].name);
			str_add(out, ": ");
			add_visible(out, network->counter[i].unresolved);
			str_addc(out, '\n');
		}
}

/* Lists the counts from which modules know how loaded they are. */
static void
add_qos(const struct network *network, struct str *out)
{
	bool some = false;

	for (size_t m = 0; m < network->n_modules; m++)
		for (size_t i = 0; i < network->module[m].n_qos; i++) {
			const struct net_qos *qos = &network->module[m].qos[i];

			str_add(out, some ? "  " : "\nload classes\n  ");
			some = true;
			add_visible(out, network->module[m].name);
			str_add(out, ": ");
			add_visible(out, qos->text);
			for (int l = NET_OPTIMAL; l < NET_LOADS; l++)
				if (!isnan(qos->at_least[l]))
					str_addf(out, ", %s from %.4g", net_load_name((enum net_load)l),
						qos->at_least[l]);
			str_add(out, *qos->source ? ": " : "");
			add_visible(out, qos->source);
			str_addc(out, '\n');
		}
}

static void
check_text(const struct net_report *report, struct str *out)
{
	const struct network *network = report->net;
	size_t unresolved = count_unresolved(network);

	str_add(out, "network ");
	add_visible(out, network->name);
	if (*network->text) {
		str_add(out, ": ");
		add_visible(out, network->text);
	}
	str_addf(out, "\n%zu stages, %zu modules, %zu links, %zu kinds\n", network->n_stages, network->n_modules,
		network->n_links, network->n_kinds);
	add_stages(network, out);
	str_add(out, "kinds");
	for (size_t k = 0; k < network->n_kinds; k++) {
		str_add(out, k ? ", " : ": ");
		add_visible(out, network->kind[k].name);
		str_add(out, network->kind[k].background ? " (background)" : "");
	}
	str_addf(out, "\n%zu counters: %zu resolved, %zu unresolved\n", network->n_counters,
		network->n_counters - unresolved, unresolved);
	add_not_counted(network, out);
	print_net_add_known_for(network, NULL, out);
	add_qos(network, out);
	print_net_check_add_counters(network, report->options->verbose, out);
}

static void
write_qos(struct json_writer *writer, const struct net_module *module)
{
	json_open(writer, "qos", '[');
	for (size_t i = 0; i < module->n_qos; i++) {
		json_open(writer, NULL, '{');
		json_str(writer, "text", module->qos[i].text);
		json_num(writer, "optimal", module->qos[i].at_least[NET_OPTIMAL]);
		json_num(writer, "moderate", module->qos[i].at_least[NET_MODERATE]);
		json_num(writer, "severe", module->qos[i].at_least[NET_SEVERE]);
		json_str(writer, "source", module->qos[i].source);
		json_close(writer, '}');
	}
	json_close(writer, ']');
}

static void
write_module(const struct net_report *report, const struct net_module *module)
{
	struct json_writer *writer = report->json;

	json_open(writer, NULL, '{');
	json_str(writer, "name", module->name);
	json_str(writer, "text", module->text);
	json_str(writer, "per", scope_name(module->per));
	json_int(writer, "times", module->times);
	json_str(writer, "model", model_name(module->model));
	json_open(writer, "cells", '[');
	for (size_t k = 0; k < report->net->n_kinds; k++) {
		const struct net_cell *cell = &module->cell[k];
		bool hits = cell->state == NET_CELL_REPORTED && cell->n_hits;
		size_t m = (size_t)(module - report->net->module);

		json_open(writer, NULL, '{');
		json_str(writer, "kind", report->net->kind[k].name);
		json_str(writer, "state", print_net_state(cell->state));
		json_str(writer, "why", cell->why);
		json_str(writer, "known_per", hits ? scope_name(net_known_per(report->net, m, k)) : NULL);
		json_str(writer, "with", cell->state == NET_CELL_WITH ? report->net->kind[cell->with].name : NULL);
		json_close(writer, '}');
	}
	json_close(writer, ']');
	write_qos(writer, module);
	json_close(writer, '}');
}

static void
print_net_check_write_counter(struct json_writer *writer, const struct counter_item *item)
{
	struct str unit = {0};

	unit_text(item->unit, &unit);
	json_open(writer, NULL, '{');
	json_str(writer, "name", item->name);
	json_str(writer, "text", item->text);
	json_open(writer, "events", '[');
	for (size_t k = 0; k < counter_events(item).n; k++)
		json_str(writer, NULL, counter_events(item).event[k].name);
	json_close(writer, ']');
	json_open(writer, "filters", '[');
	for (size_t k = 0; k < counter_events(item).n; k++)
		json_str(writer, NULL, counter_events(item).event[k].filter);
	json_close(writer, ']');
	json_open(writer, "alternatives", '[');
	for (size_t i = 1; i < item->n_choices; i++) {
		json_open(writer, NULL, '[');
		for (size_t k = 0; k < item->choice[i].n; k++)
			json_str(writer, NULL, item->choice[i].event[k].name);
		json_close(writer, ']');
	}
	json_close(writer, ']');
	json_str(writer, "per", scope_name(item->scope));
	json_str(writer, "unit", str_text(&unit));
	json_str(writer, "unresolved", item->unresolved);
	json_close(writer, '}');
	str_free(&unit);
}

static void
check_json(const struct net_report *report, struct str *out)
{
	const struct network *network = report->net;
	struct json_writer *writer = report->json;

	json_open(writer, NULL, '{');
	json_str(writer, "schema", "hecate.net/1");
	json_str(writer, "network", network->name);
	json_str(writer, "text", network->text);
	json_str(writer, "file", report->file);
	json_open(writer, "kinds", '[');
	for (size_t k = 0; k < network->n_kinds; k++) {
		json_open(writer, NULL, '{');
		json_str(writer, "name", network->kind[k].name);
		json_str(writer, "text", network->kind[k].text);
		json_bool(writer, "background", network->kind[k].background);
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_open(writer, "stages", '[');
	for (size_t s = 0; s < network->n_stages; s++) {
		json_open(writer, NULL, '{');
		json_str(writer, "name", network->stage[s].name);
		json_str(writer, "text", network->stage[s].text);
		json_open(writer, "modules", '[');
		for (size_t m = 0; m < network->stage[s].n; m++)
			write_module(report, &network->module[network->stage[s].first + m]);
		json_close(writer, ']');
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_open(writer, "links", '[');
	for (size_t l = 0; l < network->n_links; l++) {
		json_open(writer, NULL, '{');
		json_str(writer, "from", network->module[network->link[l].from].name);
		json_str(writer, "to", network->module[network->link[l].to].name);
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_open(writer, "counters", '[');
	for (size_t i = 0; i < network->n_counters; i++)
		print_net_check_write_counter(writer, &network->counter[i]);
	json_close(writer, ']');
	json_int(writer, "resolved", (int64_t)(network->n_counters - count_unresolved(network)));
	json_int(writer, "unresolved", (int64_t)count_unresolved(network));
	json_close(writer, '}');
	str_addc(out, '\n');
}

void
print_net_check(const struct net_report *r, struct str *out)
{
	if (r->options->json)
		check_json(r, out);
	else
		check_text(r, out);
}
