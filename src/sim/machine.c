/* Items of a .machine file. After an error, reading continues with the next item, so that all errors of a file are
 * reported at once. */
#include "sim/machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "sim/machine_read.h"
#include "text/diag.h"

/* Items that are one number, perhaps with a unit. */
static bool
read_number(struct sim_reader *reader)
{
	const struct sim_item_row *r = reader->row;
	struct place at;

	return sim_read_number(reader, r->what, r->unit, r->least, r->most, sim_item_field(reader), &at);
}

static bool
read_ways(struct sim_reader *reader)
{
	return sim_read_ways(reader, reader->row->what, sim_item_field(reader));
}

/* Items that are one of a few words: the field is an enum. */
static bool
read_choice(struct sim_reader *reader)
{
	const struct sim_item_row *r = reader->row;
	unsigned *out = sim_item_field(reader);
	char *after;

	for (unsigned i = 0; r->words[i]; i++)
		if (item_take_word(&reader->r, r->words[i])) {
			*out = i;
			return true;
		}
	after = str_format("after '%s'", r->word);
	item_fail(&reader->r, r->what, after);
	free(after);
	return false;
}

static bool
read_dtlb(struct sim_reader *reader)
{
	enum sim_page page;
	char *whose;
	bool good;

	if (!sim_read_page(reader, &page))
		return item_fail(&reader->r, "the size of its pages, 4k, 2m or 1g,", "after 'dtlb'");
	if (!sim_read_first(reader, (enum sim_item)((int)SIM_ITEM_DTLB_4K + (int)page)))
		return false;
	whose = str_format("the first-level TLB of %s pages", sim_page_word[page]);
	good = sim_read_ways(reader, whose, &reader->m->dtlb[page]);
	free(whose);
	return good;
}

static bool
read_stlb(struct sim_reader *reader)
{
	struct place at;
	enum sim_page page;
	size_t n = 0;

	memset(reader->m->stlb_holds, 0, sizeof reader->m->stlb_holds);
	for (;; n++) {
		at = lex_place(&reader->r.x);
		if (!sim_read_page(reader, &page))
			break;
		if (reader->m->stlb_holds[page])
			diag_add(reader->r.diags, DIAG_ERROR, &at, NULL, "'%s' is named twice", sim_page_word[page]);
		reader->m->stlb_holds[page] = true;
	}
	if (!n)
		return item_fail(&reader->r, "the sizes of its pages, as 4k 2m,", "after 'stlb'");
	return sim_read_ways(reader, "the second-level TLB", &reader->m->stlb) &&
		sim_read_comma(reader, "after the ways") &&
		sim_read_number(reader, "the latency of the second-level TLB", "cycles", 1, 1000,
			&reader->m->stlb_latency, &at);
}

static bool
read_name(struct sim_reader *reader)
{
	const char *name, *text;
	struct place at;

	if (!item_name(&reader->r, "the machine's name", &name, &at) || !item_optional_text(&reader->r, &text))
		return false;
	free(reader->m->name); /* --set replaces both */
	free(reader->m->text);
	reader->m->name = mem_str(name);
	reader->m->text = mem_str(text);
	return true;
}

static bool
read_prefetch(struct sim_reader *reader)
{
	return sim_read_lines(reader, "up", 1, reader->m->line_up) &&
		sim_read_comma(reader, "after the lines upwards") &&
		sim_read_lines(reader, "down", -1, reader->m->line_down);
}

static bool
read_plants(struct sim_reader *reader)
{
	sim_plants *set = sim_item_field(reader);
	const char *known[SIM_N_PLANTS];

	for (int k = 0; k < SIM_N_PLANTS; k++)
		known[k] = sim_plant_name((enum sim_plant)k);
	if (reader->replaces)
		*set = 0;
	do {
		enum sim_plant plant;
		const char *name;
		struct place at;

		if (!item_name(&reader->r, "a feature's name", &name, &at))
			return false;
		if (!sim_plant_find(name, &plant)) {
			char *hint = near_hint(name, known, SIM_N_PLANTS);

			diag_add(reader->r.diags, DIAG_ERROR, &at, hint, "there is no feature '%.60s'", name);
			free(hint);
		} else if ((reader->replaces ? *set : reader->m->may | reader->m->has) >> plant & 1) {
			diag_add(reader->r.diags, DIAG_ERROR, &at,
				"a feature that a machine has must also be among those "
				"that it may have",
				"the feature '%s' is named twice", name);
		} else {
			*set |= 1u << plant;
		}
	} while (item_take_punct(&reader->r, ','));
	return true;
}

