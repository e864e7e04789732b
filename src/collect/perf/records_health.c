/* How far a recording can be trusted. */
#include <stdio.h>
#include <unistd.h>

#include "collect/perf/merge.h"
#include "collect/perf/records_state.h"

#define FAULTS_PER_MISSING 100 /* tolerated: one missing record of a fault per so many, */
#define FAULTS_FORGIVEN 16     /* or so many in all */

bool
records_read_counts(int fd, uint64_t *count, uint64_t *lost)
{
	uint64_t v[2] = {0};
	ssize_t n = read(fd, v, sizeof v);

	*count = v[0];
	*lost = n == (ssize_t)sizeof v ? v[1] : 0;
	return n >= (ssize_t)sizeof *v;
}

/* Compares the kernel's own count of each event with its records. */
static void
count_missing(struct records *records)
{
	records->health.missing_states = records->health.missing_faults = records->health.missing_wakeups = 0;
	for (size_t i = 0; i < records->n; i++)
		for (int what = RECORD_TASKS + 1; what < RECORD_WHATS; what++) {
			const struct record_reader *reader = &records->merge->lane[i].reader;
			uint64_t count, lost;

			if (records->at[i].fd[what] < 0 || !records_read_counts(records->at[i].fd[what], &count, &lost))
				continue;
			lost = lost > reader->lost_of[what] ? lost : reader->lost_of[what];
			if (count <= reader->seen[what] + lost)
				continue;
			count -= reader->seen[what] + lost;
			if (what == RECORD_SWITCH || what == RECORD_SWITCH_CAUSE)
				records->health.missing_states += count;
			else if (what == RECORD_WAKEUP || what == RECORD_WAKEUP_NEW)
				records->health.missing_wakeups += count;
			else
				records->health.missing_faults += count;
		}
}

void
records_health(struct records *r, struct records_health *health)
{
	uint64_t records = 0, lost = 0, throttled = 0, stateless = 0, stray = 0, foreign = 0, faults = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct record_reader *reader = &r->merge->lane[i].reader;

		for (int what = 0; what < RECORD_WHATS; what++)
			records += reader->seen[what];
		faults += reader->seen[RECORD_FAULT] + reader->seen[RECORD_MINOR] + reader->seen[RECORD_MAJOR];
		lost += reader->lost;
		throttled += reader->throttled;
		stateless += reader->stateless;
		stray += reader->stray;
		foreign += reader->foreign;
	}
	r->health.records = records;
	r->health.lost = lost;
	r->health.faults_seen = faults;
	r->health.throttled = throttled;
	r->health.stateless = stateless;
	r->health.stray = stray;
	r->health.foreign = foreign;
	r->health.late = r->merge->late;
	r->health.waiting = r->merge->most;
	r->health.causes_now = r->causes_now;
	if (r->stopped && !r->spec.task)
		count_missing(r);
	*health = r->health;
}

bool
records_believe(const struct records_health *health, const struct tasktime_trouble *trouble, char *why, size_t size)
{
	if (health->lost)
		snprintf(why, size, "%llu records were lost: the rings of %zu KiB were full",
			(unsigned long long)health->lost, health->ring_kb);
	else if (health->throttled)
		snprintf(why, size, "the kernel throttled the records %llu times",
			(unsigned long long)health->throttled);
	else if (health->foreign)
		snprintf(why, size, "%llu records are of an unknown shape", (unsigned long long)health->foreign);
	else if (health->missing_states || health->stateless)
		snprintf(why, size, "%llu tasks fell asleep without a record of why",
			(unsigned long long)(health->missing_states > health->stateless ? health->missing_states
											: health->stateless));
	else if (trouble->broken)
		snprintf(why, size, "records contradict each other %llu times", (unsigned long long)trouble->broken);
	else if (trouble->late)
		snprintf(why, size, "%llu records came late", (unsigned long long)trouble->late);
	else if (trouble->unpaired + health->missing_faults > FAULTS_FORGIVEN &&
		(trouble->unpaired + health->missing_faults) * FAULTS_PER_MISSING > health->faults_seen)
		snprintf(why, size, "%llu of %llu records of page faults are missing",
			(unsigned long long)(trouble->unpaired + health->missing_faults),
			(unsigned long long)health->faults_seen);
	else
		return true;
	return false;
}
