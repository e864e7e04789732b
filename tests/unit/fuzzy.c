/* Fuzzy names: what fits, and what fits better. */
#include "base/fuzzy.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

static void
what_fits(void)
{
	static const struct { const char *pattern, *text; bool fits; } row[] = {
		{"", "", true}, {"", "sort", true}, {"so", "sort", true}, {"SO", "sort", true}, {"st", "sort", true},
		{"ts", "sort", false}, {"sortx", "sort", false}, {"one by", "one-by-one", true}, {" ", "x", true},
		{"µp", "a µpath", true}, {"µ", "\xce\xb5 a", false}, {"\xc2", "\xb5", true /* both are broken bytes */},
		{"a", "", false},
	};
	char *lots = malloc(1 << 20);

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		test_label("\"%s\" in \"%s\"", row[i].pattern, row[i].text);
		CHECK_INT(fuzzy_score(row[i].pattern, row[i].text) > 0, row[i].fits);
	}
	memset(lots, 'a', (1 << 20) - 1);
	lots[(1 << 20) - 1] = '\0';
	CHECK_INT(fuzzy_score(lots, lots), 0);
	CHECK(fuzzy_score("aaa", lots) > 0);
	free(lots);
}

static void
what_fits_better(void)
{
	static const struct { const char *pattern, *better, *worse; } row[] = {
		{"sort", "sort", "snort"},             /* next to each other */
		{"wr", "whole run", "answer"},         /* starts of words */
		{"geo", "view 4 Geometry", "get some oil"},
		{"co", "columns", "by color"},         /* at the start */
		{"hm", "haswell-mmu", "the same"},
		{"ab", "a b", "a long way to a b"},
		{"ac", "a c", "axxxxxxxxxc"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		test_label("%s: \"%s\" before \"%s\"", row[i].pattern, row[i].better, row[i].worse);
		CHECK(fuzzy_score(row[i].pattern, row[i].better) > fuzzy_score(row[i].pattern, row[i].worse));
		CHECK(fuzzy_score(row[i].pattern, row[i].worse) > 0);
	}
}

TEST_MAIN(CASE(what_fits), CASE(what_fits_better))
