/* The C vocabulary of src/base: checksums, strings, numbers, near names, visible text, names, threads by id, JSON,
 * errors, arenas, large memory. Expected values are worked out by hand; the thread table is compared with an array. */
#include "base/checksum.h"
#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "base/utf8.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/int128.h"
#include "base/near.h"
#include "base/tid_table.h"
#include "test.h"

static void
strings_grow_and_split(void)
{
	struct str t = {0};
	size_t n;
	char **piece;

	CHECK_STR(str_text(&t), "");
	for (int i = 0; i < 100; i++)
		str_addf(&t, "%d,", i % 10);
	CHECK_INT(t.n, 200);
	str_free(&t);
	piece = str_split("a,,b", ',', &n);
	CHECK_INT(n, 3);
	CHECK_STR(piece[1], "");
	CHECK_STR(piece[2], "b");
	CHECK(piece[3] == NULL);
	str_split_free(piece);
}

static void
numbers_are_checked(void)
{
	static const struct { const char *s; bool good; int64_t v; } row[] = {
		{"0", true, 0}, {"9223372036854775807", true, INT64_MAX}, {"-9223372036854775808", true, INT64_MIN},
		{"9223372036854775808", false, 0}, {"", false, 0}, {"-", false, 0}, {"1 ", false, 0}, {"0x10",
			false, 0}, {"+1", false, 0},
	};
	static const struct { const char *s; bool good; double v; } real[] = {
		{"1.5", true, 1.5}, {".5", true, 0.5}, {"1e3", true, 1000}, {"nan", false, 0}, {"inf", false, 0},
			{"0x1p3", false, 0},
		{"1e999", false, 0}, {"1e", false, 0}, {"1,5", false, 0}, {".", false, 0}, {"-2", true, -2},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		int64_t v = 0;

		test_label("%s", row[i].s);
		CHECK_INT(str_to_i64(row[i].s, &v), row[i].good);
		CHECK_INT(v, row[i].v);
	}
	for (size_t i = 0; i < sizeof real / sizeof *real; i++) {
		double v = 0;

		test_label("%s", real[i].s);
		CHECK_INT(str_to_double(real[i].s, &v), real[i].good);
		CHECK_NEAR(v, real[i].v, 0);
	}
}

static void
near_names_count_swaps_once(void)
{
	static const char *const names[] = {"early_psc", "merging", "walk", "count"};
	static const struct { const char *word, *want; } row[] = {
		{"early_pcs", "early_psc"}, {"mergin", "merging"}, {"wlak", "walk"}, {"cuont", "count"}, {"talk",
			"walk"}, {"tall", NULL}, {"zebra", NULL},
		{"", NULL}, {"walk", "walk"},
	};
	char *hint;

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		test_label("%s", row[i].word);
		CHECK_STR(near_name(row[i].word, names, 4), row[i].want);
	}
	CHECK_INT(near_distance("kitten", "sitting", 5), 3);
	CHECK_INT(near_distance("kitten", "sitting", 2), 3);
	CHECK_INT(near_distance("", "abc", 9), 3);
	CHECK_INT(near_distance("abcd", "badc", 5), 2);
	CHECK_INT(near_distance("abc", "abcdefgh", 2), 3);
	for (unsigned code = 0; code < 64; code++) { /* below its limit the distance is the exact one */
		static const char *const word[] = {"", "ab", "ba", "abc", "acb", "cabd", "xyzxyz", "abcabc"};
		const char *a = word[code / 8], *b = word[code % 8];
		size_t far = near_distance(a, b, 100);

		for (size_t limit = 0; limit < 8; limit++)
			CHECK_INT(near_distance(a, b, limit), far > limit ? limit + 1 : far);
	}
	hint = near_hint("zebra", names, 2);
	CHECK_STR(hint, "there are: early_psc, merging");
	free(hint);
	hint = near_hint("merge", names, 4);
	CHECK_STR(hint, "there are: early_psc, merging, walk, count");
	free(hint);
	CHECK(near_hint("x", names, 0) == NULL);
}

