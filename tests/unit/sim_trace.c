/* Memory traces of real programs: each record becomes an access, and broken ones are reported with their line, for
 * pieces of any size. sscanf() reads the same trace independently. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "mutate.h"
#include "sim/workload.h"
#include "test.h"

/* A descriptor from which the text can be read. */
static int
file_of(const char *text, size_t n)
{
	int fd = memfd_create("trace", MFD_CLOEXEC);
	size_t at = 0;

	while (fd >= 0 && at < n) {
		ssize_t wrote = write(fd, text + at, n - at);

		if (!CHECK(wrote > 0))
			break;
		at += (size_t)wrote;
	}
	CHECK(fd >= 0 && lseek(fd, 0, SEEK_SET) == 0);
	return fd;
}

struct read {
	struct sim_uop *uop;
	size_t n;
	struct err e; /* empty text: the trace ended */
};

static struct read
read_all(int fd, size_t at_once)
{
	struct read r = {0};
	struct sim_workload *w = sim_workload_trace(fd, NULL, &r.e);
	size_t cap = 0, got = 0;

	while (CHECK(w)) {
		mem_grow(&r.uop, &cap, r.n + at_once, sizeof *r.uop);
		got = sim_workload_fill(w, r.uop + r.n, at_once, &r.e);
		if (got == 0 || got == SIZE_MAX)
			break;
		r.n += got;
	}
	if (got == SIZE_MAX) { /* a second read gives the same error */
		struct err again = {0};

		CHECK(sim_workload_fill(w, &(struct sim_uop){0}, 1, &again) == SIZE_MAX);
		CHECK_STR(again.what, r.e.what);
	}
	sim_workload_free(w);
	return r;
}

static struct read
read_text(const char *text, size_t n, size_t at_once)
{
	int fd = file_of(text, n);
	struct read r = read_all(fd, at_once);

	close(fd);
	return r;
}

static void
records_are_accesses(void)
{
	static const char text[] =
		"==17== Lackey, an example Valgrind tool\n==17== \nI  0401ab70,3\nI  0401ab73,5\n S "
		"1fff000708,8\n--17-- chatter\n**17** more\n\nI  0401b770,1\n L 04032e70,4\n L 04032E78,16\r\n"
		" M 0403a2c8,1\nI  0401b771,7\nI  0401b778,7\n M ffffffffffff,1\nI  ffffffffff600000,9\nI  "
		"0401b779,2\n==17== Exit code:       0\n";
	static const struct sim_uop want[] = {
		{.at = 0x1fff000708, .kind = SIM_STORE, .size = 8, .other = 1}, {.at = 0x4032e70,
			.kind = SIM_LOAD, .size = 4}, {.at = 0x4032e78, .kind = SIM_LOAD, .size = 16},
		{.at = 0x403a2c8, .kind = SIM_LOAD, .size = 1}, {.at = 0x403a2c8, .kind = SIM_STORE, .size = 1},
			{.at = 0xffffffffffff, .kind = SIM_LOAD, .size = 1, .other = 1},
		{.at = 0xffffffffffff, .kind = SIM_STORE, .size = 1}, {.kind = SIM_FETCH, .other = 1, .size = 1},
	};

	for (size_t at_once = 1; at_once < 20; at_once++) {
		struct read r = read_text(text, sizeof text - 1, at_once);

		test_label("%zu at once", at_once);
		CHECK_STR(r.e.what, "");
		if (CHECK_INT(r.n, sizeof want / sizeof *want))
			CHECK(memcmp(r.uop, want, sizeof want) == 0);
		free(r.uop);
	}
}

static void
memory_is_the_whole_address_space(void)
{
	static const struct { const char *parameters, *text; enum sim_page page; bool touched; } row[] = {
		{NULL, "trace:page=4k,touched=1,refresh=0", SIM_4K, true}, {"",
			"trace:page=4k,touched=1,refresh=0", SIM_4K, true}, {"page=2m,touched=0",
			"trace:page=2m,touched=0,refresh=0", SIM_2M, false},
	};
	static const char *const bad[] = {"footprint=1G", "other=3", "page=3m", "page", "page=2m,page=2m", ","};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct err e = {0};
		struct sim_workload *w = sim_workload_trace(-1, row[i].parameters, &e);

		if (CHECK(w)) {
			CHECK_STR(sim_workload_text(w), row[i].text);
			CHECK_INT(sim_workload_memory(w)->base, 0);
			CHECK_INT(sim_workload_memory(w)->bytes, (uint64_t)1 << 48);
			CHECK_INT(sim_workload_memory(w)->page, row[i].page);
			CHECK_INT(sim_workload_memory(w)->touched, row[i].touched);
		}
		sim_workload_free(w);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct err e = {0};

		test_label("%s", bad[i]);
		CHECK(!sim_workload_trace(-1, bad[i], &e));
		CHECK(*e.what && *e.hint);
	}
}

