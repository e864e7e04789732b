#include "core/metric/parts.h"

#include <stdint.h>

#include "core/metric/metric.h"
#include "core/metric/span.h"

#define WHOLE_MAX 0x1p53

/* The node that is the metric's value. */
static uint32_t
last_node(const struct metric_set *set, size_t metric)
{
	return set->metric[metric].first + set->metric[metric].n - 1;
}

/* What perf's conversion to long leaves of a number; NONE: it is too large for that. */
static struct span
whole(struct span a)
{
	if (!(a.low > -WHOLE_MAX && a.high < WHOLE_MAX))
		return SPAN_NONE;
	return (struct span){trunc(a.low), trunc(a.high)};
}

/* The largest number that has as many bits as one up to `most`. */
static double
all_bits(double most)
{
	int bits;

	frexp(most, &bits);
	return most < 1 ? 0 : ldexp(1, bits) - 1;
}

static struct span
bits_of_points(enum metric_op op, int64_t a, int64_t b)
{
	if (op == METRIC_AND)
		return span_point((double)(a & b));
	if (op == METRIC_OR)
		return span_point((double)(a | b));
	return op == METRIC_XOR ? span_point((double)(a ^ b)) : span_point((double)(a % b));
}

static struct span
of_whole_numbers(enum metric_op op, struct span a, struct span b)
{
	double larger;

	a = whole(a);
	b = whole(b);
	if (isnan(a.low) || isnan(b.low) || (op == METRIC_REMAINDER && span_has_zero(b)))
		return SPAN_NONE;
	if (a.low >= a.high && b.low >= b.high)
		return bits_of_points(op, (int64_t)a.low, (int64_t)b.low);
	if (a.low < 0 || b.low < 0)
		return SPAN_NONE;
	larger = span_max(a.high, b.high);
	if (op == METRIC_AND)
		return (struct span){larger <= 1 ? span_min(a.low, b.low) : 0, span_min(a.high, b.high)};
	if (op == METRIC_OR)
		return (struct span){span_max(a.low, b.low), all_bits(larger)};
	if (op == METRIC_XOR)
		return (struct span){0, all_bits(larger)};
	return a.high < b.low ? a : (struct span){0, span_min(a.high, b.high - 1)};
}

static struct span
quotient(const struct metric_node *node, struct span a, struct span b)
{
	struct span q;

	if (node->op == METRIC_RATIO && span_is_zero(b))
		return isnan(a.low) ? a : span_point(0);
	if (isnan(b.low) || span_has_zero(b))
		return SPAN_NONE;
	q = span_divide(a, b);
	return isfinite(q.low) && isfinite(q.high) ? q : SPAN_NONE;
}

static struct span
less(struct span a, struct span b)
{
	if (isnan(a.low) || isnan(b.low))
		return SPAN_NONE;
	if (a.high < b.low)
		return span_point(1);
	return a.low >= b.high ? span_point(0) : (struct span){0, 1};
}

static struct span
choice(struct span yes, struct span condition, struct span no)
{
	if (isnan(condition.low))
		return SPAN_NONE;
	if (!span_has_zero(condition))
		return yes;
	return span_is_zero(condition) ? no : span_hull(yes, no);
}

static struct span
box_value_of(
	const struct metric_set *set, const struct metric_node *node, const struct span *leaf, const struct span *value)
{
	struct span a, b, result = SPAN_NONE;

	if (node->op == METRIC_NUMBER)
		return span_point(node->number);
	if (node->op == METRIC_LEAF)
		return leaf[node->arg[0]];
	if (node->op == METRIC_OTHER)
		return value[last_node(set, node->arg[0])];
	a = value[node->arg[0]];
	b = value[node->arg[1]];
	switch (node->op) {
	case METRIC_NEGATE:
		result = span_negate(a);
		break;
	case METRIC_ADD:
		result = span_add(a, b);
		break;
	case METRIC_SUBTRACT:
		result = span_subtract(a, b);
		break;
	case METRIC_TIMES:
		result = span_times(a, b);
		break;
	case METRIC_DIVIDE:
	case METRIC_RATIO:
		return quotient(node, a, b);
	case METRIC_LESS:
		return less(a, b);
	case METRIC_AT_MOST:
		a = less(b, a);
		return (struct span){1 - a.high, 1 - a.low};
	case METRIC_REMAINDER:
	case METRIC_AND:
	case METRIC_OR:
	case METRIC_XOR:
		return of_whole_numbers(node->op, a, b);
	case METRIC_MIN:
		result = isnan(a.low) ? a : (struct span){span_min(a.low, b.low), span_min(a.high, b.high)};
		break;
	case METRIC_MAX:
		result = isnan(a.low) ? a : (struct span){span_max(a.low, b.low), span_max(a.high, b.high)};
		break;
	case METRIC_IF:
		return choice(a, b, value[node->arg[2]]);
	case METRIC_NUMBER:
	case METRIC_LEAF:
	case METRIC_OTHER:
		break;
	}
	return isfinite(result.low) && isfinite(result.high) ? result : SPAN_NONE;
}

void
box_values_of(const struct metric_set *set, size_t number, const struct span *leaf, struct span *value)
{
	const struct metric *metric = &set->metric[number];

	for (uint32_t i = metric->first; i < metric->first + metric->n; i++)
		value[i] = box_value_of(set, &set->node[i], leaf, value);
}

struct span
box_values(const struct metric_set *set, size_t number, const struct span *leaf, struct span *value)
{
	const struct metric *metric = &set->metric[number];

	for (size_t k = 0; k < metric->n_needs; k++)
		box_values_of(set, metric->need[k], leaf, value);
	return value[metric->first + metric->n - 1];
}

