/* Structures as messages: decoding gives what was encoded; empty, cut and wrong messages do no harm. */
#include "shape/wire.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "test.h"

static void
nothing_at_all(void)
{
	struct wire w = {.reading = true};
	char *text = NULL;
	int64_t *whole = NULL;
	double *real = NULL;
	size_t n = 7, m = 7;

	/* No byte was received: the reader's buffer is NULL. */
	wire_bytes(&w, NULL, 0);
	CHECK(!w.bad);
	wire_i64s(&w, &whole, &n);
	wire_doubles(&w, &real, &m);
	wire_str(&w, &text);
	CHECK(w.bad);
	CHECK(n == 0 && m == 0 && !text);
	free(whole);
	free(real);
}

static void
empty_things(void)
{
	struct wire w = {0};
	char none[] = "", *text = none, *absent = NULL, *got = none;
	int64_t *whole = NULL;
	double *real = NULL;
	size_t n = 0;

	wire_bytes(&w, NULL, 0);
	wire_str(&w, &text);
	wire_str(&w, &absent);
	wire_i64s(&w, &whole, &n);
	wire_doubles(&w, &real, &n);
	w.reading = true;
	wire_str(&w, &got);
	CHECK_STR(got, "");
	free(got);
	wire_str(&w, &got);
	CHECK(!got);
	wire_i64s(&w, &whole, &n);
	CHECK_INT(n, 0);
	wire_doubles(&w, &real, &n);
	CHECK_INT(n, 0);
	CHECK(!w.bad);
	free(whole);
	free(real);
	wire_free(&w);
}

/* A message cut off at every length. */
static void
cut_short(void)
{
	struct wire whole = {0};
	char word[] = "a word", *text = word;
	int64_t number[] = {1, -2, 3}, *numbers = number;
	size_t n = 3;

	wire_str(&whole, &text);
	wire_i64s(&whole, &numbers, &n);
	for (size_t cut = 0; cut <= whole.n; cut++) {
		struct wire w = {.reading = true, .data = mem_copy(whole.data, cut), .n = cut};
		char *got = NULL;
		int64_t *back = NULL;
		size_t m = 0;

		wire_str(&w, &got);
		wire_i64s(&w, &back, &m);
		CHECK(w.bad == (cut < whole.n));
		if (cut == whole.n && CHECK_INT(m, 3)) {
			CHECK_STR(got, "a word");
			CHECK(memcmp(back, number, sizeof number) == 0);
		}
		free(got);
		free(back);
		wire_free(&w);
	}
	wire_free(&whole);
}

/* A name that is NULL, or cut off, is a broken message, and a text all the same. */
static void
no_name(void)
{
	struct wire w = {0};
	char *none = NULL, *got = NULL;

	wire_str(&w, &none);
	w.reading = true;
	wire_name(&w, &got);
	CHECK(w.bad);
	CHECK_STR(got, "");
	free(got);
	got = NULL;
	wire_name(&w, &got);
	CHECK(w.bad);
	CHECK_STR(got, "");
	free(got);
	wire_free(&w);
}

TEST_MAIN(CASE(nothing_at_all), CASE(empty_things), CASE(cut_short), CASE(no_name))
