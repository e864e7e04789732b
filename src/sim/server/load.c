#include "sim/server/load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "sim/parameter_table.h"
#include "text/word_list.h"

#define MANY 1000000
#define BYTES_MOST ((int64_t)1 << 44)

static const struct sim_table_row row[LOAD_PARAMETERS] = {
#define ROW(id, ...) [LOAD_##id] = SIM_TABLE_ROW(__VA_ARGS__)
	ROW(CORES, "cores", NOTATION_WHOLE, 1, 256, 1, "cores that run it"),
	ROW(FIRST, "first", NOTATION_WHOLE, 0, 255, 0, "the first of them"),
	ROW(MEMORY, "memory", NOTATION_WORD, 0, LOAD_TIERS, LOAD_LOCAL, "where its pages are",
		.words = SIM_WORDS("local", "remote", "cxl", "tiers")),
	ROW(SLOW, "slow", NOTATION_SHARE, 0, SHARE_ONE, SHARE_ONE / 2,
		"share of the pages that is in CXL memory at first, with memory=tiers"),
	ROW(FOOTPRINT, "footprint", NOTATION_BYTES, 4096, BYTES_MOST, (int64_t)256 << 20,
		"bytes of each core; rounded up to a power of two"),
	ROW(STRIDE, "stride", NOTATION_BYTES, 1, 4096, 8, "bytes between two accesses of a stream"),
	ROW(STORES, "stores", NOTATION_SHARE, 0, SHARE_ONE, 0, "share of stores"),
	ROW(CHAIN, "chain", NOTATION_SHARE, 0, SHARE_ONE, 0, "share of loads whose address the load before brings"),
	ROW(GAP, "gap", NOTATION_WHOLE, 0, MANY, 0, "cycles of other work between two accesses"),
	ROW(SKEW, "skew", NOTATION_SHARE, 0, 4 * SHARE_ONE, 990000, "exponent of zipf"),
	ROW(HOT, "hot", NOTATION_SHARE, 1, SHARE_ONE, SHARE_ONE,
		"part of the footprint to which nine tenths of the random accesses go"),
	ROW(SHARED, "shared", NOTATION_WORD, 0, 1, 0, "do its cores use the same bytes",
		.words = SIM_WORDS("no", "yes")),
	ROW(FROM, "from", NOTATION_TIME, 0, INT64_MAX / 2, 0, "when it begins"),
	ROW(TO, "to", NOTATION_TIME, 0, INT64_MAX / 2, 0, "when it ends; 0: never"),
	ROW(PERIOD, "period", NOTATION_TIME, 0, INT64_MAX / 2, 0,
		"it runs and pauses in turns of this length; 0: runs"),
	ROW(DUTY, "duty", NOTATION_SHARE, 1, SHARE_ONE, SHARE_ONE / 2, "share of a period in which it runs"),
#undef ROW
};
static const struct sim_table table = {row, LOAD_PARAMETERS};

static const struct load_kind_row {
	const char *name, *text;
	int64_t stores, chain, gap;
} kind_row[LOAD_KINDS] = {
	[LOAD_CHASE] = {"chase", "loads in random order, each of which brings the next address", 0, SHARE_ONE, 0},
	[LOAD_STREAM] = {"stream", "one access after the other, through the whole footprint again and again", 0, 0, 1},
	[LOAD_GUPS] = {"gups", "loads a random line, changes it and stores it", 0, 0, 4},
	[LOAD_ZIPF] = {"zipf", "random lines of pages, few of which are used often", SHARE_ONE / 20, SHARE_ONE / 4, 8},
	[LOAD_MIX] = {"mix", "stream, random and zipf accesses in equal parts", SHARE_ONE / 5, SHARE_ONE / 5, 8},
};

const char *
load_kind_name(enum load_kind k)
{
	return kind_row[k].name;
}

const char *
load_kind_text(enum load_kind k)
{
	return kind_row[k].text;
}

const char *
load_parameter_name(enum load_parameter p, const char **text)
{
	*text = row[p].text;
	return row[p].name;
}

static uint32_t
probability(int64_t share)
{
	double p = (double)share / SHARE_ONE * 4294967296.0;

	return p >= 4294967295.0 ? UINT32_MAX : (uint32_t)p;
}

