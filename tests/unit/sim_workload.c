/* Workloads of the simulated machine: what the parser reads, which errors it reports, and that the streams have the
 * documented properties. */
#include "sim/workload.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "mutate.h"
#include "test.h"

#define N 60000
#define BASE ((uint64_t)1 << 40)

/* n µops of a workload; the caller frees. NULL after a failed check. */
static struct sim_uop *
stream(const char *text, uint64_t seed, size_t n, struct sim_memory *memory)
{
	struct err e = {0};
	struct sim_workload *w = sim_workload_new(text, seed, &e);
	struct sim_uop *u;

	if (!test_check(w, __FILE__, __LINE__, "%s: %s", text, e.what))
		return NULL;
	u = mem_new_array(n, sizeof *u);
	CHECK_INT(sim_workload_fill(w, u, n, &e), n);
	if (memory)
		*memory = *sim_workload_memory(w);
	sim_workload_free(w);
	return u;
}

static const char *const good[] = {
	"linear",
	"linear:stride=-64",
	"linear:stride=24,footprint=1000",
	"linear:footprint=64,stride=64",
	"linear:footprint=600G,stride=4K,loads=0.5",
	"linear:loads=0",
	"linear,stride=8,loads=0.98",
	"linear:depends=0.5,store_depends=1,loads=0.6",
	"linear:footprint=256T,stride=1G,page=1g",
	"linear:wrong=0.05,clears=0.02,wrong_length=5",
	"linear:wrong=1,away=0,footprint=4K",
	"linear:clears=1,wrong_length=256",
	"linear:other=65535,touched=0,refresh=100K",
	"lines",
	"lines:first=8,second=7,step=-1",
	"lines:step=3,footprint=40K,loads=0.5",
	"lines:step=1,footprint=4K",
	"random",
	"random:loads=0.5,page=2m,footprint=250M",
	"random:footprint=64",
	"random:footprint=600G,depends=1",
	"chase",
	"chase:node=4K,footprint=8G",
	"chase:loads=0.6,footprint=10000,node=24",
	"chase:footprint=64",
	"stream",
	"stream:kernel=copy",
	"stream:kernel=add,footprint=100",
	"gups",
	"gups:footprint=16G,page=1g",
	"gups:wrong=0.2",
	"zipf",
	"zipf:value=16K,footprint=600G",
	"zipf:skew=0,footprint=1M",
	"zipf:skew=1,loads=0.5",
	"zipf:skew=2,value=8,footprint=64",
	"graph",
	"graph:frontier=random,degree=1",
	"graph:degree=64,footprint=64G,skew=1.5",
	"graph:footprint=64,degree=2",
	"branchy",
	"branchy:wrong=1,wrong_length=256",
	"branchy:wrong=0,footprint=64",
	"branchy:clears=0.3,wrong=0.5",
	"code",
	"code:footprint=256,loads=1",
	"code:clears=0.1,wrong=0.1",
	"periodic",
	"periodic:period=12ms,busy=0.25,quiet=64,loads=0.7",
	"periodic:period=100ns,page=2m",
	"linear:turn=5+periodic:period=1500ns,turn=7",
	"linear+random",
	"linear:turn=3+random:turn=1,footprint=64+chase:turn=1000,loads=0.9,wrong=0.1",
	"branchy:turn=1+zipf:turn=2+branchy:turn=5",
	"linear:page=1g,touched=0+gups:turn=1M",
};
#define N_GOOD (sizeof good / sizeof *good)

static void
texts_are_read_again(void)
{
	for (size_t i = 0; i < N_GOOD; i++) {
		struct err e = {0};
		struct sim_workload *w = sim_workload_new(good[i], 1, &e), *again = NULL;

		test_label("%s", good[i]);
		if (test_check(w, __FILE__, __LINE__, "%s (%s)", e.what, e.hint) &&
			CHECK((again = sim_workload_new(sim_workload_text(w), 1, &e))))
			CHECK_STR(sim_workload_text(again), sim_workload_text(w));
		sim_workload_free(w);
		sim_workload_free(again);
	}
}

