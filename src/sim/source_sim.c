#include "sim/source_sim.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "sim/sampler.h"

#define AHEAD 4 /* rows that are simulated ahead of the reader */

struct source {
	struct sim_sampler *sampler;
	size_t n, samples;
	unsigned interval_ms;
	bool by_hand;
	int fd;                      /* eventfd; readable while a row or the end is waiting */
	pthread_t thread;
	bool started;
	double started_at;
	struct source_row made;      /* the row at hand; used by the thread only */
	int64_t *total;
	unsigned char *counted;
	/* Shared by both threads, under the lock. */
	pthread_mutex_t lock;
	pthread_cond_t change;
	struct source_row ring[AHEAD]; /* rows that wait for the reader; the arrays are owned */
	size_t first, waiting, asked; /* asked: ticks by hand that are still due */
	bool stop, ended, failed;
	struct err trouble;
	double seconds;              /* time of the whole run by the clock */
};

static struct source_row
new_row(size_t n)
{
	return (struct source_row){.count = mem_new_array(n, sizeof(int64_t)), .counted = mem_new_array(n, 1),
		.running = mem_new_array(n, sizeof(double))};
}

static void
free_row(struct source_row *r)
{
	free(r->count);
	free(r->counted);
	free(r->running);
}

static void
copy_row(struct source_row *to, const struct source_row *from, size_t n)
{
	to->seconds = from->seconds;
	to->missed = from->missed;
	to->tasks = from->tasks;
	to->rotation = from->rotation;
	memcpy(to->count, from->count, n * sizeof *to->count);
	memcpy(to->counted, from->counted, n);
	memcpy(to->running, from->running, n * sizeof *to->running);
}

/* --- the thread -------------------------------------------------------------------------------------------------- */

static void
wake_reader(struct source *s)
{
	const uint64_t one = 1;

	while (write(s->fd, &one, sizeof one) < 0 && errno == EINTR)
		;
}

/* Waits, under the lock, until the row is due or a tick asks for it, and the ring has room. False: the run stops. */
static bool
wait_for_turn(struct source *s, double due)
{
	struct timespec until = {.tv_sec = (time_t)due, .tv_nsec = (long)((due - (double)(time_t)due) * 1e9)};

	while (!s->stop) {
		bool early = !s->by_hand && s->interval_ms && clock_seconds() < due;

		if (!early && s->waiting < AHEAD && (!s->by_hand || s->asked))
			break;
		if (early)
			pthread_cond_timedwait(&s->change, &s->lock, &until);
		else
			pthread_cond_wait(&s->change, &s->lock);
	}
	return !s->stop;
}

static void
source_sim_add_totals(struct source *s)
{
	for (size_t i = 0; i < s->n; i++) {
		s->total[i] += s->made.count[i];
		s->counted[i] &= s->made.counted[i] && s->made.running[i] >= 1;
	}
}

/* Adds the row to the totals, under the lock, and hands it to the reader. */
static void
hand_out(struct source *s)
{
	source_sim_add_totals(s);
	if (!s->interval_ms)
		return;
	copy_row(&s->ring[(s->first + s->waiting++) % AHEAD], &s->made, s->n);
	s->asked -= s->by_hand;
	wake_reader(s);
}

static void
source_sim_end_run(struct source *s, const struct err *trouble)
{
	pthread_mutex_lock(&s->lock);
	s->ended = true;
	s->seconds = clock_seconds() - s->started_at;
	s->failed = trouble != NULL;
	if (trouble)
		s->trouble = *trouble;
	wake_reader(s);
	pthread_mutex_unlock(&s->lock);
}

static void *
simulate_rows(void *ctx)
{
	struct source *s = ctx;
	double due = s->started_at;
	enum sim_news news = SIM_ROW;
	struct err e = {0};
	bool wanted = true;

	for (size_t done = 0; wanted && (!s->samples || done < s->samples); done++) {
		double now = clock_seconds();

		due = (due + s->interval_ms * 1e-3 > now ? due : now) + s->interval_ms * 1e-3;
		news = sim_sampler_row(s->sampler, &s->made, &e);
		if (news != SIM_ROW)
			break;
		pthread_mutex_lock(&s->lock);
		wanted = wait_for_turn(s, due);
		if (wanted)
			hand_out(s);
		pthread_mutex_unlock(&s->lock);
	}
	source_sim_end_run(s, news == SIM_FAILED ? &e : NULL);
	return NULL;
}

/* --- the reader --------------------------------------------------------------------------------------------------- */

static struct source *
sim_open(const struct source_spec *spec, struct err *e)
{
	(void)spec;
	err_set(e, "no machine to simulate was given");
	err_hint(e, "name one, for instance: sim:haswell:merging:linear,footprint=1G");
	return NULL;
}

static void
stop_thread(struct source *s)
{
	pthread_mutex_lock(&s->lock);
	s->stop = true;
	pthread_cond_signal(&s->change);
	pthread_mutex_unlock(&s->lock);
	sim_sampler_cancel(s->sampler);
}

