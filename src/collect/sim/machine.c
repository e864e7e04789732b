/* Items of a .machine file. After an error the next item is read, so that all errors of a file are told at once. */
#include "collect/sim/machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/lang/diag.h"
#include "core/lang/item.h"
#include "core/lang/near.h"

enum item {
	MACHINE, CLOCK, WIDTH, ROB, LOAD_QUEUE, STORE_QUEUE, BRANCH_PENALTY, DTLB_4K, DTLB_2M, DTLB_1G, STLB, PDE, PDPTE, PML4E, WALKERS, MSHRS, WALK_START, PREFETCH,
	L1, L2, L3, MEMORY, FILL_BUFFERS, COUNTERS, FIXED, TIMER, FAULT, MAY, HAS, ITEMS
};

struct parser {
	struct item_reader r;
	struct sim_machine *m;
	uint32_t at[ITEMS], len[ITEMS]; /* where each stands; len 0: not yet */
};

/* What is one number and perhaps its unit. */
static const struct scalar {
	const char *word, *what, *unit;
	size_t field; /* in struct sim_machine: an unsigned */
	unsigned least, most;
	enum item item;
	bool needed;
} scalar[] = {
#define AT(f) offsetof(struct sim_machine, f)
	{"width", "the µops that begin in a cycle", NULL, AT(width), 1, 64, WIDTH, true},
	{"rob", "the entries of the reorder buffer", NULL, AT(rob), 1, 4096, ROB, true},
	{"load_queue", "the entries of the load queue", NULL, AT(load_queue), 1, 4096, LOAD_QUEUE, true},
	{"store_queue", "the entries of the store queue", NULL, AT(store_queue), 1, 4096, STORE_QUEUE, true},
	{"branch_penalty", "the penalty of a mispredicted branch", "cycles", AT(branch_penalty), 1, 1000, BRANCH_PENALTY, true},
	{"walkers", "the number of walkers", NULL, AT(walkers), 1, 16, WALKERS, true},
	{"mshrs", "the requests that can wait for a walk", NULL, AT(mshrs), 1, 256, MSHRS, true},
	{"walk_start", "the time from a miss to a walk's first reference", "cycles", AT(walk_start), 0, 1000, WALK_START, true},
	{"memory", "the latency of memory", "cycles", AT(memory_latency), 1, 100000, MEMORY, true},
	{"fill_buffers", "the number of fill buffers", NULL, AT(data_mlp), 1, 256, FILL_BUFFERS, true},
	{"counters", "the number of programmable counters", NULL, AT(counters), 0, 64, COUNTERS, true},
	{"fixed", "the number of fixed counters", NULL, AT(fixed), 0, 8, FIXED, true},
	{"timer", "the rate of the timer's interrupts", "Hz", AT(timer_hz), 0, 100000, TIMER, false},
	{"fault", "the kernel's time for a page that is touched first", "cycles", AT(fault_cycles), 0, 10000000, FAULT, false},
#undef AT
};
#define N_SCALARS (sizeof scalar / sizeof *scalar)

static const char *const page_word[SIM_PAGES] = {"4k", "2m", "1g"};

static bool
fail(struct parser *p, const struct place *at, const char *hint, const char *what)
{
	diag_add(p->r.diags, DIAG_ERROR, at, hint, "%s", what);
	return false;
}

/* False for what stands there already. */
static bool
first(struct parser *p, enum item i, const struct place *at)
{
	char *hint;

	if (!p->len[i]) {
		p->at[i] = at->at;
		p->len[i] = at->len;
		return true;
	}
	hint = str_format("the first one is in line %d", source_line(&p->r.source, p->at[i]));
	diag_add(p->r.diags, DIAG_ERROR, at, hint, "'%.*s' is given twice", (int)at->len, p->r.source.text + at->at);
	free(hint);
	return false;
}

/* The word is the token to look at. */
static bool
once(struct parser *p, enum item i)
{
	struct place at = lex_place(&p->r.x);

	lex_next(&p->r.x);
	return first(p, i, &at);
}