static const char *const replacement_word[] = {"lru", "fifo", "random", NULL};

/* By their number, for the checks at the end. */
static const struct sim_item_row row[SIM_N_ITEMS] = {
#define AT(f) .field = offsetof(struct sim_machine, f)
	[SIM_ITEM_MACHINE] = {"machine", read_name, .needed = true, .end = "after the machine's name"},
	[SIM_ITEM_CLOCK] = {"clock", sim_read_clock, .needed = true, .end = "after the clock"},
	[SIM_ITEM_DTLB_4K] = {"dtlb", read_dtlb, .many = true, .needed = true, .end = "after the TLB"},
	[SIM_ITEM_STLB] = {"stlb", read_stlb, .end = "after the TLB"},
	[SIM_ITEM_PDE] = {"pde", read_ways, "the PDE cache", NULL, AT(pde), .end = "after the cache"},
	[SIM_ITEM_PDPTE] = {"pdpte", read_ways, "the PDPTE cache", NULL, AT(pdpte), .end = "after the cache"},
	[SIM_ITEM_PML4E] = {"pml4e", read_ways, "the cache of root entries", NULL, AT(pml4e),
		.end = "after the cache"},
	[SIM_ITEM_PREFETCH] = {"prefetch", read_prefetch, .end = "after the lines"},
	[SIM_ITEM_L1] = {"l1", sim_read_cache, "L1", NULL, AT(l1), .needed = true, .end = "after the cache"},
	[SIM_ITEM_L2] = {"l2", sim_read_cache, "L2", NULL, AT(l2), .needed = true, .end = "after the cache"},
	[SIM_ITEM_L3] = {"l3", sim_read_cache, "L3", NULL, AT(l3), .needed = true, .end = "after the cache"},
	[SIM_ITEM_MAY] = {"may", read_plants, NULL, NULL, AT(may), .end = "after the features"},
	[SIM_ITEM_HAS] = {"has", read_plants, NULL, NULL, AT(has), .end = "after the features"},
	[SIM_ITEM_WIDTH] = {"width", read_number, "the µops that begin in a cycle", NULL, AT(width), 1, 64,
		.needed = true},
	[SIM_ITEM_ROB] = {"rob", read_number, "the entries of the reorder buffer", NULL, AT(rob), 1, 4096,
		.needed = true},
	[SIM_ITEM_LOAD_QUEUE] = {"load_queue", read_number, "the entries of the load queue", NULL, AT(load_queue), 1,
		4096, .needed = true},
	[SIM_ITEM_STORE_QUEUE] = {"store_queue", read_number, "the entries of the store queue", NULL, AT(store_queue),
		1, 4096, .needed = true},
	[SIM_ITEM_BRANCH_PENALTY] = {"branch_penalty", read_number, "the penalty of a mispredicted branch", "cycles",
		AT(branch_penalty), 1, 1000, .needed = true},
	[SIM_ITEM_WALKERS] = {"walkers", read_number, "the number of walkers", NULL, AT(walkers), 1, 16,
		.needed = true},
	[SIM_ITEM_MSHRS] = {"mshrs", read_number, "the requests that can wait for a walk", NULL, AT(mshrs), 1, 64,
		.needed = true},
	[SIM_ITEM_WALK_START] = {"walk_start", read_number, "the cycles from an STLB miss to a walk's first reference",
		"cycles", AT(walk_start), 0, 1000, .needed = true},
	[SIM_ITEM_MEMORY] = {"memory", read_number, "the latency of memory", "cycles", AT(memory_latency), 1, 100000,
		.needed = true},
	[SIM_ITEM_FILL_BUFFERS] = {"fill_buffers", read_number, "the number of fill buffers", NULL, AT(data_mlp), 1,
		256, .needed = true},
	[SIM_ITEM_COUNTERS] = {"counters", read_number, "the number of programmable counters", NULL, AT(counters), 0,
		256, .needed = true},
	[SIM_ITEM_FIXED] = {"fixed", read_number, "the number of fixed counters", NULL, AT(fixed), 0, 8,
		.needed = true},
	[SIM_ITEM_TIMER] = {"timer", read_number, "the rate of the timer's interrupts", "Hz", AT(timer_hz), 0, 100000},
	[SIM_ITEM_FAULT] = {"fault", read_number, "the kernel's time for the first touch of a page", "cycles",
		AT(fault_cycles), 0, 10000000},
	/* of a pipeline */
	[SIM_ITEM_FETCH] = {"fetch", read_number, "the instructions fetched in a cycle", NULL, AT(pipe.fetch), 1, 64},
	[SIM_ITEM_FETCH_BRANCHES] = {"fetch_branches", read_number, "the branches fetched in a cycle", NULL,
		AT(pipe.fetch_branches), 1, 64},
	[SIM_ITEM_FETCH_TAKEN] = {"fetch_taken", read_number, "the taken branches fetched in a cycle", NULL,
		AT(pipe.fetch_taken), 1, 64},
	[SIM_ITEM_FRONT_END] = {"front_end", read_number, "the cycles from fetch to dispatch", "cycles",
		AT(pipe.front_end), 1, 200},
	[SIM_ITEM_FETCH_BUFFER] = {"fetch_buffer", read_number, "the µops that wait in front of the front end", NULL,
		AT(pipe.fetch_buffer), 1, 4096},
	[SIM_ITEM_REDIRECT] = {"redirect", read_number, "the cycles lost at a branch whose target is decoded",
		"cycles", AT(pipe.redirect), 1, 200},
	[SIM_ITEM_ISSUE] = {"issue", read_number, "the µops that begin execution in a cycle", NULL, AT(pipe.issue), 1,
		256},
	[SIM_ITEM_COMMIT] = {"commit", read_number, "the µops that commit in a cycle", NULL, AT(pipe.commit), 1, 4096},
	[SIM_ITEM_WINDOW] = {"window", read_number, "the µops from fetch to commit", NULL, AT(pipe.window), 1, 8192,
		.without = "for no such limit"},
	[SIM_ITEM_SCHEDULER] = {"scheduler", read_number, "the µops that wait for operands or a port", NULL,
		AT(pipe.scheduler), 1, 4096},
	[SIM_ITEM_INT_REGISTERS] = {"int_registers", read_number, "the physical integer registers", NULL,
		AT(pipe.int_registers), 1, 8192, .without = "for no such limit"},
	[SIM_ITEM_FP_REGISTERS] = {"fp_registers", read_number, "the physical floating-point registers", NULL,
		AT(pipe.fp_registers), 1, 8192, .without = "for no such limit"},
	[SIM_ITEM_BRANCHES] = {"branches", read_number, "the branches in flight", NULL, AT(pipe.branches), 1, 4096},
	[SIM_ITEM_FORWARD] = {"forward", read_number, "the cycles from a load's address to data from the store queue",
		"cycles", AT(pipe.forward), 1, 100},
	[SIM_ITEM_RETURNS] = {"returns", read_number, "the entries of the return-address stack", "entries",
		AT(pipe.predictor.returns), 1, 4096,
		.without = "where all targets are known; a stack of none is not simulated"},
	[SIM_ITEM_INDIRECT] = {"indirect", read_number, "the entries of the predictor of indirect targets", "entries",
		AT(pipe.predictor.indirect), 1, 1u << 20,
		.without = "where all targets are known; a table of none is not simulated"},
	[SIM_ITEM_ROB_PACK] = {"rob_pack", read_number, "the µops that share an entry of the reorder buffer", NULL,
		AT(pipe.rob_pack), 2, 16},
	[SIM_ITEM_STORE_SETS] = {"store_sets", read_number, "the entries of the table of store sets", "entries",
		AT(pipe.store_sets), 1, 1u << 20, .without = "for none"},
	[SIM_ITEM_BANKS] = {"banks", read_number, "the banks of L1", NULL, AT(pipe.banks), 1, 64,
		.without = "for no conflicts"},
	[SIM_ITEM_FP_DISPATCH] = {"fp_dispatch", read_number, "the floating-point µops dispatched in a cycle", NULL,
		AT(pipe.fp_dispatch), 1, 64},
	[SIM_ITEM_WRITE_BACK] = {"write_back", read_number, "the loads that write their result in a cycle", NULL,
		AT(pipe.write_back), 1, 64, .without = "for no such limit"},
	[SIM_ITEM_PORTS] = {"ports", sim_read_ports, .many = true, .end = "after the kinds"},
	[SIM_ITEM_LATENCY] = {"latency", sim_read_latency, .many = true, .end = "after the latency"},
	[SIM_ITEM_PREDICTOR] = {"predictor", sim_read_predictor, .end = "after the predictor"},
	[SIM_ITEM_BTB] = {"btb", sim_read_btb, "the table of branch targets", .end = "after the table",
		.without = "where the targets of direct branches are known; a table of none is not simulated"},
	[SIM_ITEM_ITLB] = {"itlb", read_ways, "the instruction TLB", NULL, AT(pipe.itlb), .end = "after the TLB",
		.without = "for none"},
	[SIM_ITEM_L1I] = {"l1i", sim_read_cache, "L1I", NULL, AT(pipe.l1i), .end = "after the cache"},
	[SIM_ITEM_STRIDE] = {"stride_prefetch", sim_read_stride, .end = "after the prefetcher",
		.without = "for no prefetcher"},
	[SIM_ITEM_DISAMBIGUATION] = {"disambiguation", read_choice, "oracle, wait or blind", NULL,
		AT(pipe.disambiguation), .words = (const char *const[]){"oracle", "wait", "blind", NULL},
		.end = "after the word"},
	[SIM_ITEM_LOOKUP] = {"lookup", sim_read_lookup, .end = "after the word"},
	[SIM_ITEM_REPLACEMENT] = {"replacement", read_choice, "lru, fifo or random", NULL, AT(pipe.replacement),
		.words = replacement_word, .end = "after the word"},
	[SIM_ITEM_STACKS] = {"stacks", sim_read_stacks, .end = "after the stacks"},
#undef AT
};

