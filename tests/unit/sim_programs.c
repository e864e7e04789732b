/* Synthetic programs: streams are well-formed, have the shares and working sets that their parameters ask for, and
 * branches and addresses follow the patterns that their parameters name. */
#include "sim/program/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "sim/program/catalogue.h"
#include "sim/program/code.h"
#include "test.h"

#define N ((size_t)200000)
#define LINE 64u
#define INSNS_MAX ((size_t)1 << 18)

/* n µops of a program; the caller frees. Ends the test program if there are none, because no case can go on. */
static struct sim_op *
stream(const char *text, uint64_t seed, size_t n)
{
	struct err e = {0};
	struct sim_stream *s = sim_program_new(text, seed, &e);
	struct sim_op *o = mem_new_array(n, sizeof *o);

	test_label("%s, seed %llu", text, (unsigned long long)seed);
	if (!test_check(s != NULL, __FILE__, __LINE__, "%s (%s)", e.what, e.hint))
		exit(1);
	CHECK_INT(sim_stream_fill(s, o, n, &e), n);
	sim_stream_free(s);
	return o;
}

static size_t
insn_of(const struct sim_op *o)
{
	return (size_t)((o->pc - SIM_CODE_BASE) / SIM_INSN_BYTES);
}

static bool
same_insn(const struct sim_op *a, const struct sim_op *b)
{
	bool indirect = a->branch == SIM_INDIRECT || a->branch == SIM_INDIRECT_CALL || a->branch == SIM_RETURN;
	bool together = (a->flags & SIM_OP_TAKEN) == (b->flags & SIM_OP_TAKEN);

	return a->kind == b->kind && a->branch == b->branch && a->dst == b->dst && !memcmp(a->src, b->src, 3) &&
		a->size == b->size && a->length == b->length && (indirect || !together || a->next == b->next);
}

static bool
register_is_right(uint8_t r)
{
	return r < SIM_REGISTERS || r == SIM_NO_REGISTER;
}

/* Returns what is wrong with a µop by itself, or NULL. */
static const char *
fault(const struct sim_op *o)
{
	bool memory = sim_op_reads(o) || sim_op_writes(o), taken = o->flags & SIM_OP_TAKEN;

	if (o->kind >= SIM_N_OP_KINDS || o->branch >= SIM_N_BRANCHES || !o->length || !(o->flags & SIM_OP_LAST))
		return "kind, branch, length or flags";
	if (!register_is_right(o->dst) || !register_is_right(o->src[0]) || !register_is_right(o->src[1]) ||
		!register_is_right(o->src[2]))
		return "registers";
	if ((o->branch != SIM_NO_BRANCH) != (o->kind == SIM_OP_BRANCH))
		return "a branch that is none";
	if (o->branch != SIM_CONDITIONAL && taken != (o->branch != SIM_NO_BRANCH))
		return "taken";
	if (!taken && o->next != o->pc + o->length)
		return "next";
	if (memory != (o->size != 0) || memory != (o->at != 0))
		return "address or size";
	if (memory && (o->at >> 48 || o->at % LINE + o->size > LINE))
		return "address beyond 2^48 or across lines";
	return NULL;
}

static void
check_stream(const struct sim_op *o, size_t n)
{
	struct sim_op *known = mem_new_array(INSNS_MAX, 2 * sizeof *known); /* by instruction and outcome */
	uint64_t calls[64];
	size_t depth = 0, wrong = 0;

	for (size_t i = 0; i < n && wrong < 5; i++) {
		const char *what = fault(&o[i]);
		struct sim_op *first = &known[2 * insn_of(&o[i])];

		if (i + 1 < n && o[i].next != o[i + 1].pc)
			what = "next is not the next pc";
		if (insn_of(&o[i]) >= INSNS_MAX) {
			CHECK(insn_of(&o[i]) < INSNS_MAX);
			break;
		}
		for (int taken = 0; taken < 2; taken++)
			if (first[taken].length && !same_insn(&first[taken], &o[i]))
				what = "another instruction at the same address";
		first[(o[i].flags & SIM_OP_TAKEN) != 0] = o[i];
		if (o[i].branch == SIM_RETURN && (!depth || calls[--depth] != o[i].next))
			what = "a return to another place than after the call";
		if ((o[i].branch == SIM_CALL || o[i].branch == SIM_INDIRECT_CALL) && depth < 64)
			calls[depth++] = o[i].pc + o[i].length;
		if (!test_check(!what, __FILE__, __LINE__, "µop %zu: %s", i, what ? what : ""))
			wrong++;
	}
	free(known);
}

