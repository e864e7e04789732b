#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "event/table.h"
#include "text/lex.h"
#include "work/machine.h"
#include "work/metrics/metric_data.h"

#define LEVELS_MOST 6
#define GROUP "TopdownL"

struct tree {
	const struct table_metrics *metrics;
	const struct metric_set *set;
	char *pmu;       /* only its metrics are nodes; NULL: all */
	unsigned *level; /* per metric: its level, from 1; 0: it is no node */
	size_t *parent;  /* per metric: a node of the level above; METRIC_NONE: none */
	bool *used;      /* per leaf */
	bool lost;       /* a part has no value */
	bool here;       /* the counts will be of this machine */
	bool failed;     /* something cannot be written in the language of stacks */
};

unsigned
metric_tree_levels(const char *name)
{
	size_t n = strlen(GROUP);
	const char *slash = strchr(name, '/'), *group = slash ? slash + 1 : name;

	if (slash == name || strncasecmp(group, GROUP, n) != 0 || group[n] < '1' || group[n] > '0' + LEVELS_MOST ||
		!str_eq(group + n + 1, slash ? "/" : ""))
		return 0;
	return (unsigned)(group[n] - '0');
}

/* Finds the level of a metric, and its parent among the nodes, by its groups. */
static void
place(struct tree *tree, size_t metric, unsigned levels)
{
	const struct event_metric *row = tree->metrics->row[metric];
	size_t n = 0;
	char **group = str_split(tree->pmu && !str_eq(row->pmu, tree->pmu) ? "" : row->groups, ';', &n);

	for (size_t i = 0; i < n; i++) {
		unsigned level = metric_tree_levels(group[i]);

		if (level && level <= levels)
			tree->level[metric] = level;
		if (!str_ends(group[i], "_group"))
			continue;
		group[i][strlen(group[i]) - strlen("_group")] = '\0';
		for (size_t k = 0; k < tree->metrics->n; k++)
			if (strcasecmp(tree->metrics->row[k]->name, group[i]) == 0 &&
				str_eq(tree->metrics->row[k]->pmu, row->pmu))
				tree->parent[metric] = k;
	}
	str_split_free(group);
	if (tree->set->metric[metric].why)
		tree->level[metric] = 0;
}

