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

/* Items that are one number, perhaps with a unit. */
static const struct pipe_number {
	const char *word, *what, *unit;
	size_t field; /* offset in struct sim_pipeline of an unsigned */
	unsigned least, most;
	enum sim_item item;
} number[] = {
#define AT(f) offsetof(struct sim_pipeline, f)
	{"fetch", "the instructions fetched in a cycle", NULL, AT(fetch), 1, 64, SIM_ITEM_FETCH},
	{"fetch_branches", "the branches fetched in a cycle", NULL, AT(fetch_branches), 1, 64,
		SIM_ITEM_FETCH_BRANCHES},
	{"fetch_taken", "the taken branches fetched in a cycle", NULL, AT(fetch_taken), 1, 64, SIM_ITEM_FETCH_TAKEN},
	{"front_end", "the cycles from fetch to dispatch", "cycles", AT(front_end), 1, 200, SIM_ITEM_FRONT_END},
	{"fetch_buffer", "the µops that wait in front of the front end", NULL, AT(fetch_buffer), 1, 4096,
		SIM_ITEM_FETCH_BUFFER},
	{"redirect", "the cycles lost at a branch whose target is decoded", "cycles", AT(redirect), 1, 200,
		SIM_ITEM_REDIRECT},
	{"issue", "the µops that begin execution in a cycle", NULL, AT(issue), 1, 256, SIM_ITEM_ISSUE},
	{"commit", "the µops that commit in a cycle", NULL, AT(commit), 1, 4096, SIM_ITEM_COMMIT},
	{"window", "the µops from fetch to commit", NULL, AT(window), 1, 8192, SIM_ITEM_WINDOW},
	{"scheduler", "the µops that wait for operands or a port", NULL, AT(scheduler), 1, 4096, SIM_ITEM_SCHEDULER},
	{"int_registers", "the physical integer registers", NULL, AT(int_registers), 1, 8192, SIM_ITEM_INT_REGISTERS},
	{"fp_registers", "the physical floating-point registers", NULL, AT(fp_registers), 1, 8192,
		SIM_ITEM_FP_REGISTERS},
	{"branches", "the branches in flight", NULL, AT(branches), 1, 4096, SIM_ITEM_BRANCHES},
	{"forward", "the cycles from a load's address to data from the store queue", "cycles", AT(forward), 1, 100,
		SIM_ITEM_FORWARD},
	{"returns", "the entries of the return-address stack", "entries", AT(predictor.returns), 1, 4096,
		SIM_ITEM_RETURNS},
	{"indirect", "the entries of the predictor of indirect targets", "entries", AT(predictor.indirect), 1, 1u << 20,
		SIM_ITEM_INDIRECT},
	{"rob_pack", "the µops that share an entry of the reorder buffer", NULL, AT(rob_pack), 2, 16,
		SIM_ITEM_ROB_PACK},
	{"store_sets", "the entries of the table of store sets", "entries", AT(store_sets), 1, 1u << 20,
		SIM_ITEM_STORE_SETS},
	{"banks", "the banks of L1", NULL, AT(banks), 1, 64, SIM_ITEM_BANKS},
	{"fp_dispatch", "the floating-point µops dispatched in a cycle", NULL, AT(fp_dispatch), 1, 64,
		SIM_ITEM_FP_DISPATCH},
	{"write_back", "the loads that write their result in a cycle", NULL, AT(write_back), 1, 64,
		SIM_ITEM_WRITE_BACK},
#undef AT
};
#define N_NUMBERS (sizeof number / sizeof *number)

static bool
machine_pipe_parse_number(struct sim_reader *p, const struct pipe_number *s)
{
	struct place at;

	return sim_read_once(p, s->item) &&
		sim_read_number(p, s->what, s->unit, s->least, s->most,
			(unsigned *)(void *)((char *)&p->m->pipe + s->field), &at) &&
		item_punct(&p->r, ';', "after the number");
}

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
static bool
parse_ports(struct sim_reader *reader)
{
	struct sim_pipeline *pipe = &reader->m->pipe;
	struct place at = lex_place(&reader->r.x);
	struct sim_ports ports = {0};
	unsigned kind;

	lex_next(&reader->r.x);
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
	return item_punct(&reader->r, ';', "after the kinds");
}

