/* What others measured or recorded of runs: the files that hecate diff compares, and the kernel's records of tasks. */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/perf/record_reader.h"
#include "collect/perf/ring.h"
#include "core/diff/diff.h"
#include "targets.h"
#include "work/diff/measure.h"

static void
compare(char *const *path, size_t n)
{
	const struct diff_rule rule = {.confidence = 0.99, .threshold = 0.01};
	struct recorded_diff r;
	struct err e = {0};

	if (!recorded_diff_read(path, n, NULL, &r, &e)) {
		fuzz_must_say(false, &e);
		return;
	}
	fuzz_must(r.measured.table.n > 0 && r.side[0] && r.side[1], "a comparison has quantities and sides");
	recorded_diff_judge(&r, &rule);
	for (size_t i = 0; i < r.measured.report.n; i++) {
		const struct diff_found *f = &r.measured.report.found[i];

		fuzz_must(!(f->low > f->high), "a lower bound is not above the upper one");
		fuzz_must(f->answer != DIFF_MORE || f->low > 0 || f->exact, "more is above zero");
		fuzz_must(f->answer != DIFF_LESS || f->high < 0 || f->exact, "less is below zero");
	}
	recorded_diff_clear(&r);
}

void
fuzz_diff(const char *text, size_t n)
{
	char file[64], *const path[] = {file, file};
	int fd;
	bool whole;

	snprintf(file, sizeof file, "/dev/shm/hecate-fuzz-%d.json", (int)getpid());
	fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	whole = write(fd, text, n) == (ssize_t)n;
	close(fd);
	for (size_t files = 1; whole && files <= 2; files++)
		compare(path, files);
	unlink(file);
}

char *
fuzz_seed_diff(size_t i, size_t *n)
{
	static const char *const text[] = {
		"{\"results\": [{\"command\": \"a\", \"times\": [1.1, 1.2, 1.15]}, "
		"{\"command\": \"b\", \"times\": [2.1, 2.2, 2.15]}]}",
		"{\"benchmarks\": [{\"name\": \"BM_a\", \"run_type\": \"iteration\", \"real_time\": 3.5, "
		"\"cpu_time\": 3.25, \"time_unit\": \"us\"}]}",
		"{\"schema\": \"hecate.diff/1\", \"commands\": [\"a\", \"b\"], \"order\": [\"A\", \"B\", \"B\", "
		"\"A\"], "
		"\"quantities\": [{\"name\": \"wall time\", \"unit\": \"s\", \"values\": [1, 2, 3, null]}], "
		"\"recorded\": false, \"seconds\": 1.5, \"randomised\": [\"order\", \"environment\"]}",
		"d000e073ca2a08ab 89359897983825dbfc08578e7ee\n---------------- ---------------------------\n"
		"       fail:runs  %reproduction    fail:runs\n           |             |             |\n"
		"          1:4           25%           2:4     dmesg.x\n"
		"         %stddev     %change         %stddev\n             \\          |                \\\n"
		"      5318 \xc2\xb1  7%     +19.5%       6355        page-faults\n",
		"faults 5318 \xc2\xb1 0.4% 6355 \xc2\xb1 0.3%\ntime 1,234.5 ( +- 0.4% ) 1,230.5 ( +- 0.3% )\n",
		"a,b\n1,2\n2,3\n1,2\n3,5\n",
		NULL,
	};

	return fuzz_seed_of(text, i, n);
}

#define RING_BYTES 1024

/* The bytes of a ring, which begin anywhere in it; the first one says where. */
void
fuzz_ring(const char *text, size_t n)
{
	static const struct record_layout layout = {
		.prev_state = 32, .wakeup_pid = 24, .wakeup_new_pid = 24, .signal_pid = 36};
	struct record_reader reader = {.layout = &layout, .states = true};
	unsigned char *data = mem_new_array(1, RING_BYTES);
	struct ring ring;
	const void *record;
	size_t size, records = 0, events = 0;

	for (int i = 0; i < RECORD_WHATS; i++)
		reader.id[i] = 100 + (uint64_t)i;
	n = n > RING_BYTES ? RING_BYTES : n;
	ring_over(&ring, data, RING_BYTES, n);
	ring.at = n ? (uint64_t)((unsigned char)*text % (RING_BYTES / 8)) * 8 : 0;
	ring.head = ring.at + (n ? n - 1 : 0);
	for (size_t i = 1; i < n; i++)
		data[(ring.at + i - 1) % RING_BYTES] = (unsigned char)text[i];
	while ((record = ring_next(&ring, &size))) {
		struct tasktime_event event = {0};
		bool fence;

		fuzz_must(size >= sizeof(struct perf_event_header) && ++records <= RING_BYTES, "records end");
		events += record_read(&reader, record, size, &event, &fence);
		fuzz_must(event.kind < TASKTIME_KINDS && memchr(event.name, '\0', sizeof event.name),
			"an event is whole");
	}
	fuzz_must(events + reader.foreign <= 2 * records, "a record is one event, or none");
	free(ring.wrapped);
	free(data);
}

/* Records of each type with all their fields. */
char *
fuzz_seed_ring(size_t i, size_t *n)
{
	static const uint32_t type[] = {PERF_RECORD_SAMPLE, PERF_RECORD_SWITCH_CPU_WIDE, PERF_RECORD_FORK,
		PERF_RECORD_EXIT, PERF_RECORD_COMM, PERF_RECORD_LOST, PERF_RECORD_THROTTLE};
	struct str b = {0};

	if (i >= RECORD_WHATS + sizeof type / sizeof *type - 1)
		return NULL;
	str_addc(&b, 100);
	for (uint64_t k = 0; k < 3; k++) {
		struct perf_event_header h = {type[i < RECORD_WHATS ? 0 : i - RECORD_WHATS + 1], 0, sizeof h + 120};
		uint64_t word[15] = {100 + (i < RECORD_WHATS ? i : 0), 7 | (uint64_t)7 << 32, 1000 * k};

		if (i < RECORD_WHATS)
			word[3] = i == RECORD_SWITCH_CAUSE ? 2 : 88;
		word[14] = 100;
		word[13] = 1000 * k;
		str_addn(&b, (const char *)&h, sizeof h);
		str_addn(&b, (const char *)word, sizeof word);
	}
	*n = b.n;
	return str_take(&b);
}
