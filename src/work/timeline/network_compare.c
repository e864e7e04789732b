#include "work/timeline/network_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/network/queues.h"
#include "core/network/stalls.h"
#include "core/network/state.h"
#include "work/timeline/column_owners.h"
#include "work/timeline/network_data.h"

#define ROWS_MOST ((size_t)4096) /* kept of a side; neighbouring rows of longer ones are averaged */

const char *
compared_word(enum compared_what what)
{
	switch (what) {
	case COMPARED_COUNTER:
		return "counter";
	case COMPARED_REQUESTS:
		return "requests";
	case COMPARED_QUEUE:
		return "queue";
	case COMPARED_DELAY:
		return "delay";
	case COMPARED_STALL:
		return "stalls";
	case COMPARED_FIGURE:
		return "figure";
	}
	return "";
}

/* --- what is compared -------------------------------------------------------------------------------------------- */

static void
compare_add(struct network_compare *c, size_t *cap, struct compared one)
{
	mem_grow(&c->list, cap, c->n + 1, sizeof *c->list);
	c->list[c->n++] = one;
}

/* Is a figure in this unit an amount, which grows with time? Cycles may be a delay. */
static bool
is_amount(struct unit unit)
{
	struct str text = {0};
	bool amount;

	unit_text(unit, &text);
	amount = str_eq(str_text(&text), "requests") || str_eq(str_text(&text), "bytes") ||
		str_eq(str_text(&text), "pages");
	str_free(&text);
	return amount;
}

/* Lists every quantity that the network has. */
static void
list_quantities(struct network_compare *c, const struct network *net, struct net_stalls *const *stalls, size_t ends)
{
	size_t cap = 0;

	for (size_t i = 0; i < net->n_counters; i++)
		compare_add(c, &cap, (struct compared){.what = COMPARED_COUNTER, .number = i,
			.unit = net->counter[i].unit, .adds = true});
	for (size_t m = 0; m < net->n_modules; m++)
		for (size_t k = 0; k < net->n_kinds; k++) {
			const struct net_cell *cell = &net->module[m].cell[k];
			struct compared one = {.module = m, .kind = k};

			if (cell->state != NET_CELL_REPORTED)
				continue;
			one.what = COMPARED_REQUESTS;
			one.unit = cell->n_hits ? cell->hit[0].e->unit : one.unit;
			one.adds = true;
			if (cell->n_hits)
				compare_add(c, &cap, one);
			one.adds = false;
			one.unit = cell->field[NET_DELAY] ? cell->field[NET_DELAY]->unit : (struct unit){0};
			one.what = COMPARED_DELAY;
			if (cell->field[NET_DELAY])
				compare_add(c, &cap, one);
			one.what = COMPARED_QUEUE;
			if (cell->field[NET_DELAY])
				compare_add(c, &cap, one);
		}
	for (size_t d = 0; d < ends; d++)
		for (size_t m = 0; m < net->n_modules; m++)
			for (size_t k = 0; k < net->n_kinds; k++)
				compare_add(c, &cap, (struct compared){.what = COMPARED_STALL, .module = m, .kind = k,
					.number = stalls[d]->destination, .adds = true});
	for (size_t i = 0; i < net->n_totals; i++)
		compare_add(c, &cap, (struct compared){.what = COMPARED_FIGURE, .number = i,
			.unit = net->total[i].e->unit, .adds = is_amount(net->total[i].e->unit)});
}

/* --- one snapshot's values --------------------------------------------------------------------------------------- */

struct values {
	const struct network_data *data;
	const struct net_state *state;
	struct net_queues *queues;
	struct net_stalls **stalls;
	size_t ends;
};

/* The sum over owners of the known queue lengths of a kind at a module. */
static double
queue_length(const struct values *v, size_t module, size_t kind)
{
	double sum = NAN;

	for (size_t i = 0; i < v->queues->known; i++) {
		const struct net_queue *queue = &v->queues->queue[i];

		if (queue->module == module && queue->kind == kind)
			sum = isnan(sum) ? queue->length : sum + queue->length;
	}
	return sum;
}

