#include "app/calibrate/knob.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "app/calibrate/knob_machine.h"
#include "app/calibrate/machine_text.h"
#include "base/str.h"

#define PROBES_MAX 5
#define ROB_PACK 6 /* of a machine that has no such item: XiangShan's (section 4.3) */

enum form {
	FORM_NUMBER,   /* an item of one number; field: where it is */
	FORM_WIDTH,    /* the same; fetch, issue and commit must not be narrower */
	FORM_LATENCY,  /* latency KIND N cycles; field: the kind */
	FORM_BYTES,    /* of a cache; field: where the cache is */
	FORM_CYCLES,   /* of a cache */
	FORM_WAYS,     /* entries of a table with ways; field: where it is */
	FORM_BANKS,    /* a number that is a power of two */
	FORM_PORTS,    /* field: set of kinds */
	FORM_HISTORY,  /* of the predictor */
	FORM_ENTRIES,
	FORM_ORDER,    /* how loads find older stores: a word */
	FORM_FEATURE,  /* field: the feature */
};

struct knob {
	const char *name, *key; /* key: words of the item */
	enum form form;
	size_t field;
	const char *unit;       /* of the item; NULL: none */
	unsigned least, most;
	unsigned unlimited;     /* the value that stands for no limit; 0: there is none */
	const char *probe[PROBES_MAX]; /* that show it, the first one best */
	unsigned scale;         /* of an answer, for each one of the value */
};

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
	KNOB("dtlb", "dtlb 4k", FORM_WAYS, AT(dtlb), NULL, 1, 1u << 20, 0, 4096, "dtlb_reach"),
	NUMBER("fill_buffers", AT(data_mlp), NULL, 1, 256, 0, "fill_buffers"),
	PORTS("load", KIND(LOAD) | KIND(ATOMIC), "load_pipes"),
	PORTS("store", KIND(STORE), "store_pipes"),
	PORTS("load, store", KIND(LOAD) | KIND(STORE) | KIND(ATOMIC), "load_pipes", "store_pipes"),
	NUMBER("fp_dispatch", PIPE(fp_dispatch), NULL, 1, 64, 64, "fp_rate", "fmul_rate"),
	PORTS("fmul", KIND(FMUL), "fmul_rate"),
	PORTS("fadd, fmul, fma", KIND(FADD) | KIND(FMUL) | KIND(FMA) | KIND(FDIV), "fp_rate", "fmul_rate"),
	KNOB("banks", "banks", FORM_BANKS, PIPE(banks), NULL, 1, 64, 64, 1, "banks", "bank_conflict"),
	NUMBER("write_back", PIPE(write_back), NULL, 1, 64, 64, "write_back"),
	NUMBER("rob_pack", PIPE(rob_pack), NULL, 2, 16, 0, "rob_nops"),
	KNOB("predictor history", "predictor", FORM_HISTORY, 0, NULL, 1, 3000, 0, 1, "history"),
	KNOB("predictor entries", "predictor", FORM_ENTRIES, 0, NULL, 1, 1u << 20, 0, 1, "predictor_size"),
	KNOB("disambiguation", "disambiguation", FORM_ORDER, 0, NULL, 0, 2, 0, 1, "nuke_replay"),
	FEATURE(MOVE_ELIMINATION, "move_elimination", "move_elimination", "move_latency"),
	FEATURE(FMA_SPLIT, "fma_split", "fma_split", "fma_latency"),
	FEATURE(STA_STD, "sta_std", "sta_std"),
	FEATURE(NUKE_REPLAY, "nuke_replay", "nuke_replay"),
	FEATURE(ROB_COMPRESSION, "rob_compression", "rob_nops"),
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
	return k->form == FORM_FEATURE ? 2 : k->form == FORM_ORDER ? 3 : 0;
}

double
knob_scale(const struct knob *k)
{
	return k->scale;
}

/* --- values ------------------------------------------------------------------------------------------------------ */

static const unsigned *
number_of(const struct knob *k, const struct sim_machine *m)
{
	return (const unsigned *)(const void *)((const char *)m + k->field);
}

static const struct sim_cache *
cache_of(const struct knob *k, const struct sim_machine *m)
{
	return (const struct sim_cache *)(const void *)((const char *)m + k->field);
}

