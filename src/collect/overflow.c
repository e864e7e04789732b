#include "collect/overflow.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* --- skid --------------------------------------------------------------------------------------------------------- */

static int
overflow_compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void
summarize(struct overflow_skid *k, int64_t *skid)
{
	size_t n = (size_t)k->measured;

	if (!n)
		return;
	qsort(skid, n, sizeof *skid, overflow_compare);
	k->least = skid[0];
	k->most = skid[n - 1];
	k->median = ((double)skid[(n - 1) / 2] + (double)skid[n / 2]) / 2;
}

bool
overflow_measure(const struct overflow_subject *subject, uint64_t period, size_t most,
	struct overflow_skid *overflow_skid, struct err *e)
{
	int64_t *skid = mem_new_array(most, sizeof *skid);
	struct overflow_stop stop = {0};
	uint64_t armed = 0;
	bool good = subject->ops->start(subject->ctx, e);

	*overflow_skid = (struct overflow_skid){.period = period};
	while (good && overflow_skid->overflows < most) {
		int64_t late;

		good = subject->ops->run(subject->ctx, period, &stop, e);
		overflow_skid->throttled += stop.throttled;
		overflow_skid->lost += stop.lost;
		overflow_skid->total = stop.count;
		if (!good || stop.why != OVERFLOW_STOPPED)
			break;
		late = (int64_t)(stop.count - armed - period);
		overflow_skid->overflows++;
		if (late > overflow_skid->longest)
			overflow_skid->longest = late;
		if (late >= (int64_t)period) /* further overflows happened meanwhile: this is no delay of one */
			overflow_skid->missed += (uint64_t)late / period;
		else
			skid[overflow_skid->measured++] = late;
		armed = stop.count;
	}
	overflow_skid->ended = stop.why == OVERFLOW_ENDED;
	overflow_skid->cut = stop.why == OVERFLOW_CUT;
	/* the end may come after a period whose overflow nobody saw */
	if (good && overflow_skid->ended)
		overflow_skid->missed += (overflow_skid->total - armed) / period;
	subject->ops->end(subject->ctx);
	summarize(overflow_skid, skid);
	free(skid);
	return good;
}

bool
overflow_total(const struct overflow_subject *s, struct overflow_stop *stop, struct err *e)
{
	bool good = s->ops->start(s->ctx, e) && s->ops->run(s->ctx, 0, stop, e);

	s->ops->end(s->ctx);
	return good;
}

/* --- an exact count ----------------------------------------------------------------------------------------------- */

/* Steps from a stop below n. */
static bool
approach(const struct overflow_subject *subject, uint64_t n, struct overflow_stop *stop,
	struct overflow_arrival *arrival, struct err *e)
{
	while (stop->why == OVERFLOW_STOPPED && arrival->count < n) {
		subject->ops->look(subject->ctx, &arrival->last);
		arrival->before = arrival->count;
		if (!subject->ops->step(subject->ctx, stop, e))
			return false;
		arrival->count = stop->count;
		arrival->steps += stop->retired && !stop->iteration;
		arrival->silent += arrival->count == arrival->before;
		arrival->multiple += arrival->count > arrival->before + 1;
	}
	return true;
}

bool
overflow_stop_at(const struct overflow_subject *subject, uint64_t n, uint64_t margin, struct overflow_arrival *arrival,
	struct err *e)
{
	struct overflow_stop stop = {0};

	*arrival = (struct overflow_arrival){.overflow = n > margin ? n - margin : 0};
	if (!subject->ops->start(subject->ctx, e))
		return false;
	if (arrival->overflow && !subject->ops->run(subject->ctx, arrival->overflow, &stop, e))
		return false;
	arrival->stop = arrival->count = arrival->before = stop.count;
	subject->ops->look(subject->ctx, &arrival->first);
	if (stop.why == OVERFLOW_STOPPED && arrival->count > n) {
		arrival->outcome = OVERFLOW_LATE;
		return true;
	}
	if (!approach(subject, n, &stop, arrival, e))
		return false;
	switch (stop.why) {
	case OVERFLOW_STOPPED:
		arrival->outcome = arrival->count == n ? OVERFLOW_EXACT : OVERFLOW_PASSED;
		subject->ops->look(subject->ctx, &arrival->here);
		break;
	case OVERFLOW_ENDED:
		arrival->outcome = OVERFLOW_SHORT;
		break;
	case OVERFLOW_CUT:
		arrival->outcome = OVERFLOW_GIVEN_UP;
		break;
	}
	return true;
}

