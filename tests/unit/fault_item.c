/* The item of memcg:count_memcg_events that counts page faults, sought on a fake kernel: other items that nearly follow
 * or do follow, faults that come between, and what cannot be opened. */
#include <stdio.h>
#include <string.h>

#include "collect/perf/fault_item.h"
#include "collect/perf/filter.h"
#include "collect/source.h"
#include "test.h"

#define RUNS 1000

/* Faults that come between, in each try. */
enum stray {
	STRAY_NONE,
	STRAY_OWN,       /* of hecate's code: the software event counts them, and so do PGFAULT and sometimes PGPGIN */
	STRAY_REMOTE,    /* that the kernel handles for itself: the software event does not count them */
	STRAY_FAILED,    /* that the software event counts, and no item */
	STRAY_ANY,       /* of each kind, at random */
	STRAY_ALWAYS,    /* at least one remote fault in each try */
};

struct fake {
	int pgfault, pgpgin;     /* items; -1: none */
	int fresh_too;           /* rises by 1 for each touch of a fresh page, also when it is read; -1: none */
	int twin;                /* rises as PGFAULT does in every way; -1: none */
	int twice;               /* rises by 2 for each fault; -1: none */
	int batch;               /* rises by 93 in some tries, as PGACTIVATE does; -1: none */
	bool one_page_reads;     /* one huge zero page serves all reads of fresh pages */
	bool charges_reads;      /* no zero page: a page that is read is charged */
	bool fails;              /* no page can be mapped */
	int refused;             /* batches from this item on cannot be opened; -1: none */
	enum stray stray;
	uint64_t random;
	int first, open;
};

static bool
fake_open(void *ctx, int first)
{
	struct fake *f = ctx;

	f->first = first;
	f->open++;
	return f->refused < 0 || first < f->refused;
}

static void
fake_close(void *ctx)
{
	((struct fake *)ctx)->open--;
}

static void
raise_item(const struct fake *f, struct fault_try *t, int item, uint64_t by)
{
	if (item >= f->first && item < f->first + FAULT_BATCH)
		t->count[item - f->first] += by;
}

static void
raise_faults(struct fake *f, struct fault_try *t, uint64_t n, bool charged)
{
	raise_item(f, t, f->pgfault, n);
	raise_item(f, t, f->twin, n);
	raise_item(f, t, f->twice, 2 * n);
	if (charged)
		raise_item(f, t, f->pgpgin, n);
}

static void
raise_strays(struct fake *f, struct fault_try *t)
{
	enum stray kind = f->stray != STRAY_ANY ? f->stray : (enum stray)(STRAY_OWN + test_random(&f->random) % 3);
	uint64_t n = test_random(&f->random) % 6;

	switch (kind) {
	case STRAY_NONE:
	case STRAY_ANY:
		return;
	case STRAY_OWN:
		t->faults += n;
		raise_faults(f, t, n, test_random(&f->random) % 2);
		return;
	case STRAY_REMOTE:
		raise_faults(f, t, n, test_random(&f->random) % 2);
		return;
	case STRAY_FAILED:
		t->faults += n;
		return;
	case STRAY_ALWAYS:
		raise_faults(f, t, 1 + n, test_random(&f->random) % 2);
		return;
	}
}

static bool
fake_touch(void *ctx, enum fault_touch how, size_t round, struct fault_try *t)
{
	struct fake *f = ctx;
	uint64_t pages = 61 + 9 * (round % 5) + (uint64_t)how;
	bool fresh = how != FAULT_WRITE_AGAIN, read = how == FAULT_READ_FRESH;

	if (f->fails)
		return false;
	t->touched = pages;
	t->faults = read && f->one_page_reads ? 1 : pages;
	raise_faults(f, t, t->faults, fresh && (!read || f->charges_reads));
	if (fresh)
		raise_item(f, t, f->fresh_too, t->faults);
	if (test_random(&f->random) % 2)
		raise_item(f, t, f->batch, 93);
	raise_strays(f, t);
	return true;
}