static void
streams_are_well_formed(void)
{
	static const char *const more[] = {
		"program:stride=3,sequential=0.9,array=4096,streams=16,stack=0.05",
		"program:stride=-20,sequential=0.9,stack=0.05,to_warm=0",
		"program:code=1K,function=64,branches=0.4,loads=0.2,indirect=0.3,targets=32,wild=1",
		"program:branches=0.02,loads=0.9,stores=0,mul=0,moves=0,chase=1,footprint=4K,chains=8",
		"program:code=256K,function=64K,fp=0.3,fma=0.5,fdiv=0.5,gather=0.5,loops=0.9,trips=1,calls=0.05",
		"program:to_far=1,stack=0,sequential=0,to_warm=0,burst=1000,footprint=16T,hot=64,trips=1000000",
		"one-icache-miss:ways=15,period=512", "one-icache-miss:period=6K", "two-long-misses:gap=56",
		"two-dependent-misses:gap=1,period=512",
	};

	for (size_t k = 0; sim_program_name(k); k++)
		for (uint64_t seed = 1; seed <= 2; seed++) {
			struct sim_op *o = stream(sim_program_name(k), seed, N);

			check_stream(o, N);
			free(o);
		}
	for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
		struct sim_op *o = stream(more[k], 3, N);

		check_stream(o, N);
		free(o);
	}
}

static bool
equal(const struct sim_op *a, const struct sim_op *b)
{
	return a->pc == b->pc && a->at == b->at && a->next == b->next && a->flags == b->flags && same_insn(a, b);
}

static void
streams_do_not_depend_on_cuts(void)
{
	enum { M = 20000 };

	for (size_t k = 0; sim_program_name(k); k++) {
		const char *name = sim_program_name(k);
		struct sim_op *whole = stream(name, 7, M), *cut = mem_new_array(M, sizeof *cut);
		char *text = sim_program_text(name);
		struct sim_stream *s = sim_program_new(text, 7, NULL);
		size_t at = 0, differ = 0;

		for (size_t n = 1; CHECK(s) && at < M; n = n % 97 + 1) {
			size_t left = M - at;

			at += sim_stream_fill(s, cut + at, n < left ? n : left, NULL);
		}
		for (size_t i = 0; i < M; i++)
			differ += !equal(&whole[i], &cut[i]);
		CHECK_INT(differ, 0);
		sim_stream_free(s);
		free(text);
		free(whole);
		free(cut);
	}
}

static void
seeds_differ(void)
{
	struct sim_op *a = stream("gcc-like", 1, N), *b = stream("gcc-like", 2, N);
	size_t differ = 0;

	for (size_t i = 0; i < N; i++)
		differ += !equal(&a[i], &b[i]);
	CHECK(differ > N / 2);
	free(a);
	free(b);
}

static void
shares_are_as_asked(void)
{
	static const struct { enum sim_program_parameter share; enum sim_op_kind kind; } row[] = {
		{SIM_P_LOADS, SIM_OP_LOAD}, {SIM_P_STORES, SIM_OP_STORE}, {SIM_P_BRANCHES, SIM_OP_BRANCH},
		{SIM_P_MUL, SIM_OP_MUL}, {SIM_P_MOVES, SIM_OP_MOVE},
	};

	for (size_t k = 0; !str_eq(sim_program_name(k), "one-icache-miss"); k++)
		for (uint64_t seed = 1; seed <= 3; seed++) {
			struct sim_parameters p;
			struct sim_op *o = stream(sim_program_name(k), seed, N);
			size_t n[SIM_N_OP_KINDS] = {0};

			sim_program_parse(sim_program_name(k), &p, NULL);
			for (size_t i = 0; i < N; i++)
				n[o[i].kind]++;
			for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
				double want = sim_parameter_share(&p, row[i].share);

				/* of the smallest programs, a few loops have most of the time */
				CHECK_NEAR((double)n[row[i].kind] / N, want,
					p.value[SIM_P_CODE] > 4096 ? 0.02 + 0.1 * want : 0.06);
			}
			CHECK_NEAR((double)(n[SIM_OP_FADD] + n[SIM_OP_FMUL] + n[SIM_OP_FDIV]) / N,
				sim_parameter_share(&p, SIM_P_FP), 0.06);
			free(o);
		}
}