static void
texts_are_whole(void)
{
	static const struct { const char *text, *whole;
	} row[] = {
		{"linear:stride=-4K,loads=0.980",
			"linear:footprint=1G,stride=-4K,loads=0.98,depends=0,store_depends=0,page=4k,touched=1,refresh="
			"0,other=2,wrong=0,wrong_length=16,away=0.5,clears=0"},
		{"stream,kernel=copy,footprint=1025",
			"stream:footprint=1025,kernel=copy,page=4k,touched=1,refresh=0,other=1,wrong=0,wrong_length=16,"
			"away=0.5,clears=0"},
		{"branchy:wrong=0.000001+gups:turn=1024",
			"branchy:footprint=16M,page=4k,touched=1,refresh=0,other=3,wrong=0.000001,wrong_length=8,"
			"clears=0,turn=64+"
			"gups:footprint=1G,other=5,wrong=0,wrong_length=16,away=0.5,clears=0,turn=1K"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct err e = {0};
		struct sim_workload *w = sim_workload_new(row[i].text, 1, &e);

		CHECK_STR(w ? sim_workload_text(w) : e.what, row[i].whole);
		sim_workload_free(w);
	}
}

static void
errors_are_reported(void)
{
	static const struct { const char *text, *says, *hint;
	} row[] = {
		{"", "no workload is given", "there are linear, lines, random"},
		{":stride=1", "no workload is given", ""},
		{"linear+", "no workload is given", ""},
		{"+linear", "no workload is given", ""},
		{"linaer", "there is no workload 'linaer'", "nearest: linear"},
		{"trace", "there is no workload 'trace'", ""},
		{"quicksort", "there is no workload 'quicksort'", "there are linear"},
		{"Linear", "there is no workload 'Linear'", "nearest: linear"},
		{"linear:", "linear: a parameter is empty", "name=value"},
		{"linear:stride=8,", "a parameter is empty", ""},
		{"linear:,stride=8", "a parameter is empty", ""},
		{"linear:strid=8", "linear has no parameter 'strid'", "nearest: stride"},
		{"linear:colour=8", "linear has no parameter 'colour'", "it has footprint, stride, loads"},
		{"linear:node=8", "linear has no parameter 'node'", ""},
		{"gups:loads=1", "gups has no parameter 'loads'", ""},
		{"branchy:away=1", "branchy has no parameter 'away'", ""},
		{"linear: stride=8", "linear has no parameter ' stride'", ""},
		{"linear:=8", "linear has no parameter ''", ""},
		{"linear:stride=8,stride=8", "linear: stride is given twice", "once"},
		{"linear:stride", "linear: stride cannot be ''", "expected: a whole number"},
		{"linear:stride=", "linear: stride cannot be ''", ""},
		{"linear:stride=0", "linear: stride cannot be '0'", "and not 0"},
		{"linear:stride=-0", "stride cannot be '-0'", ""},
		{"linear:stride=--8", "stride cannot be '--8'", ""},
		{"linear:stride=8B", "stride cannot be '8B'", ""},
		{"linear:stride=+8", "stride cannot be ''", ""}, /* '+' begins another workload */
		{"linear:stride=129T", "stride cannot be '129T'", "from -128T to 128T"},
		{"linear:stride=8=8", "stride cannot be '8=8'", ""},
		{"linear:footprint=0", "footprint cannot be '0'", "from 64 to 256T"},
		{"linear:footprint=-1G", "footprint cannot be '-1G'", ""},
		{"linear:footprint=1.5G", "cannot be '1.5G'", ""},
		{"linear:footprint=257T", "footprint cannot be '257T'", "addresses have 48 bits"},
		{"linear:footprint=281474976710657", "cannot be '281474976710657'", "48 bits"},
		{"linear:footprint=18446744073709551617", "cannot be", "48 bits"},
		{"linear:footprint=9999999999999T", "cannot be", "48 bits"},
		{"linear:footprint=K", "cannot be 'K'", ""},
		{"linear:footprint=4kB", "cannot be '4kB'", "64K"},
		{"linear:footprint=1GiB", "cannot be '1GiB'", ""},
		{"linear:footprint=0x1000", "cannot be '0x1000'", ""},
		{"linear:footprint= 1G", "cannot be ' 1G'", ""},
		{"linear:loads=1.1", "loads cannot be '1.1'", "from 0 to 1"},
		{"linear:loads=-1", "loads cannot be '-1'", "as 0.25"},
		{"linear:loads=.5", "cannot be '.5'", ""},
		{"linear:loads=1.", "cannot be '1.'", ""},
		{"linear:loads=0.1234567", "cannot be '0.1234567'", ""},
		{"linear:loads=nan", "cannot be 'nan'", ""},
		{"linear:loads=1e-3", "cannot be '1e-3'", ""},
		{"linear:loads=99999999999999999999", "cannot be", ""},
		{"linear:page=4K", "page cannot be '4K'", "one of 4k, 2m, 1g"},
		{"linear:touched=2", "touched cannot be '2'", "from 0 to 1"},
		{"linear:other=65536", "other cannot be '65536'", "65535"},
		{"linear:wrong_length=0", "cannot be '0'", "from 1 to 256"},
		{"linear:wrong=0.6,clears=0.5", "wrong and clears together exceed 1", ""},
		{"linear:turn=5", "turn has no meaning", "join workloads by '+'"},
		{"linear:stride=1K,footprint=100", "linear, by its stride, needs a footprint of at least 1024 bytes",
			"larger"},
		{"linear:stride=-1K,footprint=100", "linear, by its stride, needs a footprint of at least 1024 bytes",
			""},
		{"lines:first=64", "first cannot be '64'", "from 0 to 63"},
		{"lines:footprint=4K", "lines, by its step, needs a footprint of at least 8192 bytes", ""},
		{"lines:step=0", "step cannot be '0'", "and not 0"},
		{"chase:node=12", "chase: node cannot be 12 bytes", "multiple of 8"},
		{"chase:node=1G,footprint=1M", "chase, by its node, needs a footprint", ""},
		{"chase:loads=0.49", "loads must be at least 0.5", ""},
		{"stream:kernel=add2", "kernel cannot be 'add2'", "copy, scale, add, triad"},
		{"zipf:value=17K", "value cannot be '17K'", "from 8 to 16K"},
		{"zipf:value=20", "value cannot be 20 bytes", ""},
		{"zipf:footprint=64", "zipf, by its value, needs a footprint of at least 272 bytes", ""},
		{"zipf:skew=2.1", "skew cannot be '2.1'", ""},
		{"graph:degree=0", "degree cannot be '0'", ""},
		{"graph:degree=65", "degree cannot be '65'", ""},
		{"graph:frontier=best", "frontier cannot be 'best'", "linear, random"},
		{"graph:footprint=64", "graph, by its degree, needs", ""},
		{"code:footprint=64", "code needs a footprint of at least 256 bytes", ""},
		{"linear+random:page=2m", "random: page applies to the whole memory",
			"give it with the first workload, linear"},
		{"linear:footprint=200T+random:footprint=100T",
			"footprints of all workloads together exceed 2^48 bytes", "smaller"},
		{"gups+gups+gups+gups+gups+gups+gups+gups+gups+gups+gups+gups+gups+gups+gups+gups+gups",
			"17 workloads are joined by '+'; at most 16 can be", ""},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct err e = {0};
		struct sim_workload *w = sim_workload_new(row[i].text, 1, &e);

		test_label("%s", row[i].text);
		test_check(!w && strstr(e.what, row[i].says) && *e.hint && strstr(e.hint, row[i].hint), __FILE__,
			__LINE__, "the message is: %s (%s)", e.what, e.hint);
		sim_workload_free(w);
	}
}

static void
streams_do_not_depend_on_how_they_are_cut(void)
{
	uint64_t random = 5;

	for (size_t i = 0; i < N_GOOD; i++) {
		struct sim_uop *one = stream(good[i], 7, N, NULL), *cut = mem_new_array(N, sizeof *cut),
			       *other = stream(good[i], 8, N, NULL);
		struct err e = {0};
		struct sim_workload *w = sim_workload_new(good[i], 7, &e);

		test_label("%s", good[i]);
		for (size_t k = 0, n; w && k < N; k += n) {
			n = 1 + test_random(&random) % (test_random(&random) % 4 ? 40 : 5000);
			n = n > N - k ? N - k : n;
			if (!CHECK_INT(sim_workload_fill(w, cut + k, n, &e), n))
				break;
		}
		if (one && other) {
			CHECK(memcmp(one, cut, N * sizeof *one) == 0);
			if (strstr(good[i], "0.5"))
				/* the seed matters if something is random */
				CHECK(memcmp(one, other, N * sizeof *one) != 0);
		}
		sim_workload_free(w);
		free(one);
		free(cut);
		free(other);
	}
}

static void
each_uop_is_possible(void)
{
	for (size_t i = 0; i < N_GOOD; i++) {
		struct sim_memory m;
		struct sim_uop *u = stream(good[i], 3, N, &m);
		size_t inside = 0, lines = 0, flags = 0;

		for (size_t k = 0; u && k < N; k++) {
			bool squashed = u[k].flags & SIM_WRONG,
			     begins = k && u[k - 1].flags & (SIM_MISPREDICT | SIM_CLEAR | SIM_WRONG);

			inside += u[k].at >= m.base && u[k].at - m.base < m.bytes && u[k].size &&
				u[k].size <= m.bytes - (u[k].at - m.base);
			lines += u[k].at / 64 == (u[k].at + u[k].size - 1) / 64;
			flags += (u[k].kind == SIM_LOAD || u[k].kind == SIM_STORE) &&
				(!squashed || (begins && !(u[k].flags & (SIM_MISPREDICT | SIM_CLEAR)))) &&
				(u[k].flags & (SIM_MISPREDICT | SIM_CLEAR)) != (SIM_MISPREDICT | SIM_CLEAR);
		}
		test_label("%s", good[i]);
		if (u) {
			CHECK_INT(inside, N);
			CHECK_INT(lines, N);
			CHECK_INT(flags, N);
			CHECK(m.bytes % ((uint64_t)1 << sim_page_shift(m.page)) == 0 &&
				m.base + m.bytes <= (uint64_t)1 << 48);
		}
		free(u);
	}
}

static void
memory_is_what_was_asked_for(void)
{
	static const struct {
		const char *text;
		uint64_t base, bytes, refresh;
		enum sim_page page;
		bool touched;
	} row[] = {
		{"linear", BASE, 1 << 30, 0, SIM_4K, true},
		{"linear:footprint=1000,touched=0", BASE, 4096, 0, SIM_4K, false},
		{"linear:footprint=1000,page=2m", BASE, 2 << 20, 0, SIM_2M, true},
		{"random:footprint=600G,page=1g,refresh=5000", BASE, (uint64_t)600 << 30, 5000, SIM_1G, true},
		{"random:footprint=256T", 0, (uint64_t)1 << 48, 0, SIM_4K, true},
		{"gups:footprint=5K+linear:footprint=9K+code:footprint=1K", BASE, (8 + 12 + 4) << 10, 0, SIM_4K, true},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct err e = {0};
		struct sim_workload *w = sim_workload_new(row[i].text, 1, &e);

		test_label("%s", row[i].text);
		if (CHECK(w)) {
			const struct sim_memory *m = sim_workload_memory(w);

			CHECK_INT(m->base, row[i].base);
			CHECK_INT(m->bytes, row[i].bytes);
			CHECK_INT(m->refresh, row[i].refresh);
			CHECK_INT(m->page, row[i].page);
			CHECK_INT(m->touched, row[i].touched);
		}
		sim_workload_free(w);
	}
}

/* The k-th address of each workload that goes through arrays, worked out by other means. */
static uint64_t up(size_t k) { return BASE + k % 100 * 48; }
static uint64_t down(size_t k) { return BASE + (99 - k % 100) * 48; }
static uint64_t pair_up(size_t k) { return BASE + k / 2 * 2 % 5 * 4096 + (k % 2 ? 52u : 51u) * 64; }
static uint64_t pair_down(size_t k) { return BASE + (4 - k / 2 % 5) * 4096 + (k % 2 ? 7u : 8u) * 64; }
static uint64_t triad(size_t k) { return BASE + k / 3 % 50 * 8 + k % 3 * 400; }
static uint64_t copy(size_t k) { return BASE + k / 2 % 75 * 8 + k % 2 * 600; }

static void
arrays_are_accessed_in_order(void)
{
	static const struct {
		const char *text;
		uint64_t (*at)(size_t k);
		unsigned size, other, every; /* every n-th access is a store */
	} row[] = {
		{"linear:footprint=4800,stride=48", up, 8, 2, 0},
		{"linear:footprint=4847,stride=-48,other=7", down, 8, 7, 0},
		{"linear:footprint=4800,stride=48,loads=0", up, 8, 2, 1},
		{"lines:footprint=20K", pair_up, 8, 2, 0},
		{"lines:footprint=20K,step=-1,first=8,second=7", pair_down, 8, 2, 0},
		{"stream:footprint=1200", triad, 8, 1, 3},
		{"stream:footprint=1200,kernel=copy", copy, 8, 1, 2},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct sim_uop *u = stream(row[i].text, 1, N, NULL);
		size_t right = 0;

		for (size_t k = 0; u && k < N; k++)
			right += u[k].at == row[i].at(k) && u[k].size == row[i].size && u[k].other == row[i].other &&
				u[k].flags == 0 &&
				u[k].kind == (row[i].every && (k + 1) % row[i].every == 0 ? SIM_STORE : SIM_LOAD);
		test_label("%s", row[i].text);
		CHECK_INT(right, N);
		free(u);
	}
}

/* No access crosses a line, for any stride: each is as large as its alignment. */
static void
accesses_are_aligned(void)
{
	static const struct {
		const char *text;
		unsigned size;
	} row[] = {{"linear:stride=1", 1}, {"linear:stride=-6", 2}, {"linear:stride=100", 4}, {"linear:stride=4K", 8}};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct sim_uop *u = stream(row[i].text, 1, 1, NULL);

		if (u)
			CHECK_INT(u[0].size, row[i].size);
		free(u);
	}
}