const char *
sim_replacement_name(enum sim_replacement r)
{
	return replacement_word[r];
}

static bool
unknown_item(struct sim_reader *reader)
{
	const char *known[SIM_N_ITEMS];
	size_t n = 0;
	struct place at = lex_place(&reader->r.x);
	struct str seen = {0};
	char *word = mem_strn(reader->r.source.text + at.at, at.len), *hint;

	for (size_t i = 0; i < SIM_N_ITEMS; i++)
		if (row[i].word)
			known[n++] = row[i].word;
	lex_describe(&reader->r.x, &seen);
	hint = near_hint(word, known, n);
	diag_add(reader->r.diags, DIAG_ERROR, &at, hint, "a part of a machine expected, as rob, dtlb or l1, not %s",
		str_text(&seen));
	free(hint);
	free(word);
	str_free(&seen);
	lex_next(&reader->r.x);
	return false;
}

static bool
parse_item(struct sim_reader *reader)
{
	size_t i = 0;

	while (i < SIM_N_ITEMS && !(row[i].word && lex_is_word(&reader->r.x, row[i].word)))
		i++;
	if (i == SIM_N_ITEMS)
		return unknown_item(reader);
	reader->row = &row[i];
	reader->word = lex_place(&reader->r.x);
	reader->first = true;
	lex_next(&reader->r.x);
	return (row[i].many || sim_read_first(reader, (enum sim_item)i)) && row[i].read(reader) &&
		item_punct(&reader->r, ';', row[i].end ? row[i].end : "after the number");
}

