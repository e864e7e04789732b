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
static const struct scalar {
	const char *word, *what, *unit;
	size_t field; /* offset in struct sim_machine of an unsigned */
	unsigned least, most;
	enum sim_item item;
	bool needed;
} scalar[] = {
#define AT(f) offsetof(struct sim_machine, f)
	{"width", "the µops that begin in a cycle", NULL, AT(width), 1, 64, SIM_ITEM_WIDTH, true},
	{"rob", "the entries of the reorder buffer", NULL, AT(rob), 1, 4096, SIM_ITEM_ROB, true},
	{"load_queue", "the entries of the load queue", NULL, AT(load_queue), 1, 4096, SIM_ITEM_LOAD_QUEUE, true},
	{"store_queue", "the entries of the store queue", NULL, AT(store_queue), 1, 4096, SIM_ITEM_STORE_QUEUE, true},
	{"branch_penalty", "the penalty of a mispredicted branch", "cycles", AT(branch_penalty), 1, 1000,
		SIM_ITEM_BRANCH_PENALTY, true},
	{"walkers", "the number of walkers", NULL, AT(walkers), 1, 16, SIM_ITEM_WALKERS, true},
	{"mshrs", "the requests that can wait for a walk", NULL, AT(mshrs), 1, 64, SIM_ITEM_MSHRS, true},
	{"walk_start", "the cycles from an STLB miss to a walk's first reference", "cycles", AT(walk_start), 0, 1000,
		SIM_ITEM_WALK_START, true},
	{"memory", "the latency of memory", "cycles", AT(memory_latency), 1, 100000, SIM_ITEM_MEMORY, true},
	{"fill_buffers", "the number of fill buffers", NULL, AT(data_mlp), 1, 256, SIM_ITEM_FILL_BUFFERS, true},
	{"counters", "the number of programmable counters", NULL, AT(counters), 0, 256, SIM_ITEM_COUNTERS, true},
	{"fixed", "the number of fixed counters", NULL, AT(fixed), 0, 8, SIM_ITEM_FIXED, true},
	{"timer", "the rate of the timer's interrupts", "Hz", AT(timer_hz), 0, 100000, SIM_ITEM_TIMER, false},
	{"fault", "the kernel's time for the first touch of a page", "cycles", AT(fault_cycles), 0, 10000000,
		SIM_ITEM_FAULT, false},
#undef AT
};
#define N_SCALARS (sizeof scalar / sizeof *scalar)

static bool
parse_dtlb(struct sim_reader *reader)
{
	struct place at = lex_place(&reader->r.x);
	enum sim_page page;
	char *whose;
	bool good;

	lex_next(&reader->r.x);
	if (!sim_read_page(reader, &page))
		return item_fail(&reader->r, "the size of its pages, 4k, 2m or 1g,", "after 'dtlb'");
	if (!sim_read_first(reader, (enum sim_item)((int)SIM_ITEM_DTLB_4K + (int)page), &at))
		return false;
	whose = str_format("the first-level TLB of %s pages", sim_page_word[page]);
	good = sim_read_ways(reader, whose, &reader->m->dtlb[page]) && item_punct(&reader->r, ';', "after the TLB");
	free(whose);
	return good;
}

static bool
parse_stlb(struct sim_reader *reader)
{
	struct place at;
	enum sim_page page;
	size_t n = 0;

	if (!sim_read_once(reader, SIM_ITEM_STLB))
		return false;
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
			&reader->m->stlb_latency, &at) &&
		item_punct(&reader->r, ';', "after the TLB");
}

static bool
parse_psc(struct sim_reader *p, enum sim_item i, struct sim_ways *out)
{
	static const char *const whose[] = {"the PDE cache", "the PDPTE cache", "the cache of root entries"};

	return sim_read_once(p, i) && sim_read_ways(p, whose[(int)i - (int)SIM_ITEM_PDE], out) &&
		item_punct(&p->r, ';', "after the cache");
}

static bool
parse_pde(struct sim_reader *p)
{
	return parse_psc(p, SIM_ITEM_PDE, &p->m->pde);
}

static bool
parse_pdpte(struct sim_reader *p)
{
	return parse_psc(p, SIM_ITEM_PDPTE, &p->m->pdpte);
}

static bool
parse_pml4e(struct sim_reader *p)
{
	return parse_psc(p, SIM_ITEM_PML4E, &p->m->pml4e);
}

static bool
parse_l1(struct sim_reader *p)
{
	return sim_read_cache(p, SIM_ITEM_L1, "L1", &p->m->l1);
}

static bool
parse_l2(struct sim_reader *p)
{
	return sim_read_cache(p, SIM_ITEM_L2, "L2", &p->m->l2);
}

static bool
parse_l3(struct sim_reader *p)
{
	return sim_read_cache(p, SIM_ITEM_L3, "L3", &p->m->l3);
}

