/* What was measured of overflows, as JSON (docs/json.md). */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <sys/utsname.h>

#include "base/json.h"
#include "work/trust/overflow_result.h"

static void
add_address(struct json_writer *w, const char *key, const struct overflow_state *s)
{
	char text[32];

	snprintf(text, sizeof text, "0x%" PRIx64, s->n ? s->word[s->pc] : 0);
	json_str(w, key, s->n ? text : NULL);
}

static void
overflow_json_add_row(const struct overflow_row *row, struct json_writer *writer)
{
	const struct overflow_skid *skid = &row->skid;
	bool some = skid->measured > 0;

	json_open(writer, NULL, '{');
	json_int(writer, "precise", row->precise);
	json_int(writer, "period", (int64_t)skid->period);
	json_int(writer, "overflows", (int64_t)skid->overflows);
	json_num(writer, "min", some ? (double)skid->least : NAN);
	json_num(writer, "median", some ? skid->median : NAN);
	json_num(writer, "max", some ? (double)skid->most : NAN);
	json_int(writer, "missed", (int64_t)skid->missed);
	json_int(writer, "throttled", (int64_t)skid->throttled);
	json_int(writer, "lost", (int64_t)skid->lost);
	json_bool(writer, "ended", skid->ended);
	json_close(writer, '}');
}

static void
overflow_json_add_event(const struct overflow_event *ev, struct json_writer *writer)
{
	json_open(writer, NULL, '{');
	json_str(writer, "event", ev->name);
	json_bool(writer, "measured", ev->measured);
	json_str(writer, "why", ev->measured ? NULL : ev->why.why);
	json_str(writer, "remedy", ev->measured ? NULL : ev->why.remedy);
	json_bool(writer, "user_only", ev->user_only);
	if (ev->measured)
		json_int(writer, "total", (int64_t)ev->total);
	else
		json_null(writer, "total");
	json_open(writer, "skid", '[');
	for (size_t i = 0; i < ev->n_rows; i++)
		overflow_json_add_row(&ev->row[i], writer);
	json_close(writer, ']');
	json_close(writer, '}');
}

static const char *
outcome_name(enum overflow_outcome o)
{
	switch (o) {
	case OVERFLOW_EXACT: return "exact";
	case OVERFLOW_PASSED: return "passed";
	case OVERFLOW_LATE: return "late";
	case OVERFLOW_SHORT: return "short";
	case OVERFLOW_GIVEN_UP: return "given up";
	}
	return "";
}

static void
add_try(const struct overflow_try *try, struct json_writer *writer)
{
	const struct overflow_arrival *arrival = &try->a;
	bool there = arrival->here.n > 0;

	json_open(writer, NULL, '{');
	json_str(writer, "outcome", outcome_name(arrival->outcome));
	json_int(writer, "overflow", (int64_t)arrival->overflow);
	json_int(writer, "stopped", (int64_t)arrival->stop);
	json_int(writer, "steps", (int64_t)arrival->steps);
	json_int(writer, "before", (int64_t)arrival->before);
	json_int(writer, "count", (int64_t)arrival->count);
	add_address(writer, "after", there ? &arrival->last : &(struct overflow_state){.n = 0});
	json_str(writer, "after_place", there ? try->last : NULL);
	add_address(writer, "next", there ? &arrival->here : &(struct overflow_state){.n = 0});
	json_str(writer, "next_place", there ? try->here : NULL);
	if (try->position.known)
		json_int(writer, "instructions", (int64_t)try->position.instructions);
	else
		json_null(writer, "instructions");
	json_close(writer, '}');
}

static void
add_stop(const struct trust_overflow *overflow, struct json_writer *writer)
{
	json_open(writer, "stop", '{');
	json_int(writer, "count", (int64_t)overflow->stop_at);
	json_bool(writer, "same_place", overflow->words != 0);
	json_open(writer, "runs", '[');
	for (size_t i = 0; i < overflow->n_runs; i++)
		add_try(&overflow->run[i], writer);
	json_close(writer, ']');
	if (overflow->has_direct) {
		json_open(writer, "direct", '{');
		add_address(writer, "next", &overflow->direct.a.here);
		json_str(writer, "next_place", overflow->direct.here);
		json_close(writer, '}');
	} else {
		json_null(writer, "direct");
	}
	json_close(writer, '}');
}

void
trust_overflow_json(const struct trust_overflow *overflow, struct json_writer *writer)
{
	struct utsname here = {0};

	uname(&here);
	json_open(writer, NULL, '{');
	json_str(writer, "schema", "hecate.overflow/1");
	json_str(writer, "machine", here.nodename);
	json_str(writer, "test", overflow->test);
	json_int(writer, "cpu", overflow->cpu);
	json_bool(writer, "fixed_addresses", overflow->fixed_addresses);
	json_int(writer, "threads", (int64_t)overflow->threads);
	json_int(writer, "processes", (int64_t)overflow->processes);
	if (overflow->signal)
		json_int(writer, "signal", overflow->signal);
	else
		json_null(writer, "signal");
	json_bool(writer, "cut", overflow->cut);
	json_bool(writer, "slow", overflow->slow);
	json_open(writer, "events", '[');
	for (size_t i = 0; i < overflow->n_events; i++)
		overflow_json_add_event(&overflow->event[i], writer);
	json_close(writer, ']');
	if (overflow->stop_at)
		add_stop(overflow, writer);
	else
		json_null(writer, "stop");
	json_close(writer, '}');
}
