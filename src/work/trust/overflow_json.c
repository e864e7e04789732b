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
overflow_json_add_row(const struct overflow_row *row, struct json_writer *w)
{
	const struct overflow_skid *k = &row->skid;
	bool some = k->measured > 0;

	json_open(w, NULL, '{');
	json_int(w, "precise", row->precise);
	json_int(w, "period", (int64_t)k->period);
	json_int(w, "overflows", (int64_t)k->overflows);
	json_num(w, "min", some ? (double)k->least : NAN);
	json_num(w, "median", some ? k->median : NAN);
	json_num(w, "max", some ? (double)k->most : NAN);
	json_int(w, "missed", (int64_t)k->missed);
	json_int(w, "throttled", (int64_t)k->throttled);
	json_int(w, "lost", (int64_t)k->lost);
	json_bool(w, "ended", k->ended);
	json_close(w, '}');
}

static void
overflow_json_add_event(const struct overflow_event *ev, struct json_writer *w)
{
	json_open(w, NULL, '{');
	json_str(w, "event", ev->name);
	json_bool(w, "measured", ev->measured);
	json_str(w, "why", ev->measured ? NULL : ev->why.why);
	json_str(w, "remedy", ev->measured ? NULL : ev->why.remedy);
	json_bool(w, "user_only", ev->user_only);
	if (ev->measured)
		json_int(w, "total", (int64_t)ev->total);
	else
		json_null(w, "total");
	json_open(w, "skid", '[');
	for (size_t i = 0; i < ev->n_rows; i++)
		overflow_json_add_row(&ev->row[i], w);
	json_close(w, ']');
	json_close(w, '}');
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
add_try(const struct overflow_try *t, struct json_writer *w)
{
	const struct overflow_arrival *a = &t->a;
	bool there = a->here.n > 0;

	json_open(w, NULL, '{');
	json_str(w, "outcome", outcome_name(a->outcome));
	json_int(w, "overflow", (int64_t)a->overflow);
	json_int(w, "stopped", (int64_t)a->stop);
	json_int(w, "steps", (int64_t)a->steps);
	json_int(w, "before", (int64_t)a->before);
	json_int(w, "count", (int64_t)a->count);
	add_address(w, "after", there ? &a->last : &(struct overflow_state){.n = 0});
	json_str(w, "after_place", there ? t->last : NULL);
	add_address(w, "next", there ? &a->here : &(struct overflow_state){.n = 0});
	json_str(w, "next_place", there ? t->here : NULL);
	if (t->position.known)
		json_int(w, "instructions", (int64_t)t->position.instructions);
	else
		json_null(w, "instructions");
	json_close(w, '}');
}

static void
add_stop(const struct trust_overflow *r, struct json_writer *w)
{
	json_open(w, "stop", '{');
	json_int(w, "count", (int64_t)r->stop_at);
	json_bool(w, "same_place", r->words != 0);
	json_open(w, "runs", '[');
	for (size_t i = 0; i < r->n_runs; i++)
		add_try(&r->run[i], w);
	json_close(w, ']');
	if (r->has_direct) {
		json_open(w, "direct", '{');
		add_address(w, "next", &r->direct.a.here);
		json_str(w, "next_place", r->direct.here);
		json_close(w, '}');
	} else {
		json_null(w, "direct");
	}
	json_close(w, '}');
}

void
trust_overflow_json(const struct trust_overflow *r, struct json_writer *w)
{
	struct utsname here = {0};

	uname(&here);
	json_open(w, NULL, '{');
	json_str(w, "schema", "hecate.overflow/1");
	json_str(w, "machine", here.nodename);
	json_str(w, "test", r->test);
	json_int(w, "cpu", r->cpu);
	json_bool(w, "fixed_addresses", r->fixed_addresses);
	json_int(w, "threads", (int64_t)r->threads);
	json_int(w, "processes", (int64_t)r->processes);
	if (r->signal)
		json_int(w, "signal", r->signal);
	else
		json_null(w, "signal");
	json_bool(w, "cut", r->cut);
	json_bool(w, "slow", r->slow);
	json_open(w, "events", '[');
	for (size_t i = 0; i < r->n_events; i++)
		overflow_json_add_event(&r->event[i], w);
	json_close(w, ']');
	if (r->stop_at)
		add_stop(r, w);
	else
		json_null(w, "stop");
	json_close(w, '}');
}
