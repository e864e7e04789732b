/* Traces that are damaged, compressed, endless, of another kind, or come in pieces. */
#include <endian.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/str.h"
#include "made_traces.h"
#include "sim/trace/gzip.h"
#include "test.h"

static bool
says_where(const struct err *e)
{
	const char *byte = strstr(e->what, "byte "), *line = strstr(e->what, "line ");
	const char *number = byte ? byte + 5 : line ? line + 5 : "";

	return *number >= '0' && *number <= '9' && *e->hint;
}

/* Every beginning of a trace gives µops of whole records, then its end or the place where it was cut. */
static void
cut_anywhere(void)
{
	for (int f = 0; f < SIM_N_TRACE_FORMATS; f++) {
		struct str b = {0};
		size_t ends = 0;

		made_trace(&b, (enum sim_trace_format)f);
		for (size_t n = 1; n < b.n; n++) {
			struct str part = {.s = b.s, .n = n};
			struct made_result r = made_read(&part, f, 64);

			test_label("%s cut at %zu", sim_trace_format_name((enum sim_trace_format)f), n);
			ends += !*r.e.what;
			CHECK(!*r.e.what || says_where(&r.e) || strstr(r.e.what, "no instruction"));
			if (f == SIM_CHAMPSIM) {
				CHECK((n % 64 == 0) == !*r.e.what);
				CHECK_INT(r.facts.bytes, n / 64 * 64);
			}
			if (f == SIM_CHAMPSIM && n % 64) {
				char want[64];

				snprintf(want, sizeof want, "the one at byte %zu has %zu bytes, not 64", n / 64 * 64,
					n % 64);
				CHECK(strstr(r.e.what, want));
			}
			free(r.op);
		}
		if (f == SIM_CBP)
			CHECK_INT(ends, 20); /* after each record but the last */
		str_free(&b);
	}
}

