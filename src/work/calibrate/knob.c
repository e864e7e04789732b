#include "work/calibrate/knob.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "core/probe/probe.h"
#include "work/calibrate/knob_table.h"

#define FP_KINDS (1u << SIM_OP_FADD | 1u << SIM_OP_FMUL | 1u << SIM_OP_FDIV | 1u << SIM_OP_FMA)
#define MEMORY_KINDS (1u << SIM_OP_LOAD | 1u << SIM_OP_STORE | 1u << SIM_OP_ATOMIC)
#define PREDICTORS 5 /* kinds of enum sim_predictor_kind */
#define ENTRIES 4096u   /* of a predictor where the file has none */
#define HISTORY 12u
#define HISTORY_MOST 32u /* of predictors other than TAGE */
#define TAGE_KIB 512u   /* entries for each KiB of TAGE */
#define TAGE_LEAST 8u   /* KiB */
#define ROB_PACK 6 /* of a machine that has no such item: XiangShan's (section 4.3) */

#define AT(f) offsetof(struct sim_machine, f)
#define PIPE(f) offsetof(struct sim_machine, pipe.f)
#define KIND(k) (1u << SIM_OP_##k)
/* name, words of the item, form, field, unit, range, no limit, what an answer is for each one, probes */
#define KNOB(name_, key_, form_, field_, unit_, least_, most_, none_, scale_, ...) \
	{.name = name_, .key = key_, .form = form_, .field = field_, .unit = unit_, .least = least_, .most = most_, \
		.unlimited = none_, .scale = scale_, .probe = {__VA_ARGS__}}