/* A whole number, and its place; then, when there is one, its unit. `what` is for the message. */
static bool
number(struct parser *p, const char *what, const char *unit, unsigned least, unsigned most, unsigned *out, struct place *at)
{
	char *digits;
	uint64_t v = 0;
	bool good;

	*at = lex_place(&p->r.x);
	digits = mem_strn(p->r.source.text + at->at, at->len);
	good = p->r.x.now.kind == TOKEN_WORD && str_to_u64(digits, &v) && v >= least && v <= most;
	if (good) {
		lex_next(&p->r.x);
		*out = (unsigned)v;
	} else {
		struct str seen = {0};

		lex_describe(&p->r.x, &seen);
		diag_add(p->r.diags, DIAG_ERROR, at, NULL, "%s: a whole number from %u to %u is expected, not %s", what, least, most, str_text(&seen));
		str_free(&seen);
	}
	free(digits);
	if (good && unit && !item_take_word(&p->r, unit)) {
		char *quoted = str_format("'%s'", unit);

		good = item_fail(&p->r, quoted, "behind the number");
		free(quoted);
	}
	return good;
}

static bool
is_power(uint64_t v)
{
	return v && (v & (v - 1)) == 0;
}

/* Entries (of a TLB, `bytes` 0) or lines (of a cache, each of `bytes`) in sets. */
static bool
check_sets(struct parser *p, const struct place *at, unsigned bytes, uint64_t entries, unsigned ways)
{
	uint64_t sets = entries / ways, below = 1;
	const char *noun = bytes ? "lines" : "entries";
	char *hint;

	if (entries % ways == 0 && is_power(sets))
		return true;
	if (entries < ways) {
		hint = str_format("fully associative is: %llu ways", (unsigned long long)entries);
		diag_add(p->r.diags, DIAG_ERROR, at, entries ? hint : NULL, "more ways than %s: %u ways, %llu %s", noun, ways, (unsigned long long)entries, noun);
		free(hint);
		return false;
	}
	while (below * 2 <= sets)
		below *= 2;
	if (bytes)
		hint = str_format("sizes that go are %g and %g KiB", (double)(below * ways * bytes) / 1024, (double)(2 * below * ways * bytes) / 1024);
	else
		hint = str_format("numbers that go are %llu and %llu", (unsigned long long)(below * ways), (unsigned long long)(2 * below * ways));
	diag_add(p->r.diags, DIAG_ERROR, at, hint, "%llu %s in sets of %u ways: the number of sets is no power of two", (unsigned long long)entries, noun, ways);
	free(hint);
	return false;
}

static bool
comma(struct parser *p, const char *behind)
{
	return item_punct(&p->r, ',', behind);
}

/* 64 entries, 4 ways */
static bool
parse_ways(struct parser *p, const char *whose, struct sim_ways *out)
{
	struct place at, ways_at;
	char *entries = str_format("the entries of %s", whose), *ways = str_format("the ways of %s", whose);
	struct sim_ways w = {0};
	bool good = number(p, entries, "entries", 1, 1u << 20, &w.entries, &at) && comma(p, "behind the entries") && number(p, ways, "ways", 1, SIM_WAYS_MAX, &w.ways, &ways_at);

	free(entries);
	free(ways);
	if (!good)
		return false;
	if (check_sets(p, &at, 0, w.entries, w.ways))
		*out = w;
	return true;
}

static bool
take_page(struct parser *p, enum sim_page *out)
{
	for (int i = 0; i < SIM_PAGES; i++)
		if (item_take_word(&p->r, page_word[i])) {
			*out = (enum sim_page)i;
			return true;
		}
	return false;
}

static bool
parse_dtlb(struct parser *p)
{
	struct place at = lex_place(&p->r.x);
	enum sim_page page;
	char *whose;
	bool good;

	lex_next(&p->r.x);
	if (!take_page(p, &page))
		return item_fail(&p->r, "the pages that it holds, 4k, 2m or 1g,", "behind 'dtlb'");
	if (!first(p, (enum item)((int)DTLB_4K + (int)page), &at))
		return false;
	whose = str_format("the first-level TLB of %s pages", page_word[page]);
	good = parse_ways(p, whose, &p->m->dtlb[page]) && item_punct(&p->r, ';', "behind the TLB");
	free(whose);
	return good;
}