static void
shares_are_kept(void)
{
	static const struct { const char *text; double stores, depends, store_depends; } row[] = {
		{"linear:loads=0.25", 0.75, 0, 0}, {"random:loads=0.9,depends=0.3,store_depends=0.6", 0.1, 0.3,
			0.6}, {"linear:loads=0.000001", 0.999999, 0, 0}, {"linear:loads=1,depends=1", 0, 1, 0},
		{"linear:loads=0,store_depends=1", 1, 0, 1}, {"chase:loads=0.75", 0.25, 1, 1},
			{"chase:loads=0.5", 0.5, 1, 1}, {"code:loads=0.65", 0.35, 0, 0}, {"lines:loads=0.5", 0.5, 0, 0},
			{"gups", 0.5, 0, 0},
		{"zipf:loads=0.5,value=256", 0.4, 1.0 / 3 + 0, 0.25}, {"zipf:value=64,loads=1", 0, 0.5, 0},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct sim_uop *u = stream(row[i].text, 11, N, NULL);
		double stores = 0, depends[2] = {0, 0};

		for (size_t k = 0; u && k < N; k++) {
			stores += u[k].kind == SIM_STORE;
			depends[u[k].kind] += (u[k].flags & SIM_DEPENDS) != 0;
		}
		test_label("%s", row[i].text);
		CHECK_NEAR(stores / N, row[i].stores, 0.01);
		if (stores < N && !str_starts(row[i].text, "zipf:loads=0.5"))
			CHECK_NEAR(depends[SIM_LOAD] / (N - stores), row[i].depends, 0.01);
		if (stores > 0)
			CHECK_NEAR(depends[SIM_STORE] / stores, row[i].store_depends, 0.01);
		free(u);
	}
}

