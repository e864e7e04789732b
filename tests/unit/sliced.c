/* Slices for the explorer: a process of its own gives what the same simulation gives here; recorded rows without slots
 * are refused. The end of such a process is known from its death. */
#include "work/slices/sliced.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "shape/wire.h"
#include "test.h"
#include "work/side_process.h"

#define LIMIT 60.0 /* seconds until a test gives up */
#define SMALL "sim:core:mcf-like:accesses=2000,samples=12"

/* Polls until the end. NULL: it gave nothing. */
static struct sliced *
wait_for(struct slicing *p, struct err *e)
{
	double until = clock_seconds() + LIMIT;
	struct sliced *got = NULL;

	while (clock_seconds() < until) {
		struct pollfd fd = {.fd = slicing_fd(p), .events = POLLIN};

		poll(&fd, 1, 100);
		if (slicing_poll(p, &got, e) == SLICING_ENDED)
			return got;
	}
	test_check(false, __FILE__, __LINE__, "no end after %g s", LIMIT);
	return NULL;
}

static void
check_same(const struct sliced *got, const struct sliced *want)
{
	const struct slices *a = &got->slices, *b = &want->slices;

	CHECK_INT(a->n, b->n);
	for (size_t i = 0; i < a->n && i < b->n; i++) {
		CHECK_STR(a->names.name[i], b->names.name[i]);
		CHECK_INT(a->origin[i], b->origin[i]);
		CHECK_INT(a->row[i], b->row[i]);
	}
	if (a->n == b->n)
		CHECK(memcmp(a->share, b->share, a->n * got->stack->n_parts * sizeof *a->share) == 0);
	CHECK_INT(got->skp->first.n_clusters, want->skp->first.n_clusters);
	CHECK_INT(got->skp->n_second, want->skp->n_second);
}

static void
another_process_gives_the_same(void)
{
	struct err e = {0};
	bool cut;
	struct obs_table *t = slices_simulate(&(struct slices_simulation){.on = SMALL}, &cut, &e);
	const struct obs_table *const table[] = {t};
	struct sliced *here = t ? sliced_of_tables("here", table, 1, &e) : NULL;
	struct slicing *p = slicing_start(SMALL, &e);
	struct sliced *there = p ? wait_for(p, &e) : NULL;

	test_check(here && there, __FILE__, __LINE__, "%s", e.what);
	if (here && there) {
		CHECK_INT(here->slices.n, 12);
		check_same(there, here);
		CHECK_STR(there->of, SMALL);
		CHECK_INT(slicing_fd(p), -1);
	}
	sliced_free(here);
	sliced_free(there);
	slicing_free(p);
	obs_table_free(t);
}

/* Of a command that is watched without an end, the slices are as many as of any program. */
static void
endless_programs_are_cut(void)
{
	struct err e = {0};
	struct slicing *p = slicing_start("sim:core:mcf-like:accesses=2000,endless", &e);
	struct sliced *got = p ? wait_for(p, &e) : NULL;

	if (test_check(got != NULL, __FILE__, __LINE__, "%s", e.what))
		CHECK_INT(got->slices.n, 8);
	sliced_free(got);
	slicing_free(p);
}

/* Rows without slots, and machines without a pipeline. */
static void
refusals(void)
{
	static const char *const column[] = {"cycles"};
	struct obs_table *t = obs_table_new(column, 1);
	const struct obs_table *const table[] = {t};
	struct err e = {0};
	struct slicing *p;
	int64_t count = 5;

	for (int i = 0; i < 9; i++)
		obs_add_row(i ? t->obs[0] : obs_table_add(t, "gcc", "made"), &count, NULL, i);
	CHECK(sliced_of_tables("x", table, 1, &e) == NULL);
	CHECK(strstr(e.what, "no row has a share") != NULL);
	e = (struct err){0};
	p = slicing_start("sim:haswell", &e);
	if (CHECK(p != NULL)) {
		CHECK(wait_for(p, &e) == NULL);
		CHECK(strstr(e.what, "no pipeline") != NULL);
	}
	slicing_free(p);
	obs_table_free(t);
}

/* --- any process ------------------------------------------------------------------------------------------------- */

enum manner { ENDS, DIES, RAMBLES };

static void
speak(struct side_sender *s, void *manner)
{
	struct wire w = {0};
	size_t n = 7;

	wire_size(&w, &n);
	side_send(s, &w);
	if (*(const enum manner *)manner == DIES)
		abort();
	if (*(const enum manner *)manner == RAMBLES) {
		w.n = 70000;
		w.data = realloc(w.data, w.n);
		memset(w.data, 1, w.n);
		side_send(s, &w);
		pause(); /* until it is killed for that */
	}
	wire_free(&w);
}

static void
each_end_is_told(void)
{
	static const struct {
		enum manner manner;
		const char *died; /* NULL: it did not */
	} row[] = {{ENDS, NULL}, {DIES, "signal 6"}, {RAMBLES, "signal 9"}};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		enum manner manner = row[i].manner;
		struct err e = {0};
		struct side_process *p = side_process_start("test", speak, &manner, &e);
		double until = clock_seconds() + LIMIT;
		enum side_news news = SIDE_NOTHING;
		size_t messages = 0, n = 0;
		struct wire w;
		char *died = NULL;

		if (!CHECK(p != NULL))
			continue;
		while (news != SIDE_ENDED && clock_seconds() < until) {
			struct pollfd fd = {.fd = side_process_fd(p), .events = POLLIN};

			if (news == SIDE_NOTHING)
				poll(&fd, 1, 100);
			news = side_process_next(p, &w, &died);
			messages += news == SIDE_MESSAGE;
			if (news == SIDE_MESSAGE)
				wire_size(&w, &n);
		}
		CHECK_INT(news, SIDE_ENDED);
		CHECK_INT(messages, 1);
		CHECK_INT(n, 7);
		if (row[i].died)
			CHECK(died && strstr(died, row[i].died));
		else
			CHECK(died == NULL);
		free(died);
		CHECK_INT(side_process_next(p, &w, &died), SIDE_NOTHING);
		CHECK(died == NULL);
		side_process_free(p);
	}
}

TEST_MAIN(CASE(another_process_gives_the_same), CASE(endless_programs_are_cut), CASE(refusals), CASE(each_end_is_told))