#define NUMBER(n, f, unit, least, most, none, ...) KNOB(n, n, FORM_NUMBER, f, unit, least, most, none, 1, __VA_ARGS__)
#define LATENCY(n, kind, ...) \
	KNOB("latency " n, "latency " n, FORM_LATENCY, SIM_OP_##kind, NULL, 1, 1000, 0, 1, __VA_ARGS__)
#define CACHE(n, c, ...) KNOB(n " latency", n, FORM_CYCLES, AT(c), NULL, 1, 1000, 0, 1, __VA_ARGS__)
#define SIZE(n, c, ...) KNOB(n " size", n, FORM_BYTES, AT(c), NULL, 64, UINT32_MAX, 0, 1, __VA_ARGS__)
#define PORTS(n, kinds, ...) KNOB("ports " n, "ports", FORM_PORTS, kinds, NULL, 1, 64, 0, 1, __VA_ARGS__)
#define FEATURE(id, n, ...) KNOB(n, "has", FORM_FEATURE, SIM_PLANT_##id, NULL, 0, 1, 0, 1, __VA_ARGS__)
#define BLOCKING(n, kind, ...) \
	KNOB("blocking " n, "latency " n, FORM_BLOCKING, SIM_OP_##kind, NULL, 0, 1, 0, 1, __VA_ARGS__)
#define WAYS_OF(n, c, ...) KNOB(n " ways", n, FORM_ASSOCIATION, AT(c), NULL, 1, SIM_WAYS_MAX, 0, 1, __VA_ARGS__)
/* The same of items that a file may lack. `typical`: the value to try there */
#define OPTIONAL(name_, key_, form_, field_, unit_, least_, most_, typical_, ...) \
	{.name = name_, .key = key_, .form = form_, .field = field_, .unit = unit_, .least = least_, .most = most_, \
		.scale = 1, .typical = typical_, .probe = {__VA_ARGS__}}
/* … and of those that no probe was made for. */
#define PLAIN(name, key, form, field, unit, least, most, typical) \
	OPTIONAL(name, key, form, field, unit, least, most, typical, NULL)
#define COUNT(n, f, unit, least, most, typical) PLAIN(n, n, FORM_NUMBER, f, unit, least, most, typical)
#define DELAY(n, kind) PLAIN("latency " n, "latency " n, FORM_LATENCY, SIM_OP_##kind, NULL, 1, 1000, 0)
#define TABLE(n, f, typical) \
	PLAIN(n " entries", n, FORM_ENTRIES_OF, f, NULL, 1, 1u << 20, typical), \
	PLAIN(n " ways", n, FORM_WAYS, f, NULL, 1, SIM_WAYS_MAX, 0)
#define SWITCH(id, n) PLAIN(n, "has", FORM_FEATURE, SIM_PLANT_##id, NULL, 0, 1, 0)

static const struct knob table[] = {
	NUMBER("rob", AT(rob), NULL, 1, 4096, 0, "rob", "rob_nops"),
	NUMBER("load_queue", AT(load_queue), NULL, 1, 4096, 0, "load_queue"),
	NUMBER("store_queue", AT(store_queue), NULL, 1, 4096, 0, "store_queue"),
	NUMBER("int_registers", PIPE(int_registers), NULL, 1, 8192, 8192, "int_registers"),
	NUMBER("fp_registers", PIPE(fp_registers), NULL, 1, 8192, 8192, "fp_registers"),
	KNOB("width", "width", FORM_WIDTH, AT(width), NULL, 1, 64, 0, 1, "decode_width"),
	LATENCY("mul", MUL, "mul_latency"),
	LATENCY("fmul", FMUL, "fmul_latency"),
	LATENCY("fma", FMA, "fma_latency"),
	LATENCY("atomic", ATOMIC, "atomic_latency"),
	NUMBER("forward", PIPE(forward), "cycles", 1, 100, 0, "store_forwarding"),
	CACHE("l1", l1, "l1_latency"),
	CACHE("l2", l2, "l2_latency"),
	NUMBER("memory", AT(memory_latency), "cycles", 1, 100000, 0, "memory_latency"),
	SIZE("l1", l1, "l1_size"),
	SIZE("l2", l2, "l2_size"),
	SIZE("l3", l3, "l3_size"),
	KNOB("dtlb", "dtlb 4k", FORM_ENTRIES_OF, AT(dtlb), NULL, 1, 1u << 20, 0, 4096, "dtlb_reach"),
	NUMBER("fill_buffers", AT(data_mlp), NULL, 1, 256, 0, "fill_buffers"),
	PORTS("load", KIND(LOAD) | KIND(ATOMIC), "load_pipes"),
	PORTS("store", KIND(STORE), "store_pipes"),
	PORTS("load, store", KIND(LOAD) | KIND(STORE) | KIND(ATOMIC), "load_pipes", "store_pipes"),
	NUMBER("fp_dispatch", PIPE(fp_dispatch), NULL, 1, 64, 64, "fp_rate", "fmul_rate"),
	PORTS("fmul", KIND(FMUL), "fmul_rate"),
	PORTS("fadd, fmul, fma", KIND(FADD) | KIND(FMUL) | KIND(FMA) | KIND(FDIV), "fp_rate", "fmul_rate", "fadd_rate",
		"fma_rate", "ports_fma_fadd"),
	KNOB("banks", "banks", FORM_BANKS, PIPE(banks), NULL, 1, 64, 64, 1, "banks", "bank_conflict"),
	NUMBER("write_back", PIPE(write_back), NULL, 1, 64, 64, "write_back"),
	NUMBER("rob_pack", PIPE(rob_pack), NULL, 2, 16, 0, "rob_nops"),
	KNOB("predictor history", "predictor", FORM_HISTORY, 0, NULL, 1, 3000, 0, 1, "history"),
	KNOB("predictor entries", "predictor", FORM_ENTRIES, 0, NULL, 1, 1u << 20, 0, 1, "predictor_size"),
	KNOB("disambiguation", "disambiguation", FORM_ORDER, 0, NULL, 0, 2, 0, 1, "nuke_replay"),
	KNOB("predictor kind", "predictor", FORM_PREDICTOR, 0, NULL, 0, 4, 0, 1, "predictor_size", "history"),
	FEATURE(MOVE_ELIMINATION, "move_elimination", "move_elimination", "move_latency"),
	FEATURE(FMA_SPLIT, "fma_split", "fma_split", "fma_latency"),
	FEATURE(STA_STD, "sta_std", "sta_std"),
	FEATURE(NUKE_REPLAY, "nuke_replay", "nuke_replay"),
	FEATURE(ROB_COMPRESSION, "rob_compression", "rob_nops"),
	NUMBER("fetch", PIPE(fetch), NULL, 1, 64, 0, "fetch_width", "decode_width"),
	NUMBER("fetch_branches", PIPE(fetch_branches), NULL, 1, 64, 0, "branch_rate"),
	COUNT("fetch_taken", PIPE(fetch_taken), NULL, 1, 64, 0),
	NUMBER("front_end", PIPE(front_end), "cycles", 1, 200, 0, "misprediction"),
	COUNT("fetch_buffer", PIPE(fetch_buffer), NULL, 1, 4096, 0),
	COUNT("redirect", PIPE(redirect), "cycles", 1, 200, 0),
	NUMBER("issue", PIPE(issue), NULL, 1, 256, 0, "issue_width"),
	NUMBER("commit", PIPE(commit), NULL, 1, 4096, 0, "commit_width", "decode_width"),
	COUNT("window", PIPE(window), NULL, 1, 8192, 64),
	NUMBER("scheduler", PIPE(scheduler), NULL, 1, 4096, 0, "scheduler"),
	NUMBER("branches", PIPE(branches), NULL, 1, 4096, 0, "branches", "branch_rate"),
	OPTIONAL("returns", "returns", FORM_NUMBER, PIPE(predictor.returns), "entries", 1, 4096, 8, "returns"),
	COUNT("indirect", PIPE(predictor.indirect), "entries", 1, 1u << 20, 64),
	COUNT("store_sets", PIPE(store_sets), "entries", 1, 1u << 20, 1024),
	COUNT("walkers", AT(walkers), NULL, 1, 16, 0),
	COUNT("mshrs", AT(mshrs), NULL, 1, 64, 0),
	NUMBER("walk_start", AT(walk_start), "cycles", 0, 1000, 0, "walk_latency"),
	LATENCY("div", DIV, "div_latency", "div_rate"), LATENCY("fdiv", FDIV, "fdiv_latency", "fdiv_rate"),
	DELAY("alu", ALU), DELAY("fadd", FADD), DELAY("load", LOAD),
	DELAY("store", STORE), DELAY("branch", BRANCH), DELAY("move", MOVE),
	BLOCKING("mul", MUL, "mul_rate"), BLOCKING("div", DIV, "div_rate"), BLOCKING("fdiv", FDIV, "fdiv_rate"),
	PORTS("alu, branch, move, nop", KIND(ALU) | KIND(BRANCH) | KIND(MOVE) | KIND(NOP), "add_rate", "branch_rate",
		"move_rate", "ports_branch_add"),
	PORTS("alu, move, nop", KIND(ALU) | KIND(MOVE) | KIND(NOP), "add_rate", "move_rate", "ports_move_add"),
	PORTS("branch", KIND(BRANCH), "branch_rate"),
	PORTS("mul, div", KIND(MUL) | KIND(DIV), "mul_rate", "div_rate", "ports_div_mul"),
	PORTS("fdiv", KIND(FDIV), "fdiv_rate"),
	SIZE("l1i", pipe.l1i, "l1i_size"), WAYS_OF("l1i", pipe.l1i, "l1i_ways"), WAYS_OF("l1", l1, "l1_ways"),
	WAYS_OF("l2", l2, "l2_ways"), CACHE("l3", l3, NULL), WAYS_OF("l3", l3, "l3_ways"),
	OPTIONAL("itlb entries", "itlb", FORM_ENTRIES_OF, PIPE(itlb), NULL, 1, 1u << 20, 64, "itlb_entries"),
	OPTIONAL("itlb ways", "itlb", FORM_WAYS, PIPE(itlb), NULL, 1, SIM_WAYS_MAX, 0, "itlb_ways"),
	TABLE("btb", PIPE(predictor.btb), 512), TABLE("pde", AT(pde), 32),
	TABLE("pdpte", AT(pdpte), 4), TABLE("stlb", AT(stlb), 0),
	PLAIN("stlb latency", "stlb", FORM_STLB_CYCLES, AT(stlb_latency), NULL, 1, 1000, 0),
	PLAIN("dtlb ways", "dtlb 4k", FORM_WAYS, AT(dtlb), NULL, 1, SIM_WAYS_MAX, 0),
	PLAIN("stride_prefetch entries", "stride_prefetch", FORM_STRIDE, PIPE(stride_entries), NULL, 1, 65536, 64),
	PLAIN("stride_prefetch ahead", "stride_prefetch", FORM_STRIDE, PIPE(stride_ahead), NULL, 1, 64, 0),
	PLAIN("lookup", "lookup", FORM_LOOKUP, 0, NULL, 0, 1, 0),
	KNOB("replacement", "replacement", FORM_REPLACEMENT, 0, NULL, 0, SIM_N_REPLACEMENTS - 1, 0, 1, "replacement"),
	SWITCH(WRONG_PATH, "wrong_path"), SWITCH(MERGING, "merging"),
};
#define KNOBS (sizeof table / sizeof *table)

size_t
knob_count(void)
{
	return KNOBS;
}

const struct knob *
knob_at(size_t i)
{
	return &table[i];
}

const char *
knob_name(const struct knob *k)
{
	return k->name;
}

enum knob_kind
knob_kind_of(const struct knob *k)
{
	return k->form == FORM_FEATURE ? KNOB_FEATURE : KNOB_PARAMETER;
}

const char *
knob_kind_name(enum knob_kind kind)
{
	return kind == KNOB_FEATURE ? "feature" : "parameter";
}

unsigned
knob_rank(const struct knob *k, const char *probe, const char *parameter)
{
	for (unsigned i = 0; i < PROBES_MAX && k->probe[i]; i++)
		if (str_eq(k->probe[i], probe))
			return i + 1;
	return parameter && str_eq(parameter, k->name) ? PROBES_MAX : 0;
}

double
knob_unlimited(const struct knob *k)
{
	return k->unlimited;
}

unsigned
knob_choices(const struct knob *k)
{
	bool two = k->form == FORM_FEATURE || k->form == FORM_BLOCKING || k->form == FORM_LOOKUP;

	if (k->form == FORM_REPLACEMENT)
		return SIM_N_REPLACEMENTS;
	return two ? 2 : k->form == FORM_ORDER ? 3 : k->form == FORM_PREDICTOR ? PREDICTORS : 0;
}

double
knob_scale(const struct knob *k)
{
	return k->scale;
}

/* --- values ------------------------------------------------------------------------------------------------------ */

const unsigned *
knob_number_of(const struct knob *k, const struct sim_machine *m)
{
	return (const unsigned *)(const void *)((const char *)m + k->field);
}

const struct sim_cache *
knob_cache_of(const struct knob *k, const struct sim_machine *m)
{
	return (const struct sim_cache *)(const void *)((const char *)m + k->field);
}

const struct sim_ways *
knob_ways_of(const struct knob *k, const struct sim_machine *m)
{
	return (const struct sim_ways *)(const void *)((const char *)m + k->field);
}

static struct sim_cache *
cache_to_turn(const struct knob *k, struct sim_machine *m)
{
	return (struct sim_cache *)(void *)((char *)m + k->field);
}

/* Ports that take all of the kinds, or the first of them if no group does. */
static unsigned
ports_of(const struct sim_pipeline *p, uint32_t kinds)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->n_ports; i++)
		if ((p->ports[i].kinds & kinds) == kinds)
			n += p->ports[i].n;
	for (unsigned i = 0; i < p->n_ports && n == 0; i++)
		if (p->ports[i].kinds & kinds)
			n = p->ports[i].n;
	return n;
}