/* Both µops of a pair are of one kind; else pairs of one kind would never be neighbours. */
static void
pairs_are_of_one_kind(void)
{
	struct sim_uop *u = stream("lines:loads=0.5", 1, N, NULL), *g = stream("gups", 1, N, NULL);
	size_t alike = 0, updates = 0;

	for (size_t k = 0; u && g && k < N; k += 2) {
		alike += u[k].kind == u[k + 1].kind;
		updates += g[k].at == g[k + 1].at && g[k].kind == SIM_LOAD && g[k + 1].kind == SIM_STORE;
	}
	CHECK_INT(alike, N / 2);
	CHECK_INT(updates, N / 2);
	free(u);
	free(g);
}

static void
a_chase_visits_every_node(void)
{
	struct sim_uop *u = stream("chase:footprint=40000,node=40", 2, 3000, NULL);
	bool seen[1000] = {false};
	size_t once = 0, again = 0, near = 0;

	for (size_t k = 0; u && k < 3000; k++) {
		uint64_t node = (u[k].at - BASE) / 40;

		if (k < 1000 && node < 1000 && !seen[node])
			once++;
		if (node < 1000)
			seen[node] = true;
		again += k >= 1000 && u[k].at == u[k - 1000].at;
		/* Neighbours are at most ten nodes apart: by chance about 2 % of 1000. */
		near += k && (u[k].at - u[k - 1].at + 400) <= 800;
	}
	CHECK_INT(once, 1000);
	CHECK_INT(again, 2000);
	CHECK(near < 150);
	free(u);
}