static int
compare_lines(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The number of different cache lines of code, or of data. */
static size_t
lines(const struct sim_op *o, size_t n, bool code)
{
	uint64_t *line = mem_new_array(n, sizeof *line);
	size_t k = 0, different = 0;

	for (size_t i = 0; i < n; i++)
		if (code || o[i].size)
			line[k++] = (code ? o[i].pc : o[i].at) / LINE;
	qsort(line, k, sizeof *line, compare_lines);
	for (size_t i = 0; i < k; i++)
		different += !i || line[i] != line[i - 1];
	free(line);
	return different;
}

static void
code_has_the_size_asked_for(void)
{
	static const struct { const char *text; double bytes; } row[] = {
		{"program:code=8K,repeats=1,trips=2", 8192}, {"program:code=64K,repeats=1,trips=2", 65536},
		{"program:code=128K,repeats=1,trips=1,function=1K", 131072},
		{"program:code=64K,repeats=1,trips=2,branches=0.05", 65536},
	};

	for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
		struct sim_op *o = stream(row[k].text, k, 3 * N);

		CHECK_NEAR((double)(LINE * lines(o, 3 * N, true)) / row[k].bytes, 1, 0.25);
		free(o);
	}
}

static void
data_has_the_size_asked_for(void)
{
	static const struct { const char *text; size_t lines; } row[] = {
		{"program:loads=0.5,stack=0,sequential=0,to_warm=0,to_far=0.9,footprint=256K,hot=64", 4096 + 1},
		{"program:loads=0.5,stack=0,sequential=0,to_warm=0,to_far=0.9,burst=7,footprint=64K,hot=64", 1024 + 1},
		{"program:loads=0.5,stack=0,sequential=0,to_warm=0,hot=128K", 2048},
		{"program:loads=0.5,stack=0,sequential=0,to_warm=1,warm=128K", 2048},
		{"program:loads=0.5,stack=0,sequential=1,to_warm=0,array=64K,stride=64", 1024},
		{"program:loads=0.5,stack=0,sequential=1,to_warm=0,array=64K,stride=-8,streams=2", 1024},
		{"program:loads=0.5,stores=0,chase=1,footprint=64K,chains=3", 1024},
		{"program:loads=0.5,stores=0,chase=0.5,fields=0.5,footprint=64K", 1024},
	};

	for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
		struct sim_op *o = stream(row[k].text, k, N);

		CHECK_INT(lines(o, N, false), row[k].lines);
		free(o);
	}
}

static void
bursts_are_whole(void)
{
	struct sim_op *o = stream(
		"program:stack=0,sequential=0,to_warm=0,to_far=0.2,burst=10,footprint=1G,hot=64", 1, N);
	size_t run = 0, broken = 0, far = 0, all = 0;
	uint64_t hot = UINT64_MAX;

	for (size_t i = 0; i < N; i++)
		if (o[i].size && o[i].at < hot)
			hot = o[i].at;
	for (size_t i = 0; i < N; i++) {
		if (!o[i].size)
			continue;
		all++;
		if (o[i].at / LINE != hot / LINE) {
			run++;
			far++;
		} else {
			broken += run % 10 != 0;
			run = 0;
		}
	}
	CHECK_INT(broken, 0);
	CHECK_NEAR((double)far / (double)all, 0.2, 0.02);
	free(o);
}

static void
chases_depend_on_themselves(void)
{
	struct sim_op *o = stream("program:loads=0.4,stores=0,chase=1,chains=2,footprint=16M", 1, N);
	uint8_t chain[2] = {SIM_NO_REGISTER, SIM_NO_REGISTER};
	size_t wrong = 0, loads = 0;

	for (size_t i = 0; i < N; i++)
		if (o[i].kind == SIM_OP_LOAD) {
			loads++;
			wrong += o[i].dst != o[i].src[0];
			if (o[i].dst != chain[0])
				chain[chain[0] != SIM_NO_REGISTER] = o[i].dst;
		}
	for (size_t i = 0; i < N; i++) /* nobody else writes the lists' registers */
		wrong += o[i].kind != SIM_OP_LOAD && (o[i].dst == chain[0] || o[i].dst == chain[1]);
	CHECK_INT(wrong, 0);
	CHECK(loads > N / 3);
	CHECK(chain[0] != chain[1] && chain[1] != SIM_NO_REGISTER);
	free(o);
}

