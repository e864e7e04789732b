/* The whole analysis of a snapshot of a large server: `make bench-net`. spr-cxl on 2 sockets of 32 cores, 32 CHAs and 8
 * channels; every counter with a known event has a count at each of its owners. It covers the modules' values, the path
 * map, queues and the culprit, and stalls of all destinations passed back. */
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "bench/bench.h"
#include "core/network/flow.h"
#include "core/network/flow_layout.h"
#include "core/network/path_map.h"
#include "core/network/queues.h"
#include "core/network/stalls.h"
#include "core/network/state.h"
#include "test.h"
#include "text/diag.h"
#include "work/timeline/network_data.h"

#define SOCKETS 2
#define CORES 64
#define SLICES 64
#define CHANNELS 16
#define SNAPSHOTS 64 /* different ones, so that no value stays in a register or a cache */
#define ROUNDS 4000
#define REACH 200e-6

struct counts {
	double **of;         /* for each counter; NULL: unresolved */
	const double **count;
};

static size_t socket_of_core[CORES], socket_of_slice[SLICES], socket_of_channel[CHANNELS];

static struct net_shape
shape(void)
{
	for (size_t i = 0; i < CORES; i++)
		socket_of_core[i] = i / (CORES / SOCKETS);
	for (size_t i = 0; i < SLICES; i++)
		socket_of_slice[i] = i / (SLICES / SOCKETS);
	for (size_t i = 0; i < CHANNELS; i++)
		socket_of_channel[i] = i / (CHANNELS / SOCKETS);
	return (struct net_shape){
		.n = {[SCOPE_TASK] = 1,
			[SCOPE_CORE] = CORES,
			[SCOPE_SLICE] = SLICES,
			[SCOPE_CHANNEL] = CHANNELS,
			[SCOPE_SOCKET] = SOCKETS,
			[SCOPE_DEVICE] = 1,
			[SCOPE_SYSTEM] = 1},
		.part_of = {[SCOPE_CORE] = socket_of_core,
			[SCOPE_SLICE] = socket_of_slice,
			[SCOPE_CHANNEL] = socket_of_channel},
	};
}

static struct network *
load(const char *name)
{
	struct diags d = {0};
	struct err e;
	char *path;
	struct network *n = network_load(name, &path, &d, &e);

	if (!n) {
		fprintf(stderr, "bench: the network %s cannot be read\n", name);
		exit(1);
	}
	diags_free(&d);
	free(path);
	return n;
}

static struct counts
random_counts(const struct network *n, const struct net_shape *s, uint64_t *seed)
{
	struct counts c = {
		mem_new_array(n->n_counters, sizeof(double *)), mem_new_array(n->n_counters, sizeof(double *))};

	for (size_t i = 0; i < n->n_counters; i++) {
		size_t owners = s->n[n->counter[i].scope];

		if (n->counter[i].unresolved)
			continue;
		c.of[i] = mem_new_array(owners, sizeof **c.of);
		for (size_t k = 0; k < owners; k++)
			c.of[i][k] = (double)(test_random(seed) % 1000000);
		c.count[i] = c.of[i];
	}
	return c;
}

static void
counts_free(struct counts *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(c->of[i]);
	free(c->of);
	free(c->count);
}

static void
tell_size(const struct network *n, const struct net_shape *s)
{
	size_t values = 0, by[SCOPES] = {0}, cells = 0;

	for (size_t i = 0; i < n->n_counters; i++)
		by[n->counter[i].scope] += !n->counter[i].unresolved;
	for (int k = 0; k < SCOPES; k++)
		values += by[k] * s->n[k];
	for (size_t m = 0; m < n->n_modules; m++)
		for (size_t k = 0; k < n->n_kinds; k++)
			cells += n->module[m].cell[k].state == NET_CELL_REPORTED ? s->n[n->module[m].per] : 0;
	printf("%s: %zu counts: %d slices × %zu events, %d cores × %zu, %d channels × %zu, %d sockets × %zu; %zu known "
	       "cells of modules and kinds\n",
		n->name, values, SLICES, by[SCOPE_SLICE], CORES, by[SCOPE_CORE], CHANNELS, by[SCOPE_CHANNEL], SOCKETS,
		by[SCOPE_SOCKET], cells);
}

enum phase { TAKE, MAP, QUEUES, STALLS, WHOLE, PHASES };
static const char *const phase_name[PHASES] = {
	"the modules' values", "path map", "queues and culprit", "stalls, all destinations", "a snapshot, whole"
};

struct whole {
	struct net_state *state;
	struct net_path_map *map;
	struct net_queues *queues;
	struct net_stalls **stalls;
	size_t ends;
};

