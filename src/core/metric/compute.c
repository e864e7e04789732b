/* A metric's bounds: the enclosure over the whole box, then over the corners that its slopes choose, then over pieces
 * of the box. */
#include "core/metric/metric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/metric/parts.h"
#include "core/metric/span.h"

/* Bounds that a value inside the box comes this close to, as a share of their distance, are no mere enclosure. */
#define TIGHT 0.01

/* Room for one metric after the other. */
struct room {
	const struct metric_set *set;
	const struct metric_value *given;
	size_t pieces;
	struct span *leaf, *corner, *leaf_slope, *whole_slope; /* per leaf */
	double *middle;                                        /* per node: the measured value */
	struct span *whole, *value, *node_slope;               /* per node: over the whole box, over a part; slopes */
	struct span *box;   /* of the pieces: one after the other, an entry per used leaf */
	struct span *bound; /* per piece */
};

static void
room_open(struct room *room, const struct metric_set *set, const struct metric_value *given, size_t pieces)
{
	*room = (struct room){.set = set, .given = given, .pieces = pieces ? pieces : 1};
	room->leaf = mem_new_array(set->n_leaves + 1, sizeof *room->leaf);
	room->corner = mem_new_array(set->n_leaves + 1, sizeof *room->corner);
	room->leaf_slope = mem_new_array(set->n_leaves + 1, sizeof *room->leaf_slope);
	room->whole_slope = mem_new_array(set->n_leaves + 1, sizeof *room->whole_slope);
	room->middle = mem_new_array(set->n_nodes + 1, sizeof *room->middle);
	room->whole = mem_new_array(set->n_nodes + 1, sizeof *room->whole);
	room->value = mem_new_array(set->n_nodes + 1, sizeof *room->value);
	room->node_slope = mem_new_array(set->n_nodes + 1, sizeof *room->node_slope);
	room->bound = mem_new_array(room->pieces, sizeof *room->bound);
	for (size_t i = 0; i < set->n_leaves; i++)
		room->leaf[i] = isnan(given[i].value) ? SPAN_NONE
						      : (struct span){span_min(given[i].low, given[i].value),
								span_max(given[i].high, given[i].value)};
}

static void
room_close(struct room *room)
{
	free(room->leaf);
	free(room->corner);
	free(room->leaf_slope);
	free(room->whole_slope);
	free(room->middle);
	free(room->whole);
	free(room->value);
	free(room->node_slope);
	free(room->box);
	free(room->bound);
}

static bool
is_wide(struct span a)
{
	return a.low < a.high;
}

/* Whether a bound is reached, nearly: by a value inside the box that is as far from the measured one. */
static bool
is_reached(double bound, double inner, double measured)
{
	return fabs(bound - inner) <= TIGHT / 2 * fabs(inner - measured);
}

/* The node to metric_blame for a metric without a value: the first one, from the top, whose arguments have values. */
static void
metric_blame(const struct room *room, size_t metric, struct metric_result *result)
{
	const struct metric_set *set = room->set;
	uint32_t at = set->metric[metric].first + set->metric[metric].n - 1;

	result->lacks = METRIC_NONE;
	for (;;) {
		const struct metric_node *node = &set->node[at];
		const struct span *value = room->whole;
		uint32_t next = at;

		if (node->op == METRIC_LEAF || node->op == METRIC_NUMBER) {
			result->lack = node->op == METRIC_LEAF ? METRIC_LACKS_LEAF : METRIC_TOO_LARGE;
			result->lacks = node->op == METRIC_LEAF ? node->arg[0] : METRIC_NONE;
			return;
		}
		if (node->op == METRIC_OTHER)
			next = set->metric[node->arg[0]].first + set->metric[node->arg[0]].n - 1;
		else if (node->op == METRIC_IF)
			next = isnan(value[node->arg[1]].low)                                          ? node->arg[1]
				: !span_is_zero(value[node->arg[1]]) && isnan(value[node->arg[0]].low) ? node->arg[0]
												       : node->arg[2];
		else if (isnan(value[node->arg[0]].low))
			next = node->arg[0];
		else if (node->op != METRIC_NEGATE && isnan(value[node->arg[1]].low))
			next = node->arg[1];
		if (next != at) {
			at = next;
			continue;
		}
		result->lack = METRIC_TOO_LARGE;
		if ((node->op == METRIC_DIVIDE || node->op == METRIC_RATIO || node->op == METRIC_REMAINDER) &&
			span_has_zero(value[node->arg[1]])) {
			result->lack = METRIC_DIVIDES_BY_0;
			result->lacks = node->arg[1];
			result->divisor = (struct metric_value){
				value[node->arg[1]].low, room->middle[node->arg[1]], value[node->arg[1]].high};
		}
		return;
	}
}

