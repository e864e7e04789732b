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
#include "base/parallel.h"
#include "sim/sampler.h"

#define AHEAD 4 /* rows that are simulated ahead of the reader */

struct source {
	struct sim_row_maker maker;
	size_t n, samples;
	unsigned interval_ms;
	bool by_hand;
	int fd; /* eventfd; readable while a row or the end is waiting */
	pthread_t thread;
	bool started;
	double started_at;
	struct source_row made; /* the row at hand; used by the thread only */
	int64_t *total;
	unsigned char *counted;
	/* Shared by both threads, under the lock. */
	pthread_mutex_t lock;
	pthread_cond_t change;
	struct source_row ring[AHEAD]; /* rows that wait for the reader; the arrays are owned */
	size_t first, waiting, asked;  /* asked: ticks by hand that are still due */
	bool stop, ended, failed;
	struct err trouble;
	double seconds; /* time of the whole run by the clock */
};

static struct source_row
new_row(size_t n)
{
	return (struct source_row){.count = mem_new_array(n, sizeof(int64_t)),
		.counted = mem_new_array(n, 1),
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
wait_for_turn(struct source *source, double due)
{
	struct timespec until = {.tv_sec = (time_t)due, .tv_nsec = (long)((due - (double)(time_t)due) * 1e9)};

	while (!source->stop) {
		bool early = !source->by_hand && source->interval_ms && clock_seconds() < due;

		if (!early && source->waiting < AHEAD && (!source->by_hand || source->asked))
			break;
		if (early)
			pthread_cond_timedwait(&source->change, &source->lock, &until);
		else
			pthread_cond_wait(&source->change, &source->lock);
	}
	return !source->stop;
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
	s->seconds = s->maker.ops->own_time ? s->made.seconds : clock_seconds() - s->started_at;
	s->failed = trouble != NULL;
	if (trouble)
		s->trouble = *trouble;
	wake_reader(s);
	pthread_mutex_unlock(&s->lock);
}

static void *
simulate_rows(void *ctx)
{
	struct source *source = ctx;
	double due = source->started_at;
	enum sim_news news = SIM_ROW;
	struct err e = {0};
	bool wanted = true;

	parallel_stand_back();
	for (size_t done = 0; wanted && (!source->samples || done < source->samples); done++) {
		double now = clock_seconds();

		due = (due + source->interval_ms * 1e-3 > now ? due : now) + source->interval_ms * 1e-3;
		news = source->maker.ops->row(source->maker.of, &source->made, &e);
		if (news != SIM_ROW)
			break;
		pthread_mutex_lock(&source->lock);
		wanted = wait_for_turn(source, due);
		if (wanted)
			hand_out(source);
		pthread_mutex_unlock(&source->lock);
	}
	source_sim_end_run(source, news == SIM_FAILED ? &e : NULL);
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
	s->maker.ops->cancel(s->maker.of);
}

static void
sim_close(struct source *source)
{
	if (!source)
		return;
	if (source->started) {
		stop_thread(source);
		pthread_join(source->thread, NULL);
	}
	pthread_cond_destroy(&source->change);
	pthread_mutex_destroy(&source->lock);
	if (source->fd >= 0)
		close(source->fd);
	for (size_t i = 0; i < AHEAD; i++)
		free_row(&source->ring[i]);
	free_row(&source->made);
	free(source->total);
	free(source->counted);
	if (source->maker.of)
		source->maker.ops->free(source->maker.of);
	free(source);
}

struct source *
source_sim_open_maker(const struct source_spec *spec, struct sim_row_maker maker, size_t samples, struct err *e)
{
	struct source *source = mem_new(sizeof *source);
	pthread_condattr_t clock;

	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&source->change, &clock);
	pthread_condattr_destroy(&clock);
	pthread_mutex_init(&source->lock, NULL);
	source->maker = maker;
	source->n = spec->n_counters;
	source->interval_ms = spec->interval_ms;
	source->by_hand = spec->by_hand && spec->interval_ms;
	source->samples = samples || spec->interval_ms ? samples : SIM_SAMPLES;
	source->made = new_row(source->n);
	for (size_t i = 0; i < AHEAD; i++)
		source->ring[i] = new_row(source->n);
	source->total = mem_new_array(source->n, sizeof *source->total);
	source->counted = mem_new_array(source->n, 1);
	memset(source->counted, 1, source->n);
	source->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (source->fd >= 0)
		return source;
	err_set(e, "cannot make an eventfd: %s", strerror(errno));
	sim_close(source);
	return NULL;
}

static const struct source_status *
sampler_status(const void *of)
{
	return sim_sampler_status(of);
}

static enum sim_news
sampler_row(void *of, struct source_row *row, struct err *e)
{
	return sim_sampler_row(of, row, e);
}

static void
sampler_cancel(void *of)
{
	sim_sampler_cancel(of);
}

static void
sampler_free(void *of)
{
	sim_sampler_free(of);
}

struct source *
source_sim_open(const struct source_spec *spec, const struct sim_run_spec *how, size_t samples, struct err *e)
{
	static const struct sim_row_maker_ops ops = {sampler_status, sampler_row, sampler_cancel, sampler_free, false};
	struct sim_run_spec run = *how;
	struct set_constraints constraints = {0};
	struct sim_sampler *sampler;

	run.multiplex &= spec->interval_ms != 0;
	if (run.multiplex && run.rotation == ROTATION_RANDOM && spec->constraints.make) {
		constraints = spec->constraints.make(spec->constraints.ctx);
		run.constraints = &constraints;
	}
	sampler = sim_sampler_new(&run, spec->counter, spec->n_counters, e);
	set_constraints_free(&constraints);
	if (!sampler)
		return NULL;
	if (!run.n_lies)
		sim_sampler_vouch(sampler);
	return source_sim_open_maker(spec, (struct sim_row_maker){&ops, sampler}, samples, e);
}

static const struct source_status *
sim_status(const struct source *s)
{
	return s->maker.ops->status(s->maker.of);
}

static bool
sim_start(struct source *source, struct err *e)
{
	sigset_t all, before;
	int failed;

	source->started_at = clock_seconds();
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	failed = pthread_create(&source->thread, NULL, simulate_rows, source);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	source->started = !failed;
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
sim_read(struct source *source, int64_t *count, unsigned char *counted, struct err *e)
{
	bool good;

	pthread_mutex_lock(&source->lock);
	good = !source->failed;
	if (!good && e)
		*e = source->trouble;
	for (size_t i = 0; i < source->n; i++) {
		count[i] = source->total[i];
		counted[i] = source->counted[i] &&
			source->maker.ops->status(source->maker.of)[i].health != OBS_UNSUPPORTED;
	}
	pthread_mutex_unlock(&source->lock);
	return good;
}

static enum source_news
sim_row(struct source *source, struct source_row *row, struct err *e)
{
	enum source_news news = SOURCE_NO_ROW;
	uint64_t seen;

	pthread_mutex_lock(&source->lock);
	if (source->waiting) {
		copy_row(row, &source->ring[source->first], source->n);
		source->first = (source->first + 1) % AHEAD;
		source->waiting--;
		news = SOURCE_ROW;
		pthread_cond_signal(&source->change);
	} else if (source->failed) {
		*e = source->trouble;
		news = SOURCE_ROW_FAILED;
	}
	if (!source->waiting && !source->ended && read(source->fd, &seen, sizeof seen) < 0 && errno != EAGAIN)
		news = SOURCE_ROW_FAILED, err_set(e, "cannot read an eventfd: %s", strerror(errno));
	pthread_mutex_unlock(&source->lock);
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