/* Names of counters may have dots; those of parts have none in perf's metrics. */
static void
add_name(const char *name, struct str *out)
{
	for (const char *p = name; *p; p++)
		str_addc(out, strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.", *p) ? *p : '_');
}

void
metric_counter_name(const struct metric_leaf *leaf, struct str *out)
{
	static const char *const PREFIX[] = {[METRIC_EVENT] = "",
		[METRIC_CONSTANT] = "",
		[METRIC_SOURCES] = "sources_of_",
		[METRIC_HAS] = "has_",
		[METRIC_IS_CPU] = "is_cpu_"};

	str_add(out, PREFIX[leaf->kind]);
	add_name(*leaf->name == '#' ? leaf->name + 1 : leaf->name, out);
}

/* has_event(EVENT) of an event that a metric uses: the language of stacks can ask whether it was counted. Returns the
 * event's leaf; n_leaves: it is something else. */
static size_t
leaf_asked_for(const struct metric_set *set, const struct metric_node *node)
{
	size_t i = 0;

	if (node->op != METRIC_LEAF || set->leaf[node->arg[0]].kind != METRIC_HAS)
		return set->n_leaves;
	while (i < set->n_leaves &&
		(set->leaf[i].kind != METRIC_EVENT || strcasecmp(set->leaf[i].name, set->leaf[node->arg[0]].name) != 0))
		i++;
	return i;
}

static bool
is_time(const struct metric_leaf *leaf)
{
	return leaf->kind == METRIC_EVENT && str_ends(leaf->name, "_time");
}

/* perf's metrics have their times in seconds. */
static void
write_leaf(struct tree *tree, size_t leaf, struct str *out)
{
	bool time = is_time(&tree->set->leaf[leaf]);

	tree->used[leaf] = true;
	str_add(out, time ? "(" : "");
	metric_counter_name(&tree->set->leaf[leaf], out);
	str_add(out, time ? " / 1000000000 ns)" : "");
}

static void write_metric_node(struct tree *, uint32_t, struct str *);

static void
write_call(struct tree *tree, const char *word, const struct metric_node *node, const char *between, struct str *out)
{
	str_add(out, word);
	write_metric_node(tree, node->arg[0], out);
	str_add(out, between);
	write_metric_node(tree, node->arg[1], out);
	str_addc(out, ')');
}

/* Writes if(CONDITION, yes, no). Stacks know only comparisons, so that "and" becomes one choice in the other. */
static void
write_condition(struct tree *tree, uint32_t condition, const char *yes, const char *no, struct str *out)
{
	const struct metric_node *node = &tree->set->node[condition];
	size_t asked = leaf_asked_for(tree->set, node);
	struct str inner = {0};

	if (node->op == METRIC_AND || node->op == METRIC_OR) {
		write_condition(tree, node->arg[1], yes, no, &inner);
		write_condition(tree, node->arg[0], node->op == METRIC_AND ? str_text(&inner) : yes,
			node->op == METRIC_AND ? no : str_text(&inner), out);
		str_free(&inner);
		return;
	}
	str_add(out, "if(");
	if (node->op == METRIC_LESS || node->op == METRIC_AT_MOST) {
		bool turned = node->op == METRIC_AT_MOST; /* a <= b unless b < a */

		write_metric_node(tree, node->arg[turned], out);
		str_add(out, " < ");
		write_metric_node(tree, node->arg[!turned], out);
		str_addf(out, ", %s, %s)", turned ? no : yes, turned ? yes : no);
		return;
	} else if (asked < tree->set->n_leaves) {
		tree->used[asked] = true;
		str_add(out, "counted(");
		metric_counter_name(&tree->set->leaf[asked], out);
		str_addc(out, ')');
	} else {
		str_add(out, "0 < ");
		write_metric_node(tree, condition, out);
	}
	str_addf(out, ", %s, %s)", yes, no);
}

static void
write_if(struct tree *tree, const struct metric_node *node, struct str *out)
{
	struct str yes = {0}, no = {0};

	write_metric_node(tree, node->arg[0], &yes);
	write_metric_node(tree, node->arg[2], &no);
	write_condition(tree, node->arg[1], str_text(&yes), str_text(&no), out);
	str_free(&yes);
	str_free(&no);
}

/* The name of a part; without its PMU where all are of one. */
static void
write_part_name(const struct tree *tree, size_t metric, struct str *out)
{
	add_name(tree->pmu ? tree->metrics->row[metric]->name : tree->set->metric[metric].name, out);
}

static void
write_other(struct tree *tree, uint32_t metric, struct str *out)
{
	if (tree->level[metric])
		write_part_name(tree, metric, out);
	else
		write_metric_node(tree, tree->set->metric[metric].first + tree->set->metric[metric].n - 1, out);
}

static void
write_metric_node(struct tree *tree, uint32_t number, struct str *out)
{
	const struct metric_node *node = &tree->set->node[number];

	if (tree->failed || out->n > METRIC_TEXT_MAX) {
		tree->failed = true;
		return;
	}
	switch (node->op) {
	case METRIC_NUMBER:
		str_addf(out, "%.17g", node->number);
		break;
	case METRIC_LEAF:
		write_leaf(tree, node->arg[0], out);
		break;
	case METRIC_OTHER:
		write_other(tree, node->arg[0], out);
		break;
	case METRIC_NEGATE:
		str_add(out, "(0 - ");
		write_metric_node(tree, node->arg[0], out);
		str_addc(out, ')');
		break;
	case METRIC_ADD:
		write_call(tree, "(", node, " + ", out);
		break;
	case METRIC_SUBTRACT:
		write_call(tree, "(", node, " - ", out);
		break;
	case METRIC_TIMES:
		write_call(tree, "(", node, " * ", out);
		break;
	case METRIC_DIVIDE:
		write_call(tree, "(", node, " / ", out);
		break;
	case METRIC_MIN:
		write_call(tree, "min(", node, ", ", out);
		break;
	case METRIC_MAX:
		write_call(tree, "max(", node, ", ", out);
		break;
	case METRIC_RATIO:
		write_call(tree, "ratio(", node, ", ", out);
		break;
	case METRIC_IF:
		write_if(tree, node, out);
		break;
	case METRIC_LESS:
	case METRIC_AT_MOST:
	case METRIC_AND:
	case METRIC_OR:
		write_condition(tree, number, "1", "0", out);
		break;
	case METRIC_REMAINDER:
	case METRIC_XOR:
		tree->failed = true;
		break;
	}
}

/* Looks in a condition for "NAME > LIMIT" of the metric itself, and for one of its parent. */
static void
find_limit(const struct tree *tree, uint32_t number, size_t metric, double *limit, bool *of_parent)
{
	const struct metric_node *node = &tree->set->node[number], *low, *high;

	if (node->op == METRIC_AND || node->op == METRIC_OR) {
		find_limit(tree, node->arg[0], metric, limit, of_parent);
		find_limit(tree, node->arg[1], metric, limit, of_parent);
	}
	if (node->op != METRIC_LESS && node->op != METRIC_AT_MOST)
		return;
	low = &tree->set->node[node->arg[0]];
	high = &tree->set->node[node->arg[1]];
	if (low->op != METRIC_NUMBER || high->op != METRIC_OTHER)
		return;
	if (high->arg[0] == metric)
		*limit = low->number;
	*of_parent |= high->arg[0] == tree->parent[metric];
}

static void
write_part(struct tree *tree, size_t metric, unsigned depth, struct str *out)
{
	const struct event_metric *row = tree->metrics->row[metric];
	size_t threshold = tree->metrics->threshold[metric];
	bool of_parent = false, parts = false;
	struct str formula = {0};
	double limit = NAN;

	tree->failed = false;
	write_metric_node(tree, tree->set->metric[metric].first + tree->set->metric[metric].n - 1, &formula);
	str_addf(out, "%.*spart ", (int)depth, "\t\t\t\t\t\t\t\t");
	write_part_name(tree, metric, out);
	str_addc(out, ' ');
	lex_add_string(row->text, out);
	if (threshold != METRIC_NONE && !tree->set->metric[threshold].why)
		find_limit(tree, tree->set->metric[threshold].first + tree->set->metric[threshold].n - 1, metric,
			&limit, &of_parent);
	if (limit > 0)
		str_addf(out, " above %.10g%s", limit, depth && !of_parent ? " alone" : "");
	/* what the language cannot say stays a node without a value */
	str_addf(out, " = %s", tree->failed ? "unknown" : str_text(&formula));
	tree->lost |= tree->failed;
	str_free(&formula);
	for (size_t i = 0; i < tree->metrics->n; i++)
		if (tree->level[i] == depth + 2 && tree->parent[i] == metric) {
			str_add(out, parts ? "" : " {\n");
			parts = true;
			write_part(tree, i, depth + 1, out);
		}
	if (parts)
		str_addf(out, "%.*s}\n", (int)depth, "\t\t\t\t\t\t\t\t");
	else
		str_add(out, ";\n");
}

/* Constants that a machine does not tell: the text says what was taken. */
static void
write_constant(const struct tree *tree, size_t leaf, struct str *out)
{
	const struct metric_leaf *what = &tree->set->leaf[leaf];
	double value = tree->here && what->kind == METRIC_CONSTANT ? machine_constant(what->name + 1) : NAN;
	bool known = !isnan(value);

	if (!known)
		value = what->kind == METRIC_CONSTANT && str_eq(what->name, "#core_wide") ? 0 : 1;
	str_add(out, "const ");
	metric_counter_name(&tree->set->leaf[leaf], out);
	str_addf(out, " = %.17g \"%s, %s\";\n", value, what->name,
		known ? "of this machine" : "taken to be so: the machine is not known");
}

static void
write_head(const struct tree *tree, const char *name, const char *what, struct str *out)
{
	str_addf(out, "stack %s \"%s\" per thread;\n", name, what);
	str_add(out, "tree perf source \"the metrics of perf (perf list)\";\n");
	if (tree->lost)
		str_add(out,
			"counter unknown = unresolved per thread unit requests/requests \"no stack can compute "
			"it\";\n");
	for (size_t i = 0; i < tree->set->n_leaves; i++) {
		if (!tree->used[i])
			continue;
		if (tree->set->leaf[i].kind != METRIC_EVENT) {
			write_constant(tree, i, out);
			continue;
		}
		str_add(out, "counter ");
		metric_counter_name(&tree->set->leaf[i], out);
		str_add(out, " = ");
		lex_add_string(tree->set->leaf[i].name, out);
		str_addf(out, " per thread unit %s;\n", is_time(&tree->set->leaf[i]) ? "ns" : "requests/requests");
	}
	str_add(out, "whole share \"all issue slots\" = 1;\n");
}

static void
tree_open(struct tree *tree, const struct table_metrics *metrics, bool here)
{
	*tree = (struct tree){.metrics = metrics, .set = metrics->set, .here = here};
	tree->level = mem_new_array(metrics->n + 1, sizeof *tree->level);
	tree->parent = mem_new_array(metrics->n + 1, sizeof *tree->parent);
	tree->used = mem_new_array(metrics->set->n_leaves + 1, sizeof *tree->used);
	for (size_t i = 0; i < metrics->n; i++)
		tree->parent[i] = METRIC_NONE;
}

static void
tree_close(struct tree *tree)
{
	free(tree->level);
	free(tree->parent);
	free(tree->used);
}

/* Writes all nodes of the first level, with their parts, and frees the tree. Returns false if there are none. */
static bool
tree_write(struct tree *tree, const char *name, const char *what, struct str *out)
{
	struct str parts = {0};
	bool some;

	for (size_t i = 0; i < tree->metrics->n; i++)
		if (tree->level[i] == 1)
			write_part(tree, i, 0, &parts);
	some = parts.n > 0;
	if (some) {
		write_head(tree, name, what, out);
		str_addn(out, parts.s, parts.n);
	}
	str_free(&parts);
	tree_close(tree);
	return some;
}

/* Returns whether the nodes are of one PMU. */
static bool
is_of_one_pmu(const struct tree *tree, unsigned levels, struct err *e)
{
	const char *first = NULL;

	for (size_t i = 0; i < tree->metrics->n; i++) {
		const char *pmu = tree->metrics->row[i]->pmu;

		if (tree->level[i] && first && !str_eq(first, pmu)) {
			err_set(e, "TopdownL%u is a group of PMU %s and of PMU %s", levels, first, pmu);
			return err_hint(e, "write %s/TopdownL%u/ or %s/TopdownL%u/", first, levels, pmu, levels);
		}
		first = tree->level[i] ? pmu : first;
	}
	return true;
}

bool
metric_tree_text(const struct table_metrics *metrics, const char *name, bool here, struct str *out, struct err *e)
{
	const char *slash = strchr(name, '/');
	unsigned levels = metric_tree_levels(name);
	char *group = str_format("TopdownL%u", levels), *pmu = slash ? mem_strn(name, (size_t)(slash - name)) : NULL;
	struct tree tree;
	bool one, some = false;

	tree_open(&tree, metrics, here);
	tree.pmu = pmu;
	for (size_t i = 0; i < metrics->n; i++)
		place(&tree, i, levels);
	one = is_of_one_pmu(&tree, levels, e);
	if (one)
		some = tree_write(&tree, group, "perf's metrics of the groups TopdownL1 and below", out);
	else
		tree_close(&tree);
	free(group);
	free(pmu);
	if (some || !one)
		return some;
	err_set(e, "no metric of this processor is in the group TopdownL1");
	return err_hint(e, "hecate metrics lists its metrics; HECATE_CPUID names another processor");
}

bool
metric_stack_text(const struct table_metrics *metrics, const bool *chosen, bool here, struct str *out, struct err *e)
{
	struct tree tree;

	tree_open(&tree, metrics, here);
	for (size_t i = 0; i < metrics->n; i++)
		if (chosen[i] && !metrics->set->metric[i].why)
			tree.level[i] = 1;
		else if (chosen[i])
			err_set(e, "%s is not understood: %s", metrics->row[i]->name, metrics->set->metric[i].why);
	if (tree_write(&tree, "metrics", "metrics of perf", out))
		return true;
	return err_hint(e, "hecate metrics NAME shows its formula");
}

bool
metric_tree_load(const char *name, struct str *out, struct err *e)
{
	const char *cpu = getenv("HECATE_CPUID");
	struct event_table table = {0};
	struct table_metrics *metrics;
	struct err missing = {0}; /* a source that was not there, although others knew something */
	bool good = machine_events(NULL, &table, &missing);

	if (!good && e)
		*e = missing;
	if (good) {
		metrics = table_metrics_new(&table);
		good = metric_tree_text(metrics, name, !cpu || !*cpu, out, e);
		table_metrics_free(metrics);
	}
	event_table_free(&table);
	return good;
}