/* Moves each leaf of the box room->corner that the metric rises or falls with to the end that matters. Returns the
 * number of leaves that moved; *left becomes the number of wide ones that occur often and are left. */
static size_t
go_to_corner(struct room *room, const struct metric *metric, bool upper, size_t *left)
{
	size_t moved = 0;

	*left = 0;
	for (size_t i = 0; i < metric->n_uses; i++) {
		struct span *leaf = &room->corner[metric->use[i].leaf], slope = room->leaf_slope[metric->use[i].leaf];

		if (!is_wide(*leaf))
			continue;
		if (slope.low >= 0)
			*leaf = span_point(upper ? leaf->high : leaf->low);
		else if (slope.high <= 0)
			*leaf = span_point(upper ? leaf->low : leaf->high);
		else
			*left += metric->use[i].often;
		moved += !is_wide(*leaf);
	}
	return moved;
}

/* The value at the middle of the box room->corner; all leaves move there. */
static struct span
value_at_middle(struct room *room, size_t number)
{
	const struct metric *metric = &room->set->metric[number];

	for (size_t i = 0; i < metric->n_uses; i++) {
		struct span *leaf = &room->corner[metric->use[i].leaf];

		*leaf = span_point(leaf->low + (leaf->high - leaf->low) / 2);
	}
	return box_values(room->set, number, room->corner, room->value);
}

/* How far the metric may be from its value at the middle of the box room->corner, by its slopes. */
static struct span
reach_of_slopes(const struct room *room, const struct metric *metric)
{
	struct span reach = span_point(0);

	for (size_t i = 0; i < metric->n_uses; i++) {
		struct span leaf = room->corner[metric->use[i].leaf], slope = room->leaf_slope[metric->use[i].leaf];

		if (is_wide(leaf))
			reach = span_add(reach,
				span_times(
					slope, span_subtract(leaf, span_point(leaf.low + (leaf.high - leaf.low) / 2))));
	}
	return reach;
}

/* Encloses the metric over the box room->corner from one side; room->leaf_slope has its slopes there. A leaf that the
 * metric rises or falls with is fixed at one end. In the smaller box, the slopes in other leaves may be decided, too.
 * What is left is bounded by the slopes' reach from the middle (the mean value form). *inner becomes a value inside the
 * box, the farthest one if all leaves were fixed, and that is returned. */
static bool
bound_at_corner(struct room *room, size_t number, bool upper, double *bound, double *inner)
{
	const struct metric *metric = &room->set->metric[number];
	struct span value, reach = {0, 0}, middle;
	size_t left, moved = go_to_corner(room, metric, upper, &left);

	while (left && moved) {
		box_values(room->set, number, room->corner, room->value);
		box_slopes(room->set, number, room->value, room->node_slope, room->leaf_slope);
		moved = go_to_corner(room, metric, upper, &left);
	}
	value = box_values(room->set, number, room->corner, room->value);
	if (left)
		reach = reach_of_slopes(room, metric);
	middle = value_at_middle(room, number);
	if (isnan(value.low) || isnan(middle.low))
		return false;
	*inner = upper ? middle.low : middle.high;
	if (left)
		value = (struct span){span_max(value.low, span_add(middle, reach).low),
			span_min(value.high, span_add(middle, reach).high)};
	*bound = upper ? span_min(*bound, value.high) : span_max(*bound, value.low);
	return !left;
}

/* Of the pieces of the box, the one whose bound reaches farthest. */
static size_t
farthest_piece(const struct room *room, size_t n, bool upper)
{
	size_t best = 0;

	for (size_t i = 1; i < n; i++)
		if (upper ? room->bound[i].high > room->bound[best].high : room->bound[i].low < room->bound[best].low)
			best = i;
	return best;
}