/* Names of perf, libpfm4 and tracefs, and what users write instead. */
static void
near_names_are_found_by_words_in_any_order(void)
{
	static const char *const names[] = {"page-faults", "minor-faults", "major-faults", "dTLB-loads",
		"dTLB-load-misses", "dtlb_load_misses.walk_completed", "dtlb_load_misses.walk_pending",
		"dtlb_store_misses.walk_completed", "DTLB_LOAD_MISSES:WALK_COMPLETED", "page-faults",
		"kvm:kvm_page_fault", "cycles"};
	static const struct { const char *word; const char *want[NEAR_MOST]; } row[] = {
		{"page-fault", {"page-faults", "kvm:kvm_page_fault"}},
		{"faults-page", {"page-faults", "kvm:kvm_page_fault"}},
		{"faults", {"page-faults", "minor-faults", "major-faults"}}, /* one more word each, in order */
		{"dtlb_load_misses.walk_complete", {"dtlb_load_misses.walk_completed",
			"DTLB_LOAD_MISSES:WALK_COMPLETED"}},
		{"DTLB_LOAD_MISSES:WALK_COMPLETED", {"DTLB_LOAD_MISSES:WALK_COMPLETED",
			"dtlb_load_misses.walk_completed"}},
		{"walk pending dtlb", {"dtlb_load_misses.walk_pending"}},
		{"compleeted walk store", {"dtlb_store_misses.walk_completed"}}, /* a word with one edit */
		{"walk walk", {NULL}}, /* each word of a name stands for one word */
		{"cyclse", {"cycles"}},
		{"zzz", {NULL}},
	};
	size_t n = sizeof names / sizeof *names, found[NEAR_MOST];
	char *hint = near_hint("page-fault", names, n);

	CHECK_STR(hint, "nearest: page-faults, kvm:kvm_page_fault");
	free(hint);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		size_t some = near_find(row[i].word, names, n, found);

		for (size_t k = 0; k < NEAR_MOST; k++) {
			test_label("%s: %zu", row[i].word, k);
			CHECK_STR(k < some ? names[found[k]] : NULL, row[i].want[k]);
		}
	}
}

/* 300 random names with one random edit each: the name is found first, or another one that is as near. */
static void
near_names_survive_any_edit(void)
{
	enum { NAMES = 300, WORD = 14 };
	static const char letter[] = "abcdefgh_.:-";
	char text[NAMES][WORD + 1];
	const char *names[NAMES];
	uint64_t seed = 27;

	for (size_t i = 0; i < NAMES; i++) {
		for (size_t k = 0; k < WORD; k++)
			text[i][k] = letter[test_random(&seed) % (sizeof letter - 1)];
		text[i][0] = 'a';
		text[i][WORD] = '\0';
		names[i] = text[i];
	}
	for (size_t i = 0; i < NAMES; i++) {
		size_t at = 1 + test_random(&seed) % (WORD - 1), found[NEAR_MOST], some;
		char word[WORD + 2];

		memcpy(word, text[i], WORD + 1);
		switch (test_random(&seed) % (3)) {
		case 0:
			word[at] = 'z';
			break;
		case 1:
			memmove(word + at, word + at + 1, WORD - at);
			break;
		case 2:
			memmove(word + at + 1, word + at, WORD + 1 - at);
			word[at] = 'z';
			break;
		}
		some = near_find(word, names, NAMES, found);
		test_label("%s of %s", word, names[i]);
		CHECK(some && (found[0] == i || near_distance(word, names[found[0]], 9) <= 1));
	}
}

static void
outside_text_is_made_visible(void)
{
	struct str t = {0};
	size_t at;

	utf8_add_visible(&t, "a\x1b[2J\n\xff\xc2\x9b\u202eµ", strlen("a\x1b[2J\n\xff\xc2\x9b\u202eµ"));
	CHECK_STR(str_text(&t), "a\\x1b[2J\\n\\xff\\u{009b}\\u{202e}µ");
	str_free(&t);
	CHECK_INT(utf8_width("µ≤✗ab"), 5);
	CHECK_INT(utf8_width("漢字"), 4);
	CHECK_INT(utf8_fit("漢字", 3), 3);
	CHECK(utf8_valid("µpath", 6, &at));
	CHECK(!utf8_valid("ab\xc0\x80", 4, &at));
	CHECK_INT(at, 2);
	CHECK(!utf8_valid("a\0b", 3, &at));
}

