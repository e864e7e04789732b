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
#include "base/str.h"
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
		size_t owners = net_counter_places(s, &n->counter[i]);

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

/* Stalls with loads of pairs: each of 64 cores and each of 64 slices, for four kinds, to three memories; every hop has
 * stalls and a clock of its own. */
static struct network *
network_of_pairs(void)
{
	static const char *const memory[] = {"ddr", "far", "cxl"};
	struct str text = {0}, links = {0};
	struct diags d = {0};
	struct network *n;

	str_add(&text,
		"network pairs;\nkind k0; kind k1; kind k2; kind k3;\n"
		"counter core.clk = \"a\" per core unit cycles; counter cha.clk = \"b\" per slice unit cycles;\n");
	for (int k = 0; k < 4; k++) {
		str_addf(&text,
			"counter sent%d = \"c\" per core unit requests; counter pair%d = \"d\" per core -> slice "
			"unit requests; counter core.s%d = \"e\" per core unit cycles; counter cha.s%d = \"f\" per "
			"slice "
			"unit cycles;\n",
			k, k, k, k);
		str_addf(&links, "k%d = sent%d; pairs k%d = pair%d; ", k, k, k, k);
		for (size_t m = 0; m < 3; m++)
			str_addf(&text,
				"counter %s%d = \"g\" per slice unit requests; counter %s.s%d = \"h\" per slice unit "
				"cycles;\n",
				memory[m], k, memory[m], k);
	}
	str_add(&text, "stage a { module core per core { clock = core.clk;");
	for (int k = 0; k < 4; k++)
		str_addf(&text, " k%d { stall = core.s%d; }", k, k);
	str_add(&text, "}}\nstage b { module cha per slice { clock = cha.clk;");
	for (int k = 0; k < 4; k++)
		str_addf(&text, " k%d { stall = cha.s%d; }", k, k);
	str_add(&text, "}}\nstage c {");
	for (size_t m = 0; m < 3; m++) {
		str_addf(&text, "module %s per socket { clock = cha.clk / owners(slice);", memory[m]);
		for (int k = 0; k < 4; k++)
			str_addf(&text, " k%d { hit = %s%d; delay = %zu cycles; stall = %s.s%d; }", k, memory[m], k,
				200 * (m + 1), memory[m], k);
		str_add(&text, "}\n");
	}
	str_addf(&text, "}\nlink core -> cha { %s}\n", str_text(&links));
	for (size_t m = 0; m < 3; m++) {
		str_addf(&text, "link cha -> %s {", memory[m]);
		for (int k = 0; k < 4; k++)
			str_addf(&text, " k%d = %s%d;", k, memory[m], k);
		str_add(&text, "}\n");
	}
	n = network_parse(mem_str("pairs"), mem_str(str_text(&text)), text.n, &d);
	for (size_t i = 0; i < d.n; i++)
		fprintf(stderr, "bench: %s\n", d.item[i].text);
	if (!n)
		exit(1);
	diags_free(&d);
	str_free(&text);
	str_free(&links);
	return n;
}

static void
measure_pairs(const struct net_shape *s, double unit)
{
	struct network *n = network_of_pairs();
	struct net_state *state = net_state_new(n, s);
	uint64_t seed = 7;
	struct counts c = random_counts(n, s, &seed);
	double *t[2] = {mem_new_array(ROUNDS, sizeof **t), mem_new_array(ROUNDS, sizeof **t)};
	struct net_stalls **all;
	size_t ends;

	net_state_take(state, &(struct net_snapshot){.seconds = 0.01, .count = c.count});
	all = net_stalls_all(state, NET_BY_DELAY, &ends);
	for (size_t i = 0; i < ROUNDS; i++) {
		double at[3];

		at[0] = clock_seconds();
		net_state_take(state, &(struct net_snapshot){.seconds = 0.01, .count = c.count});
		at[1] = clock_seconds();
		net_stalls_update(all, ends, state);
		at[2] = clock_seconds();
		t[0][i] = at[1] - at[0];
		t[1][i] = at[2] - at[1];
	}
	printf("%d pairs of a core and a slice, %zu kinds, %zu destinations, stalls at every hop\n", CORES * SLICES,
		n->n_kinds, ends);
	bench_row("values, with loads of pairs", bench_median(t[0], ROUNDS), unit, 0);
	bench_row("stalls, with loads of pairs", bench_median(t[1], ROUNDS), unit, 0);
	net_stalls_all_free(all, ends);
	net_state_free(state);
	counts_free(&c, n->n_counters);
	network_free(n);
	free(t[0]);
	free(t[1]);
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
	measure_pairs(&s, unit);
	measure_flows(n, unit);
	for (size_t i = 0; i < SNAPSHOTS; i++)
		counts_free(&c[i], n->n_counters);
	network_free(n);
	return 0;
}