static void
requests_go_through_values(void)
{
	struct sim_uop *u = stream("zipf:footprint=1M,value=320,loads=0.5", 9, N, NULL);
	uint64_t keys = ((uint64_t)1 << 20) / 336, values = BASE + keys * 16;
	size_t right = 0;

	for (size_t k = 0; u && k < N; k += 6) { /* an entry of the index, five lines of a value */
		right += u[k].at < values && (u[k].at - BASE) % 16 == 0 && u[k].kind == SIM_LOAD && !u[k].flags &&
			u[k + 1].flags == SIM_DEPENDS && (u[k + 1].at - values) % 320 == 0;
		for (size_t i = 2; i < 6; i++)
			right += u[k + i].at == u[k + 1].at + 64 * (i - 1) && u[k + i].kind == u[k + 1].kind &&
				!u[k + i].flags;
	}
	CHECK_INT(right, N / 6 * 5);
	free(u);
}

static void
a_graph_stays_the_same(void)
{
	/* 100 vertices of 40 bytes, each 2 + 12 µops */
	struct sim_uop *u = stream("graph:footprint=4000,degree=6", 9, 14 * 200, NULL);
	size_t again = 0, right = 0;
	bool met[100] = {false};
	int ends = 0;

	for (size_t k = 0; u && k < 14 * 100; k++) {
		uint64_t vertex = k / 14, i = k % 14;

		again += memcmp(&u[k], &u[k + 1400], sizeof *u) == 0;
		if (i == 0)
			right += u[k].at == BASE + 8 * vertex && u[k].flags == 0 && u[k].kind == SIM_LOAD;
		else if (i == 13)
			right += u[k].at == BASE + 800 + 8 * vertex && u[k].kind == SIM_STORE;
		else if (i % 2)
			right += u[k].at == BASE + 1600 + 4 * (6 * vertex + i / 2) && u[k].size == 4 &&
				u[k].flags == (i == 1 ? SIM_DEPENDS : 0);
		else
			right += u[k].at >= BASE + 800 && u[k].at < BASE + 1600 && u[k].flags == SIM_DEPENDS;
		if (i % 2 == 0 && i && u[k].at >= BASE + 800 && u[k].at < BASE + 1600)
			met[(u[k].at - BASE - 800) / 8] = true;
	}
	for (int v = 0; v < 100; v++)
		ends += met[v];
	CHECK_INT(again, 1400);
	CHECK_INT(right, 1400);
	CHECK(ends > 90); /* 600 draws of 100 vertices, of which the rarest has a chance of 1/250 */
	free(u);
}