static void
names_are_numbered(void)
{
	struct names t = {0};

	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 1000; i++) {
			char name[16];
			int n = snprintf(name, sizeof name, "n%d", i);

			CHECK_INT(names_add(&t, name, (size_t)n), i);
		}
	CHECK_INT(t.n, 1000);
	CHECK_INT(names_find(&t, "n17x", 3), 17);
	CHECK(names_find(&t, "n1000", 5) == NAMES_NONE);
	names_free(&t);
}

static bool
is_even(const void *value)
{
	return *(const int *)value % 2 == 0;
}

/* Random additions, removals and sweeps, compared with an array. Few ids, so that entries collide. */
static void
threads_are_found_by_id(void)
{
	enum { IDS = 3000 };
	struct tid_table t = {0};
	bool *in = mem_new_array(IDS, sizeof *in);
	uint64_t seed = 5;
	size_t n = 0;

	CHECK(tid_table_get(&t, 7) == NULL);
	tid_table_remove(&t, 7);
	tid_table_sweep(&t, is_even);
	for (int step = 0; step < 60000; step++) {
		int32_t id = (int32_t)(test_random(&seed) % IDS);
		bool grow = step / 10000 % 2 == 0;
		int *value = tid_table_get(&t, id * 64);

		CHECK(!value == !in[id] && (!value || *value == id));
		if (!value && grow) {
			*(int *)tid_table_add(&t, id * 64, sizeof(int)) = id;
			in[id] = true;
			n++;
		} else if (value && !grow) {
			tid_table_remove(&t, id * 64);
			in[id] = false;
			n--;
		}
		CHECK_INT(t.n, n);
	}
	tid_table_sweep(&t, is_even);
	for (int32_t id = 0; id < IDS; id++)
		CHECK(!tid_table_get(&t, id * 64) == !(in[id] && id % 2));
	tid_table_free(&t);
	free(in);
}

static void
divisors_are_common(void)
{
	for (uint64_t a = 0; a < 40; a++)
		for (uint64_t b = 0; b < 40; b++) {
			uint64_t want = a > b ? a : b;

			while (want > 0 && (a % want || b % want))
				want--;
			CHECK_INT(u64_gcd(a, b), want);
		}
	CHECK(u64_gcd(UINT64_C(1) << 63, 3 * (UINT64_C(1) << 40)) == UINT64_C(1) << 40);
}

static void
json_round_trip(void)
{
	struct str t = {0};
	struct json_writer w = {.out = &t};
	struct json *v;
	struct err e;

	json_open(&w, NULL, '{');
	json_str(&w, "na\"me", "a\\b\n\x01µ\xff");
	json_num(&w, "third", 1.0 / 3);
	json_num(&w, "nan", NAN);
	json_decimal(&w, "small", "9007199254740992");
	json_decimal(&w, "large", "9007199254740993");
	json_open(&w, "list", '[');
	json_int(&w, NULL, -5);
	json_bool(&w, NULL, true);
	json_close(&w, ']');
	json_open(&w, "empty", '{');
	json_close(&w, '}');
	json_close(&w, '}');
	v = json_parse(str_text(&t), t.n, &e);
	if (CHECK(v)) {
		CHECK_STR(json_get(v, "na\"me")->text, "a\\b\n\x01µ\xef\xbf\xbd");
		CHECK_NEAR(json_number(json_get(v, "third")), 1.0 / 3, 0);
		CHECK_INT(json_get(v, "nan")->kind, JSON_NULL);
		CHECK_INT(json_get(v, "small")->kind, JSON_NUMBER);
		CHECK_STR(json_get(v, "large")->text, "9007199254740993");
		CHECK_INT(json_get(v, "large")->kind, JSON_STRING);
		CHECK_INT(json_get(v, "list")->n, 2);
		CHECK_INT(json_get(v, "empty")->n, 0);
	}
	json_free(v);
	str_free(&t);
}

static void
bad_json_is_refused(void)
{
	static const char *const bad[] = {
		"", "{", "[1,]", "{\"a\" 1}", "nul", "\"a", "[1] 2", "{\"a\":1,}", "\"\\x\"", "1e", "[\"\x01\"]"
	};
	struct str deep = {0};
	struct err e;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct json *v = json_parse(bad[i], strlen(bad[i]), &e);

		test_label("%s", bad[i]);
		CHECK(!v);
		CHECK(str_starts(e.what, "not JSON at line 1"));
		json_free(v);
	}
	for (int i = 0; i < 100000; i++)
		str_addc(&deep, '[');
	CHECK(!json_parse(str_text(&deep), deep.n, &e));
	str_free(&deep);
}

