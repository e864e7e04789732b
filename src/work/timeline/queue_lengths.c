#include "work/timeline/queue_lengths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/network/queues.h"
#include "core/network/state.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "sim/server/counters.h"
#include "work/timeline/estimates.h"
#include "work/timeline/network_data.h"

const char *
queue_way_name(enum queue_way way)
{
	static const char *const name[] = {"rate x wait", "occupancy"};

	return name[way];
}

/* Requests × cycles of the core that the truth has of a module and a kind, in all columns of it; NAN: none. */
static double
true_cycles(const struct network_data *data, size_t snapshot, const char *module, const char *kind)
{
	const struct network_data_snapshot *s = &data->snapshot[snapshot];
	const struct obs *obs = network_data_obs(data, snapshot);
	char *name = str_format(SERVER_TRUTH "queue.%s.%s", kind, module);
	double all = NAN;

	for (size_t c = 0; c < data->table->n_columns; c++) {
		size_t n = strlen(name);
		struct obs_sum sum;

		if (!str_starts(data->table->column[c], name) ||
			(data->table->column[c][n] && data->table->column[c][n] != '@') || obs->health[c] == OBS_ABSENT)
			continue;
		sum = obs_sum(obs, c, s->first_row, s->n_rows);
		if (sum.counted)
			all = (isnan(all) ? 0 : all) + (double)sum.sum;
	}
	free(name);
	return all;
}

/* The lengths of a module's queue, over the mean of its owners' clocks. A length that one owner lacks is not known. */
static struct queue_length
length_of(const struct net_state *state, const struct net_queues *queues, size_t module, size_t kind, double truth,
	double ratio)
{
	const struct network *net = net_state_network(state);
	struct queue_length length = {.module = net->module[module].name, .kind = net->kind[kind].name};
	double clocks = 0;
	size_t owners = net_state_owners(state, module);

	for (size_t i = 0; i < queues->n; i++) {
		const struct net_queue *q = &queues->queue[i];
		double clock = net_state_clock(state, q->module, q->owner);

		if (q->module != module || q->kind != kind)
			continue;
		clocks += clock;
		length.by[QUEUE_RATE_WAIT] += clock * q->length;
		length.by[QUEUE_OCCUPIED] += clock * q->occupied;
	}
	clocks /= (double)owners;
	for (int way = 0; way < QUEUE_WAYS; way++)
		length.by[way] /= clocks;
	length.truth = truth / clocks / (net->module[module].per == SCOPE_CORE ? 1 : ratio);
	return length;
}

struct queue_length *
queue_lengths_of(const struct network_data *data, size_t snapshot, const struct net_state *state, size_t *n)
{
	const struct network *net = net_state_network(state);
	struct net_queues *queues = net_queues_new(state);
	struct queue_length *length = mem_new_array(net->n_modules * net->n_kinds, sizeof *length);
	double ratio = estimates_clock_ratio(data, net_state_shape(state)->n[SCOPE_CORE]);

	*n = 0;
	for (size_t m = 0; m < net->n_modules; m++)
		for (size_t k = 0; k < net->n_kinds; k++) {
			const struct net_cell *cell = &net->module[m].cell[k];
			double truth = cell->state == NET_CELL_REPORTED && cell->field[NET_DELAY]
				? true_cycles(data, snapshot, net->module[m].name, net->kind[k].name)
				: NAN;

			if (!isnan(truth))
				length[(*n)++] = length_of(state, queues, m, k, truth, ratio);
		}
	net_queues_free(queues);
	return length;
}

/* --- errors ------------------------------------------------------------------------------------------------------ */

static struct queue_errors *
errors_at(struct queue_errors_list *list, const struct queue_length *queue)
{
	for (size_t i = 0; i < list->n; i++)
		if (str_eq(list->of[i].queue.module, queue->module) && str_eq(list->of[i].queue.kind, queue->kind))
			return &list->of[i];
	mem_grow(&list->of, &list->cap, list->n + 1, sizeof *list->of);
	list->of[list->n] = (struct queue_errors){.queue = *queue};
	return &list->of[list->n++];
}

void
queue_errors_add(struct queue_errors_list *list, const struct queue_length *length, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct queue_errors *errors = errors_at(list, &length[i]);

		if (!(length[i].truth >= QUEUE_LEAST))
			continue;
		errors->snapshots++;
		for (int way = 0; way < QUEUE_WAYS; way++) {
			if (isnan(length[i].by[way]))
				continue;
			mem_grow(&errors->error[way], &errors->cap[way], errors->n[way] + 1, sizeof(double));
			errors->error[way][errors->n[way]++] = fabs(length[i].by[way] / length[i].truth - 1);
		}
	}
}

double
queue_errors_quantile(const struct queue_errors *errors, enum queue_way way, double q)
{
	return estimate_quantile(errors->error[way], errors->n[way], q);
}

void
queue_errors_free(struct queue_errors_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		for (int way = 0; way < QUEUE_WAYS; way++)
			free(list->of[i].error[way]);
	free(list->of);
	*list = (struct queue_errors_list){0};
}