/* The leaf of a piece to cut: that whose slope and width may matter most, among those that occur often. */
static size_t
leaf_to_cut(const struct room *room, const struct metric *metric, const struct span *piece)
{
	size_t best = METRIC_NONE;
	double most = 0;

	for (size_t i = 0; i < metric->n_uses; i++) {
		struct span slope = room->leaf_slope[metric->use[i].leaf], whole = room->leaf[metric->use[i].leaf];
		double reach;

		if (!metric->use[i].often || !is_wide(piece[i]) || slope.low >= 0 || slope.high <= 0)
			continue;
		/* steps have no finite reach: then the share of the whole interval decides */
		reach = isfinite(slope.low) && isfinite(slope.high)
			? span_max(-slope.low, slope.high) * (piece[i].high - piece[i].low)
			: 1e300 * (piece[i].high - piece[i].low) / (whole.high - whole.low);
		if (reach > most) {
			most = reach;
			best = i;
		}
	}
	return best;
}

/* Bounds a piece from one side. *inner becomes a value inside it. Leaves the slopes of the piece's last corner in
 * room->leaf_slope. */
static double
bound_piece(struct room *room, size_t number, const struct span *piece, bool upper, double *inner)
{
	const struct metric *metric = &room->set->metric[number];
	struct span value;
	double bound;

	for (size_t i = 0; i < metric->n_uses; i++)
		room->corner[metric->use[i].leaf] = piece[i];
	value = box_values(room->set, number, room->corner, room->value);
	bound = upper ? value.high : value.low;
	box_slopes(room->set, number, room->value, room->node_slope, room->leaf_slope);
	bound_at_corner(room, number, upper, &bound, inner);
	return bound;
}

/* Cuts the box into pieces, always the one whose bound reaches farthest. Returns the bound over all of them. *inner is
 * the measured value, and becomes the farthest value that was seen inside. */
static double
bound_by_pieces(struct room *room, size_t number, bool upper, double *inner)
{
	const double measured = *inner;
	const struct metric *metric = &room->set->metric[number];
	size_t n_uses = metric->n_uses, n = 1;
	struct span *box = room->box = mem_resize(room->box, room->pieces * n_uses, sizeof *box);
	double *side, seen;

	for (size_t i = 0; i < n_uses; i++)
		box[i] = room->leaf[metric->use[i].leaf];
	for (size_t at = 0; n <= room->pieces; at = farthest_piece(room, n, upper)) {
		struct span *piece = &box[at * n_uses];
		size_t cut;
		double half;

		side = upper ? &room->bound[at].high : &room->bound[at].low;
		*side = bound_piece(room, number, piece, upper, &seen);
		*inner = upper ? span_max(*inner, seen) : span_min(*inner, seen);
		if (n == room->pieces || is_reached(*side, *inner, measured))
			break;
		cut = leaf_to_cut(room, metric, piece);
		if (cut == METRIC_NONE)
			break;
		memcpy(&box[n * n_uses], piece, n_uses * sizeof *piece);
		half = piece[cut].low + (piece[cut].high - piece[cut].low) / 2;
		piece[cut].high = box[n * n_uses + cut].low = half;
		*side = bound_piece(room, number, piece, upper, &seen);
		*inner = upper ? span_max(*inner, seen) : span_min(*inner, seen);
		side = upper ? &room->bound[n].high : &room->bound[n].low;
		*side = bound_piece(room, number, &box[n * n_uses], upper, &seen);
		*inner = upper ? span_max(*inner, seen) : span_min(*inner, seen);
		n++;
	}
	return upper ? room->bound[farthest_piece(room, n, true)].high
		     : room->bound[farthest_piece(room, n, false)].low;
}

static size_t
widest(const struct room *room, const struct metric *metric)
{
	size_t best = METRIC_NONE;
	double most = -1;

	for (size_t i = 0; i < metric->n_uses; i++) {
		struct span leaf = room->leaf[metric->use[i].leaf], slope = room->whole_slope[metric->use[i].leaf];
		double reach = span_max(-slope.low, slope.high) * (leaf.high - leaf.low);

		if (is_wide(leaf) && reach > most) {
			most = reach;
			best = metric->use[i].leaf;
		}
	}
	return best;
}