static void
errors_name_place_and_remedy(void)
{
	struct str t = {0};
	struct err e;

	CHECK(!err_set(&e, "no feature %s", "x\x1b"));
	err_hint(&e, "nearest: y");
	err_place(&e, "m.udd", 3, 7);
	err_text(&e, &t);
	CHECK_STR(str_text(&t), "m.udd:3:7: no feature x\\x1b; nearest: y");
	str_free(&t);
}

static void
arena_gives_aligned_zeroed_memory(void)
{
	struct arena *a = arena_new();

	for (size_t i = 1; i < 3000; i += 7) {
		unsigned char *p = arena_alloc(a, i);

		CHECK_INT((uintptr_t)p % _Alignof(max_align_t), 0);
		CHECK(p[0] == 0 && p[i - 1] == 0);
		memset(p, 0xff, i);
	}
	CHECK_STR(arena_strn(a, "abcdef", 3), "abc");
	arena_free(a);
}

/* A checksum does not depend on how the bytes are cut into pieces. A byte that differs, or one more byte, changes
 * it. */
static void
checksums_do_not_depend_on_pieces(void)
{
	unsigned char bytes[200];
	uint64_t seed = 3, seen[201];

	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)test_random(&seed);
	for (size_t n = 0; n <= sizeof bytes; n++) {
		struct checksum whole, pieces;

		checksum_begin(&whole);
		checksum_add(&whole, bytes, n);
		seen[n] = checksum_value(&whole);
		for (int round = 0; round < 20; round++) {
			checksum_begin(&pieces);
			for (size_t at = 0, piece; at < n; at += piece) {
				piece = 1 + test_random(&seed) % 50;
				piece = piece < n - at ? piece : n - at;
				checksum_add(&pieces, bytes + at, piece);
				checksum_value(&pieces);
			}
			CHECK(checksum_value(&pieces) == seen[n]);
		}
		for (size_t k = 0; k < n; k++)
			CHECK(seen[k] != seen[n]);
		for (size_t k = 0; k < n; k++) {
			bytes[k] ^= 1;
			checksum_begin(&whole);
			checksum_add(&whole, bytes, n);
			CHECK(checksum_value(&whole) != seen[n]);
			bytes[k] ^= 1;
		}
	}
}

/* Bytes of this process that are in memory. */
static size_t
resident(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	size_t all = 0, here = 0;

	CHECK(f && fscanf(f, "%zu %zu", &all, &here) == 2);
	if (f)
		fclose(f);
	return here * (size_t)sysconf(_SC_PAGESIZE);
}

/* The first block is as large as all others together: malloc() would learn from it to keep that much. */
static void
large_memory_is_returned(void)
{
	enum { N = 16, SIZE = 1 << 20 };
	void *large[N], *first;
	const char *preloaded = getenv("LD_PRELOAD");
	size_t before;

	if (preloaded && strstr(preloaded, "vgpreload")) {
		test_skip("valgrind keeps what is freed");
		return;
	}
	mem_return_large();
	first = mem_new((size_t)N * SIZE);
	free(first);
	before = resident();
	for (int i = 0; i < N; i++)
		large[i] = memset(mem_new(SIZE), 1, SIZE);
	CHECK(resident() > before + (size_t)(N / 2) * SIZE);
	for (int i = 0; i < N; i++)
		free(large[i]);
#if defined(__GLIBC__) && !defined(HECATE_SANITIZERS) /* others decide for themselves what they keep */
	CHECK(resident() < before + (size_t)(N / 4) * SIZE);
#endif
}

TEST_MAIN(CASE(checksums_do_not_depend_on_pieces), CASE(strings_grow_and_split), CASE(numbers_are_checked),
	CASE(near_names_count_swaps_once), CASE(near_names_are_found_by_words_in_any_order),
	CASE(near_names_survive_any_edit), CASE(outside_text_is_made_visible), CASE(names_are_numbered),
	CASE(threads_are_found_by_id), CASE(divisors_are_common),
	CASE(json_round_trip), CASE(bad_json_is_refused), CASE(errors_name_place_and_remedy),
	CASE(arena_gives_aligned_zeroed_memory),
	CASE(large_memory_is_returned))