/* The pages of a zipf program by rank: the share of the first x of n pages is about (x / n)^(1 − skew). */
static void
prepare(struct load_program *p)
{
	double skew = (double)p->value[LOAD_SKEW] / SHARE_ONE, pages;

	p->lines = 64;
	while (p->lines * 64 < (uint64_t)p->value[LOAD_FOOTPRINT])
		p->lines *= 2;
	p->hot = (uint64_t)((double)p->lines * (double)p->value[LOAD_HOT] / SHARE_ONE);
	p->hot = p->hot ? p->hot : 1;
	p->chain = probability(p->value[LOAD_CHAIN]);
	p->stores = probability(p->value[LOAD_STORES]);
	p->slow = probability(p->value[LOAD_SLOW]);
	if (fabs(skew - 1) < 1e-3)
		skew = 1 - 1e-3;
	pages = (double)(p->lines >> LOAD_PAGE_SHIFT) + 1;
	p->timed = p->value[LOAD_FROM] || p->value[LOAD_TO] || p->value[LOAD_PERIOD];
	p->zipf_power = 1 / (1 - skew);
	p->zipf_scale = pow(pages, 1 - skew) - 1;
}

static bool
parse_program(const char *text, struct load_program *p, struct str *canonical, struct err *e)
{
	size_t n = strcspn(text, ":,");
	uint64_t given = 0;
	size_t k = 0;

	while (k < LOAD_KINDS && !(strlen(kind_row[k].name) == n && strncmp(kind_row[k].name, text, n) == 0))
		k++;
	if (k == LOAD_KINDS) {
		char *name = mem_strn(text, n);

		err_set(e, "a simulated server has no program '%s'", name);
		word_list_hint(e, name, "there are", kind_row, LOAD_KINDS, sizeof *kind_row);
		free(name);
		return false;
	}
	*p = (struct load_program){.kind = (enum load_kind)k};
	sim_table_preset(&table, p->value);
	p->value[LOAD_STORES] = kind_row[k].stores;
	p->value[LOAD_CHAIN] = kind_row[k].chain;
	p->value[LOAD_GAP] = kind_row[k].gap;
	if (text[n] &&
		!sim_table_parse(
			&table, p->value, &given, kind_row[k].name, (1u << LOAD_PARAMETERS) - 1, text + n + 1, e))
		return false;
	prepare(p);
	str_addf(canonical, "%s%s:", canonical->n ? "+" : "", kind_row[k].name);
	sim_table_print(&table, p->value, (1u << LOAD_PARAMETERS) - 1, canonical);
	return true;
}

/* Each core runs at most one program. */
static bool
cores_fit(const struct load *l, unsigned cores, struct err *e)
{
	for (size_t i = 0; i < l->n; i++) {
		int64_t first = l->program[i].value[LOAD_FIRST], end = first + l->program[i].value[LOAD_CORES];

		if (end > cores) {
			err_set(e, "%s would run on core %lld, but there are %u cores",
				kind_row[l->program[i].kind].name, (long long)end - 1, cores);
			return err_hint(e, "the first core is 0: lower first= or cores=");
		}
		for (size_t k = 0; k < i; k++) {
			int64_t begin = l->program[k].value[LOAD_FIRST], stop = begin + l->program[k].value[LOAD_CORES];

			if (first < stop && begin < end) {
				err_set(e, "two programs on core %lld", (long long)(first > begin ? first : begin));
				return err_hint(e, "give the second one first=%lld", (long long)stop);
			}
		}
	}
	return true;
}

bool
load_parse(const char *text, unsigned cores, struct load *load, struct err *e)
{
	struct word_list list = word_list_of(text, '+');
	struct str canonical = {0};
	bool good = true;

	*load = (struct load){0};
	while (good && word_list_next(&list)) {
		if (load->n == LOAD_PROGRAMS_MAX) {
			good = err_set(e, "more than %d programs", LOAD_PROGRAMS_MAX);
			err_hint(e, "let one program run on several cores: cores=4");
			break;
		}
		good = parse_program(list.word, &load->program[load->n], &canonical, e);
		load->n += good;
	}
	good = word_list_end(&list, good, e) && cores_fit(load, cores, e);
	load->text = str_take(&canonical);
	return good;
}

void
load_free(struct load *l)
{
	free(l->text);
	*l = (struct load){0};
}

/* --- one core ---------------------------------------------------------------------------------------------------- */

void
load_stream_begin(struct load_stream *s, const struct load *load, size_t program, unsigned instance, uint64_t seed)
{
	const struct load_program *p = &load->program[program];

	*s = (struct load_stream){.program = p};
	s->base = (uint64_t)program << 48 | (uint64_t)(p->value[LOAD_SHARED] ? 0 : instance) << 40;
	s->random = random_scatter(seed ^ random_scatter(program << 16 | instance));
	s->at = random_below(&s->random, p->lines);
}

uint64_t
load_runs_at(const struct load_program *p, uint64_t ns)
{
	uint64_t from = (uint64_t)p->value[LOAD_FROM], to = (uint64_t)p->value[LOAD_TO],
		 period = (uint64_t)p->value[LOAD_PERIOD], on;

	if (ns < from)
		ns = from;
	if (period) {
		on = (uint64_t)((double)period * (double)p->value[LOAD_DUTY] / SHARE_ONE);
		if ((ns - from) % period >= on)
			ns += period - (ns - from) % period;
	}
	return to && ns >= to ? UINT64_MAX : ns;
}