static void
sim_close(struct source *s)
{
	if (!s)
		return;
	if (s->started) {
		stop_thread(s);
		pthread_join(s->thread, NULL);
	}
	pthread_cond_destroy(&s->change);
	pthread_mutex_destroy(&s->lock);
	if (s->fd >= 0)
		close(s->fd);
	for (size_t i = 0; i < AHEAD; i++)
		free_row(&s->ring[i]);
	free_row(&s->made);
	free(s->total);
	free(s->counted);
	sim_sampler_free(s->sampler);
	free(s);
}

struct source *
source_sim_open(const struct source_spec *spec, const struct sim_run_spec *how, size_t samples, struct err *e)
{
	struct source *s = mem_new(sizeof *s);
	struct sim_run_spec run = *how;
	pthread_condattr_t clock;

	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&s->change, &clock);
	pthread_condattr_destroy(&clock);
	pthread_mutex_init(&s->lock, NULL);
	s->n = spec->n_counters;
	s->interval_ms = spec->interval_ms;
	s->by_hand = spec->by_hand && spec->interval_ms;
	s->samples = samples || spec->interval_ms ? samples : SIM_SAMPLES;
	s->made = new_row(s->n);
	for (size_t i = 0; i < AHEAD; i++)
		s->ring[i] = new_row(s->n);
	s->total = mem_new_array(s->n, sizeof *s->total);
	s->counted = mem_new_array(s->n, 1);
	memset(s->counted, 1, s->n);
	run.multiplex &= spec->interval_ms != 0;
	s->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (s->fd < 0)
		err_set(e, "cannot make an eventfd: %s", strerror(errno));
	else
		s->sampler = sim_sampler_new(&run, spec->counter, spec->n_counters, e);
	if (s->sampler && !run.n_lies)
		sim_sampler_vouch(s->sampler);
	if (s->sampler)
		return s;
	sim_close(s);
	return NULL;
}

static const struct source_status *
sim_status(const struct source *s)
{
	return sim_sampler_status(s->sampler);
}

static bool
sim_start(struct source *s, struct err *e)
{
	sigset_t all, before;
	int failed;

	s->started_at = clock_seconds();
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	failed = pthread_create(&s->thread, NULL, simulate_rows, s);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	s->started = !failed;
	return !failed || err_set(e, "cannot start a thread to simulate: %s", strerror(failed));
}

static int
sim_wait_fd(const struct source *s)
{
	return s->fd;
}

static bool
sim_poll(struct source *s, struct source_end *out)
{
	bool ended;

	pthread_mutex_lock(&s->lock);
	ended = s->ended;
	if (ended)
		*out = (struct source_end){.exited = true, .seconds = s->seconds};
	pthread_mutex_unlock(&s->lock);
	return ended;
}

static bool
sim_read(struct source *s, int64_t *count, unsigned char *counted, struct err *e)
{
	bool good;

	pthread_mutex_lock(&s->lock);
	good = !s->failed;
	if (!good && e)
		*e = s->trouble;
	for (size_t i = 0; i < s->n; i++) {
		count[i] = s->total[i];
		counted[i] = s->counted[i] && sim_sampler_status(s->sampler)[i].health != OBS_UNSUPPORTED;
	}
	pthread_mutex_unlock(&s->lock);
	return good;
}

static enum source_news
sim_row(struct source *s, struct source_row *row, struct err *e)
{
	enum source_news news = SOURCE_NO_ROW;
	uint64_t seen;

	pthread_mutex_lock(&s->lock);
	if (s->waiting) {
		copy_row(row, &s->ring[s->first], s->n);
		s->first = (s->first + 1) % AHEAD;
		s->waiting--;
		news = SOURCE_ROW;
		pthread_cond_signal(&s->change);
	} else if (s->failed) {
		*e = s->trouble;
		news = SOURCE_ROW_FAILED;
	}
	if (!s->waiting && !s->ended && read(s->fd, &seen, sizeof seen) < 0 && errno != EAGAIN)
		news = SOURCE_ROW_FAILED, err_set(e, "cannot read an eventfd: %s", strerror(errno));
	pthread_mutex_unlock(&s->lock);
	return news;
}

static void
sim_tick(struct source *s)
{
	pthread_mutex_lock(&s->lock);
	s->asked++;
	pthread_cond_signal(&s->change);
	pthread_mutex_unlock(&s->lock);
}

static void
sim_stop(struct source *s)
{
	stop_thread(s);
}

const struct source_ops source_sim = {
	.name = "a simulated machine",
	.open = sim_open,
	.status = sim_status,
	.start = sim_start,
	.wait_fd = sim_wait_fd,
	.poll = sim_poll,
	.read = sim_read,
	.row = sim_row,
	.tick = sim_tick,
	.stop = sim_stop,
	.close = sim_close,
};
