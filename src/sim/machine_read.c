#include "sim/machine_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "text/diag.h"

const char *const sim_page_word[SIM_PAGES] = {"4k", "2m", "1g"};

static bool
machine_read_fail(struct sim_reader *p, const struct place *at, const char *hint, const char *what)
{
	diag_add(p->r.diags, DIAG_ERROR, at, hint, "%s", what);
	return false;
}

bool
sim_read_first(struct sim_reader *reader, enum sim_item i)
{
	const struct place *at = &reader->word;
	char *hint;

	if (!reader->len[i] || reader->replaces) {
		reader->at[i] = at->at;
		reader->len[i] = at->len;
		return true;
	}
	hint = str_format("the first one is in line %d", source_line(&reader->r.source, reader->at[i]));
	diag_add(reader->r.diags, DIAG_ERROR, at, hint, "'%.*s' is given twice", (int)at->len,
		reader->r.source.text + at->at);
	free(hint);
	return false;
}

void *
sim_item_field(const struct sim_reader *reader)
{
	return (char *)reader->m + reader->row->field;
}

bool
sim_read_number(struct sim_reader *reader, const char *what, const char *unit, unsigned least, unsigned most,
	unsigned *out, struct place *at)
{
	bool good, zero;
	char *hint;

	*at = lex_place(&reader->r.x);
	zero = at->len == 1 && reader->r.source.text[at->at] == '0';
	hint = zero && reader->first && reader->row->without
		? str_format("leave '%s' out %s", reader->row->word, reader->row->without) : NULL;
	good = item_count(&reader->r, what, least, most, out, hint);
	free(hint);
	reader->first = false;
	if (good && unit && !item_take_word(&reader->r, unit)) {
		char *quoted = str_format("'%s'", unit);

		good = item_fail(&reader->r, quoted, "after the number");
		free(quoted);
	}
	return good;
}

/* Checks that entries (of a TLB; `bytes` is 0) or lines (of a cache; of `bytes` each) make a power of two of sets. */
static bool
check_sets(struct sim_reader *reader, const struct place *at, unsigned bytes, uint64_t entries, unsigned ways)
{
	uint64_t sets = entries / ways, below = 1;
	const char *noun = bytes ? "lines" : "entries";
	char *hint;

	if (entries % ways == 0 && sets && (sets & (sets - 1)) == 0)
		return true;
	if (entries < ways) {
		hint = str_format("for a fully associative one write %llu ways", (unsigned long long)entries);
		diag_add(reader->r.diags, DIAG_ERROR, at, entries ? hint : NULL, "more ways than %s: %u ways, %llu %s",
			noun, ways, (unsigned long long)entries, noun);
		free(hint);
		return false;
	}
	while (below * 2 <= sets)
		below *= 2;
	if (bytes)
		hint = str_format("possible sizes nearby: %g and %g KiB", (double)(below * ways * bytes) / 1024,
			(double)(2 * below * ways * bytes) / 1024);
	else
		hint = str_format("possible numbers nearby: %llu and %llu", (unsigned long long)(below * ways),
			(unsigned long long)(2 * below * ways));
	diag_add(reader->r.diags, DIAG_ERROR, at, hint, "%llu %s in sets of %u ways: the number of sets is not a "
		"power of two", (unsigned long long)entries, noun, ways);
	free(hint);
	return false;
}

bool
sim_read_comma(struct sim_reader *p, const char *after)
{
	return item_punct(&p->r, ',', after);
}

bool
sim_read_ways(struct sim_reader *reader, const char *whose, struct sim_ways *out)
{
	struct place at, ways_at;
	char *entries = str_format("the entries of %s", whose), *ways = str_format("the ways of %s", whose);
	struct sim_ways w = {0};
	bool good = sim_read_number(reader, entries, "entries", 1, 1u << 20, &w.entries, &at) &&
		sim_read_comma(reader, "after the entries") &&
		sim_read_number(reader, ways, "ways", 1, SIM_WAYS_MAX, &w.ways, &ways_at);

	free(entries);
	free(ways);
	if (!good)
		return false;
	if (check_sets(reader, &at, 0, w.entries, w.ways))
		*out = w;
	return true;
}