static bool
parse_machine(struct sim_reader *reader)
{
	const char *name, *text;
	struct place at;

	if (!sim_read_once(reader, SIM_ITEM_MACHINE) || !item_name(&reader->r, "the machine's name", &name, &at) ||
		!item_optional_text(&reader->r, &text) || !item_punct(&reader->r, ';', "after the machine's name"))
		return false;
	free(reader->m->name); /* --set replaces both */
	free(reader->m->text);
	reader->m->name = mem_str(name);
	reader->m->text = mem_str(text);
	return true;
}

static bool
parse_prefetch(struct sim_reader *p)
{
	return sim_read_once(p, SIM_ITEM_PREFETCH) && sim_read_lines(p, "up", 1, p->m->line_up) &&
		sim_read_comma(p, "after the lines upwards") && sim_read_lines(p, "down", -1, p->m->line_down) &&
		item_punct(&p->r, ';', "after the lines");
}

static bool
parse_plants(struct sim_reader *reader, enum sim_item i, sim_plants *set)
{
	const char *known[SIM_N_PLANTS];

	for (int k = 0; k < SIM_N_PLANTS; k++)
		known[k] = sim_plant_name((enum sim_plant)k);
	if (!sim_read_once(reader, i))
		return false;
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
	return item_punct(&reader->r, ';', "after the features");
}

static bool
parse_may(struct sim_reader *p)
{
	return parse_plants(p, SIM_ITEM_MAY, &p->m->may);
}

static bool
parse_has(struct sim_reader *p)
{
	return parse_plants(p, SIM_ITEM_HAS, &p->m->has);
}

static bool
parse_scalar(struct sim_reader *p, const struct scalar *s)
{
	struct place at;

	return sim_read_once(p, s->item) &&
		sim_read_number(p, s->what, s->unit, s->least, s->most, (unsigned *)(void *)((char *)p->m + s->field),
		&at) && item_punct(&p->r, ';', "after the number");
}

static const struct {
	const char *word;
	bool (*parse)(struct sim_reader *);
	enum sim_item item;
	bool needed;
} other[] = {
	{"machine", parse_machine, SIM_ITEM_MACHINE, true}, {"clock", sim_read_clock, SIM_ITEM_CLOCK, true}, {"dtlb",
		parse_dtlb, SIM_ITEM_DTLB_4K, true}, {"stlb", parse_stlb, SIM_ITEM_STLB, false},
	{"pde", parse_pde, SIM_ITEM_PDE, false}, {"pdpte", parse_pdpte, SIM_ITEM_PDPTE, false}, {"pml4e", parse_pml4e,
		SIM_ITEM_PML4E, false}, {"prefetch", parse_prefetch, SIM_ITEM_PREFETCH, false},
	{"l1", parse_l1, SIM_ITEM_L1, true}, {"l2", parse_l2, SIM_ITEM_L2, true}, {"l3", parse_l3, SIM_ITEM_L3, true},
		{"may", parse_may, SIM_ITEM_MAY, false}, {"has", parse_has, SIM_ITEM_HAS, false},
};
#define N_OTHERS (sizeof other / sizeof *other)

static bool
unknown_item(struct sim_reader *reader)
{
	const char *known[N_SCALARS + N_OTHERS + SIM_PIPE_WORDS_MAX];
	size_t n = N_OTHERS + N_SCALARS;
	struct place at = lex_place(&reader->r.x);
	struct str seen = {0};
	char *word = mem_strn(reader->r.source.text + at.at, at.len), *hint;

	for (size_t i = 0; i < N_OTHERS; i++)
		known[i] = other[i].word;
	for (size_t i = 0; i < N_SCALARS; i++)
		known[N_OTHERS + i] = scalar[i].word;
	lex_describe(&reader->r.x, &seen);
	n += sim_pipe_item_words(known + n);
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
parse_item(struct sim_reader *p)
{
	bool good;

	for (size_t i = 0; i < N_SCALARS; i++)
		if (lex_is_word(&p->r.x, scalar[i].word))
			return parse_scalar(p, &scalar[i]);
	for (size_t i = 0; i < N_OTHERS; i++)
		if (lex_is_word(&p->r.x, other[i].word))
			return other[i].parse(p);
	return sim_read_pipe_item(p, &good) ? good : unknown_item(p);
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

	for (size_t i = 0; i < N_OTHERS; i++)
		if (other[i].needed && !reader->len[other[i].item] && !is_needless(reader, other[i].item))
			str_addf(&missing, "%s%s", missing.n ? ", " : "", other[i].word);
	for (size_t i = 0; i < N_SCALARS; i++)
		if (scalar[i].needed && !reader->len[scalar[i].item] &&
			!is_needless(reader, scalar[i].item))
			str_addf(&missing, "%s%s", missing.n ? ", " : "", scalar[i].word);
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