/* Adds up results, so that the compiler cannot omit them. */
static double
take(struct whole *w, const double *const *count, double *t[PHASES], size_t round)
{
	double at[PHASES];

	at[0] = clock_seconds();
	net_state_take(w->state, &(struct net_snapshot){.seconds = 0.01, .count = count});
	at[1] = clock_seconds();
	net_path_map_update(w->map, w->state);
	at[2] = clock_seconds();
	net_queues_update(w->queues, w->state);
	at[3] = clock_seconds();
	net_stalls_update(w->stalls, w->ends, w->state);
	at[4] = clock_seconds();
	for (int p = 0; p < WHOLE; p++)
		t[p][round] = at[p + 1] - at[p];
	t[WHOLE][round] = at[WHOLE] - at[0];
	return net_path_map_sum(w->map, 0, w->map->n_rows, 0).hits + w->queues->margin +
		w->stalls[w->ends - 1]->stall[0];
}

static size_t
in_use(void)
{
	return mallinfo2().uordblks + mallinfo2().hblkhd;
}

static void
measure(const struct network *n, const struct net_shape *s, const struct counts *c, double unit)
{
	double *t[PHASES], sink = 0;
	struct whole w = {0};
	size_t before, made, grown;

	for (int p = 0; p < PHASES; p++)
		t[p] = mem_new_array(ROUNDS, sizeof *t[p]);
	before = in_use();
	w.state = net_state_new(n, s);
	net_state_take(w.state, &(struct net_snapshot){.seconds = 0.01, .count = c[0].count});
	w.map = net_path_map_new(w.state);
	w.queues = net_queues_new(w.state);
	w.stalls = net_stalls_all(w.state, NET_BY_DELAY, &w.ends);
	made = in_use() - before;
	for (size_t i = 0; i < ROUNDS; i++)
		sink += take(&w, c[i % SNAPSHOTS].count, t, i);
	grown = in_use() - before - made;
	for (int p = 0; p < PHASES; p++)
		bench_row(phase_name[p], bench_median(t[p], ROUNDS), unit, p == WHOLE ? REACH : 0);
	bench_row("  99 % of snapshots take at most", t[WHOLE][ROUNDS * 99 / 100], unit, 0);
	printf("%.0f snapshots each second; %zu KiB of memory, %zu bytes more after %d snapshots (%s)\n",
		1 / t[WHOLE][ROUNDS / 2], made / 1024, grown, ROUNDS,
		isnan(sink) ? "no result" : "all results are there");
	for (int p = 0; p < PHASES; p++)
		free(t[p]);
	net_stalls_all_free(w.stalls, w.ends);
	net_queues_free(w.queues);
	net_path_map_free(w.map);
	net_state_free(w.state);
}

#define SWITCHES 200000
#define TASKS 300

/* A machine that only switches: each switch reads all counters of the core. */
static void
measure_flows(const struct network *n, double unit)
{
	struct flow_layout *layout = flow_layout_new(n, 48);
	size_t before = in_use();
	struct flows *f = flows_new(&(struct flow_spec){
		.n_cores = CORES, .n_destinations = layout->n_destinations, .counter = layout->counter,
		.n_counters = layout->n_counters, .most = 1024});
	uint64_t *total = mem_new_array(layout->n_counters, sizeof *total), seed = 6;
	double start = clock_seconds();

	for (size_t i = 0; i < SWITCHES; i++) {
		for (size_t c = 0; c < layout->n_counters; c++)
			total[c] += 100;
		flows_take(f,
			&(struct flow_event){.kind = FLOW_IN,
				.ns = 1000 * i,
				.core = test_random(&seed) % CORES,
				.task = 1 + (int32_t)(test_random(&seed) % TASKS),
				.count = total},
			NULL);
	}
	start = clock_seconds() - start;
	printf("flows: %zu counters of a core; %d tasks on %d cores make %d flows, of which %zu are kept\n",
		layout->n_counters, TASKS, CORES, TASKS * CORES, flows_n(f));
	bench_row("a switch with all counters of its core", start / SWITCHES, unit, 0);
	printf("%zu KiB of memory\n", (in_use() - before) / 1024);
	free(total);
	flows_free(f);
	flow_layout_free(layout);
}

int
main(void)
{
	struct network *n = load("spr-cxl");
	struct net_shape s = shape();
	struct counts c[SNAPSHOTS];
	double unit = bench_unit();
	uint64_t seed = 5;

	for (size_t i = 0; i < SNAPSHOTS; i++)
		c[i] = random_counts(n, &s, &seed);
	tell_size(n, &s);
	measure(n, &s, c, unit);
	measure_flows(n, unit);
	for (size_t i = 0; i < SNAPSHOTS; i++)
		counts_free(&c[i], n->n_counters);
	network_free(n);
	return 0;
}
