#include "core/doctor/health.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/str.h"
#include "event/name.h"

#define HEAD "hecate health 1"
#define LAST "end" /* a file without it was cut off */

static const struct {
	const char *word, *meaning;
} healths[HEALTH_KINDS] = {
	[HEALTH_COUNTS] = {"counts", ""},
	[HEALTH_ONE] = {"one at once", ": a second one of it at the same time reads 0"},
	[HEALTH_ZERO] = {"reads 0", ": it ran, and nothing was counted"},
	[HEALTH_NEVER] = {"never counts", ": it opens, and gets no counter or counts nothing"},
};

static void
entry_free(struct health_entry *entry)
{
	free(entry->cpu);
	free(entry->pmu);
	free(entry->event);
	free(entry->kernel);
}

void
health_free(struct health_book *book)
{
	for (size_t i = 0; i < book->n; i++)
		entry_free(&book->entry[i]);
	free(book->entry);
	*book = (struct health_book){0};
}

/* Returns the place of the first entry whose event does not come before this one. */
static size_t
health_place(const struct health_book *book, const char *event)
{
	size_t from = 0, to = book->n;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (strcmp(book->entry[middle].event, event) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

static void
health_add(struct health_book *book, const struct health_entry *entry)
{
	size_t at = health_place(book, entry->event);

	mem_grow(&book->entry, &book->cap, book->n + 1, sizeof *book->entry);
	memmove(&book->entry[at + 1], &book->entry[at], (book->n++ - at) * sizeof *book->entry);
	book->entry[at] = *entry;
}

static void
health_drop(struct health_book *book, size_t i)
{
	entry_free(&book->entry[i]);
	memmove(&book->entry[i], &book->entry[i + 1], (--book->n - i) * sizeof *book->entry);
}

static size_t
health_oldest(const struct health_book *book)
{
	size_t oldest = 0;

	for (size_t i = 1; i < book->n; i++)
		if (book->entry[i].at < book->entry[oldest].at)
			oldest = i;
	return oldest;
}

/* --- text -------------------------------------------------------------------------------------------------------- */

/* CPU, PMU, event, kernel, word, share in percent, time; a tab between two. */
static bool
entry_read(const char *line, struct health_entry *entry)
{
	size_t n = 0, kind = 0;
	char **cell = str_split(line, '\t', &n);
	uint64_t share = 0, at = 0;
	bool good = n == 7 && *cell[0] && *cell[2] && str_to_u64(cell[5], &share) && share <= 100 &&
		str_to_u64(cell[6], &at) && at < INT64_MAX;

	while (good && kind < HEALTH_KINDS && !str_eq(cell[4], healths[kind].word))
		kind++;
	good = good && kind < HEALTH_KINDS;
	if (good)
		*entry = (struct health_entry){mem_str(cell[0]), mem_str(cell[1]), mem_str(cell[2]), mem_str(cell[3]),
			(enum health)kind, (double)share / 100, (long long)at};
	str_split_free(cell);
	return good;
}

bool
health_read(const char *text, struct health_book *book)
{
	size_t n = 0;
	char **line = str_split(text, '\n', &n);
	struct health_entry entry;
	bool good;

	while (n && !*line[n - 1])
		n--;
	good = n > 1 && str_eq(line[0], HEAD) && str_eq(line[n - 1], LAST) && n - 2 <= HEALTH_MOST;
	*book = (struct health_book){0};
	for (size_t i = 1; i + 1 < n && good; i++)
		if ((good = entry_read(line[i], &entry)))
			health_add(book, &entry);
	str_split_free(line);
	if (!good)
		health_free(book);
	return good;
}

void
health_write(const struct health_book *book, struct str *out)
{
	str_add(out, HEAD "\n");
	for (size_t i = 0; i < book->n; i++) {
		const struct health_entry *entry = &book->entry[i];

		str_addf(out, "%s\t%s\t%s\t%s\t%s\t%d\t%lld\n", entry->cpu, entry->pmu, entry->event, entry->kernel,
			healths[entry->health].word, (int)(entry->share * 100), entry->at);
	}
	str_add(out, LAST "\n");
}

/* --- entries ----------------------------------------------------------------------------------------------------- */

static const char *
pmu_key(const char *pmu)
{
	return str_eq(pmu, "cpu") ? "" : pmu;
}

/* A name without a PMU is a core's, whatever the only kind of cores is called. */
static bool
same_pmu(const char *noted, const char *pmu)
{
	pmu = pmu_key(pmu);
	return str_eq(noted, pmu) || (!*noted && event_pmu_is_core(pmu)) || event_pmu_is_box(noted, pmu);
}

void
health_note(struct health_book *book, const char *cpu, const char *name, const char *kernel, enum health health,
	double share, long long at)
{
	struct health_entry entry = {.health = health, .share = share, .at = at};
	struct event_name read;

	if (!*name || strpbrk(name, "\t\n") || strpbrk(cpu, "\t\n") || strpbrk(kernel, "\t\n") || !*cpu)
		return;
	event_name_read(name, &read);
	for (size_t i = health_place(book, read.key); i < book->n && str_eq(book->entry[i].event, read.key); i++) {
		const struct health_entry *old = &book->entry[i];

		if (!str_eq(old->cpu, cpu) || !str_eq(old->pmu, pmu_key(read.pmu)))
			continue;
		if (health == HEALTH_ZERO && old->health <= HEALTH_ONE && str_eq(old->kernel, kernel))
			entry.health = old->health;
		health_drop(book, i);
		break;
	}
	while (book->n >= HEALTH_MOST)
		health_drop(book, health_oldest(book));
	entry.cpu = mem_str(cpu);
	entry.pmu = mem_str(pmu_key(read.pmu));
	entry.event = mem_str(read.key);
	entry.kernel = mem_str(kernel);
	health_add(book, &entry);
	event_name_free(&read);
}

static const struct health_entry *
find_key(const struct health_book *book, const char *cpu, const char *key, const char *pmu)
{
	for (size_t i = health_place(book, key); i < book->n && str_eq(book->entry[i].event, key); i++)
		if (str_eq(book->entry[i].cpu, cpu) && same_pmu(book->entry[i].pmu, pmu))
			return &book->entry[i];
	return NULL;
}

const struct health_entry *
health_find(const struct health_book *book, const char *cpu, const char *name, const char *pmu, const char *code)
{
	const struct health_entry *found = NULL;
	struct event_name read;
	char *text = str_format("%s/%s/", *pmu ? pmu : "cpu", code);

	for (size_t i = 0; i < (*code ? 2 : 1) && book->n && !found; i++) {
		event_name_read(i ? text : name, &read);
		found = find_key(book, cpu, read.key, pmu);
		event_name_free(&read);
	}
	free(text);
	return found;
}

/* --- words ------------------------------------------------------------------------------------------------------- */

const char *
health_word(enum health health)
{
	return healths[health].word;
}

void
health_write_entry(const struct health_entry *entry, struct str *out)
{
	time_t at = (time_t)entry->at;
	struct tm tm;
	char day[16] = "?";

	if (gmtime_r(&at, &tm))
		strftime(day, sizeof day, "%Y-%m-%d", &tm);
	str_addf(out, "%s%s (%s, Linux %s", healths[entry->health].word, healths[entry->health].meaning, day,
		entry->kernel);
	if (entry->share < 1)
		str_addf(out, ", on a counter %d %% of the time", (int)(entry->share * 100));
	str_addc(out, ')');
}