static uint64_t
zipf_line(struct load_stream *s)
{
	const struct load_program *p = s->program;
	double u = (double)(random_next(&s->random) >> 11) * 0x1p-53;
	uint64_t pages = p->lines >> LOAD_PAGE_SHIFT, rank, page;

	rank = (uint64_t)pow(1 + u * p->zipf_scale, p->zipf_power) - 1;
	page = rank * UINT64_C(0x9e3779b1) & (pages - 1); /* an odd factor: each rank has a page of its own */
	return page << LOAD_PAGE_SHIFT | (random_next(&s->random) & 63);
}

static uint64_t
random_line(struct load_stream *s)
{
	const struct load_program *p = s->program;

	if (p->hot == p->lines)
		return random_below(&s->random, p->lines);
	return random_below(
		&s->random, (uint32_t)random_next(&s->random) < LOAD_HOT_SHARE * 0x1p32 ? p->hot : p->lines);
}

/* The next line of a cycle through all lines that looks random. */
static uint64_t
chase_line(struct load_stream *s)
{
	s->at = (s->at * 5 + UINT64_C(0x3039) * 2 + 1) & (s->program->lines - 1);
	return s->at;
}

static uint64_t
stream_line(struct load_stream *s)
{
	s->within += (unsigned)s->program->value[LOAD_STRIDE];
	s->at = (s->at + s->within / 64) & (s->program->lines - 1);
	s->within %= 64;
	return s->at;
}

static uint64_t
next_line(struct load_stream *s)
{
	switch (s->program->kind) {
	case LOAD_CHASE:
		return chase_line(s);
	case LOAD_STREAM:
		return stream_line(s);
	case LOAD_GUPS:
		return random_line(s);
	case LOAD_ZIPF:
		return zipf_line(s);
	case LOAD_MIX:
		switch (random_next(&s->random) % 3) {
		case 0:
			return stream_line(s);
		case 1:
			return random_line(s);
		}
		return zipf_line(s);
	case LOAD_KINDS:
		break;
	}
	return 0;
}

struct load_access
load_stream_next(struct load_stream *s)
{
	const struct load_program *p = s->program;
	struct load_access a = {.gap = (uint32_t)p->value[LOAD_GAP]};

	if (s->update) {
		s->update = false;
		return (struct load_access){.line = s->last_line, .store = true, .gap = 1};
	}
	a.line = s->base | next_line(s);
	if (p->stores)
		a.store = (uint32_t)random_next(&s->random) < p->stores;
	s->update = p->kind == LOAD_GUPS && !a.store;
	if (!a.store && p->chain)
		a.chained = p->chain == UINT32_MAX || (uint32_t)random_next(&s->random) < p->chain;
	s->last_line = a.line;
	return a;
}

/* --- random mixes ------------------------------------------------------------------------------------------------ */

#define PROGRAMS 4u
#define CORES 6u

static const char *
draw(uint64_t *random, const char *const *word, size_t n)
{
	return word[random_below(random, n)];
}
#define DRAW(...) \
	draw(&random, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

char *
load_random(uint64_t seed)
{
	uint64_t random = random_scatter(seed + 1);
	size_t n = 1 + random_below(&random, PROGRAMS);
	unsigned first = 0;
	struct str out = {0};

	for (size_t i = 0; i < n; i++) {
		enum load_kind kind = (enum load_kind)random_below(&random, LOAD_KINDS);
		unsigned cores = 1 + (unsigned)random_below(&random, CORES);

		str_addf(&out, "%s%s:first=%u,cores=%u", i ? "+" : "", load_kind_name(kind), first, cores);
		str_addf(&out, ",memory=%s", DRAW("local", "remote", "cxl", "tiers"));
		str_addf(&out, ",slow=%s", DRAW("0.2", "0.5", "0.8"));
		str_addf(&out, ",footprint=%s", DRAW("4M", "16M", "64M", "256M", "1G"));
		str_addf(&out, ",gap=%s", DRAW("0", "2", "8", "32", "128"));
		if (kind != LOAD_CHASE && kind != LOAD_GUPS)
			str_addf(&out, ",stores=%s", DRAW("0", "0.1", "0.3", "0.5"));
		if (kind != LOAD_CHASE)
			str_addf(&out, ",chain=%s", DRAW("0", "0.1", "0.5"));
		if (kind == LOAD_STREAM)
			str_addf(&out, ",stride=%s", DRAW("8", "64"));
		first += cores;
	}
	return str_take(&out);
}
