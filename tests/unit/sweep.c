/* Cells given to processes that die at random: each is judged, by whomever, and each process that dies is said. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "shape/shape.h"
#include "shape/wire.h"
#include "test.h"
#include "work/sweep/kept_cells.h"
#include "work/sweep/sweep.h"
#include "work/sweep/sweep_part.h"

#define MODELS 7
#define FILES 11
#define CELLS (MODELS * FILES)

/* Shared by all processes. */
struct world {
	int deaths[CELLS];             /* how often each cell still kills the process that judges it */
	int judged[CELLS], said;
	size_t taken, stop_at;
};

static void
judge(void *ctx, size_t cell, struct sweep_cell *out)
{
	struct world *world = ctx;

	if (world->deaths[cell] > 0) {
		world->deaths[cell]--;
		signal(SIGSEGV, SIG_DFL); /* a sanitizer's handler would exit */
		raise(cell % 2 ? SIGKILL : SIGSEGV);
	}
	world->judged[cell]++;
	out->observations = cell;
	out->answer = (enum sweep_answer)(cell % SWEEP_FAILED);
	out->refuted = mem_new_array(1, sizeof *out->refuted);
	out->n_refuted = 1;
	out->refuted[0] = (struct sweep_refutation){str_format("o%zu", cell), mem_str("a = b"), cell % 3 == 0};
}

static bool
go_on(void *ctx, size_t known, size_t of, size_t processes)
{
	const struct world *world = ctx;

	CHECK(known <= of && processes > 0);
	return !world->stop_at || world->taken < world->stop_at;
}

static void
take(void *ctx, size_t cell)
{
	struct world *world = ctx;

	CHECK(cell < CELLS);
	world->taken++;
}

static void
say(void *ctx, const char *sentence)
{
	struct world *world = ctx;

	world->said += strstr(sentence, "judged again") != NULL;
}

static const char *const NAMES[FILES] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"};

static bool
run(struct world *world, size_t jobs, struct sweep_cell *cell, bool *known, struct sweep_cost *cost)
{
	const struct sweep_how how = {.n_models = MODELS, .n_data = FILES, .data = NAMES, .judge = judge, .jobs = jobs,
		.go_on = go_on, .take = take, .say = say, .ctx = world};
	struct err e = {0};

	return sweep_run(&how, cell, known, cost, &e);
}

