#include "core/metric/metric.h"

#include <math.h>

#include "base/str.h"

void
metric_leaf_print(const struct metric_leaf *leaf, struct str *out)
{
	switch (leaf->kind) {
	case METRIC_EVENT:
	case METRIC_CONSTANT:
		str_add(out, leaf->name);
		break;
	case METRIC_SOURCES:
		str_addf(out, "source_count(%s)", leaf->name);
		break;
	case METRIC_HAS:
		str_addf(out, "has_event(%s)", leaf->name);
		break;
	case METRIC_IS_CPU:
		str_addf(out, "strcmp_cpuid_str(%s)", leaf->name);
		break;
	}
}

static void
metric_add_number(double x, struct str *out)
{
	if (isnan(x))
		str_add(out, "?");
	else
		str_addf(out, fabs(x) < 1e15 && x <= floor(x) ? "%.0f" : "%.6g", x);
}

void
metric_substituted(const struct metric_set *set, size_t number, const struct metric_value *leaf, struct str *out)
{
	const struct metric *metric = &set->metric[number];
	size_t at = 0;

	if (metric->why)
		return;
	/* nodes of names stand in the order of the text */
	for (uint32_t i = metric->first; i < metric->first + metric->n; i++) {
		const struct metric_node *node = &set->node[i];
		double value;

		if (node->op != METRIC_LEAF && node->op != METRIC_OTHER)
			continue;
		value = node->op == METRIC_LEAF ? leaf[node->arg[0]].value
						: metric_compute(set, node->arg[0], leaf, 1).value.value;
		str_addn(out, metric->expr + at, node->at - at);
		metric_add_number(value, out);
		at = node->at + node->len;
	}
	str_add(out, metric->expr + at);
}

/* The text that a node was read from, in whichever metric that is. */
static void
add_node(const struct metric_set *set, size_t number, struct str *out)
{
	for (size_t i = 0; i < set->n; i++) {
		const struct metric *metric = &set->metric[i];

		if (number >= metric->first && number < metric->first + metric->n) {
			str_addn(out, metric->expr + set->node[number].at, set->node[number].len);
			return;
		}
	}
}

void
metric_lack_print(const struct metric_set *set, size_t number, const struct metric_result *result, struct str *out)
{
	switch (result->lack) {
	case METRIC_LACKS_NOTHING:
		break;
	case METRIC_LACKS_LEAF:
		metric_leaf_print(&set->leaf[result->lacks], out);
		if (set->leaf[result->lacks].kind == METRIC_CONSTANT)
			str_addf(out, " is not known (-D %s=N states it)", set->leaf[result->lacks].name + 1);
		else
			str_add(out, set->leaf[result->lacks].kind == METRIC_EVENT ? " has no count" : " is not known");
		break;
	case METRIC_DIVIDES_BY_0:
		str_add(out, "it divides by ");
		add_node(set, result->lacks, out);
		if (result->divisor.low >= result->divisor.high) {
			str_add(out, ", which is 0");
			break;
		}
		str_add(out, ", which may be 0: it lies in ");
		metric_add_number(result->divisor.low, out);
		str_add(out, " ... ");
		metric_add_number(result->divisor.high, out);
		break;
	case METRIC_TOO_LARGE:
		str_add(out, "a number in it is beyond its range");
		break;
	case METRIC_NOT_UNDERSTOOD:
		str_addf(out, "not understood: %s", set->metric[number].why);
		break;
	}
}