/* Requests over all owners; or the mean delay of these requests. */
static double
cell_value(const struct values *v, const struct compared *one)
{
	double hits = 0, time = 0, known = 0;

	for (size_t o = 0; o < net_state_owners(v->state, one->module); o++) {
		struct net_cell_values cell = net_state_cell(v->state, one->module, o, one->kind);

		hits += cell.hits;
		if (!isnan(cell.field[NET_DELAY]) && cell.hits > 0) {
			time += cell.hits * cell.field[NET_DELAY];
			known += cell.hits;
		}
	}
	return one->what == COMPARED_REQUESTS ? hits : known > 0 ? time / known : NAN;
}

static double
stall_value(const struct values *v, const struct compared *one)
{
	double sum = 0;

	for (size_t d = 0; d < v->ends; d++) {
		const struct net_stalls *of = v->stalls[d];

		for (size_t o = 0; of->destination == one->number && o < net_state_owners(v->state, one->module); o++)
			sum += of->stall[net_stalls_at(of, one->module, o, one->kind)];
	}
	return sum;
}

static double
value_of(const struct values *v, const struct compared *one)
{
	switch (one->what) {
	case COMPARED_COUNTER:
		return v->data->counter[one->number].unknown ? NAN : v->data->counter[one->number].value;
	case COMPARED_REQUESTS:
	case COMPARED_DELAY:
		return cell_value(v, one);
	case COMPARED_QUEUE:
		return queue_length(v, one->module, one->kind);
	case COMPARED_STALL:
		return stall_value(v, one);
	case COMPARED_FIGURE:
		return net_state_total(v->state, one->number);
	}
	return NAN;
}

/* --- series ------------------------------------------------------------------------------------------------------ */

/* Returns the values of every quantity in each row, n × *kept, and the sums over all rows in total[]. If there are more
 * rows than are kept, each value is a mean over neighbouring rows. */
static double *
take_rows(struct network_compare *c, struct network_data *data, size_t side, size_t first, size_t n, size_t *kept)
{
	struct net_state *state = net_state_new(data->net, &data->owners->shape);
	struct values v = {.data = data, .state = state, .queues = net_queues_new(state)};
	size_t together = (n + ROWS_MOST - 1) / ROWS_MOST;
	double *series, *known;

	v.stalls = net_stalls_all(state, NET_BY_DELAY, &v.ends);
	*kept = n ? (n + together - 1) / together : 0;
	series = mem_new_array(c->n * *kept, sizeof *series);
	known = mem_new_array(c->n * *kept, sizeof *known);
	c->seconds[side] = 0;
	for (size_t row = 0; row < n; row++) {
		network_data_take(data, first + row, state);
		net_queues_update(v.queues, state);
		net_stalls_update(v.stalls, v.ends, state);
		c->seconds[side] += data->snapshot[first + row].seconds;
		for (size_t i = 0; i < c->n; i++) {
			double value = value_of(&v, &c->list[i]);

			series[i * *kept + row / together] += isnan(value) ? 0 : value;
			known[i * *kept + row / together] += isnan(value) ? 0 : 1;
		}
	}
	for (size_t i = 0; i < c->n; i++) {
		double sum = 0, all = 0;

		for (size_t at = i * *kept; at < (i + 1) * *kept; at++) {
			sum += series[at];
			all += known[at];
			series[at] = known[at] > 0 ? series[at] / known[at] : NAN;
		}
		/* rows without a count had as many as the others */
		c->list[i].total[side] = all > 0 ? sum / all * (c->list[i].adds ? (double)n : 1) : NAN;
	}
	c->rows[side] = n;
	net_stalls_all_free(v.stalls, v.ends);
	net_queues_free(v.queues);
	net_state_free(state);
	free(known);
	return series;
}

/* A quantity is left out if no side knows it, or if it is 0 on both sides. */
static bool
is_something(const struct compared *one)
{
	return one->total[0] > 0 || one->total[1] > 0;
}

static void
drop_nothing(struct network_compare *c, double *series[2], const size_t kept[2])
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		c->n_common += c->list[i].what == COMPARED_COUNTER && !isnan(c->list[i].total[0]) &&
				!isnan(c->list[i].total[1]) ? 1 : 0;
		if (!is_something(&c->list[i]))
			continue;
		c->list[n] = c->list[i];
		for (int side = 0; side < 2; side++)
			memmove(series[side] + n * kept[side], series[side] + i * kept[side],
				kept[side] * sizeof **series);
		n++;
	}
	c->n = n;
}