/* Follows each search word by word: the right path halves the range, and the wrong path after a mispredicted comparison
 * searches the other half. A search begins with word 500, the middle. */
static void
searches_halve(void)
{
	struct sim_uop *u = stream("branchy:footprint=8000,wrong=0.4,wrong_length=4", 9, N, NULL);
	uint64_t low = 0, high = 1000;
	size_t searches = 0, wrong = 0, right = 0, off = 0, mispredicted = 0, wrong_off = 0;

	for (size_t k = 0, next; u && k + 8 < N; k = next) {
		uint64_t middle = low + (high - low) / 2, word;
		bool begins, up;

		off += (u[k].at - BASE) / 8 != middle || u[k].kind != SIM_LOAD || (u[k].flags & SIM_WRONG);
		right++;
		mispredicted += (u[k].flags & SIM_MISPREDICT) != 0;
		for (next = k + 1; u[next].flags & SIM_WRONG; next++)
			;
		word = (u[next].at - BASE) / 8;
		begins = word == 500;
		up = word > middle;
		for (size_t i = k + 1; i < next; i++) { /* wrong µops lie where the search did not go */
			uint64_t at = (u[i].at - BASE) / 8;

			wrong++;
			wrong_off += at < low || at >= high || at == middle || (!begins && (at > middle) == up);
		}
		searches += begins;
		low = begins ? 0 : up ? middle + 1 : low;
		high = begins ? 1000 : up ? high : middle;
	}
	CHECK(searches > 1000);
	CHECK_INT(off, 0);
	CHECK_INT(wrong_off, 0);
	/* a search ends when the range of 1000 words is empty */
	CHECK(right > 9 * searches && right < 10 * searches + 10);
	CHECK_NEAR((double)mispredicted / (double)right, 0.4, 0.06);
	CHECK(wrong > mispredicted);
	free(u);
}

/* After a clear come the wrong µops of what follows. After a misprediction come the same, or as many at other
 * addresses. */
