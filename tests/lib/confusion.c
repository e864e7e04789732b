#include "tests/lib/confusion.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "sim/machine.h"
#include "tests/lib/test.h"
#include "text/diag.h"
#include "work/calibrate/calibrate.h"
#include "work/calibrate/candidate.h"

/* Numbers: id, name, least, most, how far two must be apart, powers of two. Probes tell values apart that differ so
 * much, and no other item hides them: registers and queues are smaller than the reorder buffer, ports fewer than the
 * width, and so on. */
#define NUMBERS(X) \
	X(ROB, "rob", 150, 256, 4, false) \
	X(LOADS, "load_queue", 48, 96, 2, false) \
	X(STORES, "store_queue", 48, 80, 2, false) \
	X(INTS, "int_registers", 80, 130, 3, false) \
	X(FPS, "fp_registers", 70, 120, 3, false) \
	X(WIDTH, "width", 4, 6, 1, false) \
	X(MUL, "latency mul", 2, 8, 1, false) \
	X(FMUL, "latency fmul", 3, 8, 1, false) \
	X(FMA, "latency fma", 3, 6, 1, false) \
	X(ATOMIC, "latency atomic", 4, 20, 1, false) \
	X(FORWARD, "forward", 1, 6, 1, false) \
	X(L1, "l1 latency", 2, 5, 1, false) \
	X(L2, "l2 latency", 10, 30, 1, false) \
	X(MEMORY, "memory", 300, 420, 6, false) \
	X(L1_KIB, "l1 size", 16, 64, 1, true) \
	X(L2_KIB, "l2 size", 256, 1024, 1, true) \
	X(L3_KIB, "l3 size", 4096, 16384, 1, true) \
	X(DTLB, "dtlb", 32, 128, 1, true) \
	X(FILL, "fill_buffers", 8, 30, 1, false) \
	X(LOAD_PORTS, "ports load", 1, 4, 1, false) \
	X(STORE_PORTS, "ports store", 1, 4, 1, false) \
	X(FMUL_PORTS, "ports fmul", 1, 3, 1, false) \
	X(FP, "fp_dispatch", 1, 4, 1, false) \
	X(BANKS, "banks", 2, 16, 1, true) \
	X(WRITE, "write_back", 1, 4, 1, false) \
	X(ENTRIES, "predictor entries", 2048, 16384, 1, true) \
	X(SCHEDULER, "scheduler", 64, 84, 2, false) \
	X(DIV, "latency div", 5, 30, 1, false) \
	X(FDIV, "latency fdiv", 5, 30, 1, false) \
	X(DIV_BLOCKS, "blocking div", 0, 1, 1, false) /* words */ \
	X(FDIV_BLOCKS, "blocking fdiv", 0, 1, 1, false) \
	X(MUL_PORTS, "ports mul, div", 1, 3, 1, false) \
	X(L1_WAYS, "l1 ways", 4, 8, 1, true) \
	X(L2_WAYS, "l2 ways", 4, 8, 1, true) \
	X(L3_WAYS, "l3 ways", 8, 16, 1, true) \
	X(WALK, "walk_start", 1, 20, 1, false) \
	X(REPLACEMENT, "replacement", 0, 2, 1, false) \
	X(HISTORY, "predictor history", 5, 13, 1, false) \
	X(ORDER, "disambiguation", 0, 2, 1, false) /* words */

enum number {
#define X(id, ...) V_##id,
	NUMBERS(X)
#undef X
	N_NUMBERS
};

static const struct { const char *name; unsigned least, most, apart; bool power; } number[N_NUMBERS] = {
#define X(id, ...) {__VA_ARGS__},
	NUMBERS(X)
#undef X
};

enum feature { F_MOVES, F_FMA_SPLIT, F_STA_STD, F_NUKE_REPLAY, F_COMPRESSION, N_FEATURES };

static const char *const feature[N_FEATURES] = {
	[F_MOVES] = "move_elimination", [F_FMA_SPLIT] = "fma_split", [F_STA_STD] = "sta_std",
	[F_NUKE_REPLAY] = "nuke_replay", [F_COMPRESSION] = "rob_compression",
};

/* enum sim_disambiguation */
enum { ORACLE, WAIT, BLIND };
static const char *const order[] = {[ORACLE] = "oracle", [WAIT] = "wait", [BLIND] = "blind"};

#define KINDS ((size_t)N_NUMBERS + N_FEATURES)

struct core {
	unsigned value[N_NUMBERS];
	bool has[N_FEATURES];
};

size_t
confusion_kinds(void)
{
	return KINDS;
}

static const char *
name_of(size_t kind)
{
	return kind < N_NUMBERS ? number[kind].name : feature[kind - N_NUMBERS];
}

size_t
confusion_kind(const char *name)
{
	size_t i = 0;

	while (i < KINDS && strcmp(name_of(i), name) != 0)
		i++;
	return i;
}

static unsigned
draw_value(size_t i, uint64_t *seed)
{
	unsigned v = number[i].least, steps = 1;

	if (!number[i].power)
		return v + (unsigned)(test_random(seed) % (number[i].most - v + 1));
	while (v << steps <= number[i].most)
		steps++;
	return v << test_random(seed) % steps;
}