static size_t
count_known(const double *v, size_t n)
{
	size_t known = 0;

	for (size_t i = 0; i < n; i++)
		known += isnan(v[i]) ? 0 : 1;
	return known;
}

static void
find_ratios(struct network_compare *c, double *const series[2], const size_t kept[2])
{
	double per_row = 1;

	for (size_t i = 0; i < c->n; i++)
		c->n_bounded += count_known(series[0] + i * kept[0], kept[0]) >= SERIES_FEWEST_FOR_BOUNDS &&
			count_known(series[1] + i * kept[1], kept[1]) >= SERIES_FEWEST_FOR_BOUNDS;
	if (c->seconds[0] > 0 && c->seconds[1] > 0 && c->rows[0] && c->rows[1])
		per_row = (c->seconds[0] / (double)c->rows[0]) / (c->seconds[1] / (double)c->rows[1]);
	for (size_t i = 0; i < c->n; i++) {
		struct compared *one = &c->list[i];
		double confidence = 1 - (1 - COMPARED_CONFIDENCE) / (double)(c->n_bounded ? c->n_bounded : 1);

		for (int side = 0; side < 2; side++)
			one->row[side] = series_mean(series[side] + i * kept[side], kept[side], confidence);
		one->ratio = series_ratio(one->row[1], one->row[0]);
		one->plain = one->total[0] > 0 ? one->total[1] / one->total[0] : NAN;
		if (!one->adds)
			continue;
		one->ratio.ratio *= per_row;
		one->ratio.low *= per_row;
		one->ratio.high *= per_row;
	}
}

struct network_compare *
network_compare_new(
	const struct network *net, struct network_data *const data[2], const size_t first[2], const size_t n[2])
{
	struct network_compare *c = mem_new(sizeof *c);
	struct net_state *state = net_state_new(net, &data[0]->owners->shape);
	size_t ends, kept[2];
	struct net_stalls **stalls = net_stalls_all(state, NET_BY_DELAY, &ends);
	double *series[2];

	list_quantities(c, net, stalls, ends);
	net_stalls_all_free(stalls, ends);
	net_state_free(state);
	for (size_t side = 0; side < 2; side++)
		series[side] = take_rows(c, data[side], side, first[side], n[side], &kept[side]);
	drop_nothing(c, series, kept);
	find_ratios(c, series, kept);
	free(series[0]);
	free(series[1]);
	return c;
}

void
network_compare_free(struct network_compare *c)
{
	if (!c)
		return;
	free(c->list);
	free(c);
}

/* --- for those who show it --------------------------------------------------------------------------------------- */

void
compared_name(const struct network *net, const struct compared *one, struct str *out)
{
	if (one->what == COMPARED_COUNTER) {
		str_add(out, net->counter[one->number].name);
	} else if (one->what == COMPARED_FIGURE) {
		str_add(out, net->total[one->number].text);
	} else {
		str_addf(out, "%s of %s at %s", compared_word(one->what), net->kind[one->kind].name,
			network_module_text(net, one->module));
		if (one->what == COMPARED_STALL && one->module != one->number)
			str_addf(out, " for %s", network_module_text(net, one->number));
	}
}

bool
compared_differs(const struct compared *one)
{
	return one->ratio.low > 1 || one->ratio.high < 1;
}

static double
distance(const struct compared *one)
{
	return isnan(one->ratio.ratio) ? -1 : one->ratio.ratio > 0 ? fabs(log(one->ratio.ratio)) : INFINITY;
}

/* Ties in the order of the list. */
static int
compare_distance(const void *a, const void *b)
{
	const struct compared *x = *(const struct compared *const *)a, *y = *(const struct compared *const *)b;
	double i = distance(x), k = distance(y);

	return i > k ? -1 : i < k ? 1 : x < y ? -1 : x > y;
}

const struct compared **
network_compare_sorted(const struct network_compare *c, bool counters, size_t *n)
{
	const struct compared **list = mem_new_array(c->n, sizeof(const struct compared *));

	*n = 0;
	for (size_t i = 0; i < c->n; i++)
		if ((c->list[i].what == COMPARED_COUNTER) == counters)
			list[(*n)++] = &c->list[i];
	if (*n)
		qsort(list, *n, sizeof *list, compare_distance);
	return list;
}