bool
sim_read_page(struct sim_reader *p, enum sim_page *out)
{
	for (int i = 0; i < SIM_PAGES; i++)
		if (item_take_word(&p->r, sim_page_word[i])) {
			*out = (enum sim_page)i;
			return true;
		}
	return false;
}

/* Reads the bytes of a cache's line. */
static bool
read_line_size(struct sim_reader *p, const char *name, unsigned *out)
{
	char *what = str_format("the bytes of a line of %s", name);
	struct place at;
	bool good = sim_read_number(p, what, "bytes", SIM_LINE, 4096, out, &at);

	free(what);
	if (good && (*out & (*out - 1)))
		return machine_read_fail(
			p, &at, "for instance: 64 bytes, or 128 bytes", "the bytes of a line must be a power of two");
	return good;
}

bool
sim_read_cache(struct sim_reader *reader)
{
	static const struct {
		const char *word;
		unsigned shift;
	} unit[] = {{"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
	const char *what = reader->row->what;
	char *size = str_format("the size of %s", what), *ways = str_format("the ways of %s", what),
	     *latency = str_format("the latency of %s", what);
	struct sim_cache *out = sim_item_field(reader);
	struct sim_cache c = {0};
	struct place at, other;
	unsigned amount;
	size_t u = 0;
	bool good = sim_read_number(reader, size, NULL, 1, 1u << 20, &amount, &at);

	while (good && u < sizeof unit / sizeof *unit && !item_take_word(&reader->r, unit[u].word))
		u++;
	if (good && u == sizeof unit / sizeof *unit)
		good = item_fail(&reader->r, "KiB, MiB or GiB", "after the size");
	good = good && sim_read_comma(reader, "after the size") &&
		sim_read_number(reader, ways, "ways", 1, SIM_WAYS_MAX, &c.ways, &other) &&
		sim_read_comma(reader, "after the ways") &&
		sim_read_number(reader, latency, "cycles", 1, 1000, &c.latency, &other) &&
		(!item_take_punct(&reader->r, ',') || read_line_size(reader, what, &c.line));
	if (good) {
		c.bytes = (uint64_t)amount << unit[u].shift;
		if (c.bytes > SIM_CACHE_MAX)
			diag_add(reader->r.diags, DIAG_ERROR, &at, NULL, "%s is at most %llu GiB", size,
				(unsigned long long)(SIM_CACHE_MAX >> 30));
		else if (check_sets(reader, &at, c.line ? c.line : SIM_LINE, c.bytes / (c.line ? c.line : SIM_LINE),
				 c.ways))
			*out = c;
	}
	free(size);
	free(ways);
	free(latency);
	return good;
}

bool
sim_read_clock(struct sim_reader *reader)
{
	return item_decimal(&reader->r, "the clock", 0.001, 100, &reader->m->ghz, "for instance: clock 3.4 GHz;") &&
		(item_take_word(&reader->r, "GHz") || item_fail(&reader->r, "'GHz'", "after the number"));
}

/* Reads two lines of a 4 KB page. They must be neighbours, as in the hardware; otherwise it would be unclear what the
 * lines between them do. */
bool
sim_read_lines(struct sim_reader *reader, const char *word, int step, unsigned line[2])
{
	struct place at;
	unsigned from, to;

	if (!item_take_word(&reader->r, word))
		return item_fail(&reader->r, word, "in 'prefetch'");
	if (!sim_read_number(reader, "the first line of a trigger", NULL, 0, 63, &from, &at) ||
		!sim_read_number(reader, "the second line of a trigger", NULL, 0, 63, &to, &at))
		return false;
	if ((int)to - (int)from != step)
		return machine_read_fail(reader, &at, step > 0 ? "for instance: up 51 52" : "for instance: down 8 7",
			step > 0 ? "the second line must be the one after the first"
				: "the second line must be the one before the first");
	line[0] = from;
	line[1] = to;
	return true;
}
