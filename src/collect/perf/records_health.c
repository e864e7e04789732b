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
count_missing(struct records *r)
{
	r->health.missing_states = r->health.missing_faults = r->health.missing_wakeups = 0;
	for (size_t i = 0; i < r->n; i++)
		for (int what = RECORD_TASKS + 1; what < RECORD_WHATS; what++) {
			const struct record_reader *reader = &r->merge->lane[i].reader;
			uint64_t count, lost;

			if (r->at[i].fd[what] < 0 || !records_read_counts(r->at[i].fd[what], &count, &lost))
				continue;
			lost = lost > reader->lost_of[what] ? lost : reader->lost_of[what];
			if (count <= reader->seen[what] + lost)
				continue;
			count -= reader->seen[what] + lost;
			if (what == RECORD_SWITCH || what == RECORD_SWITCH_CAUSE)
				r->health.missing_states += count;
			else if (what == RECORD_WAKEUP || what == RECORD_WAKEUP_NEW)
				r->health.missing_wakeups += count;
			else
				r->health.missing_faults += count;
		}
}

void
records_health(struct records *r, struct records_health *h)
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
	*h = r->health;
}

bool
records_believe(const struct records_health *h, const struct tasktime_trouble *t, char *why, size_t size)
{
	if (h->lost)
		snprintf(why, size, "%llu records were lost: the rings of %zu KiB were full",
			(unsigned long long)h->lost, h->ring_kb);
	else if (h->throttled)
		snprintf(why, size, "the kernel throttled the records %llu times", (unsigned long long)h->throttled);
	else if (h->foreign)
		snprintf(why, size, "%llu records are of an unknown shape", (unsigned long long)h->foreign);
	else if (h->missing_states || h->stateless)
		snprintf(why, size, "%llu tasks fell asleep without a record of why",
			(unsigned long long)(h->missing_states > h->stateless ? h->missing_states : h->stateless));
	else if (t->broken)
		snprintf(why, size, "records contradict each other %llu times", (unsigned long long)t->broken);
	else if (t->late)
		snprintf(why, size, "%llu records came late", (unsigned long long)t->late);
	else if (t->unpaired + h->missing_faults > FAULTS_FORGIVEN &&
		(t->unpaired + h->missing_faults) * FAULTS_PER_MISSING > h->faults_seen)
		snprintf(why, size, "%llu of %llu records of page faults are missing",
			(unsigned long long)(t->unpaired + h->missing_faults), (unsigned long long)h->faults_seen);
	else
		return true;
	return false;
}
