/* Items of a .machine file that describe a pipeline. `fetch` makes a machine one with a pipeline. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "sim/machine.h"
#include "sim/machine_read.h"
#include "text/diag.h"

static const char *const kind_word[SIM_N_OP_KINDS] = {
#define X(id, name) name,
	SIM_OPS(X)
#undef X
};

/* Reads the name of a kind of µop. False after a diagnostic. */
static bool
read_kind(struct sim_reader *reader, unsigned *kind)
{
	const char *name;
	struct place at;
	char *hint;

	if (!item_name(&reader->r, "a kind of µop", &name, &at))
		return false;
	for (*kind = 0; *kind < SIM_N_OP_KINDS; (*kind)++)
		if (str_eq(name, kind_word[*kind]))
			return true;
	hint = near_hint(name, kind_word, SIM_N_OP_KINDS);
	diag_add(reader->r.diags, DIAG_ERROR, &at, hint, "there is no kind of µop '%.60s'", name);
	free(hint);
	return false;
}

/* ports 2 load, store; */
bool
sim_read_ports(struct sim_reader *reader)
{
	struct sim_pipeline *pipe = &reader->m->pipe;
	struct place at = lex_place(&reader->r.x);
	struct sim_ports ports = {0};
	unsigned kind;

	if (reader->replaces && !reader->ports_replaced) {
		pipe->n_ports = 0;
		reader->ports_replaced = true;
	}
	if (pipe->n_ports == SIM_PORTS_MAX) {
		diag_add(reader->r.diags, DIAG_ERROR, &at, "join ports that take the same kinds",
			"more than %d groups of ports", SIM_PORTS_MAX);
		return false;
	}
	if (!sim_read_number(reader, "the ports of a group", NULL, 1, 64, &ports.n, &at))
		return false;
	do {
		if (!read_kind(reader, &kind))
			return false;
		ports.kinds |= 1u << kind;
	} while (item_take_punct(&reader->r, ','));
	pipe->ports[pipe->n_ports++] = ports;
	return true;
}

/* latency div 20 cycles, blocking; */
bool
sim_read_latency(struct sim_reader *reader)
{
	struct sim_pipeline *pipe = &reader->m->pipe;
	struct place at;
	unsigned kind;

	if (!read_kind(reader, &kind) ||
		!sim_read_number(reader, "the latency", "cycles", 1, 1000, &pipe->latency[kind], &at))
		return false;
	pipe->blocking &= ~(1u << kind);
	if (item_take_punct(&reader->r, ',')) {
		if (!item_take_word(&reader->r, "blocking"))
			return item_fail(&reader->r, "'blocking'", "after ','");
		pipe->blocking |= 1u << kind;
	}
	return true;
}

static const struct {
	const char *word;
	enum sim_predictor_kind kind;
	unsigned entries, history; /* 0: not given in the file */
	const char *unit;
} predictors[] = {
	{"perfect", SIM_PREDICT_PERFECT, 0, 0, NULL},
	{"bimodal", SIM_PREDICT_BIMODAL, 1, 0, "entries"},
	{"gshare", SIM_PREDICT_GSHARE, 1, 1, "entries"},
	{"hybrid", SIM_PREDICT_HYBRID, 1, 1, "entries"},
	{"tage", SIM_PREDICT_TAGE, 1, 1, "KiB"},
};
#define N_PREDICTORS (sizeof predictors / sizeof *predictors)