static const struct sim_ways *
ways_of(const struct knob *k, const struct sim_machine *m)
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
knob_get(const struct knob *k, const struct knob_machine *m)
{
	const struct sim_machine *s = &m->m;

	switch (k->form) {
	case FORM_NUMBER:
	case FORM_WIDTH:
	case FORM_BANKS:
		return *number_of(k, s);
	case FORM_WAYS:
		return ways_of(k, s)->entries;
	case FORM_LATENCY:
		return s->pipe.latency[k->field];
	case FORM_BYTES:
		return (double)cache_of(k, s)->bytes;
	case FORM_CYCLES:
		return cache_of(k, s)->latency;
	case FORM_PORTS:
		return ports_of(&s->pipe, (uint32_t)k->field);
	case FORM_HISTORY:
		return s->pipe.predictor.history;
	case FORM_ENTRIES:
		return s->pipe.predictor.entries;
	case FORM_ORDER:
		return s->pipe.disambiguation;
	case FORM_FEATURE:
		return m->plants >> k->field & 1;
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
knob_round(const struct knob *k, const struct knob_machine *m, double value)
{
	const struct sim_machine *s = &m->m;

	value = fmin(fmax(round(value), k->least), k->most);
	if (k->form == FORM_BYTES && cache_of(k, s)->ways)
		return nearest_power(cache_of(k, s)->ways * (double)SIM_LINE, value);
	if (k->form == FORM_WAYS && ways_of(k, s)->ways)
		return nearest_power(ways_of(k, s)->ways, value);
	return k->form == FORM_ENTRIES || k->form == FORM_BANKS ? nearest_power(1, value) : value;
}

/* Gives the kinds ports of their own, `n` of them. False: there would be too many groups. */
static bool
set_ports(struct sim_pipeline *p, uint32_t kinds, unsigned n)
{
	struct sim_ports own = {.n = n};
	unsigned kept = 0, at = p->n_ports;

	for (unsigned i = 0; i < p->n_ports; i++) {
		uint32_t taken = p->ports[i].kinds & kinds;

		if (taken && at == p->n_ports)
			at = kept;
		own.kinds |= taken;
		p->ports[i].kinds &= ~taken;
		if (p->ports[i].kinds)
			p->ports[kept++] = p->ports[i];
	}
	p->n_ports = kept;
	if (kept == SIM_PORTS_MAX)
		return false;
	for (at = at < kept ? at : kept; kept > at; kept--)
		p->ports[kept] = p->ports[kept - 1];
	p->ports[at] = own;
	p->n_ports++;
	return own.kinds != 0;
}

static unsigned
at_least(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

bool
knob_set(const struct knob *k, struct knob_machine *m, double value)
{
	struct sim_machine *s = &m->m;
	struct sim_pipeline *p = &s->pipe;
	unsigned v = (unsigned)value;

	if (!(value >= k->least && value <= k->most))
		return false;
	switch (k->form) {
	case FORM_NUMBER:
	case FORM_BANKS:
	case FORM_WAYS: /* its entries come first */
		memcpy((char *)s + k->field, &v, sizeof v);
		return true;
	case FORM_WIDTH:
		s->width = v;
		p->fetch = at_least(p->fetch, v);
		p->issue = at_least(p->issue, v);
		p->commit = at_least(p->commit, v);
		return true;
	case FORM_LATENCY:
		p->latency[k->field] = v;
		return true;
	case FORM_BYTES:
		cache_to_turn(k, s)->bytes = (uint64_t)value;
		return cache_to_turn(k, s)->ways != 0;
	case FORM_CYCLES:
		cache_to_turn(k, s)->latency = v;
		return cache_to_turn(k, s)->bytes != 0;
	case FORM_PORTS:
		return set_ports(p, (uint32_t)k->field, v);
	case FORM_HISTORY:
		p->predictor.history = v;
		return p->predictor.kind != SIM_PREDICT_PERFECT && p->predictor.kind != SIM_PREDICT_BIMODAL;
	case FORM_ENTRIES:
		p->predictor.entries = v;
		return p->predictor.kind != SIM_PREDICT_PERFECT;
	case FORM_ORDER:
		p->disambiguation = (enum sim_disambiguation)v;
		return true;
	case FORM_FEATURE:
		if (k->field == SIM_PLANT_ROB_COMPRESSION && v && !p->rob_pack)
			p->rob_pack = ROB_PACK;
		m->plants = (m->plants & ~((sim_plants)1 << k->field)) | (sim_plants)v << k->field;
		return true;
	}
	return false;
}

/* --- text -------------------------------------------------------------------------------------------------------- */

static const char *const kind_word[SIM_N_OP_KINDS] = {
#define X(id, name) name,
	SIM_OPS(X)
#undef X
};

static void
write_ports(const struct sim_pipeline *p, struct str *text)
{
	struct str all = {0};

	for (unsigned i = 0; i < p->n_ports; i++) {
		const char *before = " ";

		str_addf(&all, "%sports %u", i ? ";\n" : "", p->ports[i].n);
		for (unsigned k = 0; k < SIM_N_OP_KINDS; k++)
			if (p->ports[i].kinds >> k & 1) {
				str_addf(&all, "%s%s", before, kind_word[k]);
				before = ", ";
			}
	}
	machine_text_set(text, "ports", str_text(&all));
	str_free(&all);
}

static void
write_item(struct str *text, const char *key, unsigned value, const char *unit)
{
	char *item = str_format("%s %u%s%s", key, value, unit ? " " : "", unit ? unit : "");

	machine_text_set(text, key, item);
	str_free(&(struct str){.s = item});
}

static void
write_cache(const struct knob *k, const struct sim_cache *c, struct str *text)
{
	struct str s = {0};

	str_addf(&s, "%s %llu %s, %u ways, %u cycles", k->key,
		(unsigned long long)(c->bytes % 1024 ? c->bytes : c->bytes / 1024), c->bytes % 1024 ? "B" : "KiB",
		c->ways, c->latency);
	if (c->line)
		str_addf(&s, ", %u bytes", c->line);
	machine_text_set(text, k->key, str_text(&s));
	str_free(&s);
}

static void
write_ways(const struct knob *k, const struct sim_ways *w, struct str *text)
{
	struct str s = {0};

	str_addf(&s, "%s %u entries, %u ways", k->key, w->entries, w->ways);
	machine_text_set(text, k->key, str_text(&s));
	str_free(&s);
}

static void
write_predictor(const struct sim_predictor_size *p, struct str *text)
{
	static const char *const word[] = {"perfect", "bimodal", "gshare", "hybrid", "tage"};
	struct str s = {0};

	str_addf(&s, "predictor %s", word[p->kind]);
	if (p->entries)
		str_addf(&s, " %u %s", p->entries, p->kind == SIM_PREDICT_TAGE ? "KiB" : "entries");
	if (p->history)
		str_addf(&s, ", history %u", p->history);
	machine_text_set(text, "predictor", str_text(&s));
	str_free(&s);
}

static const char *const order_word[] = {[SIM_ORACLE] = "oracle", [SIM_WAIT] = "wait", [SIM_BLIND] = "blind"};

static void
write_order(enum sim_disambiguation order, struct str *text)
{
	struct str s = {0};

	str_addf(&s, "disambiguation %s", order_word[order]);
	machine_text_set(text, "disambiguation", str_text(&s));
	str_free(&s);
}

static void
write_set(const char *key, sim_plants set, struct str *text)
{
	char *names = sim_plants_text(set), *item = str_format("%s %s", key, names);
	struct str spaced = {0};

	for (const char *s = item; *s; s++)
		str_addf(&spaced, *s == ',' ? "%c " : "%c", *s);
	machine_text_set(text, key, set ? str_text(&spaced) : "");
	str_free(&spaced);
	str_free(&(struct str){.s = item});
	str_free(&(struct str){.s = names});
}

void
knob_write(const struct knob *k, const struct knob_machine *m, struct str *text)
{
	const struct sim_machine *s = &m->m;

	switch (k->form) {
	case FORM_WAYS:
		write_ways(k, ways_of(k, s), text);
		return;
	case FORM_NUMBER:
	case FORM_BANKS:
		write_item(text, k->key, *number_of(k, s), k->unit);
		return;
	case FORM_WIDTH:
		write_item(text, "width", s->width, NULL);
		write_item(text, "fetch", s->pipe.fetch, NULL);
		write_item(text, "issue", s->pipe.issue, NULL);
		write_item(text, "commit", s->pipe.commit, NULL);
		return;
	case FORM_LATENCY:
		write_item(text, k->key, s->pipe.latency[k->field],
			s->pipe.blocking >> k->field & 1 ? "cycles, blocking" : "cycles");
		return;
	case FORM_BYTES:
	case FORM_CYCLES:
		write_cache(k, cache_of(k, s), text);
		return;
	case FORM_PORTS:
		write_ports(&s->pipe, text);
		return;
	case FORM_HISTORY:
	case FORM_ENTRIES:
		write_predictor(&s->pipe.predictor, text);
		return;
	case FORM_ORDER:
		write_order(s->pipe.disambiguation, text);
		return;
	case FORM_FEATURE:
		if (s->pipe.rob_pack)
			write_item(text, "rob_pack", s->pipe.rob_pack, NULL);
		write_set("has", m->plants, text);
		write_set("may", s->may & ~m->plants, text);
		return;
	}
}

void
knob_text(const struct knob *k, const struct knob_machine *m, struct str *out)
{
	double v = knob_get(k, m);

	if (k->form == FORM_FEATURE)
		str_add(out, v != 0 ? "on" : "off");
	else if (k->form == FORM_ORDER)
		str_add(out, order_word[m->m.pipe.disambiguation]);
	else if (v == 0 || (k->unlimited && v >= k->unlimited))
		str_add(out, k->unlimited ? "no limit" : "none");
	else if (k->form == FORM_BYTES)
		str_addf(out, "%g KiB", v / 1024);
	else
		str_addf(out, "%.0f%s", v, k->form == FORM_LATENCY || k->form == FORM_CYCLES ? " cycles" : "");
}
