/* Random mixes, for tests of methods: one to four programs, each with parameters drawn from a few values. */
#include "sim/server/load.h"

#include <stdlib.h>

#include "base/str.h"

#define PROGRAMS 4u
#define CORES 6u

static const char *
draw(uint64_t *random, const char *const *word, size_t n)
{
	return word[random_below(random, n)];
}
#define DRAW(...) \
	draw(&random, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

char *
load_random(uint64_t seed)
{
	uint64_t random = random_scatter(seed + 1);
	size_t n = 1 + random_below(&random, PROGRAMS);
	unsigned first = 0;
	struct str out = {0};

	for (size_t i = 0; i < n; i++) {
		enum load_kind kind = (enum load_kind)random_below(&random, LOAD_KINDS);
		unsigned cores = 1 + (unsigned)random_below(&random, CORES);

		str_addf(&out, "%s%s:first=%u,cores=%u", i ? "+" : "", load_kind_name(kind), first, cores);
		str_addf(&out, ",memory=%s", DRAW("local", "remote", "cxl", "tiers"));
		str_addf(&out, ",slow=%s", DRAW("0.2", "0.5", "0.8"));
		str_addf(&out, ",footprint=%s", DRAW("4M", "16M", "64M", "256M", "1G"));
		str_addf(&out, ",gap=%s", DRAW("0", "2", "8", "32", "128"));
		if (kind != LOAD_CHASE && kind != LOAD_GUPS)
			str_addf(&out, ",stores=%s", DRAW("0", "0.1", "0.3", "0.5"));
		if (kind != LOAD_CHASE)
			str_addf(&out, ",chain=%s", DRAW("0", "0.1", "0.5"));
		if (kind == LOAD_STREAM)
			str_addf(&out, ",stride=%s", DRAW("8", "64"));
		first += cores;
	}
	return str_take(&out);
}