/* predictor hybrid 4096 entries, history 12; */
bool
sim_read_predictor(struct sim_reader *reader)
{
	struct sim_predictor_size *size = &reader->m->pipe.predictor;
	struct place at;
	size_t i = 0;

	while (i < N_PREDICTORS && !item_take_word(&reader->r, predictors[i].word))
		i++;
	if (i == N_PREDICTORS)
		return item_fail(&reader->r, "perfect, bimodal, gshare, hybrid or tage", "after 'predictor'");
	size->kind = predictors[i].kind;
	size->entries = size->history = 0;
	if (predictors[i].entries) {
		if (!sim_read_number(
			    reader, "the size of the predictor", predictors[i].unit, 1, 1u << 20, &size->entries, &at))
			return false;
		if (size->entries & (size->entries - 1))
			diag_add(reader->r.diags, DIAG_ERROR, &at, "for instance: 4096",
				"the size of the predictor must be a power "
				"of two");
	}
	if (predictors[i].history) {
		if (!sim_read_comma(reader, "after the size"))
			return false;
		if (!item_take_word(&reader->r, "history"))
			return item_fail(&reader->r, "'history'", "after ','");
		if (!sim_read_number(reader, "the branches in the history", NULL, 1,
			predictors[i].kind == SIM_PREDICT_TAGE ? 3000 : 32, &size->history, &at))
			return false;
	}
	return true;
}

bool
sim_read_btb(struct sim_reader *reader)
{
	struct sim_ways w = {0};

	if (!sim_read_ways(reader, reader->row->what, &w))
		return false;
	reader->m->pipe.predictor.btb = w.entries;
	reader->m->pipe.predictor.btb_ways = w.ways;
	return true;
}

/* stride_prefetch 64 entries, ahead 2; */
bool
sim_read_stride(struct sim_reader *reader)
{
	struct sim_pipeline *pipe = &reader->m->pipe;
	struct place at;

	if (!sim_read_number(reader, "the entries of the stride prefetcher", "entries", 1, 65536,
			&pipe->stride_entries, &at) ||
		!sim_read_comma(reader, "after the entries"))
		return false;
	if (!item_take_word(&reader->r, "ahead"))
		return item_fail(&reader->r, "'ahead'", "after ','");
	return sim_read_number(reader, "the strides ahead", NULL, 1, 64, &pipe->stride_ahead, &at);
}

/* lookup at fetch; */
bool
sim_read_lookup(struct sim_reader *reader)
{
	if (!item_take_word(&reader->r, "at"))
		return item_fail(&reader->r, "'at'", "after 'lookup'");
	reader->m->pipe.lookup_at_fetch = item_take_word(&reader->r, "fetch");
	return reader->m->pipe.lookup_at_fetch || item_take_word(&reader->r, "execution") ||
		item_fail(&reader->r, "'fetch' or 'execution'", "after 'at'");
}

/* stacks truth, fmt, "naive-retired"; */
bool
sim_read_stacks(struct sim_reader *reader)
{
	struct sim_machine *machine = reader->m;
	const char *name;
	struct place at;

	sim_machine_forget_stacks(machine);
	do {
		if (!item_name(&reader->r, "the name of a stack", &name, &at))
			return false;
		machine->stack = mem_resize(machine->stack, machine->n_stacks + 1, sizeof *machine->stack);
		machine->stack[machine->n_stacks++] = mem_str(name);
	} while (item_take_punct(&reader->r, ','));
	return true;
}

static void
need(struct sim_reader *p, enum sim_item i, const char *word, const char *hint)
{
	struct place nowhere = {&p->r.source, 0, 0};

	if (!p->len[i])
		diag_add(p->r.diags, DIAG_ERROR, &nowhere, hint, "a machine with a pipeline needs '%s'", word);
}

/* Reports kinds of µops that no port takes. */
static void
check_ports(struct sim_reader *reader)
{
	struct place nowhere = {&reader->r.source, 0, 0};
	struct sim_pipeline *pipe = &reader->m->pipe;
	struct str missing = {0};
	uint32_t served = 0;

	for (unsigned i = 0; i < pipe->n_ports; i++)
		served |= pipe->ports[i].kinds;
	for (unsigned k = 0; k < SIM_N_OP_KINDS; k++) {
		if (!(served >> k & 1))
			str_addf(&missing, "%s%s", missing.n ? ", " : "", kind_word[k]);
		if (!pipe->latency[k])
			pipe->latency[k] = 1;
	}
	if (missing.n)
		diag_add(reader->r.diags, DIAG_ERROR, &nowhere, "for instance: ports 2 load, atomic;",
			"no port executes: %s", str_text(&missing));
	str_free(&missing);
}