static void
check_latency(
	struct sim_reader *p, enum sim_item i, const char *what, unsigned latency, const char *before, unsigned least)
{
	struct place at = {&p->r.source, p->at[i], p->len[i]};

	if (latency && least && latency <= least)
		diag_add(p->r.diags, DIAG_ERROR, &at, "a deeper level takes longer; latencies count from the request",
			"%s answers after %u cycles, %s after %u", what, latency, before, least);
}

/* True for an item that this machine can do without because it has a pipeline: the third level, items of translation,
 * and the penalty of a branch, which a pipeline has anyway. */
static bool
is_needless(const struct sim_reader *p, enum sim_item i)
{
	bool translates = p->len[SIM_ITEM_DTLB_4K] || p->len[SIM_ITEM_ITLB];

	if (!p->len[SIM_ITEM_FETCH])
		return false;
	return i == SIM_ITEM_BRANCH_PENALTY || i == SIM_ITEM_L3 ||
		(!translates &&
			(i == SIM_ITEM_DTLB_4K || i == SIM_ITEM_WALKERS || i == SIM_ITEM_MSHRS ||
				i == SIM_ITEM_WALK_START));
}

static void
check_needed(struct sim_reader *reader, const struct place *nowhere)
{
	struct str missing = {0};

	for (size_t i = 0; i < SIM_N_ITEMS; i++)
		if (row[i].needed && !reader->len[i] && !is_needless(reader, (enum sim_item)i))
			str_addf(&missing, "%s%s", missing.n ? ", " : "", row[i].word);
	if (missing.n)
		diag_add(reader->r.diags, DIAG_ERROR, nowhere,
			"every machine has them; docs/simulated-machine.md shows how "
			"to write them",
			"the file does not give: %s", str_text(&missing));
	str_free(&missing);
}

