#include "fake_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

struct source {
	const struct fake_script *script;
	size_t n, rows;
	unsigned stops;
	bool ended, last_taken, breath;
	int64_t total[FAKE_COUNTERS];
	struct source_status status[FAKE_COUNTERS];
};

static const struct fake_script *playing;
static struct fake_seen seen;

void
fake_play(const struct fake_script *s)
{
	playing = s;
	seen = (struct fake_seen){0};
}

const struct fake_seen *
fake_seen(void)
{
	return &seen;
}

static bool
is_lacking(const struct source_counter *c)
{
	for (size_t i = 0; i < c->n_events; i++)
		for (size_t k = 0; k < 4 && playing->lacking[k]; k++)
			if (strcmp(c->event[i].name, playing->lacking[k]) == 0)
				return true;
	return false;
}

static void
note_counter(const struct source_counter *c, char *out, size_t size)
{
	size_t n = (size_t)snprintf(out, size, "%s", c->name);

	for (size_t i = 0; i < c->n_events && n < size; i++)
		n += (size_t)snprintf(out + n, size - n, "%s%s", i ? "+" : "=", c->event[i].name);
	for (size_t i = 0; i < c->n_cpus && n < size; i++)
		n += (size_t)snprintf(out + n, size - n, "%s%d", i ? "," : "@", c->cpu[i]);
}

/* Opens what can be opened. False: no counter can. */
static bool
open_counters(struct source *s, const struct source_spec *spec, struct err *e)
{
	size_t open = 0;

	for (size_t i = 0; i < s->n; i++) {
		note_counter(&spec->counter[i], seen.counter[i], sizeof seen.counter[i]);
		s->status[i] = playing->status[i];
		s->status[i].running = 1;
		s->status[i].by_cpu = !playing->whole || strcmp(spec->counter[i].event[0].name, playing->whole) != 0;
		if (is_lacking(&spec->counter[i])) {
			s->status[i].health = OBS_UNSUPPORTED;
			snprintf(s->status[i].why, sizeof s->status[i].why, "no such event");
		}
		open += s->status[i].health != OBS_UNSUPPORTED;
	}
	return open > 0 || !playing->lacking[0] || err_set(e, "none of the %zu counters can be counted", s->n);
}

static struct source *
fake_open(const struct source_spec *spec, struct err *e)
{
	struct source *s;

	seen.opened++;
	seen.n_counters = spec->n_counters;
	seen.interval_ms = spec->interval_ms;
	if (playing->open_error) {
		err_set(e, "%s", playing->open_error);
		return NULL;
	}
	s = mem_new(sizeof *s);
	s->script = playing;
	s->n = spec->n_counters;
	seen.lose_cpus = spec->lose_cpus;
	if (open_counters(s, spec, e))
		return s;
	free(s);
	return NULL;
}

static const struct source_status *
fake_status(const struct source *s)
{
	return s->status;
}

static bool
fake_start(struct source *s, struct err *e)
{
	(void)s;
	(void)e;
	seen.started++;
	return true;
}

static int
fake_wait_fd(const struct source *s)
{
	(void)s;
	return -1;
}

static size_t
rows_in_all(const struct fake_script *s)
{
	return s->n_rows * (s->repeat ? s->repeat : 1);
}

static bool
fake_poll(struct source *s, struct source_end *end)
{
	*end = s->script->end;
	s->ended |= s->stops > s->script->ignored_stops || (!s->script->goes_on && s->rows >= rows_in_all(s->script));
	return s->ended;
}

static bool
fake_read(struct source *s, int64_t *count, unsigned char *counted, struct err *e)
{
	if (s->script->read_error)
		return err_set(e, "%s", s->script->read_error);
	for (size_t i = 0; i < s->n; i++) {
		counted[i] = s->status[i].health != OBS_UNSUPPORTED;
		count[i] = counted[i] ? s->total[i] : 0;
	}
	return true;
}

static enum source_news
hand_out(struct source *s, const struct fake_row *from, struct source_row *row)
{
	for (size_t i = 0; i < s->n; i++) {
		row->counted[i] = s->status[i].health != OBS_UNSUPPORTED && !from->blind[i];
		row->count[i] = row->counted[i] ? from->count[i] : 0;
		row->running[i] = from->running[i] > 0 ? from->running[i] : 1;
		s->total[i] += row->count[i];
	}
	row->missed = from->missed;
	row->tasks = from->tasks;
	row->seconds = (double)s->rows * 0.1;
	return SOURCE_ROW;
}

static enum source_news
fake_row(struct source *s, struct source_row *row, struct err *e)
{
	static const struct fake_row nothing;

	if (seen.interval_ms == 0 || s->last_taken)
		return SOURCE_NO_ROW;
	if (s->ended) {
		s->last_taken = true;
		s->rows++;
		return hand_out(s, s->script->last ? s->script->last : &nothing, row);
	}
	s->breath = !s->breath;
	if (!s->breath || s->rows >= rows_in_all(s->script))
		return SOURCE_NO_ROW;
	s->rows++;
	if (s->rows == s->script->row_error) {
		err_set(e, "a counter cannot be read");
		return SOURCE_ROW_FAILED;
	}
	return hand_out(s, &s->script->row[(s->rows - 1) % s->script->n_rows], row);
}

static void
fake_stop(struct source *s)
{
	s->stops++;
	seen.stopped++;
}

static void
fake_close(struct source *s)
{
	seen.closed++;
	free(s);
}

const struct source_ops source_fake = {
	.name = "fake",
	.open = fake_open,
	.status = fake_status,
	.start = fake_start,
	.wait_fd = fake_wait_fd,
	.poll = fake_poll,
	.read = fake_read,
	.row = fake_row,
	.stop = fake_stop,
	.close = fake_close,
};