static void
draw_core(struct core *c, uint64_t *seed)
{
	for (size_t i = 0; i < N_NUMBERS; i++)
		c->value[i] = draw_value(i, seed);
	for (size_t i = 0; i < N_FEATURES; i++)
		c->has[i] = test_random(seed) % 2;
	c->value[V_REPLACEMENT] = SIM_LRU; /* others hide where sets are full */
}

/* Takes what would hide the difference out of the way: the latency of an operation that is split, ports behind a
 * narrower dispatch, or the other way round, banks behind a single port, and loads that never go ahead wrongly. */
static void
show(struct core *c, size_t kind)
{
	if (kind == V_FMA)
		c->has[F_FMA_SPLIT] = false;
	if (kind == V_FMUL_PORTS)
		c->value[V_FP] = number[V_FP].most;
	if (kind == V_FP)
		c->value[V_FMUL_PORTS] = number[V_FMUL_PORTS].most;
	if (kind == V_BANKS)
		c->value[V_LOAD_PORTS] = number[V_LOAD_PORTS].most;
	if (kind == (size_t)N_NUMBERS + F_NUKE_REPLAY)
		c->value[V_ORDER] = BLIND;
}

/* Makes a value far enough from what it was, or switches a feature. */
static void
hide(struct core *c, size_t kind, uint64_t *seed)
{
	unsigned was = kind < N_NUMBERS ? c->value[kind] : 0, v = was;

	if (kind >= N_NUMBERS) {
		c->has[kind - N_NUMBERS] ^= true;
		return;
	}
	while ((v > was ? v - was : was - v) < number[kind].apart)
		v = draw_value(kind, seed);
	c->value[kind] = v;
}

/* "sim:core:…", and changes. */
static void
write_core(const struct core *c, struct str *on, struct str *changes)
{
	const unsigned *v = c->value;

	str_add(on, "sim:core:wrong_path");
	for (size_t i = 0; i < N_FEATURES; i++)
		if (c->has[i])
			str_addf(on, ",%s", feature[i]);
	str_add(changes, "fetch 8; issue 16; commit 8; branches 128; rob_pack 4; latency fadd 3 cycles");
	str_addf(changes, "; rob %u; load_queue %u; store_queue %u; int_registers %u; fp_registers %u; width %u",
		v[V_ROB], v[V_LOADS], v[V_STORES], v[V_INTS], v[V_FPS], v[V_WIDTH]);
	str_addf(changes,
		"; latency mul %u cycles; latency fmul %u cycles; latency fma %u cycles; latency atomic %u cycles",
		v[V_MUL], v[V_FMUL], v[V_FMA], v[V_ATOMIC]);
	str_addf(changes, "; forward %u cycles; l1 %u KiB, %u ways, %u cycles; l2 %u KiB, %u ways, %u cycles; "
		"l3 %u KiB, %u ways, 60 cycles; replacement %s",
		v[V_FORWARD], v[V_L1_KIB], v[V_L1_WAYS], v[V_L1], v[V_L2_KIB], v[V_L2_WAYS], v[V_L2], v[V_L3_KIB],
		v[V_L3_WAYS], sim_replacement_name((enum sim_replacement)v[V_REPLACEMENT]));
	str_addf(changes, "; scheduler %u; walk_start %u cycles; latency div %u cycles%s; latency fdiv %u cycles%s",
		v[V_SCHEDULER], v[V_WALK], v[V_DIV], v[V_DIV_BLOCKS] ? ", blocking" : "", v[V_FDIV],
		v[V_FDIV_BLOCKS] ? ", blocking" : "");
	str_addf(changes, "; memory %u cycles; dtlb 4k %u entries, 4 ways; fill_buffers %u; banks %u; write_back %u",
		v[V_MEMORY], v[V_DTLB], v[V_FILL], v[V_BANKS], v[V_WRITE]);
	str_addf(changes, "; ports 6 alu, branch, move, nop; ports %u mul, div; ports 4 fadd, fma, fdiv; "
		"ports %u fmul; ports %u load, atomic; ports %u store", v[V_MUL_PORTS], v[V_FMUL_PORTS],
		v[V_LOAD_PORTS], v[V_STORE_PORTS]);
	str_addf(changes, "; fp_dispatch %u; predictor hybrid %u entries, history %u; disambiguation %s",
		v[V_FP], v[V_ENTRIES], v[V_HISTORY], order[v[V_ORDER]]);
}

void
confusion_draw(uint64_t *seed, struct str *on, struct str *changes)
{
	struct core core = {0};

	draw_core(&core, seed);
	write_core(&core, on, changes);
}

static size_t
index_of(const char **list, size_t *n, const char *name)
{
	size_t i = 0;

	while (i < *n && strcmp(list[i], name) != 0)
		i++;
	if (i == *n && i < CONFUSION_NAMES)
		list[(*n)++] = name;
	return i;
}

