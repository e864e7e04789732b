/* Counters of some CPUs only, next to counters of all CPUs; and a CPU that goes offline. The kernel shows that by a
 * time that no longer advances; here the test disables the events instead. */
#include "collect/perf/source_state.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "test.h"

#define MOST_CPUS 4
#define MOST_ROWS 5000

/* One counter for each CPU, then one of all together. */
struct counted {
	int cpu[MOST_CPUS];
	size_t n_cpus, n, rows;
	struct event_item event;
	struct source_counter counter[MOST_CPUS + 2];
	int64_t sum[MOST_CPUS + 2], count[MOST_CPUS + 2];
	unsigned char seen[MOST_CPUS + 2];
	struct source_target target;
	struct err e;
};

static const int nowhere[] = {4000};

static void
look_at_cpus(struct counted *c)
{
	struct perf_world w;
	int *online;
	size_t n;

	perf_world_probe(&w);
	n = places_online(&w, &online);
	*c = (struct counted){.n_cpus = n < MOST_CPUS ? n : MOST_CPUS, .event = {.name = "context-switches"}};
	memcpy(c->cpu, online, c->n_cpus * sizeof *online);
	free(online);
	c->target = (struct source_target){SOURCE_CPUS, c->cpu, c->n_cpus};
	for (size_t i = 0; i < c->n_cpus; i++)
		c->counter[i] = (struct source_counter){
			.name = "one", .event = &c->event, .n_events = 1, .cpu = &c->cpu[i], .n_cpus = 1};
	c->n = c->n_cpus;
	c->counter[c->n++] = (struct source_counter){.name = "all", .event = &c->event, .n_events = 1};
}

/* NULL: the case is skipped, because whole CPUs cannot be watched here. */
static struct source *
open_and_start(struct counted *c, bool lose)
{
	const struct source_spec spec = {.counter = c->counter,
		.n_counters = c->n,
		.target = &c->target,
		.interval_ms = 1,
		.out_fd = -1,
		.err_fd = -1,
		.lose_cpus = lose};
	struct source *s = source_perf.open(&spec, &c->e);

	if (!s)
		test_skip("%s", c->e.what);
	else
		CHECK(source_perf.start(s, &c->e));
	return s;
}

/* Waits for the next row. */
static enum source_news
next_row(struct source *s, struct counted *c)
{
	double running[MOST_CPUS + 2];
	struct source_row row = {.count = c->count, .counted = c->seen, .running = running};
	enum source_news news;

	while ((news = source_perf.row(s, &row, &c->e)) == SOURCE_NO_ROW)
		if (!CHECK(poll(&(struct pollfd){.fd = source_perf.wait_fd(s), .events = POLLIN}, 1, 60000) > 0))
			return SOURCE_ROW_FAILED;
	c->rows++;
	for (size_t i = 0; i < c->n && news == SOURCE_ROW; i++)
		c->sum[i] += c->count[i];
	return news;
}

static void
owners_add_up(void)
{
	struct counted c;
	struct source *s;
	int64_t sum = 0;

	look_at_cpus(&c);
	c.counter[c.n++] = (struct source_counter){
		.name = "nowhere", .event = &c.event, .n_events = 1, .cpu = nowhere, .n_cpus = 1};
	s = open_and_start(&c, true);
	if (!s)
		return;
	CHECK_INT(source_perf.status(s)[c.n - 1].health, OBS_UNSUPPORTED);
	CHECK(strstr(source_perf.status(s)[c.n - 1].why, "CPU 4000 is not watched"));
	for (size_t i = 0; i + 1 < c.n; i++)
		CHECK_INT(source_perf.status(s)[i].health, OBS_LIVE);
	while (c.rows < MOST_ROWS && (c.rows < 5 || c.sum[c.n_cpus] == 0))
		if (!CHECK_INT(next_row(s, &c), SOURCE_ROW))
			break;
	CHECK(c.sum[c.n_cpus] > 0); /* waiting makes a context switch */
	CHECK_INT(c.seen[c.n - 1], 0);
	for (size_t i = 0; i < c.n_cpus; i++)
		sum += c.sum[i];
	/* Each CPU may just have counted a switch for one counter and not yet for the other. */
	CHECK(llabs(sum - c.sum[c.n_cpus]) <= (int64_t)c.n_cpus);
	source_perf.close(s);
}

/* Whole CPUs while a command runs: rows add up to the totals, which stay the same after it ended, and so do the owners'
 * counts. */