static void
broken_records_are_named(void)
{
	static const struct {
		enum sim_trace_format f;
		size_t at;
		const char *bytes;
		size_t n;
		const char *want;
	} rows[] = {
		{SIM_CHAMPSIM, 64 + 8, "\2", 1, "byte 72 of the trace: is_branch and branch_taken must be 0 or 1"},
		{SIM_CHAMPSIM, 64 + 9, "\7", 1, "byte 72"},
		{SIM_CHAMPSIM, 9, "\1", 1, "byte 9 of the trace: a branch is taken, but this instruction is none"},
		{SIM_CHAMPSIM, 128, "\0\0\0\0\0\0\0\0", 8, "byte 128 of the trace: no instruction has such an address"},
		{SIM_CHAMPSIM, 128, "\0\0\0\0\0\0\1\0", 8, "byte 128"},
		{SIM_CHAMPSIM, 128 + 32, "\1\0\0\0\0\0\0\100", 8, "byte 160 of the trace: an address of data"},
		{SIM_CHAMPSIM, 128 + 16, "\0\0\0\0\0\0\377\377", 8, "byte 144 of the trace: an address of data"},
		{SIM_CBP, 0, "\1", 1, "byte 0 of the trace: an instruction of AArch64"},
		{SIM_CBP, 6, "\1", 1, "byte 0 of the trace: an address"},
		{SIM_CBP, 8, "\10", 1, "byte 8 of the trace: the class"},
		{SIM_CBP, 8, "\14", 1, "byte 8 of the trace: the class"},
		{SIM_CBP, 8, "\3", 1, "byte 9 of the trace: a flag"},
		{SIM_CBP, 9, "\21", 1, "byte 9 of the trace: no instruction has so many registers"},
		{SIM_CBP, 10, "\102", 1, "byte 10 of the trace: registers"},
		{SIM_LACKEY, 0, "xx", 2, "line 1 of the trace, 'xx7== Lackey"},
		{SIM_LACKEY, 46, "I  00001000;3\n", 14, "line 3 of the trace, 'I  00001000;3'"},
		{SIM_LACKEY, 46, "I  0000100,99\n", 14, "line 3 of the trace: no instruction has so many bytes"},
		{SIM_LACKEY, 46, " L 00001000,8\n", 14, "line 3 of the trace: an access comes before"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct str b = {0};
		struct made_result r;

		test_label("row %zu", i);
		made_trace(&b, rows[i].f);
		memcpy(b.s + rows[i].at, rows[i].bytes, rows[i].n);
		for (size_t at_once = 1; at_once < 1000; at_once *= 10) {
			r = made_read(&b, (int)rows[i].f, at_once);
			if (!CHECK(strstr(r.e.what, rows[i].want)))
				printf("# got: %s\n", r.e.what);
			CHECK(*r.e.hint);
			if (rows[i].f == SIM_CHAMPSIM)
				CHECK_INT(r.facts.instructions, rows[i].at / 64);
			free(r.op);
		}
		str_free(&b);
	}
}

static void
impossible_accesses_are_refused(void)
{
	static const uint64_t v[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	struct str b = {0};
	struct made_result r;
	static const struct {
		unsigned store, size, update, offset;
		const char *in, *out, *want;
	} rows[] = {
		{0, 8, 0, 0, "\2", "", "a load must write a register"},
		{0, 8, 1, 0, "\2", "\3\4", "a load with base update must read and write one register"},
		{0, 8, 1, 0, "\2\3", "\2\3\4", "a load with base update must read and write one register"},
		{0, 200, 0, 0, "\2", "\3", "no instruction accesses so many bytes"},
		{0, 8, 2, 0, "\2", "\3", "a flag must be 0 or 1"},
		{1, 8, 0, 0, "", "", "a store must read its base register"},
		{1, 8, 0, 1, "\2", "", "a store must read its base register"},
		{1, 8, 0, 0, "\2\3\4\5", "", "the bytes of a store cannot be divided"},
		{1, 8, 0, 0, "\2\3", "\2", "a store writes its base register if it updates it"},
		{1, 8, 1, 0, "\2\3", "", "a store writes its base register if it updates it"},
		{1, 8, 1, 0, "\2\3", "\41", "a store writes its base register if it updates it"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		test_label("row %zu", i);
		str_clear(&b);
		if (rows[i].store)
			made_add_store(&b, 0x1000, 0x5000, rows[i].size, rows[i].update, rows[i].offset,
				rows[i].in, rows[i].out, v);
		else
			made_add_load(&b, 0x1000, 0x5000, rows[i].size, rows[i].update, rows[i].in, rows[i].out, v);
		r = made_read(&b, SIM_CBP, 10);
		CHECK(strstr(r.e.what, rows[i].want) && says_where(&r.e));
		CHECK_INT(r.n, 0);
		free(r.op);
	}
	str_clear(&b);
	made_add_branch(&b, 0x1000, 4, 0, 0, "", "");
	r = made_read(&b, SIM_CBP, 10);
	CHECK(strstr(r.e.what, "byte 9 of the trace: only conditional branches may be not taken"));
	free(r.op);
	str_clear(&b);
	for (int i = 0; i < 66; i++)
		str_add(&b, i ? " L 5000,8\n" : "I  1000,3\n");
	r = made_read(&b, SIM_LACKEY, 10);
	CHECK(strstr(r.e.what, "line 66 of the trace: no instruction has so many accesses"));
	CHECK_INT(r.n, 64);
	free(r.op);
	str_free(&b);
}

/* Mutated traces give µops or an error with its place. */
static void
mutations_do_no_harm(void)
{
	uint64_t seed = 20261122;

	for (int f = 0; f < SIM_N_TRACE_FORMATS; f++) {
		struct str b = {0};
		unsigned rounds = test_rounds(3000, 100000), failures = 0;

		made_trace(&b, (enum sim_trace_format)f);
		for (unsigned i = 0; i < rounds; i++) {
			struct str copy = {0};
			struct made_result r;

			str_addn(&copy, b.s, b.n);
			for (uint64_t k = test_random(&seed) % 4 + 1; k > 0; k--)
				copy.s[test_random(&seed) % copy.n] = (char)test_random(&seed);
			if (test_random(&seed) % 8 == 0)
				copy.n = test_random(&seed) % copy.n + 1;
			r = made_read(&copy, f, test_random(&seed) % 300 + 1);
			failures += *r.e.what != '\0';
			if (*r.e.what && !says_where(&r.e) && !strstr(r.e.what, "no instruction") &&
				!strstr(r.e.what, "first bytes"))
				CHECK_STR(r.e.what, "an error with its place");
			free(r.op);
			if (i % 16 == 0) {
				r = made_read(&copy, MADE_GUESS, 64);
				free(r.op);
			}
			str_free(&copy);
		}
		CHECK(failures > 0 && failures < rounds);
		str_free(&b);
	}
}

struct writer {
	int fd;
	const struct str *bytes;
	size_t piece;
};

static void *
write_pieces(void *arg)
{
	const struct writer *w = arg;

	for (size_t at = 0; at < w->bytes->n; at += w->piece) {
		size_t n = w->bytes->n - at < w->piece ? w->bytes->n - at : w->piece;

		if (write(w->fd, w->bytes->s + at, n) != (ssize_t)n)
			break;
	}
	close(w->fd);
	return NULL;
}

static void
pipes_deliver_pieces(void)
{
	for (int f = 0; f < SIM_N_TRACE_FORMATS; f++)
		for (size_t piece = 1; piece < 200; piece = piece * 5 + 2) {
			struct str b = {0};
			struct made_result whole, r;
			struct writer w = {.bytes = &b, .piece = piece};
			pthread_t thread;
			int ends[2];

			made_trace(&b, (enum sim_trace_format)f);
			whole = made_read(&b, f, 1000);
			if (!CHECK(pipe2(ends, O_CLOEXEC) == 0))
				return;
			w.fd = ends[1];
			CHECK(pthread_create(&thread, NULL, write_pieces, &w) == 0);
			r = made_read_fd(ends[0], piece % 2 ? MADE_GUESS : f, 1000);
			pthread_join(thread, NULL);
			close(ends[0]);
			CHECK_STR(r.e.what, "");
			CHECK(r.n && made_same(&r, &whole));
			free(r.op);
			free(whole.op);
			str_free(&b);
		}
}

/* What has arrived is returned before the pipe ends. */
static void
pipes_are_not_waited_for(void)
{
	struct str b = {0};
	struct sim_stream *s;
	struct sim_op op[100];
	struct err e = {0};
	int ends[2];

	made_trace(&b, SIM_CBP);
	if (!CHECK(pipe2(ends, O_CLOEXEC) == 0))
		return;
	CHECK(write(ends[1], b.s, b.n) == (ssize_t)b.n);
	s = sim_op_trace_new(ends[0], SIM_CBP);
	CHECK_INT(sim_stream_fill(s, op, 100, &e), 30);
	close(ends[1]);
	CHECK_INT(sim_stream_fill(s, op, 100, &e), 0);
	sim_stream_free(s);
	close(ends[0]);
	str_free(&b);
}

/* CRC-32 bit by bit (RFC 1952, section 8). */
static uint32_t
crc_of(const struct str *b)
{
	uint32_t crc = 0xffffffff;

	for (size_t i = 0; i < b->n; i++) {
		crc ^= (uint8_t)b->s[i];
		for (int k = 0; k < 8; k++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

/* Adds a gzip file of one stored block, which needs no compressor (RFC 1951, 3.2.4). */
static void
add_stored(struct str *out, const struct str *b)
{
	uint32_t tail[2] = {htole32(crc_of(b)), htole32((uint32_t)b->n)};
	uint16_t n[2] = {htole16((uint16_t)b->n), htole16((uint16_t)~b->n)};

	str_addn(out, "\x1f\x8b\x08\0\0\0\0\0\0\xff\x01", 11);
	str_addn(out, (const char *)n, sizeof n);
	str_addn(out, b->s, b->n);
	str_addn(out, (const char *)tail, sizeof tail);
}

static void
gzip_is_uncompressed(void)
{
	struct str b = {0}, z = {0};
	struct made_result r;

	made_trace(&b, SIM_CBP);
	add_stored(&z, &b);
	for (size_t n = 1; n < z.n; n++) { /* cut anywhere, it is an error */
		struct str part = {.s = z.s, .n = n};

		test_label("cut at %zu", n);
		r = made_read(&part, SIM_CBP, 10);
		CHECK(says_where(&r.e));
		free(r.op);
	}
	test_label("whole");
	r = made_read(&z, MADE_GUESS, 10);
	CHECK_STR(r.e.what, "");
	CHECK_INT(r.n, 30);
	CHECK_INT(r.facts.bytes, b.n);
	free(r.op);
	add_stored(&z, &b); /* two in a row are one */
	str_addn(&z, "\0\0\0\0", 4);
	r = made_read(&z, SIM_CBP, 10);
	CHECK_STR(r.e.what, "");
	CHECK_INT(r.n, 60);
	free(r.op);
	str_addn(&z, "junk", 4);
	r = made_read(&z, SIM_CBP, 10);
	CHECK(strstr(r.e.what, "something that is no gzip data follows the end"));
	CHECK_INT(r.n, 60);
	free(r.op);
	z.s[40] ^= 1; /* the checksum finds it */
	r = made_read(&z, SIM_CBP, 10);
	CHECK(says_where(&r.e));
	free(r.op);
	str_free(&b);
	str_free(&z);
}

static void
gzip_is_written(void)
{
	int fd = memfd_create("gzip", MFD_CLOEXEC);
	struct sim_gzip *z = sim_gzip_new(fd);
	struct str b = {0};
	struct made_result r;

	made_trace(&b, SIM_CBP);
	for (int i = 0; i < 1000; i++)
		CHECK(sim_gzip_add(z, b.s, b.n));
	CHECK(sim_gzip_end(z));
	sim_gzip_free(z);
	CHECK(lseek(fd, 0, SEEK_END) < (off_t)b.n * 100 && lseek(fd, 0, SEEK_SET) == 0);
	r = made_read_fd(fd, MADE_GUESS, 4096);
	CHECK_STR(r.e.what, "");
	CHECK_INT(r.n, 30000);
	free(r.op);
	close(fd);
	str_free(&b);
	fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	z = sim_gzip_new(fd);
	CHECK(!sim_gzip_end(z));
	sim_gzip_free(z);
	close(fd);
}

/* The first header of an archive, as tar(5) describes it: a name, and "ustar" at byte 257. */
static const char archive[512] = {'o', 'k', '.', 'c', 'h', 'a', 'm', 'p', [257] = 'u', 's', 't', 'a', 'r'};

static void
other_files_are_recognised(void)
{
	static const struct {
		const char *bytes;
		size_t n;
		const char *what, *hint;
	} rows[] = {
		{"", 0, "the trace is empty", "hecate trace"},
		{"\xfd" "7zXZ\0\0\4", 8, "those of xz", "xz -dc FILE |"},
		{"\x28\xb5\x2f\xfd\4\0\0\0\0", 9, "those of zstd", "zstd -dc FILE |"},
		{"BZh91AY&SY", 10, "those of bzip2", "bzip2 -dc FILE |"},
		{"\x7f" "ELF\2\1\1\0\0", 9, "those of an ELF program", "give a trace"},
		{archive, sizeof archive, "those of an archive", "tar -xOf FILE |"},
		{"PERFILE2\0", 9, "those of data of perf record", "give a trace"},
		{"a,b,c\n1,2,3\n", 12, "no format of traces begins like this", "champsim:FILE"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (int f = 0; f <= MADE_GUESS; f++) {
			struct str b = {0};
			struct made_result r;

			test_label("row %zu, format %d", i, f);
			str_addn(&b, rows[i].bytes, rows[i].n);
			r = made_read(&b, f, 10);
			CHECK_INT(r.n, 0);
			if (f == MADE_GUESS || i + 1 < sizeof rows / sizeof *rows)
				CHECK(strstr(r.e.what, rows[i].what) && strstr(r.e.hint, rows[i].hint));
			else
				CHECK(*r.e.what);
			free(r.op);
			str_free(&b);
		}
}

/* A trace that is read in a wrong format: the hint has the right one. */
static void
wrong_formats_are_named(void)
{
	for (int f = 0; f < SIM_N_TRACE_FORMATS; f++) {
		struct str b = {0};

		made_trace(&b, (enum sim_trace_format)f);
		for (int g = 0; g < SIM_N_TRACE_FORMATS; g++) {
			struct made_result r = made_read(&b, g, 10);
			char *want = str_format("it looks like a trace of the format %s, not %s",
				sim_trace_format_name((enum sim_trace_format)f),
				sim_trace_format_name((enum sim_trace_format)g));

			CHECK_STR(r.e.hint, f == g ? "" : want);
			free(want);
			free(r.op);
		}
		str_free(&b);
	}
}

static void
formats_have_names(void)
{
	static const char *const names[] = {"champsim", "cbp", "lackey"};
	enum sim_trace_format f;

	for (int i = 0; i < SIM_N_TRACE_FORMATS; i++) {
		CHECK_STR(sim_trace_format_name((enum sim_trace_format)i), names[i]);
		CHECK(sim_trace_format_find(names[i], &f) && (int)f == i);
	}
	CHECK(!sim_trace_format_find("cvp", &f));
	CHECK(!sim_trace_format_guess("", 0, &f));
}

static ssize_t
read_forever(void *ctx, void *to, size_t n, struct err *e)
{
	const struct str *b = ctx;

	(void)e;
	if (n < b->n)
		return -1;
	memcpy(to, b->s, b->n);
	return (ssize_t)b->n;
}

/* Endless traces, of nothing but branches, and without any. */
static void
streams_may_be_endless(void)
{
	static const struct made_champ all[] = {{.ip = 0x1000, .branch = 1, .taken = 1, .dst = {26}}},
		none[] = {{.ip = 0x1000, .dst = {10}, .src = {10}}};

	for (int i = 0; i < 2; i++) {
		struct str b = {0};
		struct sim_stream *s;
		struct sim_op op[1000];
		struct err e = {0};
		size_t n = 0;

		made_add_champs(&b, i ? none : all, 1);
		s = sim_op_trace_from(read_forever, &b, SIM_CHAMPSIM);
		for (size_t got = 1; n < 200000 && CHECK(got > 0 && got <= 1000); n += got)
			got = sim_stream_fill(s, op, 1000, &e);
		CHECK_INT(sim_op_trace_facts(s).branches, i ? 0 : sim_op_trace_facts(s).instructions);
		sim_stream_free(s);
		str_free(&b);
	}
}

TEST_MAIN(CASE(cut_anywhere), CASE(broken_records_are_named), CASE(impossible_accesses_are_refused),
	CASE(mutations_do_no_harm), CASE(pipes_deliver_pieces), CASE(pipes_are_not_waited_for),
	CASE(gzip_is_uncompressed), CASE(gzip_is_written), CASE(other_files_are_recognised),
	CASE(wrong_formats_are_named), CASE(formats_have_names), CASE(streams_may_be_endless))