static void
check_least(struct sim_reader *p, enum sim_item i, const char *what, unsigned has, const char *than, unsigned least)
{
	struct place at = {&p->r.source, p->at[i], p->len[i]};

	if (has < least)
		diag_add(p->r.diags, DIAG_ERROR, &at, "enlarge the one, or reduce the other",
			"%s (%u) is smaller than %s (%u)", what, has, than, least);
}

void
sim_check_pipe(struct sim_reader *reader)
{
	struct sim_machine *machine = reader->m;
	struct sim_pipeline *pipe = &machine->pipe;
	struct place nowhere = {&reader->r.source, 0, 0};

	pipe->there = reader->len[SIM_ITEM_FETCH] != 0;
	if (!pipe->there) {
		for (int i = (int)SIM_ITEM_FETCH + 1; i < SIM_N_ITEMS; i++)
			if (reader->len[i]) {
				struct place at = {&reader->r.source, reader->at[i], reader->len[i]};

				diag_add(reader->r.diags, DIAG_ERROR, &at, "for instance: fetch 8;",
					"'%.*s' belongs to a pipeline, and this machine has none", (int)at.len,
					reader->r.source.text + at.at);
			}
		return;
	}
	need(reader, SIM_ITEM_FRONT_END, "front_end", "for instance: front_end 5 cycles;");
	need(reader, SIM_ITEM_L1I, "l1i", "for instance: l1i 32 KiB, 8 ways, 1 cycles;");
	need(reader, SIM_ITEM_PREDICTOR, "predictor", "for instance: predictor hybrid 4096 entries, history 12;");
	check_ports(reader);
	pipe->fetch_buffer = pipe->fetch_buffer ? pipe->fetch_buffer : 2 * pipe->fetch;
	pipe->translates = reader->len[SIM_ITEM_DTLB_4K] != 0;
	machine->walkers = machine->walkers ? machine->walkers : 1;
	machine->mshrs = machine->mshrs ? machine->mshrs : 1;
	pipe->issue = pipe->issue ? pipe->issue : machine->width;
	pipe->commit = pipe->commit ? pipe->commit : machine->width;
	pipe->fetch_branches = pipe->fetch_branches ? pipe->fetch_branches : pipe->fetch;
	pipe->fetch_taken = pipe->fetch_taken ? pipe->fetch_taken : 1;
	pipe->redirect = pipe->redirect ? pipe->redirect : (pipe->front_end + 1) / 2;
	pipe->scheduler = pipe->scheduler ? pipe->scheduler : machine->rob;
	pipe->branches = pipe->branches ? pipe->branches : 64;
	pipe->forward = pipe->forward ? pipe->forward : 1;
	check_least(reader, SIM_ITEM_ROB, "the reorder buffer", machine->rob, "the width", machine->width);
	if (pipe->window)
		check_least(reader, SIM_ITEM_WINDOW, "the window", pipe->window, "the width", machine->width);
	if (pipe->int_registers)
		check_least(reader, SIM_ITEM_INT_REGISTERS, "the number of registers", pipe->int_registers, "the width",
			machine->width);
	if (pipe->fp_registers)
		check_least(reader, SIM_ITEM_FP_REGISTERS, "the number of registers", pipe->fp_registers, "the width",
			machine->width);
	if ((machine->may | machine->has) >> SIM_PLANT_ROB_COMPRESSION & 1 && !pipe->rob_pack)
		diag_add(reader->r.diags, DIAG_ERROR, &nowhere, "for instance: rob_pack 6;",
			"the machine may have rob_compression, but no item says how many µops share an entry");
	if (pipe->banks & (pipe->banks - 1))
		diag_add(reader->r.diags, DIAG_ERROR, &nowhere, "for instance: banks 8;",
			"the banks of L1 must be a power of two");
}