/* Narrows one end of the result. Returns whether the bound is reached, so that no narrower one exists. */
static bool
refine_end(struct room *room, size_t number, bool upper, struct metric_value *value)
{
	const struct metric *metric = &room->set->metric[number];
	double *end = upper ? &value->high : &value->low, inner = value->value, bound;

	for (size_t i = 0; i < metric->n_uses; i++) {
		room->corner[metric->use[i].leaf] = room->leaf[metric->use[i].leaf];
		room->leaf_slope[metric->use[i].leaf] = room->whole_slope[metric->use[i].leaf];
	}
	if ((bound_at_corner(room, number, upper, end, &inner) && !metric->whole_numbers) ||
		is_reached(*end, inner, value->value))
		return true;
	if (room->pieces < 2)
		return false;
	inner = value->value;
	bound = bound_by_pieces(room, number, upper, &inner);
	*end = upper ? span_min(*end, bound) : span_max(*end, bound);
	return is_reached(*end, inner, value->value);
}

static void
refine(struct room *room, size_t number, struct metric_result *result)
{
	const struct metric *metric = &room->set->metric[number];
	bool often = metric->whole_numbers, low, high;

	box_slopes(room->set, number, room->whole, room->node_slope, room->whole_slope);
	result->widest = widest(room, metric);
	for (size_t i = 0; i < metric->n_uses; i++)
		often |= metric->use[i].often && is_wide(room->leaf[metric->use[i].leaf]);
	if (!often)
		return;
	low = refine_end(room, number, false, &result->value);
	high = refine_end(room, number, true, &result->value);
	result->enclosure = !low || !high;
}

static struct metric_result
metric_result_of(struct room *room, size_t number)
{
	const struct metric *metric = &room->set->metric[number];
	struct metric_result result = {.value = {NAN, NAN, NAN}, .widest = METRIC_NONE, .lacks = METRIC_NONE};
	struct span whole = SPAN_NONE;
	bool wide = false;

	if (metric->why) {
		result.lack = METRIC_NOT_UNDERSTOOD;
		return result;
	}
	whole = room->whole[metric->first + metric->n - 1];
	if (isnan(whole.low)) {
		metric_blame(room, number, &result);
		return result;
	}
	result.value = (struct metric_value){whole.low, room->middle[metric->first + metric->n - 1], whole.high};
	for (size_t i = 0; i < metric->n_uses && !wide; i++)
		wide = is_wide(room->leaf[metric->use[i].leaf]);
	if (wide)
		refine(room, number, &result);
	return result;
}

/* Sets room->middle of a metric alone from the measured values, and room->whole from their intervals. */
static void
take_whole(struct room *room, size_t number)
{
	const struct metric *metric = &room->set->metric[number];

	box_values_of(room->set, number, room->corner, room->value);
	for (uint32_t i = metric->first; i < metric->first + metric->n; i++)
		room->middle[i] = room->value[i].low + (room->value[i].high - room->value[i].low) / 2;
	box_values_of(room->set, number, room->leaf, room->whole);
}

/* The corner of measured values. */
static void
take_measured(struct room *room)
{
	for (size_t i = 0; i < room->set->n_leaves; i++)
		room->corner[i] = span_point(room->given[i].value);
}

struct metric_result
metric_compute(const struct metric_set *set, size_t number, const struct metric_value *leaf, size_t pieces)
{
	const struct metric *metric = &set->metric[number];
	struct metric_result result;
	struct room room;

	room_open(&room, set, leaf, pieces);
	take_measured(&room);
	for (size_t k = 0; k < metric->n_needs; k++)
		take_whole(&room, metric->need[k]);
	result = metric_result_of(&room, number);
	room_close(&room);
	return result;
}

void
metric_compute_all(const struct metric_set *set, const bool *wanted, const struct metric_value *leaf, size_t pieces,
	struct metric_result *all)
{
	bool *done = mem_new_array(set->n + 1, sizeof *done);
	struct room room;

	room_open(&room, set, leaf, pieces);
	take_measured(&room);
	for (size_t i = 0; i < set->n; i++)
		for (size_t k = 0; k < set->metric[i].n_needs && (!wanted || wanted[i]); k++)
			if (!done[set->metric[i].need[k]]) {
				done[set->metric[i].need[k]] = true;
				take_whole(&room, set->metric[i].need[k]);
			}
	for (size_t i = 0; i < set->n; i++)
		all[i] = !wanted || wanted[i] ? metric_result_of(&room, i) : (struct metric_result){0};
	free(done);
	room_close(&room);
}