static void
cpus_while_a_command_runs(void)
{
	static char sh[] = "/bin/sh", dash_c[] = "-c", script[] = "sleep 0.05; exit 3";
	char *const argv[] = {sh, dash_c, script, NULL};

	for (unsigned interval = 0; interval < 2; interval++) {
		struct counted c;
		struct source_spec spec = {
			.argv = argv, .interval_ms = interval, .out_fd = -1, .err_fd = -1, .lose_cpus = true};
		struct source_end end = {0};
		int64_t total[MOST_CPUS + 2], later[MOST_CPUS + 2], sum = 0;
		struct source *s;

		test_label("a row each %u ms", interval);
		look_at_cpus(&c);
		spec.counter = c.counter;
		spec.n_counters = c.n;
		spec.target = &c.target;
		s = source_perf.open(&spec, &c.e);
		if (!s) {
			test_skip("%s", c.e.what);
			return;
		}
		CHECK(source_perf.start(s, &c.e));
		while (!source_perf.poll(s, &end))
			if (interval && !CHECK_INT(next_row(s, &c), SOURCE_ROW))
				break;
		if (interval)
			CHECK_INT(next_row(s, &c), SOURCE_ROW);
		CHECK(end.exited && end.code == 3 && end.seconds > 0);
		CHECK_STR(end.lost_cpus, "");
		CHECK(source_perf.read(s, total, c.seen, &c.e) && source_perf.read(s, later, c.seen, &c.e));
		for (size_t i = 0; i < c.n; i++) {
			CHECK_INT(later[i], total[i]);
			if (interval)
				CHECK_INT(c.sum[i], total[i]);
			sum += i < c.n_cpus ? total[i] : 0;
		}
		CHECK(total[c.n_cpus] > 0);
		CHECK(end.tasks >= 1);
		CHECK(llabs(sum - total[c.n_cpus]) <= (int64_t)c.n_cpus);
		source_perf.close(s);
	}
}

static void
switch_off(struct source *s, size_t place)
{
	for (size_t i = s->first[place]; i < s->first[place + 1]; i++)
		perf_enable(s->event[s->reading[i].event].slot[s->reading[i].slot].fd, false);
	perf_enable(s->places.at[place].leader, false);
}

static void
a_lost_cpu_takes_its_own_along(void)
{
	struct counted c;
	struct source_end end = {0};
	struct source *s;
	size_t last;

	look_at_cpus(&c);
	last = c.n_cpus - 1;
	s = open_and_start(&c, true);
	if (!s)
		return;
	CHECK_INT(next_row(s, &c), SOURCE_ROW);
	CHECK(c.seen[0] && c.seen[last] && c.seen[c.n_cpus]);
	CHECK(!source_perf.poll(s, &end));
	CHECK_STR(end.lost_cpus, "");
	switch_off(s, last);
	while (!*end.lost_cpus && c.rows < MOST_ROWS && CHECK_INT(next_row(s, &c), SOURCE_ROW))
		source_perf.poll(s, &end);
	CHECK_INT(strtol(end.lost_cpus, NULL, 10), c.cpu[last]);
	CHECK_INT(c.rows, 3); /* in the second row it still counted for a while */
	for (int k = 0; k < 3; k++) {
		CHECK_INT(c.seen[last], 0);
		CHECK_INT(c.count[last], 0);
		CHECK_INT(c.seen[0], last > 0);
		CHECK_INT(c.seen[c.n_cpus], last > 0);
		CHECK_INT(next_row(s, &c), SOURCE_ROW);
	}
	CHECK(source_perf.read(s, c.count, c.seen, &c.e));
	CHECK_INT(c.seen[last], 0);
	CHECK_INT(c.seen[c.n_cpus], last > 0);
	source_perf.close(s);
}

static void
a_lost_cpu_fails_other_runs(void)
{
	struct counted c;
	struct source *s;
	enum source_news news = SOURCE_ROW;

	look_at_cpus(&c);
	s = open_and_start(&c, false);
	if (!s)
		return;
	CHECK_INT(next_row(s, &c), SOURCE_ROW);
	switch_off(s, 0);
	while (news == SOURCE_ROW && c.rows < MOST_ROWS)
		news = next_row(s, &c);
	CHECK_INT(news, SOURCE_ROW_FAILED);
	CHECK(strstr(c.e.what, "stopped counting: it went offline"));
	source_perf.close(s);
}

TEST_MAIN(CASE(owners_add_up), CASE(cpus_while_a_command_runs), CASE(a_lost_cpu_takes_its_own_along),
	CASE(a_lost_cpu_fails_other_runs))