static void
gathers_depend_on_indices_only(void)
{
	/* hot data, arrays and the footprint lie in this order */
	struct sim_op *o = stream("program:loads=0.4,stores=0,gather=0.3,indexed=0,depends=0,footprint=1G", 1, N);
	uint64_t last = 0;
	size_t far = 0, wrong = 0;
	size_t writer[SIM_REGISTERS] = {0};

	for (size_t i = 0; i < N; i++)
		if (o[i].size && o[i].at < (uint64_t)1 << 46 && o[i].at > last)
			last = o[i].at;
	for (size_t i = 0; i < N; i++) {
		if (o[i].size && o[i].at < (uint64_t)1 << 46 && o[i].at + ((uint64_t)1 << 30) > last) {
			const struct sim_op *index = &o[writer[o[i].src[1] % SIM_REGISTERS]];

			far++;
			/* the address of the index itself depends on no load: its registers are never written */
			wrong += index->kind != SIM_OP_LOAD || writer[index->src[0]] || o[i].src[0] == index->dst;
		}
		if (o[i].dst != SIM_NO_REGISTER)
			writer[o[i].dst] = i;
	}
	CHECK(far > N / 20);
	CHECK_INT(wrong, 0);
	free(o);
}

/* Each forward conditional branch and its outcomes, of a program with one kind of them. */
struct branch {
	uint8_t *taken;
	size_t n, ones;
};

static bool
repeats(const struct branch *b, size_t period)
{
	for (size_t i = period; i < b->n; i++)
		if (b->taken[i] != b->taken[i - period])
			return false;
	return true;
}

static bool
is_forward(const struct sim_op *o)
{
	return o->branch == SIM_CONDITIONAL && (!(o->flags & SIM_OP_TAKEN) || o->next > o->pc);
}

/* Calls `check` for each branch that was executed at least `least` times and is never taken backwards. */
static size_t
for_each_branch(const char *text, size_t least, void (*check)(const struct branch *))
{
	struct sim_op *o = stream(text, 5, N);
	struct branch *b = mem_new_array(INSNS_MAX, sizeof *b);
	bool *loop = mem_new_array(INSNS_MAX, sizeof *loop);
	size_t checked = 0;

	for (size_t i = 0; i < N; i++) {
		loop[insn_of(&o[i])] |= o[i].branch == SIM_CONDITIONAL && !is_forward(&o[i]);
		b[insn_of(&o[i])].n += o[i].branch == SIM_CONDITIONAL;
	}
	for (size_t k = 0; k < INSNS_MAX; k++) {
		if (loop[k] || b[k].n < least)
			continue;
		b[k].taken = mem_new(b[k].n);
		b[k].n = 0;
		for (size_t i = 0; i < N; i++)
			if (insn_of(&o[i]) == k) {
				b[k].taken[b[k].n++] = o[i].flags & SIM_OP_TAKEN;
				b[k].ones += o[i].flags & SIM_OP_TAKEN;
			}
		check(&b[k]);
		free(b[k].taken);
		checked++;
	}
	free(b);
	free(loop);
	free(o);
	return checked;
}

static void
check_periodic(const struct branch *b)
{
	bool found = false;

	for (size_t period = 2; period <= 8; period++)
		found |= repeats(b, period);
	CHECK(found);
	CHECK(b->ones > 0 && b->ones < b->n);
}

static void
check_random(const struct branch *b)
{
	double share = (double)b->ones / (double)b->n, sigma = sqrt(0.25 * 0.75 / (double)b->n);

	CHECK_NEAR(share < 0.5 ? share : 1 - share, 0.25, 5 * sigma);
	for (size_t period = 1; period <= 8; period++)
		CHECK(!repeats(b, period));
}

static void
check_biased(const struct branch *b)
{
	CHECK(b->ones == 0 || b->ones == b->n);
}

static void
branches_have_patterns(void)
{
#define SMALL "program:code=4K,loops=0.02,indirect=0,"
	CHECK(for_each_branch(SMALL "hard=0,periodic=1,correlated=0", 100, check_periodic) > 20);
	CHECK(for_each_branch(SMALL "hard=1,periodic=0,correlated=0,chance=0.25", 100, check_random) > 20);
	CHECK(for_each_branch(SMALL "hard=0,periodic=0,correlated=0,surprise=0", 100, check_biased) > 20);
}