/* Checks the machine after the last item: reports what is missing, and what does not fit together. */
static void
machine_check(struct sim_reader *reader)
{
	struct sim_machine *machine = reader->m;
	struct place nowhere = {&reader->r.source, 0, 0};
	sim_plants all = machine->may | machine->has;

	check_needed(reader, &nowhere);
	check_latency(reader, SIM_ITEM_L2, "L2", machine->l2.latency, "L1", machine->l1.latency);
	check_latency(reader, SIM_ITEM_L3, "L3", machine->l3.latency, "L2", machine->l2.latency);
	check_latency(reader, SIM_ITEM_MEMORY, "memory", machine->memory_latency, machine->l3.bytes ? "L3" : "L2",
		machine->l3.bytes ? machine->l3.latency : machine->l2.latency);
	if (!reader->len[SIM_ITEM_PREFETCH] && all >> SIM_PLANT_TLB_PF & 1)
		diag_add(reader->r.diags, DIAG_ERROR, &nowhere, "prefetch up 51 52, down 8 7;",
			"the machine may have tlb_pf, but no item says which lines trigger a prefetch");
	if (!reader->len[SIM_ITEM_PML4E] && all >> SIM_PLANT_PML4E & 1)
		diag_add(reader->r.diags, DIAG_ERROR, &nowhere, "pml4e 4 entries, 4 ways;",
			"the machine may have pml4e, but no item says how large that cache is");
	machine->may = all;
	sim_check_pipe(reader);
}

struct sim_machine *
sim_machine_parse(const char *path, const char *text, size_t len, const char *changes, struct diags *diags)
{
	struct sim_reader p = {.r.diags = diags, .r.arena = arena_new(), .m = mem_new(sizeof *p.m)};
	size_t before = diags->errors;
	struct str all = {0};

	if (changes && *changes) {
		str_addn(&all, text, len);
		str_addf(&all, "\n// changes\n%s;\n", changes);
	}
	source_init(&p.r.source, mem_str(path), all.n ? mem_strn(all.s, all.n) : mem_strn(text, len),
		all.n ? all.n : len);
	str_free(&all);
	lex_begin(&p.r.x, &p.r.source, diags);
	while (p.r.x.now.kind != TOKEN_END) {
		p.replaces = lex_place(&p.r.x).at >= len;
		if (!parse_item(&p))
			item_recover(&p.r, 0);
	}
	if (diags->errors == before)
		machine_check(&p); /* further diagnostics would only repeat the first */
	source_free(&p.r.source);
	arena_free(p.r.arena);
	if (diags->errors == before)
		return p.m;
	sim_machine_free(p.m);
	return NULL;
}

void
sim_machine_forget_stacks(struct sim_machine *m)
{
	for (size_t i = 0; i < m->n_stacks; i++)
		free(m->stack[i]);
	free(m->stack);
	m->stack = NULL;
	m->n_stacks = 0;
}

void
sim_machine_free(struct sim_machine *m)
{
	if (!m)
		return;
	sim_machine_forget_stacks(m);
	free(m->name);
	free(m->text);
	free(m);
}