/* Which words are equal in both states, as bits; 0 if they are at different addresses. */
static uint64_t
overflow_same(const struct overflow_state *a, const struct overflow_state *b)
{
	uint64_t same = 0;

	if (!a->n || a->n != b->n || a->word[a->pc] != b->word[b->pc])
		return 0;
	for (size_t i = 0; i < a->n; i++)
		same |= (uint64_t)(a->word[i] == b->word[i]) << i;
	return same;
}

uint64_t
overflow_words(const struct overflow_arrival *a, size_t n)
{
	uint64_t words = n > 0 ? ~(uint64_t)0 : 0;

	for (size_t i = 0; i < n; i++)
		words &= overflow_same(&a[0].here, &a[i].here);
	return words;
}

/* --- positions ---------------------------------------------------------------------------------------------------- */

#define STEPS_MORE 10000 /* after the first place with equal registers, at least */

/* What is looked for: each arrival's first stop and last one, and the words that decide. */
struct search {
	const struct overflow_arrival *arrival;
	size_t n;
	uint64_t words_first, words_here;
	uint64_t *first; /* n: instructions at the latest place of the first stop; UINT64_MAX: none so far */
	struct overflow_position *out;
};

static uint64_t
all_words(const struct overflow_state *s)
{
	return s->n ? ~(uint64_t)0 >> (64 - s->n) : 0;
}

static bool
matches(const struct overflow_state *now, const struct overflow_state *sought, uint64_t words)
{
	return words && (overflow_same(now, sought) & words) == words;
}

/* True as many instructions after the place of the first stop as in the run itself. */
static bool
is_as_far(const struct search *s, size_t i, const struct overflow_position *here)
{
	return s->first[i] != UINT64_MAX && here->instructions - s->first[i] == s->arrival[i].steps;
}

/* Notes what the program's state is equal to. Returns true if there is no more to be found. */
static bool
note_matches(struct search *search, const struct overflow_state *now, const struct overflow_position *here)
{
	bool done = true;
	uint64_t latest = UINT64_MAX / 4; /* no place is known */

	for (size_t i = 0; i < search->n; i++) {
		const struct overflow_arrival *arrival = &search->arrival[i];
		struct overflow_position *position = &search->out[i];

		if (matches(now, &arrival->first, search->words_first))
			search->first[i] = here->instructions;
		if (!position->sure && is_as_far(search, i, here) && overflow_same(now, &arrival->here)) {
			*position = *here;
			position->sure = true;
		} else if (!position->known && matches(now, &arrival->here, search->words_here)) {
			*position = *here;
		}
		done &= position->sure;
		if (position->known && (latest == UINT64_MAX / 4 || position->instructions > latest))
			latest = position->instructions;
	}
	return done || here->instructions > 2 * latest + STEPS_MORE;
}

static void
choose_words(struct search *s)
{
	s->words_here = overflow_words(s->arrival, s->n);
	s->words_first = ~(uint64_t)0;
	for (size_t i = 0; i < s->n; i++)
		s->words_first &= overflow_same(&s->arrival[0].first, &s->arrival[i].first);
	if (!s->words_here)
		s->words_here = all_words(&s->arrival[0].here);
	if (!s->words_first)
		s->words_first = all_words(&s->arrival[0].first);
}

bool
overflow_find(const struct overflow_subject *subject, const struct overflow_arrival *arrival, size_t n,
	struct overflow_position *out, struct err *e)
{
	struct search search = {.arrival = arrival, .n = n, .out = out, .first = mem_new_array(n, sizeof(uint64_t))};
	struct overflow_stop stop = {0};
	struct overflow_position here = {.known = true};
	struct overflow_state now = {0};
	bool good = subject->ops->start(subject->ctx, e);

	choose_words(&search);
	for (size_t i = 0; i < n; i++) {
		out[i] = (struct overflow_position){0};
		search.first[i] = UINT64_MAX;
	}
	while (good && stop.why == OVERFLOW_STOPPED) {
		subject->ops->look(subject->ctx, &now);
		if (note_matches(&search, &now, &here))
			break;
		good = subject->ops->step(subject->ctx, &stop, e);
		here.instructions += stop.retired && !stop.iteration;
		here.count = stop.count;
	}
	subject->ops->end(subject->ctx);
	free(search.first);
	return good;
}