static bool
parse_stlb(struct parser *p)
{
	struct place at;
	enum sim_page page;
	size_t n = 0;

	if (!once(p, STLB))
		return false;
	for (;; n++) {
		at = lex_place(&p->r.x);
		if (!take_page(p, &page))
			break;
		if (p->m->stlb_holds[page])
			diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "'%s' is named twice", page_word[page]);
		p->m->stlb_holds[page] = true;
	}
	if (!n)
		return item_fail(&p->r, "the pages that it holds, as 4k 2m,", "behind 'stlb'");
	return parse_ways(p, "the second-level TLB", &p->m->stlb) && comma(p, "behind the ways")
	       && number(p, "the latency of the second-level TLB", "cycles", 1, 1000, &p->m->stlb_latency, &at) && item_punct(&p->r, ';', "behind the TLB");
}

static bool
parse_psc(struct parser *p, enum item i, struct sim_ways *out)
{
	static const char *const whose[] = {"the PDE cache", "the PDPTE cache", "the cache of root entries"};

	return once(p, i) && parse_ways(p, whose[(int)i - (int)PDE], out) && item_punct(&p->r, ';', "behind the cache");
}

static bool
parse_pde(struct parser *p)
{
	return parse_psc(p, PDE, &p->m->pde);
}

static bool
parse_pdpte(struct parser *p)
{
	return parse_psc(p, PDPTE, &p->m->pdpte);
}

static bool
parse_pml4e(struct parser *p)
{
	return parse_psc(p, PML4E, &p->m->pml4e);
}