static struct fault_item
find(struct fake *f)
{
	const struct fault_kernel k = {fake_open, fake_touch, fake_close, f};
	struct fault_item found = fault_item_find(&k);

	CHECK_INT(f->open, 0);
	return found;
}

/* A kernel like Linux 6.18 in a cgroup: PGFAULT is 23, and PGPGIN, 0, rises with most faults. */
static struct fake
linux_6_18(enum stray stray, uint64_t seed)
{
	return (struct fake){.pgfault = 23, .pgpgin = 0, .fresh_too = -1, .twin = -1, .twice = -1, .batch = 20,
		.refused = -1, .stray = stray, .random = seed};
}

static void
strays_never_make_a_wrong_item(void)
{
	static const struct {
		const char *name;
		enum stray stray;
		int fresh_too;
		unsigned found_least;
	} row[] = {
		{"no strays", STRAY_NONE, -1, RUNS},
		{"faults of its own", STRAY_OWN, -1, RUNS},
		{"faults of its own, and an item of all fresh pages", STRAY_OWN, 7, RUNS},
		{"remote faults", STRAY_REMOTE, -1, RUNS - 10},
		{"remote faults, and an item of all fresh pages", STRAY_REMOTE, 7, RUNS - 10},
		{"failed faults", STRAY_FAILED, 7, RUNS - 10},
		{"faults of each kind", STRAY_ANY, 7, RUNS - 10},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		unsigned right = 0, wrong = 0;

		test_label("%s", row[i].name);
		for (uint64_t seed = 1; seed <= RUNS; seed++) {
			struct fake f = linux_6_18(row[i].stray, seed);
			struct fault_item found;

			f.fresh_too = row[i].fresh_too;
			found = find(&f);
			right += found.finding == FAULT_ITEM_FOUND && found.item[0] == 23;
			wrong += found.finding == FAULT_ITEM_FOUND && found.item[0] != 23;
			wrong += found.finding == FAULT_ITEM_SEVERAL || found.finding == FAULT_ITEM_NONE;
		}
		CHECK_INT(wrong, 0);
		CHECK(right >= row[i].found_least);
	}
}