static struct world *
new_world(void)
{
	struct world *world =
		mmap(NULL, sizeof *world, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	CHECK(world != MAP_FAILED);
	return world;
}

static void
clear(struct sweep_cell *cell)
{
	for (size_t i = 0; i < CELLS; i++)
		shape_clear(&sweep_cell_shape, &cell[i]);
}

static void
each_cell_is_judged_whoever_dies(void)
{
	unsigned rounds = test_rounds(20, 400);
	size_t died = 0;

	for (uint64_t seed = 1; seed <= rounds; seed++) {
		struct world *world = new_world();
		struct sweep_cell cell[CELLS] = {0};
		bool known[CELLS] = {false}, kept[CELLS], hopeless[CELLS];
		struct sweep_cost cost;
		uint64_t random = seed;
		size_t jobs = test_random(&random) % 5 + 1, deaths = 0;

		test_label("seed %u", (unsigned)seed);
		for (size_t i = 0; i < CELLS; i++) {
			kept[i] = known[i] = test_random(&random) % 4 == 0;
			world->deaths[i] = test_random(&random) % 12 ? 0 : (int)(test_random(&random) % 2) * 8 + 1;
			hopeless[i] = !known[i] && world->deaths[i] > 1;
			deaths += known[i] ? 0 : hopeless[i] ? 2 : (size_t)world->deaths[i];
		}
		CHECK(run(world, jobs, cell, known, &cost));
		CHECK_INT(world->said, deaths);
		for (size_t i = 0; i < CELLS; i++) {
			CHECK(known[i]);
			CHECK_INT(world->judged[i], !kept[i] && !hopeless[i]);
			if (hopeless[i])
				CHECK(cell[i].answer == SWEEP_FAILED && strstr(cell[i].reason, "killed by signal"));
			else if (!kept[i])
				CHECK(cell[i].observations == i && cell[i].n_refuted == 1 &&
					cell[i].answer == (enum sweep_answer)(i % SWEEP_FAILED));
		}
		CHECK(cost.processes <= jobs && cost.ranks <= 1 && cost.busiest <= cost.judging);
		died += deaths;
		clear(cell);
		munmap(world, sizeof *world);
	}
	printf("# %u sweeps, %zu processes died\n", rounds, died);
	CHECK(died > rounds);
}

static void
it_stops_where_it_is_told_to(void)
{
	struct world *world = new_world();
	struct sweep_cell cell[CELLS] = {0};
	bool known[CELLS] = {false};
	struct sweep_cost cost;
	size_t n = 0;

	world->stop_at = 5;
	CHECK(!run(world, 2, cell, known, &cost));
	for (size_t i = 0; i < CELLS; i++)
		n += known[i];
	CHECK(n >= 5 && n < CELLS && n == world->taken);
	clear(cell);
	munmap(world, sizeof *world);
}

#define OTHER "has other models, options or another hecate"

static void
a_rank_is_refused_for_what_differs(void)
{
	static const char *const data[] = {"a.csv", "b.csv"};
	int64_t here[] = {10, 20}, other[] = {10, 21}, none[] = {-1, 20};
	struct sweep_part own = {.question = 1, .bytes = here, .n_bytes = 2, .seats = 1};
	const struct {
		struct sweep_part theirs;
		const char *why;
	} row[] = {
		{{.question = 1, .bytes = here, .n_bytes = 2, .seats = 3}, NULL},
		{{.question = 2, .bytes = here, .n_bytes = 2, .seats = 1}, OTHER},
		{{.question = 1, .bytes = here, .n_bytes = 1, .seats = 1}, OTHER},
		{{.question = 1, .bytes = other, .n_bytes = 2, .seats = 1}, "has another b.csv"},
		{{.question = 1, .bytes = none, .n_bytes = 2, .seats = 1}, "has no a.csv"},
		{{.question = 1, .bytes = here, .n_bytes = 2}, "could not start a process"},
		{{.question = 1, .bytes = here, .n_bytes = 2, .cannot = (char[]){"x"}}, "cannot take part: x"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char *why = sweep_part_refused(&own, &row[i].theirs, data);

		test_label("row %zu", i);
		CHECK(row[i].why ? why && str_eq(why, row[i].why) : !why);
		free(why);
	}
}

/* A message of another rank, cut or changed anywhere, is read or is bad; nothing else happens. */
static void
broken_messages_are_bad(void)
{
	struct sweep_part part = {.kind = PART_NEWS, .seat = 2, .cell = 9, .died = (char[]){"it died"}, .host = NULL};
	struct wire whole = {0};
	uint64_t random = 1;

	sweep_part_wire(&whole, &part);
	for (size_t i = 0; i < 2000; i++) {
		struct wire w = {.reading = true, .n = test_random(&random) % (whole.n + 1)};
		struct sweep_part got = {0};

		w.data = mem_new(whole.n + 1);
		memcpy(w.data, whole.data, w.n);
		if (w.n && i % 2)
			w.data[test_random(&random) % w.n] = (unsigned char)test_random(&random);
		sweep_part_wire(&w, &got);
		CHECK(w.bad || w.at <= w.n);
		CHECK(got.kind < PART_KINDS);
		sweep_part_clear(&got);
		wire_free(&w);
	}
	wire_free(&whole);
}

static void
cells_are_kept_whole(void)
{
	char folder[] = "/tmp/hecate-kept-XXXXXX", *path;
	struct sweep_cell cell = {.answer = SWEEP_IN_DOUBT, .observations = 7, .in_doubt = 2}, got = {0};
	struct kept_cells *kept;
	struct err e = {0};

	if (!CHECK(mkdtemp(folder)))
		return;
	path = str_format("%s/k.hct", folder);
	cell.reason = mem_str("µ \"x\"\n");
	kept = kept_cells_open(path, &e);
	if (CHECK(kept)) {
		CHECK(kept_cells_add(kept, "sweep b", &cell, &e) && kept_cells_add(kept, "sweep a", &cell, &e));
		CHECK(!kept_cells_open(path, &e) && strstr(e.what, "is being written by another hecate"));
	}
	kept_cells_close(kept);
	kept = kept_cells_open(path, &e);
	if (CHECK(kept)) {
		CHECK(!kept_cells_find(kept, "sweep c", &got) && !kept_cells_find(kept, "", &got));
		CHECK(kept_cells_find(kept, "sweep a", &got));
		CHECK(got.answer == SWEEP_IN_DOUBT && got.observations == 7 && got.in_doubt == 2);
		CHECK_STR(got.reason, cell.reason);
	}
	kept_cells_close(kept);
	shape_clear(&sweep_cell_shape, &got);
	shape_clear(&sweep_cell_shape, &cell);
	unlink(path);
	rmdir(folder);
	free(path);
}

TEST_MAIN(CASE(each_cell_is_judged_whoever_dies), CASE(it_stops_where_it_is_told_to),
	CASE(a_rank_is_refused_for_what_differs), CASE(broken_messages_are_bad), CASE(cells_are_kept_whole))