/* Records before the broken one are given; the error names its line. */
static void
broken_records_are_reported(void)
{
	static const struct { const char *line, *says;
	} row[] = {
		{"hello", "it must begin with"},
		{"I 0401ab70,3", "it must begin with"},
		{" X 0401ab70,3", "it must begin with"},
		{"L 0401ab70,3", "it must begin with"},
		{"  L 0401ab70,3", "it must begin with"},
		{" L", "it must begin with"},
		{" ", "it must begin with"},
		{"I  ", "it must begin with"},
		{" L  0401ab70,3", "ADDRESS,SIZE is expected"},
		{" L ,3", "ADDRESS,SIZE"},
		{" L 0401ab70", "ADDRESS,SIZE"},
		{" L 0401ab70,", "ADDRESS,SIZE"},
		{" L 0401ab70;3", "ADDRESS,SIZE"},
		{" L 0401ab70,x", "ADDRESS,SIZE"},
		{" L 0401ab70,3 ", "ADDRESS,SIZE"},
		{" L 0401ab70,3,3", "ADDRESS,SIZE"},
		{" L 0x401ab70,3", "ADDRESS,SIZE"},
		{" L 0401ab70, 3", "ADDRESS,SIZE"},
		{" L -401ab70,3", "ADDRESS,SIZE"},
		{" L 12345678123456781,3", "ADDRESS,SIZE"},
		{" L 0401ab70,-3", "ADDRESS,SIZE"},
		{" L 0401ab70,0", "so many bytes"},
		{" L 0401ab70,65537", "so many bytes"},
		{" L 0401ab70,99999999999999999999999", "ADDRESS,SIZE"},
		{" L 1000000000000,1", "below 2^48"},
		{" S ffffffffffff,2", "below 2^48"},
		{" M ffffffffff600000,8", "below 2^48"},
		{"I  0401ab7g,3", "ADDRESS,SIZE"},
		{"I  0401ab70,0", "so many bytes"},
		{"=17== x", "it must begin with"},
		{" L 0401ab70,4I  0401ab70,3", "ADDRESS,SIZE"},
		{"a line that is longer than any record that there could be, of a program that writes where valgrind "
		 "writes",
			"it must begin with"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char *text = str_format("==17== x\n L 10,4\n\nI  20,3\n%s\n L 30,4\n", row[i].line);
		struct read r = read_text(text, strlen(text), 100);

		test_label("%s", row[i].line);
		CHECK_INT(r.n, 1);
		test_check(strstr(r.e.what, "line 5 of the trace, '") && strstr(r.e.what, row[i].says) &&
				strstr(r.e.hint, "lackey"),
			__FILE__, __LINE__, "the message is: %s (%s)", r.e.what, r.e.hint);
		free(r.uop);
		free(text);
	}
}

static void
ends_are_reported(void)
{
	static const struct { const char *text, *says; size_t n; } row[] = {
		{"", "the trace has no record", 0}, {"\n\n", "the trace has no record", 0}, {"==17== Lackey",
			"the trace has no record", 0}, {" L 10,4\n L 20", "the trace ends inside it", 1},
		{" L 10,4\nI", "it must begin with", 1}, {" L 10,4\n L 20,8", "", 2}, {" L 10,4\n==17== cut", "", 1},
			{" L 10,4\n=", "it must begin with", 1}, {"I  10,4", "", 1}, {" M 10,4", "", 2},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct read r = read_text(row[i].text, strlen(row[i].text), 7);

		test_label("%s", row[i].text);
		CHECK_INT(r.n, row[i].n);
		test_check(*row[i].says ? strstr(r.e.what, row[i].says) != NULL && *r.e.hint : !*r.e.what, __FILE__,
			__LINE__, "the message is: %s", r.e.what);
		free(r.uop);
	}
}

static void
what_cannot_be_read_is_reported(void)
{
	int dir = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct read r = read_all(dir, 5), closed;

	CHECK(strstr(r.e.what, "cannot read the trace"));
	CHECK(strstr(r.e.what, strerror(EISDIR)));
	close(dir);
	closed = read_all(-1, 5);
	CHECK(strstr(closed.e.what, strerror(EBADF)));
	free(r.uop);
	free(closed.uop);
}

/* More instructions without an access than fit into one µop. */
static void
long_calculations_are_counted(void)
{
	static const size_t length[] = {65535, 65536, 65537, 131071, 131072, 300000};

	for (size_t i = 0; i < sizeof length / sizeof *length; i++)
		for (int access = 0; access < 2; access++) {
			struct str t = {0};
			struct read r;
			size_t sum = 0;

			for (size_t k = 0; k < length[i]; k++)
				str_add(&t, "I  0401ab70,3\n");
			if (access)
				str_add(&t, " L 10,4\n");
			r = read_text(t.s, t.n, 2);
			for (size_t k = 0; k < r.n; k++)
				sum += 1u + r.uop[k].other;
			test_label("%zu instructions, %d access", length[i], access);
			CHECK_STR(r.e.what, "");
			CHECK_INT(sum, length[i]);
			CHECK(r.n && r.uop[r.n - 1].kind == (access ? SIM_LOAD : SIM_FETCH));
			free(r.uop);
			str_free(&t);
		}
}

/* A random trace like that of a program. */
static void
synthetic(struct str *t, size_t records, uint64_t *seed)
{
	for (size_t i = 0; i < records; i++) {
		uint64_t r = test_random(seed), at = test_random(seed) >> (16 + r % 40);

		if (r >> 32 & 1)
			str_addf(t, "I  %08llx,%u\n", (unsigned long long)at, 1 + (unsigned)(r >> 8 & 7));
		else
			str_addf(t, " %c %08llx,%u\n", "LSM"[(r >> 33) % 3], (unsigned long long)(at ? at - 1 : 0),
				1u << (r >> 8 & 3) >> (at == (uint64_t)1 << 48 ? 3 : 0));
		if (r >> 40 & 255 || r >> 48 & 3)
			continue;
		str_add(t, "==1== ");
		for (uint64_t k = 0; k < r >> 47; k++) /* up to more than the reader's buffer */
			str_addc(t, 'x');
		str_addc(t, '\n');
	}
}

static void
check_against_sscanf(const struct str *t, const struct read *r)
{
	size_t k = 0, other = 0, right = 0;
	bool fetched = false;

	for (const char *line = t->s; *line; line = strchr(line, '\n') + 1) {
		unsigned long long at;
		unsigned size;
		char kind, start[40]; /* sscanf() reads up to the end of its string */

		snprintf(start, sizeof start, "%.39s", line);
		if (sscanf(start, " %c %llx,%u", &kind, &at, &size) != 3 || kind == '=')
			continue;
		if (kind == 'I') {
			other += fetched;
			fetched = true;
			continue;
		}
		for (int half = 0; half < (kind == 'M' ? 2 : 1) && k < r->n; half++, k++) {
			right += r->uop[k].at == at && r->uop[k].size == size && r->uop[k].other == other &&
				r->uop[k].kind == (kind == 'S' || half ? SIM_STORE : SIM_LOAD);
			other = 0;
		}
		fetched = false;
	}
	CHECK(r->n - k <= 1);
	CHECK_INT(right, k);
}

static void
long_traces_are_read_whole(void)
{
	struct str t = {0};
	struct read r;
	uint64_t seed = 3;

	synthetic(&t, test_rounds(100000, 1000000), &seed);
	for (size_t at_once = 1; at_once < 5000; at_once = at_once * 7 + 1) {
		r = read_text(t.s, t.n, at_once);
		test_label("%zu at once", at_once);
		CHECK_STR(r.e.what, "");
		check_against_sscanf(&t, &r);
		free(r.uop);
	}
	str_free(&t);
}

struct writer {
	int fd;
	const struct str *text;
	uint64_t seed;
};

static void *
write_in_pieces(void *ctx)
{
	struct writer *w = ctx;

	for (size_t at = 0; at < w->text->n;) {
		size_t n = 1 + test_random(&w->seed) % 300;
		ssize_t wrote = write(w->fd, w->text->s + at, n < w->text->n - at ? n : w->text->n - at);

		if (wrote <= 0)
			break;
		at += (size_t)wrote;
	}
	close(w->fd);
	return NULL;
}

/* A pipe gives pieces that end anywhere; a non-blocking one has times without data. */
static void
pipes_are_waited_for(void)
{
	for (int nonblocking = 0; nonblocking < 2; nonblocking++) {
		struct writer w = {.seed = 9};
		struct str t = {0};
		struct read r;
		pthread_t thread;
		uint64_t seed = 4;
		int fd[2];

		synthetic(&t, 20000, &seed);
		if (!CHECK(pipe2(fd, O_CLOEXEC) == 0))
			return;
		if (nonblocking)
			CHECK(fcntl(fd[0], F_SETFL, O_NONBLOCK) == 0);
		w.fd = fd[1];
		w.text = &t;
		CHECK(pthread_create(&thread, NULL, write_in_pieces, &w) == 0);
		r = read_all(fd[0], 1000);
		pthread_join(thread, NULL);
		CHECK_STR(r.e.what, "");
		check_against_sscanf(&t, &r);
		close(fd[0]);
		free(r.uop);
		str_free(&t);
	}
}

/* Complete records are given at once, so that a program can be observed while it runs. */
static void
complete_records_are_given_at_once(void)
{
	static const char text[] = "I  10,3\n L 20,4\n S 30,4\n L 4";
	struct sim_uop u[10];
	struct err e = {0};
	struct sim_workload *w;
	int fd[2];

	if (!CHECK(pipe2(fd, O_CLOEXEC) == 0))
		return;
	CHECK(write(fd[1], text, sizeof text - 1) == (ssize_t)sizeof text - 1);
	w = sim_workload_trace(fd[0], NULL, &e);
	CHECK_INT(sim_workload_fill(w, u, 10, &e), 2); /* the pipe is open, and more may come */
	CHECK(write(fd[1], "0,4\n", 4) == 4);
	CHECK_INT(sim_workload_fill(w, u, 10, &e), 1);
	CHECK_INT(u[0].at, 0x40);
	close(fd[1]);
	CHECK_INT(sim_workload_fill(w, u, 10, &e), 0);
	CHECK_INT(sim_workload_fill(w, u, 10, &e), 0);
	sim_workload_free(w);
	close(fd[0]);
}

static void
mutated_traces_do_no_harm(void)
{
	static const char *const pieces[] = {
		"\n", "I  ", " L ", " M ", ",", "==", "ffffffffffffffffffff", "0", "\r", "\xff", "-", " ", "**"
	};
	unsigned long rounds = test_rounds(3000, 100000), whole = 0;
	uint64_t seed = 8;
	struct str t = {0};

	synthetic(&t, 40, &seed);
	for (unsigned long k = 0; k < rounds; k++) {
		size_t n;
		char *text = mutate(t.s, t.n, pieces, sizeof pieces / sizeof *pieces, 30, &seed, &n);
		struct read r = read_text(text, n, 1 + k % 30);

		test_label("round %lu", k);
		for (size_t i = 0; i < r.n; i++)
			if (r.uop[i].kind != SIM_FETCH)
				CHECK(r.uop[i].size && r.uop[i].at + r.uop[i].size <= (uint64_t)1 << 48);
		CHECK(!*r.e.what || *r.e.hint);
		whole += !*r.e.what;
		free(r.uop);
		free(text);
	}
	CHECK(whole > rounds / 50);
	CHECK(whole < rounds);
	str_free(&t);
}

TEST_MAIN(CASE(records_are_accesses), CASE(memory_is_the_whole_address_space), CASE(broken_records_are_reported),
	CASE(ends_are_reported), CASE(what_cannot_be_read_is_reported), CASE(long_calculations_are_counted),
	CASE(long_traces_are_read_whole), CASE(pipes_are_waited_for), CASE(complete_records_are_given_at_once),
	CASE(mutated_traces_do_no_harm))
