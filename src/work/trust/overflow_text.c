/* What was measured of overflows, as text. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/str.h"
#include "base/utf8.h"
#include "work/trust/overflow_result.h"

/* Text from outside. */
static void
overflow_text_add_text(struct str *out, const char *text)
{
	utf8_add_visible(out, text, strlen(text));
}

static void
add_padded(struct str *out, const char *text, size_t width)
{
	size_t have = utf8_width(text);

	overflow_text_add_text(out, text);
	for (; have < width; have++)
		str_addc(out, ' ');
}

static void
overflow_text_add_count(struct str *out, double v, int width)
{
	char text[NUMBER_TEXT];

	str_addf(out, "%*s", width, isnan(v) ? "-" : number_full(text, v, true));
}

static size_t
event_width(const struct trust_overflow *r)
{
	size_t width = strlen("event");

	for (size_t i = 0; i < r->n_events; i++)
		if (r->event[i].measured && utf8_width(r->event[i].name) > width)
			width = utf8_width(r->event[i].name);
	return width + 2;
}

static void
overflow_text_add_row(const struct overflow_event *ev, const struct overflow_row *row, size_t width, struct str *out)
{
	const struct overflow_skid *skid = &row->skid;
	bool some = skid->measured > 0;

	add_padded(out, ev->name, width);
	if (ev->has_levels)
		str_addf(out, "%7u", row->precise);
	else
		str_addf(out, "%7s", "-");
	overflow_text_add_count(out, (double)skid->period, 14);
	overflow_text_add_count(out, (double)skid->overflows, 11);
	overflow_text_add_count(out, some ? (double)skid->least : NAN, 12);
	overflow_text_add_count(out, some ? skid->median : NAN, 12);
	overflow_text_add_count(out, some ? (double)skid->most : NAN, 12);
	overflow_text_add_count(out, (double)skid->missed, 9);
	overflow_text_add_count(out, (double)(skid->throttled + skid->lost), 11);
	str_addc(out, '\n');
}

/* Sentences on what an event's rows mean. */
static void
add_remarks(const struct trust_overflow *overflow, const struct overflow_event *ev, struct str *out)
{
	bool none = true;
	char total[NUMBER_TEXT];

	for (size_t i = 0; i < ev->n_rows; i++)
		none &= !ev->row[i].skid.overflows;
	number_exact(total, (long long)ev->total, false, true);
	overflow_text_add_text(out, ev->name);
	str_addf(out, ev->whole ? ": %s in a run without overflows" : ": %s until the command was ended", total);
	if (ev->user_only)
		str_add(out, "; user mode alone, because the stop itself runs in the kernel");
	if (ev->counts_stops)
		str_add(out, "; raised in the kernel, perhaps also when it stops the command");
	if (ev->is_clock)
		str_add(out, "; a clock, which goes on while the command is being stopped");
	str_add(out, ".\n");
	if (none && !overflow->cut) {
		overflow_text_add_text(out, ev->name);
		str_addf(out, ": %s ended before the first overflow, so there is no skid. Give it more to do, or count "
			"another event.\n", overflow->shown);
	}
}

/* The reason why an event was not measured, after the names of all that have it. */
static void
overflow_text_add_refusal(const struct trust_overflow *overflow, size_t i, struct str *out)
{
	const struct source_status *why = &overflow->event[i].why;

	for (size_t k = 0; k < i; k++)
		if (str_eq(overflow->event[k].why.why, why->why))
			return;
	if (!*why->why)
		return; /* it was not reached */
	if (!strstr(why->why, overflow->event[i].name)) {
		for (size_t k = i; k < overflow->n_events; k++) {
			if (!str_eq(overflow->event[k].why.why, why->why))
				continue;
			str_add(out, k > i ? ", " : "");
			overflow_text_add_text(out, overflow->event[k].name);
		}
		str_add(out, " cannot be measured: ");
	}
	overflow_text_add_text(out, why->why);
	str_addf(out, "%s%s.\n", *why->remedy ? "; " : "", why->remedy);
}

static bool
any_rows(const struct trust_overflow *r)
{
	for (size_t i = 0; i < r->n_events; i++)
		if (r->event[i].n_rows)
			return true;
	return false;
}

static void
add_skid(const struct trust_overflow *overflow, struct str *out)
{
	size_t width = event_width(overflow);

	if (any_rows(overflow)) {
		str_add(out, "Skid: counts between an overflow and the stop of the command\n");
		add_padded(out, "event", width);
		str_addf(out, "%7s%14s%11s%12s%12s%12s%9s%11s\n", "precise", "period", "overflows", "min", "median",
			"max", "missed", "throttled");
	}
	for (size_t i = 0; i < overflow->n_events; i++)
		for (size_t k = 0; k < overflow->event[i].n_rows; k++)
			overflow_text_add_row(&overflow->event[i], &overflow->event[i].row[k], width, out);
	if (any_rows(overflow))
		str_addc(out, '\n');
	for (size_t i = 0; i < overflow->n_events; i++)
		if (overflow->event[i].measured)
			add_remarks(overflow, &overflow->event[i], out);
		else
			overflow_text_add_refusal(overflow, i, out);
}