static void
add_slope(struct span *sum, struct span slope)
{
	*sum = span_add(*sum, slope);
	if (isnan(sum->low) || isnan(sum->high))
		*sum = SPAN_LINE;
}

/* min and max: `first` says whether arg[0] is the result, [0, 1] if that depends. */
static void
pass_chosen(const struct metric_node *node, struct span slope, struct span first, struct span *at)
{
	add_slope(&at[node->arg[0]], span_times(slope, first));
	add_slope(&at[node->arg[1]], span_times(slope, span_subtract(span_point(1), first)));
}

/* f = no + c (yes - no): where the condition changes, f changes by their difference. */
static void
pass_choice(const struct metric_node *node, struct span slope, const struct span *value, struct span *at)
{
	struct span c = value[node->arg[1]], yes = value[node->arg[0]], no = value[node->arg[2]];

	if (!span_has_zero(c))
		add_slope(&at[node->arg[0]], slope);
	else if (span_is_zero(c))
		add_slope(&at[node->arg[2]], slope);
	else {
		add_slope(&at[node->arg[0]], span_times(slope, (struct span){0, 1}));
		add_slope(&at[node->arg[2]], span_times(slope, (struct span){0, 1}));
		if (c.low < 0)
			add_slope(&at[node->arg[1]], SPAN_LINE);
		else
			add_slope(&at[node->arg[1]],
				span_times(span_times(slope, span_subtract(yes, no)), (struct span){0, INFINITY}));
	}
}

static void
pass_whole_numbers(const struct metric_node *node, struct span slope, const struct span *value, struct span *at)
{
	struct span a = value[node->arg[0]], b = value[node->arg[1]], step = SPAN_LINE;

	/* "and" and "or" of conditions rise with both of them */
	if ((node->op == METRIC_AND || node->op == METRIC_OR) && a.low >= 0 && b.low >= 0 && a.high <= 1 && b.high <= 1)
		step.low = 0;
	if (a.low < a.high)
		add_slope(&at[node->arg[0]], span_times(slope, step));
	if (b.low < b.high)
		add_slope(&at[node->arg[1]], span_times(slope, step));
}

/* Passes the slope of a node on to its arguments. */
static void
pass_on(const struct metric_set *set, const struct metric_node *node, struct span here, struct span slope,
	const struct span *value, struct span *at, struct span *leaf_slope)
{
	struct span a, b;

	if (node->op == METRIC_LEAF)
		add_slope(&leaf_slope[node->arg[0]], slope);
	if (node->op == METRIC_OTHER)
		add_slope(&at[last_node(set, node->arg[0])], slope);
	if (node->op <= METRIC_OTHER)
		return;
	a = value[node->arg[0]];
	b = value[node->arg[1]];
	switch (node->op) {
	case METRIC_NUMBER:
	case METRIC_LEAF:
	case METRIC_OTHER:
		break;
	case METRIC_NEGATE:
		add_slope(&at[node->arg[0]], span_negate(slope));
		break;
	case METRIC_ADD:
	case METRIC_SUBTRACT:
		add_slope(&at[node->arg[0]], slope);
		add_slope(&at[node->arg[1]], node->op == METRIC_ADD ? slope : span_negate(slope));
		break;
	case METRIC_TIMES:
		add_slope(&at[node->arg[0]], span_times(slope, b));
		add_slope(&at[node->arg[1]], span_times(slope, a));
		break;
	case METRIC_DIVIDE:
	case METRIC_RATIO:
		if (span_is_zero(b))
			break;
		slope = isfinite(slope.low) && isfinite(slope.high) ? span_divide(slope, b)
								    : span_times(slope, span_divide(span_point(1), b));
		add_slope(&at[node->arg[0]], slope);
		add_slope(&at[node->arg[1]], span_negate(span_times(slope, here)));
		break;
	case METRIC_LESS:
	case METRIC_AT_MOST:
		if (here.low < here.high) {
			add_slope(&at[node->arg[0]], span_times(slope, (struct span){-INFINITY, 0}));
			add_slope(&at[node->arg[1]], span_times(slope, (struct span){0, INFINITY}));
		}
		break;
	case METRIC_MIN:
	case METRIC_MAX:
		pass_chosen(node, slope, node->op == METRIC_MIN ? less(a, b) : less(b, a), at);
		break;
	case METRIC_IF:
		pass_choice(node, slope, value, at);
		break;
	case METRIC_AND:
	case METRIC_OR:
	case METRIC_XOR:
	case METRIC_REMAINDER:
		pass_whole_numbers(node, slope, value, at);
		break;
	}
}

void
box_slopes(const struct metric_set *set, size_t number, const struct span *value, struct span *node_slope,
	struct span *leaf_slope)
{
	const struct metric *metric = &set->metric[number];

	for (size_t i = 0; i < metric->n_uses; i++)
		leaf_slope[metric->use[i].leaf] = span_point(0);
	for (size_t k = 0; k < metric->n_needs; k++)
		for (uint32_t i = 0; i < set->metric[metric->need[k]].n; i++)
			node_slope[set->metric[metric->need[k]].first + i] = span_point(0);
	node_slope[metric->first + metric->n - 1] = span_point(1);
	for (size_t k = metric->n_needs; k-- > 0;) {
		const struct metric *part = &set->metric[metric->need[k]];

		for (uint32_t i = part->first + part->n; i-- > part->first;)
			if (!span_is_zero(node_slope[i]))
				pass_on(set, &set->node[i], value[i], node_slope[i], value, node_slope, leaf_slope);
	}
}