double
knob_get(const struct knob *knob, const struct knob_machine *machine)
{
	const struct sim_machine *sim_machine = &machine->m;

	switch (knob->form) {
	case FORM_NUMBER:
	case FORM_WIDTH:
	case FORM_BANKS:
	case FORM_STRIDE:
	case FORM_STLB_CYCLES:
		return *knob_number_of(knob, sim_machine);
	case FORM_ENTRIES_OF:
		return knob_ways_of(knob, sim_machine)->entries;
	case FORM_WAYS:
		return knob_ways_of(knob, sim_machine)->ways;
	case FORM_ASSOCIATION:
		return knob_cache_of(knob, sim_machine)->ways;
	case FORM_BLOCKING:
		return sim_machine->pipe.blocking >> knob->field & 1;
	case FORM_PREDICTOR:
		return sim_machine->pipe.predictor.kind;
	case FORM_REPLACEMENT:
		return sim_machine->pipe.replacement;
	case FORM_LOOKUP:
		return sim_machine->pipe.lookup_at_fetch;
	case FORM_LATENCY:
		return sim_machine->pipe.latency[knob->field];
	case FORM_BYTES:
		return (double)knob_cache_of(knob, sim_machine)->bytes;
	case FORM_CYCLES:
		return knob_cache_of(knob, sim_machine)->latency;
	case FORM_PORTS:
		return ports_of(&sim_machine->pipe, (uint32_t)knob->field);
	case FORM_HISTORY:
		return sim_machine->pipe.predictor.history;
	case FORM_ENTRIES:
		return sim_machine->pipe.predictor.entries;
	case FORM_ORDER:
		return sim_machine->pipe.disambiguation;
	case FORM_FEATURE:
		return machine->plants >> knob->field & 1;
	}
	return 0;
}