static void
squashed_uops_are_what_follows(void)
{
	struct sim_uop *u = stream("linear:wrong=0.02,clears=0.03,away=0.25,wrong_length=7", 9, N, NULL);
	double right = 0, wrong = 0, clears = 0, elsewhere = 0;
	size_t short_ones = 0, different = 0, gaps = 0;
	uint64_t last = BASE - 64;

	for (size_t k = 0; u && k + 300 < N; k++) {
		bool away = false;

		right++;
		gaps += u[k].at != last + 64;
		last = u[k].at;
		if (!(u[k].flags & (SIM_MISPREDICT | SIM_CLEAR)))
			continue;
		for (size_t i = 1; i <= 7; i++) {
			short_ones += !(u[k + i].flags & SIM_WRONG);
			away = away || u[k + i].at != u[k].at + 64 * i;
		}
		short_ones += u[k + 8].flags & SIM_WRONG ? 1 : 0;
		wrong += (u[k].flags & SIM_MISPREDICT) != 0;
		clears += (u[k].flags & SIM_CLEAR) != 0;
		elsewhere += away;
		different += away && u[k].flags & SIM_CLEAR;
		k += 7;
	}
	CHECK_INT(gaps, 0);
	CHECK_INT(short_ones, 0);
	CHECK_INT(different, 0);
	CHECK_NEAR(wrong / right, 0.02, 0.005);
	CHECK_NEAR(clears / right, 0.03, 0.005);
	CHECK_NEAR(elsewhere / wrong, 0.25, 0.05);
	free(u);
}

static void
workloads_take_turns(void)
{
	struct sim_uop *u = stream("linear:footprint=64K,turn=3+chase:footprint=64K,turn=5,wrong=0.5,wrong_length=2+"
				   "random:footprint=64K,turn=1,depends=1",
		9, N, NULL);
	static const unsigned turn[] = {3, 5, 1};
	size_t k = 0, wrong_place = 0, first_depends = 0, later_depends = 0;

	for (unsigned now = 0; u && k + 20 < N; now = (now + 1) % 3)
		for (unsigned i = 0; i < turn[now]; k++) {
			wrong_place += (u[k].at - BASE) >> 16 != now;
			if (u[k].flags & SIM_WRONG)
				continue;
			if (i == 0)
				first_depends += u[k].flags & SIM_DEPENDS;
			else
				later_depends += u[k].flags & SIM_DEPENDS;
			i++;
			/* its wrong path belongs to its turn, too */
			while (i == turn[now] && u[k + 1].flags & SIM_WRONG)
				wrong_place += (u[++k].at - BASE) >> 16 != now;
		}
	CHECK_INT(wrong_place, 0);
	CHECK_INT(first_depends, 0);
	CHECK(later_depends > 0);
	free(u);
}

static void
parameters_are_reported(void)
{
	for (size_t kind = 0; kind < sim_workload_kinds(); kind++) {
		const char *name = sim_workload_kind_name(kind);
		struct err e = {0};
		struct sim_workload *w = sim_workload_new(name, 1, &e);
		struct sim_parameter p;
		size_t n = 0, commas = 1;
		bool common = false;

		test_label("%s", name);
		CHECK(*sim_workload_kind_text(kind));
		for (; sim_workload_parameter(kind, n, &p); n++) {
			char *part = str_format("%s=", p.name);

			CHECK(*p.text);
			CHECK(p.common || !common);
			common = p.common;
			if (w && !str_eq(p.name, "turn"))
				test_check(strstr(sim_workload_text(w), part), __FILE__, __LINE__, "%s is in %s", part,
					sim_workload_text(w));
			free(part);
		}
		for (const char *c = w ? sim_workload_text(w) : ""; *c; c++)
			commas += *c == ',';
		CHECK_INT(n, commas + 1); /* all but turn */
		sim_workload_free(w);
	}
}