/* Each branch repeats or inverts the outcome of the k-th branch before it, with the same k each time. */
static void
correlated_branches_follow(void)
{
	struct sim_op *o = stream("program:code=4K,hard=0,periodic=0,correlated=1,varying=1", 2, N);
	uint8_t *agrees = mem_new_array(INSNS_MAX, 2); /* bit k: equal to (or inverse of) the k-th before, always */
	bool *loop = mem_new_array(INSNS_MAX, sizeof *loop), *seen = mem_new_array(INSNS_MAX, sizeof *seen);
	unsigned history = 0;
	size_t branches = 0, wrong = 0;

	memset(agrees, 0xff, 2 * INSNS_MAX);
	for (size_t i = 0; i < N; i++) {
		uint8_t *a = &agrees[2 * insn_of(&o[i])];

		if (o[i].branch != SIM_CONDITIONAL)
			continue;
		loop[insn_of(&o[i])] |= !is_forward(&o[i]);
		seen[insn_of(&o[i])] = true;
		if (o[i].flags & SIM_OP_TAKEN) {
			a[0] &= (uint8_t)history;
			a[1] &= (uint8_t)~history;
		} else {
			a[0] &= (uint8_t)~history;
			a[1] &= (uint8_t)history;
		}
		history = history << 1 | (o[i].flags & SIM_OP_TAKEN);
	}
	for (size_t k = 0; k < INSNS_MAX; k++)
		if (seen[k] && !loop[k]) {
			branches++;
			wrong += !((agrees[2 * k] | agrees[2 * k + 1]) & 0x3f);
		}
	CHECK(branches > 20);
	CHECK_INT(wrong, 0);
	free(agrees);
	free(loop);
	free(seen);
	free(o);
}

static void
hard_branches_wait_for_loads(void)
{
	static const struct { const char *text; double least, most; } row[] = {
		{"program:hard=1,periodic=0,correlated=0,data=1,loops=0.01,loads=0.4", 0.9, 1},
		{"program:hard=1,periodic=0,correlated=0,data=0,loops=0.01,loads=0.1,stores=0.05", 0, 0.4},
	};

	for (size_t k = 0; k < 2; k++) {
		struct sim_op *o = stream(row[k].text, 1, N);
		uint8_t writer[SIM_REGISTERS] = {0};
		size_t all = 0, waits = 0;

		for (size_t i = 0; i < N; i++) {
			if (is_forward(&o[i])) {
				all++;
				waits += writer[o[i].src[0]] == SIM_OP_LOAD;
			}
			if (o[i].dst != SIM_NO_REGISTER)
				writer[o[i].dst] = o[i].kind;
		}
		CHECK(all > N / 20);
		CHECK((double)waits >= row[k].least * (double)all && (double)waits <= row[k].most * (double)all);
		free(o);
	}
}

/* A cache of `sets` × `ways` lines with the least recently used line replaced. Returns whether it held the line. */
static bool
touch(uint64_t *tags, uint64_t sets, unsigned ways, uint64_t line)
{
	uint64_t *t = &tags[line % sets * ways];
	unsigned i = 0;
	bool hit;

	while (i < ways - 1 && t[i] != line)
		i++;
	hit = t[i] == line;
	memmove(t + 1, t, i * sizeof *t);
	t[0] = line;
	return hit;
}

/* Counts misses of code and data in the second half of n µops. */
static void
count_misses(const struct sim_op *o, size_t n, uint64_t sets, unsigned ways, size_t *code, size_t *data)
{
	uint64_t *icache = mem_new_array(sets * ways, sizeof *icache), *dcache = mem_new_array(16384, sizeof *dcache);

	*code = *data = 0;
	for (size_t i = 0; i < n; i++) {
		*code += !touch(icache, sets, ways, o[i].pc / LINE) && i >= n / 2;
		if (o[i].size)
			*data += !touch(dcache, 2048, 8, o[i].at / LINE) && i >= n / 2;
	}
	free(icache);
	free(dcache);
}