static void
add_outcome(const struct trust_overflow *overflow, const struct overflow_try *try, struct str *out)
{
	const struct overflow_arrival *arrival = &try->a;
	char v[NUMBER_TEXT], w[NUMBER_TEXT];

	switch (arrival->outcome) {
	case OVERFLOW_EXACT:
		break;
	case OVERFLOW_PASSED:
		str_addf(out, "     One instruction raised the count from %s to %s, so no place has it.\n",
			number_exact(v, (long long)arrival->before, false, true),
			number_exact(w, (long long)arrival->count, false, true));
		break;
	case OVERFLOW_LATE:
		str_addf(out, "     It stopped too late, though the overflow was set %s counts before: the skid of "
			"this event has no bound.\n", number_exact(v, (long long)try->margin, false, true));
		break;
	case OVERFLOW_SHORT:
		str_addf(out, "     This is past the end: %s ended after %s counts.\n", overflow->shown,
			number_exact(v, (long long)arrival->count, false, true));
		break;
	case OVERFLOW_GIVEN_UP:
		str_addf(out, "     Given up at the count %s, after %s steps.\n",
			number_exact(v, (long long)arrival->count, false, true),
			number_exact(w, (long long)arrival->steps, false, true));
		break;
	}
	if (try->late)
		str_addf(out, "     Smaller margins were too small %u times.\n", try->late);
	if (arrival->multiple && arrival->steps > 1)
		str_addf(out, "     %s of the steps raised the count by more than 1.\n",
			number_exact(v, (long long)arrival->multiple, false, true));
}

static void
add_try(const struct trust_overflow *overflow, size_t i, struct str *out)
{
	const struct overflow_try *try = &overflow->run[i];
	const struct overflow_arrival *arrival = &try->a;
	bool there = arrival->here.n > 0;

	str_addf(out, "%-3zu", i + 1);
	overflow_text_add_count(out, arrival->overflow ? (double)arrival->overflow : NAN, 16);
	overflow_text_add_count(out, (double)arrival->stop, 16);
	overflow_text_add_count(out, (double)arrival->steps, 11);
	overflow_text_add_count(out, (double)arrival->count, 16);
	overflow_text_add_count(out, try->position.known ? (double)try->position.instructions : NAN, 16);
	if (there && arrival->last.n)
		str_addf(out, "  0x%" PRIx64 " ", arrival->last.word[arrival->last.pc]);
	if (there)
		overflow_text_add_text(out, try->last);
	str_addc(out, '\n');
	add_outcome(overflow, try, out);
}

/* Least and most instructions before the stops whose positions are known; false if there is none. */
static bool
position_range(const struct trust_overflow *overflow, uint64_t *least, uint64_t *most)
{
	*least = UINT64_MAX;
	*most = 0;
	for (size_t i = 0; i < overflow->n_runs; i++) {
		const struct overflow_position *position = &overflow->run[i].position;

		if (position->known && position->instructions < *least)
			*least = position->instructions;
		if (position->known && position->instructions > *most)
			*most = position->instructions;
	}
	return *least != UINT64_MAX;
}

static size_t
arrivals(const struct trust_overflow *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_runs; i++)
		n += r->run[i].a.here.n > 0;
	return n;
}

/* Says whether the event counts something else under single steps. */
static void
add_stepping(const struct trust_overflow *overflow, struct str *out)
{
	char v[NUMBER_TEXT], w[NUMBER_TEXT];

	for (size_t i = 0; i < overflow->n_runs; i++) {
		const struct overflow_position *position = &overflow->run[i].position;
		uint64_t count = overflow->run[i].a.count;

		if (!position->known || position->count == count)
			continue;
		str_addf(out, "By steps alone the event counts %s until the stop of run %zu, and not %s: stepping "
			"changes what it counts.\n", number_exact(v, (long long)position->count, false, true), i + 1,
			number_exact(w, (long long)count, false, true));
		break;
	}
}