/* The nearest number of the form first · 2^n. */
static double
nearest_power(double first, double value)
{
	return first * exp2(fmax(0, round(log2(fmax(value, first) / first))));
}

double
knob_round(const struct knob *knob, const struct knob_machine *machine, double value)
{
	const struct sim_machine *sim_machine = &machine->m;

	value = fmin(fmax(round(value), knob->least), knob->most);
	if (knob->form == FORM_BYTES && knob_cache_of(knob, sim_machine)->ways)
		return nearest_power(knob_cache_of(knob, sim_machine)->ways * (double)SIM_LINE, value);
	if (knob->form == FORM_ENTRIES_OF)
		return nearest_power(
			knob_ways_of(knob, sim_machine)->ways ? knob_ways_of(knob, sim_machine)->ways : 1, value);
	if (knob->form == FORM_WAYS || knob->form == FORM_ASSOCIATION) {
		double odd = fmax(1, knob_get(knob, machine));

		while (fmod(odd, 2) == 0)
			odd /= 2;
		if (knob->form == FORM_WAYS)
			value = fmin(value, knob_ways_of(knob, sim_machine)->entries);
		return nearest_power(odd, value);
	}
	return knob->form == FORM_ENTRIES || knob->form == FORM_BANKS ? nearest_power(1, value) : value;
}