static void
lessons_have_one_event_a_period(void)
{
	enum { M = 32 * 4096 }; /* the second half has 16 periods of 4096 */
	static const struct { const char *text; size_t code, data; uint64_t sets; unsigned ways; } row[] = {
		{"one-icache-miss", 16, 0, 128, 1},
		{"one-icache-miss:period=2K", 32, 0, 128, 1},
		{"one-icache-miss:period=2K,ways=8", 32, 0, 64, 8},
		{"one-icache-miss", 0, 0, 128, 2},
		{"one-mispredict", 0, 0, 128, 1},
		{"one-long-miss", 0, 16, 128, 1},
		{"one-long-miss:period=1024", 0, 64, 128, 1},
		{"two-long-misses", 0, 32, 128, 1},
		{"two-dependent-misses:gap=40", 0, 32, 128, 1},
	};

	for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
		struct sim_op *o = stream(row[k].text, 1, M);
		size_t code, data;

		count_misses(o, M, row[k].sets, row[k].ways, &code, &data);
		/* the branches around the code that misses make the period a little longer */
		CHECK(code + 1 >= row[k].code && code <= row[k].code);
		CHECK_INT(data, row[k].data);
		free(o);
	}
}

static void
pairs_of_misses_have_their_gap(void)
{
	static const struct { const char *text; size_t gap; bool dependent; } row[] = {
		{"two-long-misses", 16, false}, {"two-long-misses:gap=1", 1, false},
		{"two-dependent-misses:gap=56", 56, true},
	};

	for (size_t k = 0; k < 3; k++) {
		struct sim_op *o = stream(row[k].text, 1, 64);
		size_t load[2] = {0, 0}, n = 0;

		for (size_t i = 0; i < 64 && n < 2; i++)
			if (o[i].kind == SIM_OP_LOAD)
				load[n++] = i;
		CHECK_INT(load[1] - load[0], row[k].gap);
		CHECK_INT(o[load[1]].src[0] == o[load[0]].dst, row[k].dependent);
		for (size_t i = load[0] + 1; i < load[1]; i++) /* nothing in between writes the register */
			CHECK(o[i].dst != o[load[0]].dst || !row[k].dependent);
		free(o);
	}
}

/* Misses per 1000 µops on the machine of Eyerman et al. (ASPLOS 2006): 8 KB direct-mapped for code; 16 KB, 4 ways, and
 * 1 MB, 8 ways, for data. */
static void
programs_have_their_character(void)
{
	enum { M = 600000 };
	static const struct {
		const char *name;
		double code[2], data[2]; /* least and most: misses of code; loads from memory */
		double close[2];         /* share of these that follow another within 128 µops */
	} row[] = {
		{"bzip2-like", {0, 2}, {0.3, 3}, {0, 0.4}}, {"crafty-like", {12, 40}, {0, 0.2}, {0, 1}},
		{"eon-like", {12, 40}, {0, 0.2}, {0, 1}}, {"gap-like", {12, 40}, {2, 6}, {0.6, 1}},
		{"gcc-like", {18, 50}, {4, 12}, {0.7, 1}}, {"gzip-like", {0, 2}, {0.05, 0.8}, {0, 0.4}},
		{"mcf-like", {0, 2}, {20, 60}, {0.8, 1}}, {"parser-like", {1, 15}, {0, 2}, {0, 1}},
		{"perlbmk-like", {12, 40}, {0, 0.3}, {0, 1}}, {"twolf-like", {5, 25}, {3, 9}, {0.6, 1}},
		{"vortex-like", {18, 50}, {0.05, 0.8}, {0, 0.4}}, {"vpr-like", {0, 8}, {3, 9}, {0.6, 1}},
		{"swim-like", {0, 1}, {8, 30}, {0.6, 1}}, {"art-like", {0, 2}, {12, 40}, {0.8, 1}},
		{"equake-like", {0, 8}, {8, 40}, {0.6, 1}}, {"ammp-like", {0, 12}, {1.5, 6}, {0.1, 0.6}},
		{"mesa-like", {8, 40}, {0.05, 0.8}, {0, 0.4}}, {"fma3d-like", {10, 40}, {4, 12}, {0.5, 1}},
		{"h264ref-like", {0, 2}, {0.05, 0.8}, {0, 0.4}},
	};
	uint64_t *cache[3];

	for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
		struct sim_op *o = stream(row[k].name, 1, M);
		size_t code = 0, data = 0, close = 0, last = 0;

		for (int c = 0; c < 3; c++)
			cache[c] = mem_new_array(16384, sizeof *cache[c]);
		for (size_t i = 0; i < M; i++) {
			bool counts = i >= M / 2;

			if (!touch(cache[0], 128, 1, o[i].pc / LINE)) {
				touch(cache[2], 2048, 8, o[i].pc / LINE);
				code += counts;
			}
			if (!o[i].size || touch(cache[1], 64, 4, o[i].at / LINE) ||
				touch(cache[2], 2048, 8, o[i].at / LINE) || o[i].kind != SIM_OP_LOAD)
				continue;
			data += counts;
			close += counts && i - last < 128;
			last = i;
		}
		CHECK((double)code >= row[k].code[0] * M / 2000 && (double)code <= row[k].code[1] * M / 2000);
		CHECK((double)data >= row[k].data[0] * M / 2000 && (double)data <= row[k].data[1] * M / 2000);
		CHECK((double)close >= row[k].close[0] * (double)data &&
			(double)close <= row[k].close[1] * (double)data);
		for (int c = 0; c < 3; c++)
			free(cache[c]);
		free(o);
	}
}

