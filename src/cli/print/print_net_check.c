/* Describes a network without data: stages, modules, kinds, counters, and what is unresolved or not counted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "base/utf8.h"
#include "cli/options.h"
#include "cli/print/print_net.h"

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
add_stages(const struct network *n, struct str *out)
{
	for (size_t s = 0; s < n->n_stages; s++) {
		str_add(out, "  ");
		add_visible(out, n->stage[s].name);
		for (size_t m = n->stage[s].first; m < n->stage[s].first + n->stage[s].n; m++) {
			str_add(out, m == n->stage[s].first ? ": " : ", ");
			add_visible(out, n->module[m].name);
			if (n->module[m].per != SCOPE_SYSTEM)
				str_addf(out, " per %s", scope_name(n->module[m].per));
			if (n->module[m].times > 1)
				str_addf(out, " times %u", (unsigned)n->module[m].times);
		}
		str_addc(out, '\n');
	}
}

/* Lists values that the machine's counters do not count, or count for two kinds together. */
static void
add_not_counted(const struct network *n, struct str *out)
{
	bool some = false;

	for (size_t m = 0; m < n->n_modules; m++)
		for (size_t k = 0; k < n->n_kinds; k++) {
			const struct net_cell *c = &n->module[m].cell[k];

			if (c->state != NET_CELL_UNREPORTED && c->state != NET_CELL_WITH)
				continue;
			str_add(out, some ? "  " : "\nnot counted separately\n  ");
			some = true;
			add_visible(out, n->kind[k].name);
			str_add(out, " at ");
			add_visible(out, n->module[m].name);
			if (c->state == NET_CELL_WITH) {
				str_add(out, ", with ");
				add_visible(out, n->kind[c->with].name);
			}
			str_add(out, ": ");
			add_visible(out, c->why);
			str_addc(out, '\n');
		}
}

static void
print_net_check_add_counters(const struct network *n, bool all, struct str *out)
{
	size_t unresolved = count_unresolved(n);

	if (all && unresolved < n->n_counters)
		str_add(out, "\nresolved\n");
	for (size_t i = 0; i < n->n_counters && all; i++) {
		const struct counter_item *c = &n->counter[i];

		if (c->unresolved)
			continue;
		str_add(out, "  ");
		add_visible(out, c->name);
		for (size_t k = 0; k < counter_events(c).n; k++) {
			str_add(out, k ? " + " : " = ");
			add_visible(out, counter_events(c).event[k]);
			if (counter_events(c).filter[k]) {
				str_add(out, " if ");
				add_visible(out, counter_events(c).filter[k]);
			}
		}
		str_addf(out, " per %s\n", scope_name(c->scope));
	}
	if (unresolved)
		str_add(out, "\nunresolved\n");
	for (size_t i = 0; i < n->n_counters; i++)
		if (n->counter[i].unresolved) {
			str_add(out, "  ");
			add_visible(out, n->counter[i].name);
			str_add(out, ": ");
			add_visible(out, n->counter[i].unresolved);
			str_addc(out, '\n');
		}
}

/* Lists the counts from which modules know how loaded they are. */
static void
add_qos(const struct network *n, struct str *out)
{
	bool some = false;

	for (size_t m = 0; m < n->n_modules; m++)
		for (size_t i = 0; i < n->module[m].n_qos; i++) {
			const struct net_qos *q = &n->module[m].qos[i];

			str_add(out, some ? "  " : "\nload classes\n  ");
			some = true;
			add_visible(out, n->module[m].name);
			str_add(out, ": ");
			add_visible(out, q->text);
			for (int l = NET_OPTIMAL; l < NET_LOADS; l++)
				if (!isnan(q->at_least[l]))
					str_addf(
						out, ", %s from %.4g", net_load_name((enum net_load)l), q->at_least[l]);
			str_add(out, *q->source ? ": " : "");
			add_visible(out, q->source);
			str_addc(out, '\n');
		}
}

static void
check_text(const struct net_report *r, struct str *out)
{
	const struct network *n = r->net;
	size_t unresolved = count_unresolved(n);

	str_add(out, "network ");
	add_visible(out, n->name);
	if (*n->text) {
		str_add(out, ": ");
		add_visible(out, n->text);
	}
	str_addf(out, "\n%zu stages, %zu modules, %zu links, %zu kinds\n", n->n_stages, n->n_modules, n->n_links,
		n->n_kinds);
	add_stages(n, out);
	str_add(out, "kinds");
	for (size_t k = 0; k < n->n_kinds; k++) {
		str_add(out, k ? ", " : ": ");
		add_visible(out, n->kind[k].name);
		str_add(out, n->kind[k].background ? " (background)" : "");
	}
	str_addf(out, "\n%zu counters: %zu resolved, %zu unresolved\n", n->n_counters, n->n_counters - unresolved,
		unresolved);
	add_not_counted(n, out);
	add_qos(n, out);
	print_net_check_add_counters(n, r->options->verbose, out);
}

