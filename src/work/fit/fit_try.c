/* Which events open here, and count? By trying them. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "collect/perf/known_events.h"
#include "collect/perf/names.h"
#include "collect/perf/open.h"
#include "collect/perf/world.h"
#include "event/name.h"
#include "event/table.h"
#include "event/words.h"
#include "work/fit/fit.h"
#include "work/machine.h"

/* Adds an event, unless one of the same PMU and key is there. */
static void
trial_add(struct fit_trial *trial, struct names *taken, const char *name, const char *event)
{
	struct event_name read;
	struct str key = {0};
	size_t n = taken->n;

	event_name_read(event, &read);
	str_addf(&key, "%s/%s/%u", str_eq(read.pmu, "cpu") ? "" : read.pmu, read.key, read.mode);
	if (names_add(taken, str_text(&key), key.n) == n) {
		mem_grow(&trial->tried, &trial->cap, trial->n + 1, sizeof *trial->tried);
		trial->tried[trial->n++] = (struct fit_tried){.name = mem_str(name), .event = mem_str(event)};
	}
	str_free(&key);
	event_name_free(&read);
}

static void
add_table_rows(struct fit_trial *trial, struct names *taken, const struct event_table *table,
	const struct event_filter *filter)
{
	bool all = !filter->n && !filter->pmu && !filter->code;
	size_t n, *row = event_table_select(table, filter, &n);

	for (size_t i = 0; i < n; i++) {
		const struct event_row *of = &table->row[row[i]];
		char *event = *of->pmu && *of->code ? str_format("%s/%s/", of->pmu, of->code) : mem_str(of->name);

		if (!all || event_pmu_is_core(of->pmu))
			trial_add(trial, taken, of->name, event);
		free(event);
	}
	free(row);
}

static bool
has_words(const char *name, const struct event_filter *filter)
{
	for (size_t i = 0; i < filter->n; i++)
		if (!strcasestr(name, filter->word[i]))
			return false;
	return true;
}

void
fit_try_list(const struct event_table *table, const struct event_filter *filter, struct fit_trial *trial)
{
	struct names taken = {0};
	char name[EVENT_WORD_MAX], first[EVENT_WORD_MAX];
	struct event_name read;

	*trial = (struct fit_trial){0};
	for (size_t i = 0; i < filter->n; i++) {
		event_name_read(filter->word[i], &read);
		if (read.word != EVENT_WORD_NONE || read.form != EVENT_FORM_PLAIN || event_is_hardware(filter->word[i]))
			trial_add(trial, &taken, filter->word[i], filter->word[i]);
		event_name_free(&read);
	}
	for (size_t i = 0; event_word_listed(i, name) && !filter->pmu && !filter->code; i++)
		if (has_words(name, filter) && event_word(name, strlen(name), first) == EVENT_WORD_HARDWARE)
			trial_add(trial, &taken, name, name);
	add_table_rows(trial, &taken, table, filter);
	names_free(&taken);
}

static void
take_trial(struct fit_tried *tried, const struct event_trial *of)
{
	tried->opens = of->health != OBS_UNSUPPORTED;
	tried->count = of->reading.value;
	tried->health = of->health == OBS_DEAD   ? HEALTH_NEVER
		: of->health == OBS_ZERO_SUSPECT ? HEALTH_ZERO
		: of->second_is_blind            ? HEALTH_ONE
						 : HEALTH_COUNTS;
	if (tried->opens)
		return;
	tried->why = mem_str(of->status.why);
	tried->remedy = *of->status.remedy ? mem_str(of->status.remedy) : NULL;
}

void
fit_try(struct fit_trial *trial)
{
	struct machine_seen *seen = mem_new_array(trial->n, sizeof *seen);
	struct known_events known = {0};
	struct perf_world world;
	size_t n = 0;

	perf_world_probe(&world);
	world.known = &known;
	for (size_t i = 0; i < trial->n; i++) {
		struct fit_tried *tried = &trial->tried[i];
		struct event_trial of;

		event_try(tried->event, &world, &of);
		take_trial(tried, &of);
		if (tried->opens)
			seen[n++] = (struct machine_seen){tried->event, tried->health, 1};
	}
	machine_note_health(seen, n);
	known_events_free(&known);
	free(seen);
}

void
fit_trial_free(struct fit_trial *trial)
{
	for (size_t i = 0; i < trial->n; i++) {
		free(trial->tried[i].name);
		free(trial->tried[i].event);
		free(trial->tried[i].why);
		free(trial->tried[i].remedy);
	}
	free(trial->tried);
	*trial = (struct fit_trial){0};
}