static void
add_positions(const struct trust_overflow *overflow, struct str *out)
{
	uint64_t least, most;
	char v[NUMBER_TEXT], w[NUMBER_TEXT];

	if (!overflow->searched)
		return;
	if (!position_range(overflow, &least, &most)) {
		str_add(out, "No place with these registers was found by single steps from the beginning: the command "
			"does something else in each run, or the steps took too long.\n");
		return;
	}
	number_exact(v, (long long)least, false, true);
	str_addf(out, "Counted by single steps from the beginning, %s", v);
	if (least < most)
		str_addf(out, " to %s", number_exact(w, (long long)most, false, true));
	str_add(out, " instructions retire before the stop");
	if (least < most)
		str_addf(out, ": the runs\nstopped up to %s instructions apart",
			number_exact(w, (long long)(most - least), false, true));
	str_add(out, ".\n");
	for (size_t i = 0; i < overflow->n_runs && overflow->event[0].instructions; i++) {
		const struct overflow_position *position = &overflow->run[i].position;

		if (position->known && position->instructions != overflow->run[i].a.count)
			str_addf(out, "Run %zu: at the stop the event had counted %s that did not retire.\n", i + 1,
				number_exact(
					v, (long long)(overflow->run[i].a.count - position->instructions), true, true));
	}
	add_stepping(overflow, out);
}

/* Compares an overflow at the count itself with the steps. */
static void
add_direct(const struct trust_overflow *overflow, struct str *out)
{
	const struct overflow_state *at = &overflow->direct.a.here, *last = &overflow->run[0].a.last;
	char n[NUMBER_TEXT];

	if (!overflow->has_direct || !last->n)
		return;
	number_exact(n, (long long)overflow->stop_at, false, true);
	if (at->word[at->pc] == last->word[last->pc]) {
		str_addf(out, "An overflow at %s itself stops at that instruction, too.\n", n);
		return;
	}
	str_addf(out, "An overflow at %s itself stops at another instruction, 0x%" PRIx64 " ", n, at->word[at->pc]);
	overflow_text_add_text(out, overflow->direct.here);
	str_add(out, ":\nsingle steps hide counts. This place is the right one.\n");
}

static void
add_stops(const struct trust_overflow *overflow, struct str *out)
{
	size_t n = arrivals(overflow);
	char v[NUMBER_TEXT];

	if (!overflow->n_runs)
		return;
	str_addf(out, "\nStop at %s ", number_exact(v, (long long)overflow->stop_at, false, true));
	overflow_text_add_text(out, overflow->event[0].name);
	str_addf(out, ": an overflow before, then single steps\n%-3s%16s%16s%11s%16s%16s  %s\n", "run", "overflow",
		"stopped", "steps", "count", "instructions", "after the instruction at");
	for (size_t i = 0; i < overflow->n_runs; i++)
		add_try(overflow, i, out);
	str_addc(out, '\n');
	if (n > 1 && n == overflow->n_runs && overflow->words)
		str_addf(out, "All %zu runs stopped at the same instruction; %d of %zu registers are equal.\n", n,
			__builtin_popcountll(overflow->words), overflow->run[0].a.here.n);
	else if (n > 1)
		str_add(out, "The runs stopped at different places.\n");
	add_direct(overflow, out);
	add_positions(overflow, out);
	str_add(out, "Subtracting interrupts or page faults corrects a total, and not a stop: at an overflow nobody "
		"knows which of\nthe counts were the extra ones. Only an event that is exact at each instruction stops "
		"a command at an exact place.\n");
}

static void
add_conditions(const struct trust_overflow *overflow, struct str *out)
{
	char limit[NUMBER_TEXT];

	if (overflow->threads)
		str_addf(out, "%s started threads in each run: %" PRIu64 ". Only the first thread is counted and "
			"stopped.\n", overflow->shown, overflow->threads);
	if (overflow->processes)
		str_addf(out, "%s started processes in each run: %" PRIu64 ". They are neither counted nor stopped.\n",
			overflow->shown, overflow->processes);
	if (overflow->signal)
		str_addf(out, "%s was ended by signal %d (%s).\n", overflow->shown, overflow->signal,
			strsignal(overflow->signal));
	if (overflow->slow)
		str_addf(out, "A run took longer than %s, and was ended; --duration gives it more time.\n",
			number_seconds(limit, overflow->seconds, true));
	str_addf(out, "All runs: %s, ", overflow->fixed_addresses ? "addresses not randomised"
		: "addresses randomised (personality(2) is not permitted)");
	if (overflow->cpu >= 0)
		str_addf(out, "pinned to CPU %d", overflow->cpu);
	else
		str_add(out, "not pinned to a CPU");
	str_add(out, ", environment PATH HOME LD_LIBRARY_PATH LC_ALL=C TZ=UTC, input and output /dev/null\n");
	if (overflow->cut)
		str_add(out, "Interrupted: the runs that were done are above\n");
}

void
trust_overflow_text(const struct trust_overflow *r, struct str *out)
{
	add_skid(r, out);
	add_stops(r, out);
	str_addc(out, '\n');
	add_conditions(r, out);
}