static void
write_qos(struct json_writer *w, const struct net_module *m)
{
	json_open(w, "qos", '[');
	for (size_t i = 0; i < m->n_qos; i++) {
		json_open(w, NULL, '{');
		json_str(w, "text", m->qos[i].text);
		json_num(w, "optimal", m->qos[i].at_least[NET_OPTIMAL]);
		json_num(w, "moderate", m->qos[i].at_least[NET_MODERATE]);
		json_num(w, "severe", m->qos[i].at_least[NET_SEVERE]);
		json_str(w, "source", m->qos[i].source);
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void
write_module(const struct net_report *r, const struct net_module *m)
{
	struct json_writer *w = r->json;

	json_open(w, NULL, '{');
	json_str(w, "name", m->name);
	json_str(w, "text", m->text);
	json_str(w, "per", scope_name(m->per));
	json_int(w, "times", m->times);
	json_str(w, "model", model_name(m->model));
	json_open(w, "cells", '[');
	for (size_t k = 0; k < r->net->n_kinds; k++) {
		const struct net_cell *c = &m->cell[k];

		json_open(w, NULL, '{');
		json_str(w, "kind", r->net->kind[k].name);
		json_str(w, "state", print_net_state(c->state));
		json_str(w, "why", c->why);
		json_str(w, "with", c->state == NET_CELL_WITH ? r->net->kind[c->with].name : NULL);
		json_close(w, '}');
	}
	json_close(w, ']');
	write_qos(w, m);
	json_close(w, '}');
}

static void
print_net_check_write_counter(struct json_writer *w, const struct counter_item *c)
{
	struct str unit = {0};

	unit_text(c->unit, &unit);
	json_open(w, NULL, '{');
	json_str(w, "name", c->name);
	json_str(w, "text", c->text);
	json_open(w, "events", '[');
	for (size_t k = 0; k < counter_events(c).n; k++)
		json_str(w, NULL, counter_events(c).event[k]);
	json_close(w, ']');
	json_open(w, "filters", '[');
	for (size_t k = 0; k < counter_events(c).n; k++)
		json_str(w, NULL, counter_events(c).filter[k]);
	json_close(w, ']');
	json_str(w, "per", scope_name(c->scope));
	json_str(w, "unit", str_text(&unit));
	json_str(w, "unresolved", c->unresolved);
	json_close(w, '}');
	str_free(&unit);
}

static void
check_json(const struct net_report *r, struct str *out)
{
	const struct network *n = r->net;
	struct json_writer *w = r->json;

	json_open(w, NULL, '{');
	json_str(w, "schema", "hecate.net/1");
	json_str(w, "network", n->name);
	json_str(w, "text", n->text);
	json_str(w, "file", r->file);
	json_open(w, "kinds", '[');
	for (size_t k = 0; k < n->n_kinds; k++) {
		json_open(w, NULL, '{');
		json_str(w, "name", n->kind[k].name);
		json_str(w, "text", n->kind[k].text);
		json_bool(w, "background", n->kind[k].background);
		json_close(w, '}');
	}
	json_close(w, ']');
	json_open(w, "stages", '[');
	for (size_t s = 0; s < n->n_stages; s++) {
		json_open(w, NULL, '{');
		json_str(w, "name", n->stage[s].name);
		json_str(w, "text", n->stage[s].text);
		json_open(w, "modules", '[');
		for (size_t m = 0; m < n->stage[s].n; m++)
			write_module(r, &n->module[n->stage[s].first + m]);
		json_close(w, ']');
		json_close(w, '}');
	}
	json_close(w, ']');
	json_open(w, "links", '[');
	for (size_t l = 0; l < n->n_links; l++) {
		json_open(w, NULL, '{');
		json_str(w, "from", n->module[n->link[l].from].name);
		json_str(w, "to", n->module[n->link[l].to].name);
		json_close(w, '}');
	}
	json_close(w, ']');
	json_open(w, "counters", '[');
	for (size_t i = 0; i < n->n_counters; i++)
		print_net_check_write_counter(w, &n->counter[i]);
	json_close(w, ']');
	json_int(w, "resolved", (int64_t)(n->n_counters - count_unresolved(n)));
	json_int(w, "unresolved", (int64_t)count_unresolved(n));
	json_close(w, '}');
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
