#include "event/words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The one list of perf's aliases. The first name of an event is the one that its number has in perf_event.h. */
static const struct word {
	enum event_word_kind kind;
	const char *name, *also;
} words[] = {
	{EVENT_WORD_HARDWARE, "cpu-cycles", "cycles"},
	{EVENT_WORD_HARDWARE, "instructions", NULL},
	{EVENT_WORD_HARDWARE, "cache-references", NULL},
	{EVENT_WORD_HARDWARE, "cache-misses", NULL},
	{EVENT_WORD_HARDWARE, "branch-instructions", "branches"},
	{EVENT_WORD_HARDWARE, "branch-misses", NULL},
	{EVENT_WORD_HARDWARE, "bus-cycles", NULL},
	{EVENT_WORD_HARDWARE, "stalled-cycles-frontend", "idle-cycles-frontend"},
	{EVENT_WORD_HARDWARE, "stalled-cycles-backend", "idle-cycles-backend"},
	{EVENT_WORD_HARDWARE, "ref-cycles", NULL},
	/* of Intel's cores: sysfs has the first, Intel's lists the second, both event 0x00 with umask 0x04 */
	{EVENT_WORD_HARDWARE, "slots", "topdown.slots"},
	{EVENT_WORD_KERNEL, "page-faults", "faults"},
	{EVENT_WORD_KERNEL, "minor-faults", NULL},
	{EVENT_WORD_KERNEL, "major-faults", NULL},
	{EVENT_WORD_KERNEL, "context-switches", "cs"},
	{EVENT_WORD_KERNEL, "cpu-migrations", "migrations"},
	{EVENT_WORD_KERNEL, "cgroup-switches", NULL},
	{EVENT_WORD_KERNEL, "alignment-faults", NULL},
	{EVENT_WORD_KERNEL, "emulation-faults", NULL},
	{EVENT_WORD_KERNEL, "bpf-output", NULL},
	{EVENT_WORD_KERNEL, "dummy", NULL},
	{EVENT_WORD_CLOCK, "task-clock", NULL},
	{EVENT_WORD_CLOCK, "cpu-clock", NULL},
	{EVENT_WORD_CLOCK, "duration-time", NULL},
	{EVENT_WORD_CLOCK, "user-time", NULL},
	{EVENT_WORD_CLOCK, "system-time", NULL},
};

/* CACHE[-OPERATION][-RESULT], with all words that perf takes for each (tools/perf/util/evsel.c). The first one is
 * perf's own; the place is the number in perf_event_open(2). */
#define CACHES 7
#define NAMES 6
static const char *const caches[CACHES][NAMES] = {
	{"L1-dcache", "l1-d", "l1d", "L1-data"}, {"L1-icache", "l1-i", "l1i", "L1-instruction"}, {"LLC", "L2"},
	{"dTLB", "d-tlb", "Data-TLB"}, {"iTLB", "i-tlb", "Instruction-TLB"}, {"branch", "bpu", "btb", "bpc"}, {"node"},
};
static const char *const operations[3][NAMES] = {
	{"load", "loads", "read"}, {"store", "stores", "write"},
	{"prefetch", "prefetches", "speculative-read", "speculative-load"},
};
static const char *const results[2][NAMES] = {{"refs", "Reference", "ops", "access"}, {"misses", "miss"}};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static char
plain(char c)
{
	return c == '_' ? '-' : (char)tolower((unsigned char)c);
}

/* The length of `word` if the text begins with it, and if the end or a '-' follows; else 0. */
static size_t
starts(const char *text, size_t n, const char *word)
{
	size_t length = strlen(word);

	return length <= n && strncasecmp(text, word, length) == 0 && (length == n || text[length] == '-') ? length : 0;
}