/* docs/simulated-machine.md has a row for each kind and parameter, and hecate-machines(5) names each. */
static void
documents_name_all(void)
{
	char *text = test_read("../docs/simulated-machine.md", NULL),
	     *man = test_read("../man/hecate-machines.5", NULL);

	for (size_t kind = 0; text && man && kind < sim_workload_kinds(); kind++) {
		char *row = str_format("\n| `%s` | ", sim_workload_kind_name(kind));
		const char *own = strstr(text, row), *end = own ? strchr(own + 1, '\n') : NULL;
		struct sim_parameter p;

		test_label("%s", sim_workload_kind_name(kind));
		CHECK(own && end && strstr(man, sim_workload_kind_name(kind)));
		for (size_t i = 0; end && sim_workload_parameter(kind, i, &p); i++) {
			char *its = str_format("\n| `%s` | ", p.name), *name = str_format("`%s`", p.name);
			const char *there = strstr(own, name);

			test_label("%s:%s", sim_workload_kind_name(kind), p.name);
			CHECK(strstr(text, its));
			CHECK(p.common ? strstr(man, p.name) != NULL : there && there < end);
			free(its);
			free(name);
		}
		free(row);
	}
	free(text);
	free(man);
}

/* The third column gives the default of each parameter. */
static void
documents_give_defaults(void)
{
	char *text = test_read("../docs/simulated-machine.md", NULL);
	struct err e = {0};
	struct sim_parameter p;

	for (size_t kind = 0; text && kind < sim_workload_kinds(); kind++) {
		char *both = str_format("%s+code", sim_workload_kind_name(kind));
		struct sim_workload *w = sim_workload_new(both, 1, &e);

		for (size_t i = 0; CHECK(w) && sim_workload_parameter(kind, i, &p); i++) {
			char *is = str_format("%s=", p.name), *row = str_format("\n| `%s` | ", p.name);
			const char *value = strstr(sim_workload_text(w), is), *line = strstr(text, row);
			char *end = line ? mem_strn(line + 1, strcspn(line + 1, "\n")) : mem_str("| |"), *last;

			end[strlen(end) - 2] = '\0';
			last = strrchr(end, '|');
			if (CHECK(value && last)) {
				char *want = mem_strn(value + strlen(is), strcspn(value + strlen(is), ",+"));
				char *alone = str_format(" %s ", want),
				     *its = str_format("`%s` %s", sim_workload_kind_name(kind), want),
				     *padded = str_format("%s ", last + 1);
				bool special = strstr(last, " as the kind is") != NULL;

				for (char *c = padded; *c; c++)
					*c = *c == '(' || *c == ')' || *c == ',' ? ' ' : *c;
				test_check(special || strstr(padded, alone) == padded || strstr(padded, its), __FILE__,
					__LINE__, "%s of %s: %s is in '%s'", p.name, sim_workload_kind_name(kind), want,
					padded);
				free(want);
				free(alone);
				free(its);
				free(padded);
			}
			free(is);
			free(row);
			free(end);
		}
		sim_workload_free(w);
		free(both);
	}
	free(text);
}

static void
mutated_texts_do_no_harm(void)
{
	static const char *const pieces[] = {
		"+", ":", ",", "=", "0", "-", "99999999999999999999", "T", "K", ".", "linear", "zipf:", "stride=",
		"footprint=", "64", "page=2m", "\xff", "wrong=1", " "
	};
	unsigned long rounds = test_rounds(4000, 200000), read = 0;
	uint64_t seed = 17;

	for (unsigned long k = 0; k < rounds; k++) {
		struct sim_uop u[100];
		struct err e = {0};
		size_t n;
		char *text = mutate(good[k % N_GOOD], strlen(good[k % N_GOOD]), pieces, sizeof pieces / sizeof *pieces,
			8, &seed, &n);
		struct sim_workload *w = sim_workload_new(text, 1, &e);

		test_label("%s", text);
		CHECK(w ? sim_workload_fill(w, u, 100, &e) == 100 : *e.what && *e.hint);
		read += w != NULL;
		sim_workload_free(w);
		free(text);
	}
	CHECK(read > rounds / 20);
	CHECK(read < rounds);
}

TEST_MAIN(CASE(texts_are_read_again), CASE(texts_are_whole), CASE(errors_are_reported),
	CASE(streams_do_not_depend_on_how_they_are_cut), CASE(each_uop_is_possible), CASE(memory_is_what_was_asked_for),
	CASE(arrays_are_accessed_in_order), CASE(accesses_are_aligned), CASE(shares_are_kept),
	CASE(pairs_are_of_one_kind), CASE(a_chase_visits_every_node), CASE(requests_go_through_values),
	CASE(a_graph_stays_the_same), CASE(searches_halve), CASE(squashed_uops_are_what_follows),
	CASE(workloads_take_turns), CASE(parameters_are_reported), CASE(documents_name_all),
	CASE(documents_give_defaults), CASE(mutated_texts_do_no_harm))