/* Kernels of other kinds, without strays. */
static void
each_kernel_has_its_finding(void)
{
	static const struct {
		const char *name;
		struct fake f;
		enum fault_finding finding;
		int item;
	} row[] = {
		{"another number", {.pgfault = 91, .pgpgin = 2, .fresh_too = -1, .twin = -1, .twice = -1, .batch = -1,
			.refused = -1}, FAULT_ITEM_FOUND, 91},
		{"the last item", {.pgfault = 255, .pgpgin = 2, .fresh_too = -1, .twin = -1, .twice = -1, .batch = -1,
			.refused = -1}, FAULT_ITEM_FOUND, 255},
		{"the memory controller is off", {.pgfault = -1, .pgpgin = -1, .fresh_too = -1, .twin = -1,
			.twice = -1, .batch = 20, .refused = -1}, FAULT_ITEM_NONE, 0},
		{"no PGFAULT, but PGPGIN", {.pgfault = -1, .pgpgin = 0, .fresh_too = 7, .twin = -1, .twice = -1,
			.batch = 20, .refused = -1}, FAULT_ITEM_NONE, 0},
		{"no zero page", {.pgfault = 23, .pgpgin = 0, .fresh_too = -1, .twin = -1, .twice = -1, .batch = 20,
			.charges_reads = true, .refused = -1}, FAULT_ITEM_FOUND, 23},
		{"a huge zero page", {.pgfault = 23, .pgpgin = 0, .fresh_too = -1, .twin = -1, .twice = -1,
			.batch = 20, .one_page_reads = true, .refused = -1}, FAULT_ITEM_FOUND, 23},
		{"an item that rises twice a fault", {.pgfault = 23, .pgpgin = 0, .fresh_too = -1, .twin = -1,
			.twice = 24, .batch = 20, .refused = -1}, FAULT_ITEM_FOUND, 23},
		{"only an item that rises twice a fault", {.pgfault = -1, .pgpgin = 0, .fresh_too = -1, .twin = -1,
			.twice = 24, .batch = 20, .refused = -1}, FAULT_ITEM_DISTURBED, 0},
		{"a twin", {.pgfault = 23, .pgpgin = -1, .fresh_too = -1, .twin = 0, .twice = -1, .batch = 20,
			.refused = -1}, FAULT_ITEM_SEVERAL, 0},
		{"a twin in another batch", {.pgfault = 23, .pgpgin = -1, .fresh_too = -1, .twin = 100, .twice = -1,
			.batch = 20, .refused = -1}, FAULT_ITEM_SEVERAL, 23},
		{"strays in every try", {.pgfault = 23, .pgpgin = 0, .fresh_too = 7, .twin = -1, .twice = -1,
			.batch = 20, .stray = STRAY_ALWAYS, .refused = -1}, FAULT_ITEM_DISTURBED, 0},
		{"no memory", {.pgfault = 23, .pgpgin = 0, .fresh_too = -1, .twin = -1, .twice = -1, .batch = 20,
			.fails = true, .refused = -1}, FAULT_ITEM_DISTURBED, 0},
		{"not permitted", {.pgfault = 23, .pgpgin = 0, .fresh_too = -1, .twin = -1, .twice = -1, .batch = 20,
			.refused = 0}, FAULT_ITEM_REFUSED, 0},
		{"descriptors run out after it was found", {.pgfault = 23, .pgpgin = 0, .fresh_too = -1, .twin = -1,
			.twice = -1, .batch = 20, .refused = 64}, FAULT_ITEM_REFUSED, 0},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct fake f = row[i].f;
		struct fault_item found;

		test_label("%s", row[i].name);
		found = find(&f);
		CHECK_INT(found.finding, row[i].finding);
		if (row[i].finding == FAULT_ITEM_FOUND || row[i].finding == FAULT_ITEM_SEVERAL)
			CHECK_INT(found.item[0], row[i].item);
	}
}

static void
each_finding_has_its_message(void)
{
	static const struct {
		struct fault_item found;
		const char *why;
		int value;
		bool known;
	} row[] = {
		{{.finding = FAULT_ITEM_FOUND, .item = {23}, .n = 1}, "", 23, true},
		{{.finding = FAULT_ITEM_NONE}, "no item of memcg:count_memcg_events follows page faults", -1, true},
		{{.finding = FAULT_ITEM_SEVERAL, .item = {0, 23}, .n = 2},
			"several items of memcg:count_memcg_events follow page faults here: 0 and 23;", -1, true},
		{{.finding = FAULT_ITEM_SEVERAL, .item = {0, 7, 23, 40}, .n = 4}, "here: 0, 7, 23 and 40;", -1, true},
		{{.finding = FAULT_ITEM_SEVERAL, .item = {0, 7, 23, 40}, .n = 9}, "here: 0, 7, 23, 40 and 5 more;", -1,
			true},
		{{.finding = FAULT_ITEM_DISTURBED, .tries = 192, .disturbed = 190},
			"was disturbed: other page faults came between in 190 of 192 tries", -1, false},
		{{.finding = FAULT_ITEM_REFUSED}, "tracefs is not mounted", -1, true},
	};
	struct source_status refused = {.why = "tracefs is not mounted", .remedy = "mount it"};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct filter_constant c = {0};

		test_label("row %zu", i);
		filter_take_pgfault(&c, &row[i].found, &refused);
		CHECK_INT(c.value, row[i].value);
		CHECK_INT(c.known, row[i].known);
		if (!CHECK(strstr(c.why, row[i].why)))
			printf("# %s\n", c.why);
	}
}

TEST_MAIN(CASE(strays_never_make_a_wrong_item), CASE(each_kernel_has_its_finding), CASE(each_finding_has_its_message))