/* Gives the kinds ports of their own, `n` of them. False: there would be too many groups. */
static bool
set_ports(struct sim_pipeline *pipeline, uint32_t kinds, unsigned n)
{
	struct sim_ports own = {.n = n};
	unsigned kept = 0, at = pipeline->n_ports;

	for (unsigned i = 0; i < pipeline->n_ports; i++) {
		uint32_t taken = pipeline->ports[i].kinds & kinds;

		if (taken && at == pipeline->n_ports)
			at = kept;
		own.kinds |= taken;
		pipeline->ports[i].kinds &= ~taken;
		if (pipeline->ports[i].kinds)
			pipeline->ports[kept++] = pipeline->ports[i];
	}
	pipeline->n_ports = kept;
	if (kept == SIM_PORTS_MAX)
		return false;
	for (at = at < kept ? at : kept; kept > at; kept--)
		pipeline->ports[kept] = pipeline->ports[kept - 1];
	pipeline->ports[at] = own;
	pipeline->n_ports++;
	return own.kinds != 0;
}

static unsigned
at_least(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

/* A table that is not there gets few ways. */
static void
set_table(const struct knob *k, struct sim_ways *w, unsigned v)
{
	if (k->form == FORM_WAYS) {
		w->ways = v;
		return;
	}
	w->entries = v;
	if (!w->ways)
		w->ways = v % 4 ? 1 : 4;
}

/* Another kind, with tables of about the same size. */
static void
set_predictor(struct sim_predictor_size *p, enum sim_predictor_kind kind)
{
	unsigned entries = !p->entries ? ENTRIES : p->kind == SIM_PREDICT_TAGE ? p->entries * TAGE_KIB : p->entries;
	unsigned history = !p->history ? HISTORY : p->history > HISTORY_MOST ? HISTORY_MOST : p->history;

	if (kind == p->kind)
		return;
	p->kind = kind;
	p->entries = kind == SIM_PREDICT_PERFECT ? 0 :
		kind == SIM_PREDICT_TAGE ? at_least(entries / TAGE_KIB, TAGE_LEAST) : entries;
	p->history = kind == SIM_PREDICT_PERFECT || kind == SIM_PREDICT_BIMODAL ? 0 : history;
}

/* What only walks of page tables use. */
static bool
is_of_walks(const struct knob *k)
{
	return k->form == FORM_NUMBER &&
		(k->field == AT(walkers) || k->field == AT(mshrs) || k->field == AT(walk_start));
}

static bool
has_group(const struct sim_pipeline *p, uint32_t kinds)
{
	for (unsigned i = 0; i < p->n_ports; i++)
		if (p->ports[i].kinds == kinds)
			return true;
	return false;
}

/* True if the machine has the item, or could have it: a machine without TLBs walks no page table. */
static bool
knob_applies(const struct knob *knob, const struct knob_machine *machine)
{
	const struct sim_pipeline *pipeline = &machine->m.pipe;
	bool tables = knob->form == FORM_ENTRIES_OF || knob->form == FORM_WAYS;

	if (knob->form == FORM_FEATURE)
		return (machine->m.may | machine->m.has) >> knob->field & 1;
	if (knob->form == FORM_PORTS)
		return has_group(pipeline, (uint32_t)knob->field) ||
			has_group(pipeline, (uint32_t)knob->field & ~KIND(FDIV));
	if (!pipeline->translates && knob->field != PIPE(predictor.btb) &&
		(tables || is_of_walks(knob) || knob->form == FORM_STLB_CYCLES))
		return false;
	if (knob->field == PIPE(rob_pack) && knob->form == FORM_NUMBER)
		return machine->plants >> SIM_PLANT_ROB_COMPRESSION & 1;
	if (knob->field == PIPE(store_sets) && knob->form == FORM_NUMBER)
		return pipeline->disambiguation == SIM_BLIND;
	return knob_choices(knob) || knob_get(knob, machine) > 0 || knob->typical || knob->unlimited;
}

/* The other values whose effect shows whether a probe depends on the item. */
size_t
knob_others(const struct knob *knob, const struct knob_machine *m, double *out)
{
	double is = knob_get(knob, m), other[2];
	size_t n = 0, from = knob_choices(knob);

	if (!knob_applies(knob, m))
		return 0;
	if (from) {
		for (size_t i = 0; i < from; i++)
			if ((double)i != is)
				out[n++] = (double)i;
		return n;
	}
	other[0] = is == 0 && knob->least > 0 ? knob->typical : floor(is / 2);
	other[1] = is == 0 ? knob->least : 2 * is;
	for (size_t i = 0; i < 2; i++)
		if (other[i] >= knob->least && other[i] <= knob->most && other[i] != is &&
			(is > 0 || other[i] > knob->least))
			out[n++] = other[i];
	return n;
}

/* Kinds of µops in a part of a probe's code. */
static uint32_t
kinds_of_part(const struct probe_part *part)
{
	static const uint32_t kind[PROBE_N_OPS] = {
		[PROBE_ADD] = KIND(ALU), [PROBE_MUL] = KIND(MUL), [PROBE_DIV] = KIND(DIV), [PROBE_MOVE] = KIND(MOVE),
		[PROBE_FADD] = KIND(FADD), [PROBE_FMUL] = KIND(FMUL), [PROBE_FDIV] = KIND(FDIV),
		[PROBE_FMA] = KIND(FMA) | KIND(FMUL) | KIND(FADD), [PROBE_LOAD] = KIND(LOAD),
		[PROBE_FLOAD] = KIND(LOAD), [PROBE_PREFETCH] = KIND(LOAD), [PROBE_STORE] = KIND(STORE),
		[PROBE_ATOMIC] = KIND(ATOMIC),
	};
	uint32_t kinds = 0;

	for (unsigned i = 0; i < part->n; i++)
		kinds |= kind[part->step[i].op];
	return kinds;
}

/* Kinds of µops that a probe executes. Each pass has nops and a branch at least; a fused multiply-add may be split. */
static uint32_t
kinds_of_probe(const struct probe *p)
{
	const struct probe_fill *fill[] = {&p->fill, &p->against};
	uint32_t kinds = KIND(NOP) | KIND(BRANCH) | ((p->footprint && !p->of_code) || p->block ? KIND(LOAD) : 0);

	for (size_t i = 0; i < 2; i++)
		kinds |= kinds_of_part(&fill[i]->head) | kinds_of_part(&fill[i]->body) | kinds_of_part(&fill[i]->tail);
	return kinds;
}

/* Kinds of µops that an item is about; all: any. */
static uint32_t
kinds_of_knob(const struct knob *knob)
{
	static const struct { size_t field; uint32_t kinds; } about[] = {
		{AT(load_queue), KIND(LOAD)}, {AT(store_queue), KIND(STORE)}, {PIPE(int_registers), ~KIND(NOP)},
		{PIPE(fp_registers), FP_KINDS | KIND(LOAD)}, {PIPE(fp_dispatch), FP_KINDS | KIND(LOAD)},
		{PIPE(forward), KIND(STORE)}, {PIPE(store_sets), KIND(STORE)},
		{AT(l1), MEMORY_KINDS}, {AT(l2), MEMORY_KINDS}, {AT(l3), MEMORY_KINDS},
		{AT(memory_latency), MEMORY_KINDS}, {AT(data_mlp), MEMORY_KINDS},
		{PIPE(banks), MEMORY_KINDS}, {PIPE(write_back), MEMORY_KINDS}, {PIPE(stride_entries), MEMORY_KINDS},
		{PIPE(stride_ahead), MEMORY_KINDS},
		{PIPE(predictor.indirect), 0}, /* no probe has such branches */
	};

	if (knob->form == FORM_ORDER || knob->form == FORM_LOOKUP || knob->form == FORM_REPLACEMENT)
		return MEMORY_KINDS;
	if (knob->form == FORM_LATENCY || knob->form == FORM_BLOCKING)
		return 1u << knob->field;
	if (knob->form == FORM_PORTS)
		return (uint32_t)knob->field;
	if (knob->form == FORM_FEATURE)
		return knob->field == SIM_PLANT_MOVE_ELIMINATION ? KIND(MOVE) :
			knob->field == SIM_PLANT_FMA_SPLIT ? KIND(FMA) :
			knob->field == SIM_PLANT_STA_STD || knob->field == SIM_PLANT_NUKE_REPLAY ? KIND(STORE) : ~0u;
	for (size_t i = 0; i < sizeof about / sizeof *about; i++)
		if (knob->field == about[i].field && knob->key[0] != 'p') /* the predictor has no field */
			return about[i].kinds | (about[i].kinds & (KIND(LOAD) | KIND(STORE)) ? KIND(ATOMIC) : 0);
	return ~0u;
}

/* What only translation uses. */
static bool
is_of_pages(const struct knob *k)
{
	static const size_t pages[] = {AT(dtlb), AT(stlb), AT(pde), AT(pdpte)};
	bool some = k->form == FORM_STLB_CYCLES || is_of_walks(k) ||
		(k->form == FORM_FEATURE && k->field == SIM_PLANT_MERGING);

	for (size_t i = 0; i < sizeof pages / sizeof *pages && !some; i++)
		some = (k->form == FORM_ENTRIES_OF || k->form == FORM_WAYS) && k->field == pages[i];
	return some;
}

static bool
has_calls(const struct probe *p)
{
	const struct probe_part *body = &p->fill.body;
	bool some = false;

	for (unsigned i = 0; i < body->n; i++)
		some |= body->step[i].op == PROBE_CALL || body->step[i].op == PROBE_RETURN;
	return some;
}

bool
knob_may_show(const struct knob *k, const struct probe *p)
{
	if (str_eq(k->key, "l1i") || str_eq(k->key, "itlb"))
		return p->of_code && p->small_pages == str_eq(k->key, "itlb");
	if (str_eq(k->key, "returns"))
		return has_calls(p);
	return (kinds_of_knob(k) & kinds_of_probe(p)) && (!is_of_pages(k) || p->small_pages);
}

bool
knob_set(const struct knob *knob, struct knob_machine *machine, double value)
{
	struct sim_machine *sim_machine = &machine->m;
	struct sim_pipeline *pipeline = &sim_machine->pipe;
	unsigned v = (unsigned)value;

	if (!(value >= knob->least && value <= knob->most))
		return false;
	switch (knob->form) {
	case FORM_NUMBER:
	case FORM_BANKS:
	case FORM_STRIDE:
	case FORM_STLB_CYCLES:
		memcpy((char *)sim_machine + knob->field, &v, sizeof v);
		return true;
	case FORM_ENTRIES_OF:
	case FORM_WAYS:
		set_table(knob, (struct sim_ways *)(void *)((char *)sim_machine + knob->field), v);
		return true;
	case FORM_ASSOCIATION:
		cache_to_turn(knob, sim_machine)->ways = v;
		return cache_to_turn(knob, sim_machine)->bytes != 0;
	case FORM_BLOCKING:
		pipeline->blocking = (pipeline->blocking & ~(1u << knob->field)) | v << knob->field;
		return true;
	case FORM_PREDICTOR:
		set_predictor(&pipeline->predictor, (enum sim_predictor_kind)v);
		return true;
	case FORM_REPLACEMENT:
		pipeline->replacement = (enum sim_replacement)v;
		return true;
	case FORM_LOOKUP:
		pipeline->lookup_at_fetch = v != 0;
		return true;
	case FORM_WIDTH:
		sim_machine->width = v;
		pipeline->fetch = at_least(pipeline->fetch, v);
		pipeline->issue = at_least(pipeline->issue, v);
		pipeline->commit = at_least(pipeline->commit, v);
		return true;
	case FORM_LATENCY:
		pipeline->latency[knob->field] = v;
		return true;
	case FORM_BYTES:
		cache_to_turn(knob, sim_machine)->bytes = (uint64_t)value;
		return cache_to_turn(knob, sim_machine)->ways != 0;
	case FORM_CYCLES:
		cache_to_turn(knob, sim_machine)->latency = v;
		return cache_to_turn(knob, sim_machine)->bytes != 0;
	case FORM_PORTS:
		return set_ports(pipeline, (uint32_t)knob->field, v);
	case FORM_HISTORY:
		pipeline->predictor.history = v;
		return pipeline->predictor.kind != SIM_PREDICT_PERFECT &&
			pipeline->predictor.kind != SIM_PREDICT_BIMODAL;
	case FORM_ENTRIES:
		pipeline->predictor.entries = v;
		return pipeline->predictor.kind != SIM_PREDICT_PERFECT;
	case FORM_ORDER:
		pipeline->disambiguation = (enum sim_disambiguation)v;
		return true;
	case FORM_FEATURE:
		if (knob->field == SIM_PLANT_ROB_COMPRESSION && v && !pipeline->rob_pack)
			pipeline->rob_pack = ROB_PACK;
		machine->plants = (machine->plants & ~((sim_plants)1 << knob->field)) | (sim_plants)v << knob->field;
		return true;
	}
	return false;
}