/* l1 32 KiB, 8 ways, 4 cycles; */
static bool
parse_cache(struct parser *p, enum item i, struct sim_cache *out)
{
	static const struct {
		const char *word;
		unsigned shift;
	} unit[] = {{"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
	int level = (int)i - (int)L1 + 1;
	char *size = str_format("the size of L%d", level), *ways = str_format("the ways of L%d", level), *latency = str_format("the latency of L%d", level);
	struct sim_cache c = {0};
	struct place at, other;
	unsigned amount;
	size_t u = 0;
	bool good = once(p, i) && number(p, size, NULL, 1, 1u << 20, &amount, &at);

	while (good && u < sizeof unit / sizeof *unit && !item_take_word(&p->r, unit[u].word))
		u++;
	if (good && u == sizeof unit / sizeof *unit)
		good = item_fail(&p->r, "KiB, MiB or GiB", "behind the size");
	good = good && comma(p, "behind the size") && number(p, ways, "ways", 1, SIM_WAYS_MAX, &c.ways, &other) && comma(p, "behind the ways")
	       && number(p, latency, "cycles", 1, 1000, &c.latency, &other) && item_punct(&p->r, ';', "behind the cache");
	if (good) {
		c.bytes = (uint64_t)amount << unit[u].shift;
		if (c.bytes > SIM_CACHE_MAX)
			diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "%s is at most %llu GiB", size, (unsigned long long)(SIM_CACHE_MAX >> 30));
		else if (check_sets(p, &at, SIM_LINE, c.bytes / SIM_LINE, c.ways))
			*out = c;
	}
	free(size);
	free(ways);
	free(latency);
	return good;
}

static bool
parse_l1(struct parser *p)
{
	return parse_cache(p, L1, &p->m->l1);
}

static bool
parse_l2(struct parser *p)
{
	return parse_cache(p, L2, &p->m->l2);
}

static bool
parse_l3(struct parser *p)
{
	return parse_cache(p, L3, &p->m->l3);
}

static bool
parse_machine(struct parser *p)
{
	const char *name, *text;
	struct place at;

	if (!once(p, MACHINE) || !item_name(&p->r, "the machine's name", &name, &at) || !item_optional_text(&p->r, &text) || !item_punct(&p->r, ';', "behind the machine's name"))
		return false;
	p->m->name = mem_str(name);
	p->m->text = mem_str(text);
	return true;
}

/* clock 3.4 GHz; the lexer knows no fractions, so they are joined. */
static bool
parse_clock(struct parser *p)
{
	struct place at;
	bool pieces = false, good;
	char *digits;
	double v = 0;

	if (!once(p, CLOCK))
		return false;
	at = lex_join(&p->r.x, ".", &pieces);
	digits = mem_strn(p->r.source.text + at.at, at.len);
	good = at.len && !pieces && strspn(digits, "0123456789.") == at.len && str_to_double(digits, &v) && v >= 0.001 && v <= 100;
	free(digits);
	if (!good)
		return fail(p, &at, "for instance: clock 3.4 GHz;", "the clock: a number from 0.001 to 100 is expected");
	p->m->ghz = v;
	return (item_take_word(&p->r, "GHz") || item_fail(&p->r, "'GHz'", "behind the number")) && item_punct(&p->r, ';', "behind the clock");
}

/* up 51 52: two lines of a 4 KB page. They must be neighbours, as the hardware's are: else nothing says what lies between. */
static bool
parse_lines(struct parser *p, const char *word, int step, unsigned line[2])
{
	struct place at;
	unsigned from, to;

	if (!item_take_word(&p->r, word))
		return item_fail(&p->r, word, "in 'prefetch'");
	if (!number(p, "the first line of a trigger", NULL, 0, 63, &from, &at) || !number(p, "the second line of a trigger", NULL, 0, 63, &to, &at))
		return false;
	if ((int)to - (int)from != step)
		return fail(p, &at, step > 0 ? "for instance: up 51 52" : "for instance: down 8 7", step > 0 ? "the second line is not the next one" : "the second line is not the one before");
	line[0] = from;
	line[1] = to;
	return true;
}

static bool
parse_prefetch(struct parser *p)
{
	return once(p, PREFETCH) && parse_lines(p, "up", 1, p->m->line_up) && comma(p, "behind the lines upwards") && parse_lines(p, "down", -1, p->m->line_down)
	       && item_punct(&p->r, ';', "behind the lines");
}

static bool
parse_plants(struct parser *p, enum item i, sim_plants *set)
{
	const char *known[SIM_N_PLANTS];

	for (int k = 0; k < SIM_N_PLANTS; k++)
		known[k] = sim_plant_name((enum sim_plant)k);
	if (!once(p, i))
		return false;
	do {
		enum sim_plant plant;
		const char *name;
		struct place at;

		if (!item_name(&p->r, "a feature's name", &name, &at))
			return false;
		if (!sim_plant_find(name, &plant)) {
			char *hint = near_hint(name, known, SIM_N_PLANTS);

			diag_add(p->r.diags, DIAG_ERROR, &at, hint, "there is no feature '%.60s'", name);
			free(hint);
		} else if ((p->m->may | p->m->has) >> plant & 1) {
			diag_add(p->r.diags, DIAG_ERROR, &at, "what a machine has it may have, too", "the feature '%s' is named twice", name);
		} else {
			*set |= 1u << plant;
		}
	} while (item_take_punct(&p->r, ','));
	return item_punct(&p->r, ';', "behind the features");
}

static bool
parse_may(struct parser *p)
{
	return parse_plants(p, MAY, &p->m->may);
}

static bool
parse_has(struct parser *p)
{
	return parse_plants(p, HAS, &p->m->has);
}

static bool
parse_scalar(struct parser *p, const struct scalar *s)
{
	struct place at;

	return once(p, s->item) && number(p, s->what, s->unit, s->least, s->most, (unsigned *)(void *)((char *)p->m + s->field), &at)
	       && item_punct(&p->r, ';', "behind the number");
}

static const struct {
	const char *word;
	bool (*parse)(struct parser *);
	enum item item;
	bool needed;
} other[] = {
	{"machine", parse_machine, MACHINE, true}, {"clock", parse_clock, CLOCK, true}, {"dtlb", parse_dtlb, DTLB_4K, true}, {"stlb", parse_stlb, STLB, false},
	{"pde", parse_pde, PDE, false}, {"pdpte", parse_pdpte, PDPTE, false}, {"pml4e", parse_pml4e, PML4E, false}, {"prefetch", parse_prefetch, PREFETCH, false},
	{"l1", parse_l1, L1, true}, {"l2", parse_l2, L2, true}, {"l3", parse_l3, L3, true}, {"may", parse_may, MAY, false}, {"has", parse_has, HAS, false},
};
#define N_OTHERS (sizeof other / sizeof *other)

static bool
unknown_item(struct parser *p)
{
	const char *known[N_SCALARS + N_OTHERS];
	struct place at = lex_place(&p->r.x);
	struct str seen = {0};
	char *word = mem_strn(p->r.source.text + at.at, at.len), *hint;

	for (size_t i = 0; i < N_OTHERS; i++)
		known[i] = other[i].word;
	for (size_t i = 0; i < N_SCALARS; i++)
		known[N_OTHERS + i] = scalar[i].word;
	lex_describe(&p->r.x, &seen);
	hint = near_hint(word, known, N_OTHERS + N_SCALARS);
	diag_add(p->r.diags, DIAG_ERROR, &at, hint, "a part of a machine expected, as rob, dtlb or l1, not %s", str_text(&seen));
	free(hint);
	free(word);
	str_free(&seen);
	lex_next(&p->r.x);
	return false;
}

static bool
parse_item(struct parser *p)
{
	for (size_t i = 0; i < N_SCALARS; i++)
		if (lex_is_word(&p->r.x, scalar[i].word))
			return parse_scalar(p, &scalar[i]);
	for (size_t i = 0; i < N_OTHERS; i++)
		if (lex_is_word(&p->r.x, other[i].word))
			return other[i].parse(p);
	return unknown_item(p);
}

static void
check_latency(struct parser *p, enum item i, const char *what, unsigned latency, const char *before, unsigned least)
{
	struct place at = {&p->r.source, p->at[i], p->len[i]};

	if (latency && least && latency <= least)
		diag_add(p->r.diags, DIAG_ERROR, &at, "what lies deeper takes longer, counted from the request", "%s answers after %u cycles, %s after %u", what, latency, before, least);
}

static void
check_needed(struct parser *p, const struct place *nowhere)
{
	struct str missing = {0};

	for (size_t i = 0; i < N_OTHERS; i++)
		if (other[i].needed && !p->len[other[i].item])
			str_addf(&missing, "%s%s", missing.n ? ", " : "", other[i].word);
	for (size_t i = 0; i < N_SCALARS; i++)
		if (scalar[i].needed && !p->len[scalar[i].item])
			str_addf(&missing, "%s%s", missing.n ? ", " : "", scalar[i].word);
	if (missing.n)
		diag_add(p->r.diags, DIAG_ERROR, nowhere, "each machine has them; docs/simulated-machine.md says how they are written", "what the file does not say: %s", str_text(&missing));
	str_free(&missing);
}

/* Everything is read: what is missing, and what does not fit together. */
static void
check(struct parser *p)
{
	struct sim_machine *m = p->m;
	struct place nowhere = {&p->r.source, 0, 0};
	sim_plants all = m->may | m->has;

	check_needed(p, &nowhere);
	check_latency(p, L2, "L2", m->l2.latency, "L1", m->l1.latency);
	check_latency(p, L3, "L3", m->l3.latency, "L2", m->l2.latency);
	check_latency(p, MEMORY, "memory", m->memory_latency, "L3", m->l3.latency);
	if (!p->len[PREFETCH] && all >> SIM_PLANT_TLB_PF & 1)
		diag_add(p->r.diags, DIAG_ERROR, &nowhere, "prefetch up 51 52, down 8 7;", "it can have tlb_pf, and nothing says which lines ask for a prefetch");
	if (!p->len[PML4E] && all >> SIM_PLANT_PML4E & 1)
		diag_add(p->r.diags, DIAG_ERROR, &nowhere, "pml4e 4 entries, 4 ways;", "it can have pml4e, and nothing says how large that cache is");
	m->may = all;
}

struct sim_machine *
sim_machine_parse(const char *path, const char *text, size_t len, struct diags *diags)
{
	struct parser p = {.r.diags = diags, .r.arena = arena_new(), .m = mem_new(sizeof *p.m)};
	size_t before = diags->errors;

	source_init(&p.r.source, mem_str(path), mem_strn(text, len), len);
	lex_begin(&p.r.x, &p.r.source, diags);
	while (p.r.x.now.kind != TOKEN_END)
		if (!parse_item(&p))
			item_recover(&p.r, 0);
	if (diags->errors == before)
		check(&p); /* what follows would only repeat it */
	source_free(&p.r.source);
	arena_free(p.r.arena);
	if (diags->errors == before)
		return p.m;
	sim_machine_free(p.m);
	return NULL;
}

void
sim_machine_free(struct sim_machine *m)
{
	if (!m)
		return;
	free(m->name);
	free(m->text);
	free(m);
}
