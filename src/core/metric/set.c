#include "core/metric/metric.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "core/metric/parts.h"

/* Progress through the metrics that others need. */
struct linker {
	struct metric_set *set;
	unsigned char *seen;  /* per metric: 0 new, 1 on the path, 2 done */
	uint32_t *path;       /* metrics from the first one to the present one */
	uint32_t *child;      /* per entry of the path: the node that is looked at next */
	uint32_t *mark;       /* per metric: the number of the last metric whose needs include it, plus 1 */
	unsigned char *often; /* per leaf: how often the present metric has it: 0, 1, or 2 for more */
	unsigned char *times; /* per metric: how often the present metric has it, likewise */
};

static char *
lower_case(const char *name)
{
	char *key = mem_str(name);

	for (char *p = key; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return key;
}

static void
refuse(struct metric *metric, size_t at, char *why)
{
	if (metric->why)
		free(why);
	else {
		metric->why = why;
		metric->at = at;
	}
}

/* Names the circle that the path closes: "it needs itself: a, b, a". */
static void
refuse_circle(struct linker *l, size_t n_path, uint32_t again)
{
	struct metric_set *set = l->set;
	struct str names = {0};
	size_t from = n_path;

	while (l->path[from - 1] != again)
		from--;
	for (size_t i = from - 1; i < n_path && i < from + 8; i++)
		str_addf(&names, "%s, ", set->metric[l->path[i]].name);
	str_addf(&names, "%s%s", n_path > from + 8 ? "..., " : "", set->metric[again].name);
	for (size_t i = from - 1; i < n_path; i++)
		refuse(&set->metric[l->path[i]], 0, str_format("it needs itself: %s", str_text(&names)));
	str_free(&names);
}

/* Sets metric->need: the union of the needs of what it uses, each after its own. */
static void
take_needs(struct linker *l, uint32_t number)
{
	struct metric_set *set = l->set;
	struct metric *metric = &set->metric[number];
	uint32_t *need = mem_new_array(METRIC_NEEDS_MAX, sizeof *need);
	size_t n = 0;

	for (uint32_t i = metric->first; i < metric->first + metric->n && !metric->why; i++) {
		const struct metric_node *node = &set->node[i];
		const struct metric *other = &set->metric[node->arg[0]];

		if (node->op != METRIC_OTHER)
			continue;
		if (other->why)
			refuse(metric, node->at, str_format("it needs %s, which is not understood", other->name));
		for (size_t k = 0; k < other->n_needs && !metric->why; k++)
			if (l->mark[other->need[k]] != number + 1) {
				if (n + 1 >= METRIC_NEEDS_MAX) {
					refuse(metric, node->at,
						str_format("it needs more than %d other metrics", METRIC_NEEDS_MAX));
					break;
				}
				l->mark[other->need[k]] = number + 1;
				need[n++] = other->need[k];
			}
	}
	if (metric->why) {
		free(need);
		return;
	}
	need[n++] = number;
	metric->need = mem_resize(need, n, sizeof *need);
	metric->n_needs = n;
}

static void
metric_add_times(unsigned char *sum, unsigned char times)
{
	*sum = (unsigned char)(*sum + times > 1 ? 2 : *sum + times);
}

/* Counts how often each leaf occurs in the formula with all other metrics put in. */
static void
take_uses(struct linker *l, uint32_t number)
{
	struct metric_set *set = l->set;
	struct metric *metric = &set->metric[number];
	size_t cap = 0;

	if (metric->why)
		return;
	l->times[number] = 1;
	for (size_t k = metric->n_needs; k-- > 0;) {
		uint32_t m = metric->need[k];
		const struct metric *part = &set->metric[m];

		for (uint32_t i = part->first; i < part->first + part->n; i++) {
			const struct metric_node *node = &set->node[i];

			if (node->op == METRIC_OTHER)
				metric_add_times(&l->times[node->arg[0]], l->times[m]);
			if (node->op != METRIC_LEAF)
				continue;
			if (!l->often[node->arg[0]]) {
				mem_grow(&metric->use, &cap, metric->n_uses + 1, sizeof *metric->use);
				metric->use[metric->n_uses++].leaf = node->arg[0];
			}
			metric_add_times(&l->often[node->arg[0]], l->times[m]);
		}
		l->times[m] = 0;
		metric->whole_numbers |= part->whole_numbers;
	}
	for (size_t i = 0; i < metric->n_uses; i++) {
		metric->use[i].often = l->often[metric->use[i].leaf] > 1;
		l->often[metric->use[i].leaf] = 0;
	}
}

/* Links a metric after all that it needs, without recursion: a chain may be as long as there are metrics. */
static void
link_metric(struct linker *l, uint32_t first)
{
	struct metric_set *set = l->set;
	size_t n = 0;

	if (l->seen[first])
		return;
	l->path[n] = first;
	l->child[n++] = set->metric[first].first;
	l->seen[first] = 1;
	while (n) {
		uint32_t number = l->path[n - 1];
		struct metric *metric = &set->metric[number];
		const struct metric_node *node = &set->node[l->child[n - 1]];

		if (l->child[n - 1] == metric->first + metric->n) {
			take_needs(l, number);
			take_uses(l, number);
			l->seen[number] = 2;
			n--;
			continue;
		}
		l->child[n - 1]++;
		if (node->op != METRIC_OTHER)
			continue;
		if (l->seen[node->arg[0]] == 1)
			refuse_circle(l, n, node->arg[0]);
		else if (!l->seen[node->arg[0]]) {
			l->path[n] = node->arg[0];
			l->child[n++] = set->metric[node->arg[0]].first;
			l->seen[node->arg[0]] = 1;
		}
	}
}

static void
link_all(struct metric_set *set)
{
	struct linker l = {.set = set,
		.seen = mem_new(set->n + 1),
		.path = mem_new_array(set->n + 1, sizeof *l.path),
		.child = mem_new_array(set->n + 1, sizeof *l.child),
		.mark = mem_new_array(set->n + 1, sizeof *l.mark),
		.often = mem_new(set->n_leaves + 1),
		.times = mem_new(set->n + 1)};

	for (size_t i = 0; i < set->n; i++)
		link_metric(&l, (uint32_t)i);
	free(l.seen);
	free(l.path);
	free(l.child);
	free(l.mark);
	free(l.often);
	free(l.times);
}

struct metric_set *
metric_set_new(const struct metric_text *text, size_t n)
{
	struct metric_set *set = mem_new(sizeof *set);
	struct names known = {0}, leaves = {0};

	set->metric = mem_new_array(n + 1, sizeof *set->metric);
	for (size_t i = 0; i < n; i++) {
		char *key = lower_case(text[i].name);

		if (names_find(&known, key, strlen(key)) == NAMES_NONE) {
			names_add(&known, key, strlen(key));
			set->metric[set->n++] = (struct metric){
				.name = text[i].name, .expr = text[i].expr, .scope = text[i].scope};
		}
		free(key);
	}
	for (size_t i = 0; i < set->n; i++)
		metric_parse(set, i, &known, &leaves);
	mem_grow(&set->node, &set->cap_nodes, set->n_nodes + 1, sizeof *set->node);
	link_all(set);
	names_free(&known);
	names_free(&leaves);
	return set;
}

void
metric_set_free(struct metric_set *set)
{
	if (!set)
		return;
	for (size_t i = 0; i < set->n; i++) {
		free(set->metric[i].why);
		free(set->metric[i].use);
		free(set->metric[i].need);
	}
	for (size_t i = 0; i < set->n_leaves; i++)
		free(set->leaf[i].name);
	free(set->metric);
	free(set->leaf);
	free(set->node);
	free(set);
}

size_t
metric_set_find(const struct metric_set *set, const char *name)
{
	for (size_t i = 0; i < set->n; i++)
		if (strcasecmp(set->metric[i].name, name) == 0)
			return i;
	return METRIC_NONE;
}