/* Of all loads, those of a word that was stored within the last 32 µops, and those where a multiplication made the
 * stored value. */
static void
loads_of_h264ref_follow_stores(void)
{
	static const struct { const char *name; double soon[2], made[2]; } row[] = {
		{"h264ref-like", {0.15, 1}, {0.05, 1}}, {"gzip-like", {0, 0.05}, {0, 0.001}},
		{"crafty-like", {0, 0.1}, {0, 0.01}},
	};

	for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
		struct sim_op *o = stream(row[k].name, 1, N);
		uint8_t writer[SIM_REGISTERS] = {0};
		bool *product = mem_new_array(N, sizeof *product);
		size_t loads = 0, soon = 0, made = 0;

		for (size_t i = 0; i < N; i++) {
			size_t store = i;

			for (size_t j = i; o[i].kind == SIM_OP_LOAD && j-- > 0 && i - j <= 32 && store == i;)
				if (o[j].kind == SIM_OP_STORE && o[j].at == o[i].at)
					store = j;
			loads += o[i].kind == SIM_OP_LOAD;
			soon += store < i;
			made += product[store];
			product[i] = false;
			for (int s = 0; o[i].kind == SIM_OP_STORE && s < 3; s++)
				product[i] |= o[i].src[s] < SIM_REGISTERS && writer[o[i].src[s]] == SIM_OP_MUL;
			if (o[i].dst != SIM_NO_REGISTER)
				writer[o[i].dst] = o[i].kind;
		}
		CHECK((double)soon >= row[k].soon[0] * (double)loads && (double)soon <= row[k].soon[1] * (double)loads);
		CHECK((double)made >= row[k].made[0] * (double)loads && (double)made <= row[k].made[1] * (double)loads);
		free(product);
		free(o);
	}
}

static void
rare_branches_are_rare(void)
{
	struct sim_op *o = stream("one-mispredict:period=2K", 1, N);
	size_t taken = 0, last = 0, nearest = N;

	for (size_t i = 0; i < N; i++)
		if (o[i].branch == SIM_CONDITIONAL && o[i].flags & SIM_OP_TAKEN) {
			if (last && i - last < nearest)
				nearest = i - last;
			last = i;
			taken++;
		}
	CHECK_NEAR((double)N / (double)taken, 2048, 100);
	CHECK(nearest >= 2048 * 2 / 3);
	free(o);
}

static void
texts_are_whole(void)
{
	static const struct { const char *text, *whole; } row[] = {
		{"one-long-miss", "one-long-miss:period=4K"},
		{"two-long-misses,gap=3", "two-long-misses:period=4K,gap=3"},
		{"one-icache-miss:ways=7,period=600", "one-icache-miss:period=600,ways=7"},
	};
	char *text = sim_program_text("mcf-like:footprint=65536K,chase=0.50"), *again = sim_program_text(text);

	CHECK(strstr(text, ",chase=0.5,") && strstr(text, ",footprint=64M,") && !strstr(text, "period="));
	CHECK_STR(again, text);
	free(text);
	free(again);
	for (size_t k = 0; k < 3; k++) {
		text = sim_program_text(row[k].text);
		CHECK_STR(text, row[k].whole);
		free(text);
	}
	CHECK(!sim_program_text("mcf"));
	for (size_t k = 0; sim_program_name(k); k++)
		CHECK(sim_program_about(k) && *sim_program_about(k));
	CHECK(!sim_program_about(1000));
}