static void
add_result(struct confusion *m, size_t kind, const struct calibration *c)
{
	size_t row = index_of(m->hidden, &m->n_hidden, name_of(kind));
	bool right = false;

	for (size_t i = 0; i < c->n_faults; i++) {
		const char *name = knob_name(c->fault[i].knob);

		m->count[row][index_of(m->named, &m->n_named, name)]++;
		right |= strcmp(name, name_of(kind)) == 0;
	}
	m->count[row][CONFUSION_NAMES] += c->n_faults == 0;
	m->cases++;
	m->right += right;
	m->alone += right && c->n_faults == 1;
	m->closed += c->remaining == 0;
	m->before += c->error_before;
	m->after += c->error_after;
}

/* What the probes answer on the core that is the truth. */
static bool
ask(const struct core *c, const struct probe_list *l, struct known_answer *out, struct err *e)
{
	struct str on = {0}, changes = {0};
	struct candidate *m;
	bool good;

	write_core(c, &on, &changes);
	m = candidate_new(str_text(&on), str_text(&changes), l, e);
	good = m != NULL;
	for (size_t i = 0; i < l->n && good; i++)
		good = out[i].known = candidate_answer(m, i, NULL, &out[i].answer, e);
	candidate_free(m);
	str_free(&on);
	str_free(&changes);
	return good;
}

bool
confusion_add(struct confusion *m, size_t kind, uint64_t seed, char *const *probes, size_t n_probes, struct str *why)
{
	struct probe_list l = {0};
	struct known_answer *truth = NULL;
	struct calibration *c = NULL;
	struct core core = {0};
	struct diags d = {0};
	struct err e = {0};
	struct str on = {0}, changes = {0};

	draw_core(&core, &seed);
	show(&core, kind);
	write_core(&core, &on, &changes);
	hide(&core, kind, &seed);
	if (probe_list_load(&l, probes, n_probes, &d, &e)) {
		truth = mem_new_array(l.n, sizeof *truth);
		if (ask(&core, &l, truth, &e))
			c = calibrate(str_text(&on), str_text(&changes), &l, truth, NULL, &e);
	}
	if (c)
		add_result(m, kind, c);
	str_addf(why, "%s of seed %s%s: %s", name_of(kind), str_text(&on), str_text(&changes), e.what);
	for (size_t i = 0; c && i < c->n_faults; i++)
		str_addf(why, " named %s (%s to %s);", knob_name(c->fault[i].knob), c->fault[i].before,
			c->fault[i].after);
	for (size_t i = 0; c && i < l.n; i++)
		if (c->row[i].differs)
			str_addf(why, " %s %g/%g", l.probe[i]->name, c->row[i].before.value, c->row[i].truth.value);
	calibrate_free(c);
	free(truth);
	probe_list_free(&l);
	diags_free(&d);
	str_free(&on);
	str_free(&changes);
	return !*e.what;
}

/* A column for each hidden thing, in the order of the rows, then those that were named and never hidden. */
static size_t
columns_of(const struct confusion *m, const char **column)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n_hidden; i++)
		index_of(column, &n, m->hidden[i]);
	for (size_t i = 0; i < m->n_named; i++)
		index_of(column, &n, m->named[i]);
	return n;
}

static unsigned
count_of(const struct confusion *m, size_t row, const char *name)
{
	for (size_t i = 0; i < m->n_named; i++)
		if (strcmp(m->named[i], name) == 0)
			return m->count[row][i];
	return 0;
}

/* The columns' numbers, a digit above the other. */
static void
print_heading(size_t n, struct str *out)
{
	for (size_t by = 10; by; by /= 10) {
		str_addf(out, "%-21s", by == 1 ? "hidden \\ named" : "");
		for (size_t j = 1; j <= n; j++)
			if (j >= by)
				str_addf(out, "%2zu", j / by % 10);
			else
				str_add(out, "  ");
		str_addf(out, "%s\n", by == 1 ? " -" : "");
	}
}

static void
print_cell(unsigned n, struct str *out)
{
	if (n)
		str_addf(out, "%2u", n);
	else
		str_add(out, " .");
}

void
confusion_print(const struct confusion *m, struct str *out)
{
	const char *column[CONFUSION_NAMES];
	size_t n = columns_of(m, column);

	print_heading(n, out);
	for (size_t i = 0; i < m->n_hidden; i++) {
		str_addf(out, "%2zu %-18s", i + 1, m->hidden[i]);
		for (size_t j = 0; j < n; j++)
			print_cell(count_of(m, i, column[j]), out);
		print_cell(m->count[i][CONFUSION_NAMES], out);
		str_addc(out, '\n');
	}
	for (size_t j = m->n_hidden; j < n; j++)
		str_addf(out, "%2zu %s: never hidden\n", j + 1, column[j]);
	str_addf(out, "%u pairs of cores: the right one was named in %.1f %%, it alone in %.1f %%; no probe differs "
		"any more in %.1f %%\nmean error of probes: %.2f %% before, %.2f %% after\n", m->cases,
		100.0 * m->right / m->cases, 100.0 * m->alone / m->cases, 100.0 * m->closed / m->cases,
		100 * m->before / m->cases, 100 * m->after / m->cases);
}