/* Takes the longest word of one of the rows from the text, with a '-' before it unless it is the first. */
static bool
words_take(const char **text, size_t *n, bool first, const char *const (*row)[NAMES], size_t rows, unsigned *which)
{
	size_t longest = 0, skip = first ? 0 : 1;

	if (*n <= skip)
		return false;
	for (size_t i = 0; i < rows; i++)
		for (size_t k = 0; k < NAMES && row[i][k]; k++) {
			size_t length = starts(*text + skip, *n - skip, row[i][k]);

			if (length > longest) {
				longest = length;
				*which = (unsigned)i;
			}
		}
	if (!longest)
		return false;
	*text += skip + longest;
	*n -= skip + longest;
	return true;
}

bool
event_word_cache(const char *name, size_t n, struct event_cache *out)
{
	struct event_cache c = {0};
	bool operation, result;

	if (!words_take(&name, &n, true, caches, COUNT(caches), &c.cache))
		return false;
	operation = words_take(&name, &n, false, operations, COUNT(operations), &c.operation);
	result = words_take(&name, &n, false, results, COUNT(results), &c.result);
	if (n || !(operation || result) || (c.cache == 5 && !operation)) /* branch-misses is an event of its own */
		return false;
	*out = c;
	return true;
}

static bool
words_is_word(const char *name, size_t n, const char *word)
{
	size_t i = 0;

	while (word && i < n && word[i] && plain(name[i]) == word[i])
		i++;
	return word && i == n && !word[i];
}

/* The plural of perf's own names: "L1-dcache-load-misses", "L1-dcache-loads". */
static void
print_cache(const struct event_cache *c, char out[EVENT_WORD_MAX])
{
	snprintf(out, EVENT_WORD_MAX, "%s-%s%s", caches[c->cache][0], operations[c->operation][0],
		c->result ? "-misses" : c->operation == 2 ? "es" : "s");
}

enum event_word_kind
event_word(const char *name, size_t n, char first[EVENT_WORD_MAX])
{
	struct event_cache c;

	for (size_t i = 0; n && i < COUNT(words); i++)
		if (words_is_word(name, n, words[i].name) || words_is_word(name, n, words[i].also)) {
			snprintf(first, EVENT_WORD_MAX, "%s", words[i].name);
			return words[i].kind;
		}
	if (!event_word_cache(name, n, &c))
		return EVENT_WORD_NONE;
	print_cache(&c, first);
	return EVENT_WORD_HARDWARE;
}

bool
event_word_listed(size_t i, char name[EVENT_WORD_MAX])
{
	/* the operations that each cache has (perf's evsel__hw_cache_stat): bits for load, store, prefetch */
	static const unsigned char has[CACHES] = {7, 5, 7, 7, 1, 1, 7};

	for (size_t k = 0; k < 2 * COUNT(words); k++) {
		const char *word = k % 2 ? words[k / 2].also : words[k / 2].name;

		if (word && i-- == 0) {
			snprintf(name, EVENT_WORD_MAX, "%s", word);
			return true;
		}
	}
	for (unsigned k = 0; k < CACHES * 6; k++) {
		const struct event_cache c = {k / 6, k / 2 % 3, k % 2};

		if (has[c.cache] & 1u << c.operation && i-- == 0) {
			print_cache(&c, name);
			return true;
		}
	}
	return false;
}

bool
event_word_begins_hardware(const char *name)
{
	/* longer words follow: "branch-misses", "mem-loads-aux", "topdown-fe-bound" */
	static const char *const more[] = {"branch-", "stalled-cycles-", "idle-cycles-", "node-load", "node-store",
		"node-prefetch", "mem-loads", "mem-stores", "topdown-", "L1-dcache-", "L1-icache-", "LLC-", "dTLB-",
			"iTLB-"};

	for (size_t i = 0; i < COUNT(words); i++)
		if (words[i].kind == EVENT_WORD_HARDWARE
			&& (strncasecmp(name, words[i].name, strlen(words[i].name)) == 0
				|| (words[i].also && strncasecmp(name, words[i].also, strlen(words[i].also)) == 0)))
			return true;
	for (size_t i = 0; i < COUNT(more); i++)
		if (strncasecmp(name, more[i], strlen(more[i])) == 0)
			return true;
	return false;
}