static void
messages_say_what_to_do(void)
{
	static const struct { const char *text, *what, *hint; } row[] = {
		{"", "no program is given", "there are bzip2-like, crafty-like, "},
		{"mcf-lik", "there is no program 'mcf-lik'", "nearest: mcf-like"},
		{"nothing:code=1K", "there is no program 'nothing'", "there are bzip2-like, "},
		{"gcc-like:coed=1K", "gcc-like has no parameter 'coed'", "nearest: code"},
		{"gcc-like:ways=1", "gcc-like has no parameter 'ways'", "it has code, function, "},
		{"one-long-miss:code=1K", "one-long-miss has no parameter 'code'", "it has period"},
		{"gcc-like:code", "gcc-like: code cannot be ''", "expected: bytes, as 4096, 64K or 1G, from 1K to 4M"},
		{"gcc-like:code=8M", "gcc-like: code cannot be '8M'",
			"expected: bytes, as 4096, 64K or 1G, from 1K to 4M"},
		{"gcc-like:footprint=99999999999999999999G", "gcc-like: footprint cannot be '99999999999999999999G'",
			"expected: bytes, as 4096, 64K or 1G, from 4K to 16T"},
		{"gcc-like:loads=1.5", "gcc-like: loads cannot be '1.5'", "expected: a number, as 0.25, from 0 to 0.9"},
		{"gcc-like:loads=-1", "gcc-like: loads cannot be '-1'", "expected: a number, as 0.25, from 0 to 0.9"},
		{"gcc-like:stride=0", "gcc-like: stride cannot be '0'",
			"expected: a whole number, as 64, 4K or -64, from -1M to 1M, and not 0"},
		{"gcc-like:trips=x", "gcc-like: trips cannot be 'x'",
			"expected: a whole number, as 5 or 100K, from 1 to 1000000"},
		{"gcc-like:trips=2,trips=2", "gcc-like: trips is given twice", "give it once"},
		{"gcc-like:trips=2,", "gcc-like: a parameter is empty",
			"write parameters as name=value, joined by ','"},
		{"program:loads=0.6,stores=0.5", "program: branches, loads, stores, mul, moves are 1.275 together",
			"at most 0.98; the rest is for simple arithmetic"},
		{"program:loops=0.5,calls=0.46", "program: loops, calls are 0.96 together",
			"at most 0.95; the rest is for conditional branches"},
		{"program:hard=0.9,periodic=0.2,correlated=0", "program: hard, periodic are 1.1 together",
			"at most 1; the rest is for biased branches"},
		{"program:chase=0.9,gather=0.2", "program: chase, gather are 1.1 together",
			"at most 1; the rest is for other loads"},
		{"program:to_far=0.9", "program: stack, sequential, to_warm, to_far are 1.32 together",
			"at most 1; the rest is for the hot region"},
		{"program:fma=0.9,fdiv=0.2", "program: fma, fdiv are 1.1 together",
			"at most 1; the rest is for floating-point additions and multiplications"},
	};

	for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
		struct err e = {0};

		test_label("%s", row[k].text);
		CHECK(!sim_program_new(row[k].text, 1, &e));
		CHECK_STR(e.what, row[k].what);
		e.hint[strlen(row[k].hint)] = '\0';
		CHECK_STR(e.hint, row[k].hint);
		CHECK(!sim_program_new(row[k].text, 1, NULL));
	}
}

TEST_MAIN(CASE(streams_are_well_formed), CASE(streams_do_not_depend_on_cuts), CASE(seeds_differ),
	CASE(shares_are_as_asked), CASE(code_has_the_size_asked_for), CASE(data_has_the_size_asked_for),
	CASE(bursts_are_whole), CASE(chases_depend_on_themselves), CASE(gathers_depend_on_indices_only),
	CASE(branches_have_patterns), CASE(correlated_branches_follow), CASE(hard_branches_wait_for_loads),
	CASE(programs_have_their_character), CASE(loads_of_h264ref_follow_stores),
	CASE(lessons_have_one_event_a_period),
	CASE(pairs_of_misses_have_their_gap), CASE(rare_branches_are_rare), CASE(texts_are_whole),
	CASE(messages_say_what_to_do))