/* latency div 20 cycles, blocking; */
static bool
parse_latency(struct sim_reader *reader)
{
	struct sim_pipeline *pipe = &reader->m->pipe;
	struct place at;
	unsigned kind;

	lex_next(&reader->r.x);
	if (!read_kind(reader, &kind) ||
		!sim_read_number(reader, "the latency", "cycles", 1, 1000, &pipe->latency[kind], &at))
		return false;
	pipe->blocking &= ~(1u << kind);
	if (item_take_punct(&reader->r, ',')) {
		if (!item_take_word(&reader->r, "blocking"))
			return item_fail(&reader->r, "'blocking'", "after ','");
		pipe->blocking |= 1u << kind;
	}
	return item_punct(&reader->r, ';', "after the latency");
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
static bool
parse_predictor(struct sim_reader *reader)
{
	struct sim_predictor_size *size = &reader->m->pipe.predictor;
	struct place at;
	size_t i = 0;
	bool good = sim_read_once(reader, SIM_ITEM_PREDICTOR);

	while (good && i < N_PREDICTORS && !item_take_word(&reader->r, predictors[i].word))
		i++;
	if (!good)
		return false;
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
	return item_punct(&reader->r, ';', "after the predictor");
}

static bool
parse_btb(struct sim_reader *p)
{
	struct sim_ways w = {0};

	if (!sim_read_once(p, SIM_ITEM_BTB) || !sim_read_ways(p, "the table of branch targets", &w))
		return false;
	p->m->pipe.predictor.btb = w.entries;
	p->m->pipe.predictor.btb_ways = w.ways;
	return item_punct(&p->r, ';', "after the table");
}

static bool
parse_itlb(struct sim_reader *p)
{
	return sim_read_once(p, SIM_ITEM_ITLB) && sim_read_ways(p, "the instruction TLB", &p->m->pipe.itlb) &&
		item_punct(&p->r, ';', "after the TLB");
}

static bool
parse_l1i(struct sim_reader *p)
{
	return sim_read_cache(p, SIM_ITEM_L1I, "L1I", &p->m->pipe.l1i);
}

/* stride_prefetch 64 entries, ahead 2; */
static bool
parse_stride(struct sim_reader *reader)
{
	struct sim_pipeline *pipe = &reader->m->pipe;
	struct place at;

	if (!sim_read_once(reader, SIM_ITEM_STRIDE) ||
		!sim_read_number(reader, "the entries of the stride prefetcher", "entries", 1, 65536,
			&pipe->stride_entries, &at) ||
		!sim_read_comma(reader, "after the entries"))
		return false;
	if (!item_take_word(&reader->r, "ahead"))
		return item_fail(&reader->r, "'ahead'", "after ','");
	if (!sim_read_number(reader, "the strides ahead", NULL, 1, 64, &pipe->stride_ahead, &at))
		return false;
	return item_punct(&reader->r, ';', "after the prefetcher");
}

static bool
parse_disambiguation(struct sim_reader *reader)
{
	static const char *const word[] = {"oracle", "wait", "blind"};

	if (!sim_read_once(reader, SIM_ITEM_DISAMBIGUATION))
		return false;
	for (size_t i = 0; i < sizeof word / sizeof *word; i++)
		if (item_take_word(&reader->r, word[i])) {
			reader->m->pipe.disambiguation = (enum sim_disambiguation)i;
			return item_punct(&reader->r, ';', "after the word");
		}
	return item_fail(&reader->r, "oracle, wait or blind", "after 'disambiguation'");
}

/* lookup at fetch; */
static bool
parse_lookup(struct sim_reader *p)
{
	if (!sim_read_once(p, SIM_ITEM_LOOKUP))
		return false;
	if (!item_take_word(&p->r, "at"))
		return item_fail(&p->r, "'at'", "after 'lookup'");
	p->m->pipe.lookup_at_fetch = item_take_word(&p->r, "fetch");
	if (!p->m->pipe.lookup_at_fetch && !item_take_word(&p->r, "execution"))
		return item_fail(&p->r, "'fetch' or 'execution'", "after 'at'");
	return item_punct(&p->r, ';', "after the word");
}

const char *
sim_replacement_name(enum sim_replacement r)
{
	static const char *const word[SIM_N_REPLACEMENTS] = {"lru", "fifo", "random"};

	return word[r];
}

static bool
parse_replacement(struct sim_reader *p)
{
	if (!sim_read_once(p, SIM_ITEM_REPLACEMENT))
		return false;
	for (int i = 0; i < (int)SIM_N_REPLACEMENTS; i++)
		if (item_take_word(&p->r, sim_replacement_name((enum sim_replacement)i))) {
			p->m->pipe.replacement = (enum sim_replacement)i;
			return item_punct(&p->r, ';', "after the word");
		}
	return item_fail(&p->r, "lru, fifo or random", "after 'replacement'");
}

/* stacks truth, fmt, "naive-retired"; */
static bool
parse_stacks(struct sim_reader *reader)
{
	struct sim_machine *machine = reader->m;
	const char *name;
	struct place at;

	if (!sim_read_once(reader, SIM_ITEM_STACKS))
		return false;
	sim_machine_forget_stacks(machine);
	do {
		if (!item_name(&reader->r, "the name of a stack", &name, &at))
			return false;
		machine->stack = mem_resize(machine->stack, machine->n_stacks + 1, sizeof *machine->stack);
		machine->stack[machine->n_stacks++] = mem_str(name);
	} while (item_take_punct(&reader->r, ','));
	return item_punct(&reader->r, ';', "after the stacks");
}

static const struct {
	const char *word;
	bool (*parse)(struct sim_reader *);
} piece[] = {
	{"ports", parse_ports}, {"latency", parse_latency}, {"predictor", parse_predictor}, {"btb", parse_btb},
	{"itlb", parse_itlb}, {"l1i", parse_l1i}, {"stride_prefetch", parse_stride},
	{"disambiguation", parse_disambiguation}, {"lookup", parse_lookup}, {"replacement", parse_replacement},
	{"stacks", parse_stacks},
};
#define N_PIECES (sizeof piece / sizeof *piece)

bool
sim_read_pipe_item(struct sim_reader *reader, bool *good)
{
	for (size_t i = 0; i < N_NUMBERS; i++)
		if (lex_is_word(&reader->r.x, number[i].word)) {
			*good = machine_pipe_parse_number(reader, &number[i]);
			return true;
		}
	for (size_t i = 0; i < N_PIECES; i++)
		if (lex_is_word(&reader->r.x, piece[i].word)) {
			*good = piece[i].parse(reader);
			return true;
		}
	return false;
}

size_t
sim_pipe_item_words(const char **out)
{
	size_t n = 0;

	for (size_t i = 0; i < N_NUMBERS; i++)
		out[n++] = number[i].word;
	for (size_t i = 0; i < N_PIECES; i++)
		out[n++] = piece[i].word;
	return n;
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
