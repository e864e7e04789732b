#include "cli/run_live.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/run/live.h"
#include "app/run/spec_run.h"
#include "app/run/tasktime_run.h"
#include "base/err.h"
#include "base/log.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/work.h"
#include "core/obs/obs.h"

/* Set by the handlers below; a signal handler can reach nothing else. */
static volatile sig_atomic_t caught, interrupts;

static void
on_signal(int number)
{
	caught = number;
	interrupts += number == SIGINT;
}

/* Does Ctrl-C end the sampling, so that what was collected is judged? A command that shares our terminal gets it too,
 * and may end by itself first: the second one is for us. */
static bool
is_end_of_sampling(const struct work_live *w, const struct options *o)
{
	return w->interval_ms && caught == SIGINT && (!o->argv || !isatty(STDIN_FILENO) || interrupts > 1);
}

/* Waits for the end of one run. Where the command shares our terminal, Ctrl-C reaches it, and we only stop repeating.
 */
static bool
wait_for_end(const struct options *o, const struct work_live *w, struct live *l, const sigset_t *during,
	run_live_seen *seen, void *ctx, const struct run_beside *beside, struct err *e)
{
	bool stays = w->interval_ms || isatty(STDIN_FILENO);

	for (;;) {
		bool ended = live_poll(l, e);
		struct pollfd p[] = {{.fd = live_wait_fd(l), .events = POLLIN}, {.fd = -1, .events = POLLIN}};
		double wait = fmin(0.2, live_patience(l));
		struct err failure = {0};

		if (beside) {
			beside->pump(beside->ctx);
			p[1].fd = beside->wait_fd(beside->ctx);
		}
		if (seen && !seen(ctx, l, &failure)) {
			*e = failure;
			return false;
		}
		if (ended || !live_running(l)) /* who was called back may have seen the end first */
			return !*e->what;
		if (is_end_of_sampling(w, o))
			live_finish(l);
		else if (caught && (caught != SIGINT || !stays))
			return err_set(e, "ended by signal %d (%s) while %s ran%s", (int)caught, strsignal(caught),
				!o->argv                   ? "the sampling"
					: live_table(l)->n ? "a repetition of the command"
							   : "the command",
				!o->argv ? "" : "; the command was ended too");
		ppoll(p, 2, &(struct timespec){.tv_nsec = (long)(wait * 1e9)}, during);
	}
}

static const int watched[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

struct watching {
	struct sigaction old[4];
	sigset_t during; /* the mask to wait under */
};

static void
watch_signals(struct watching *w)
{
	struct sigaction act = {.sa_handler = on_signal};
	sigset_t block;

	sigemptyset(&act.sa_mask);
	sigemptyset(&block);
	for (int i = 0; i < 4; i++) {
		sigaction(watched[i], &act, &w->old[i]);
		sigaddset(&block, watched[i]);
	}
	sigprocmask(SIG_BLOCK, &block, &w->during);
}

static void
release_signals(struct watching *w)
{
	sigprocmask(SIG_SETMASK, &w->during, NULL);
	for (int i = 0; i < 4; i++)
		sigaction(watched[i], &w->old[i], NULL);
}

void
run_live_hold(struct run_signals *s)
{
	struct sigaction act = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND}, old;

	sigemptyset(&act.sa_mask);
	for (int i = 0; i < 4; i++) {
		sigaction(watched[i], NULL, &old);
		s->old[i] = old;
		if (old.sa_handler != SIG_IGN)
			sigaction(watched[i], &act, NULL);
	}
}

void
run_live_let_go(const struct run_signals *s)
{
	for (int i = 0; i < 4; i++)
		sigaction(watched[i], &s->old[i], NULL);
}

bool
run_live(const struct options *o, const struct work_live *w, struct live *l, run_live_seen *seen, void *ctx,
	struct err *e)
{
	return run_live_beside(o, w, l, seen, ctx, NULL, e);
}

bool
run_live_beside(const struct options *o, const struct work_live *w, struct live *l, run_live_seen *seen, void *ctx,
	const struct run_beside *beside, struct err *e)
{
	struct watching signals;
	bool good = true;

	watch_signals(&signals);
	for (size_t run = 0; run < o->runs && good && !caught; run++)
		good = live_start(l, e) && wait_for_end(o, w, l, &signals.during, seen, ctx, beside, e);
	if (beside)
		beside->end(beside->ctx);
	release_signals(&signals);
	return good;
}

/* A command that shares our terminal gets Ctrl-C too, and ends by itself: the second one is for us. */
static bool
wait_for_stalls(const struct options *o, struct tasktime_run *r, const sigset_t *during, run_stalls_seen *seen,
	void *ctx, struct err *e)
{
	for (;;) {
		bool ended = tasktime_run_poll(r);
		struct pollfd p = {.fd = tasktime_run_wait_fd(r), .events = POLLIN};
		double wait = fmin(0.2, tasktime_run_patience(r));

		if (seen && !seen(ctx, r, e))
			return false;
		if (ended)
			return true;
		if (caught == SIGINT && (!o->argv || !isatty(STDIN_FILENO) || interrupts > 1))
			tasktime_run_finish(r);
		else if (caught && caught != SIGINT)
			return err_set(e, "ended by signal %d (%s)%s", (int)caught, strsignal(caught),
				o->argv ? "; the command was ended too" : "");
		ppoll(&p, 1, &(struct timespec){.tv_nsec = (long)(wait * 1e9)}, during);
	}
}

bool
run_stalls(const struct options *o, struct tasktime_run *r, run_stalls_seen *seen, void *ctx, struct err *e)
{
	struct watching signals;
	bool good;

	watch_signals(&signals);
	good = tasktime_run_start(r, e) && wait_for_stalls(o, r, &signals.during, seen, ctx, e);
	release_signals(&signals);
	return good;
}

#define RING_KB_MOST ((size_t)1 << 20) /* 1 GiB of each CPU */

size_t
run_live_ring(const struct options *o)
{
	size_t kb = 4;

	while (kb < o->ring_kb && kb < RING_KB_MOST)
		kb *= 2;
	return o->ring_kb ? kb : 0;
}

static bool
wait_for_programs(struct spec_run *r, const sigset_t *during, run_spec_seen *seen, void *ctx, struct err *e)
{
	for (;;) {
		bool ended = spec_run_poll(r, e);
		struct pollfd p = {.fd = spec_run_wait_fd(r), .events = POLLIN};
		struct err failure = {0};
		double wait;

		if (seen && !seen(ctx, r, &failure)) {
			*e = failure;
			return false;
		}
		if (ended)
			return !*e->what;
		if (caught == SIGINT)
			spec_run_finish(r);
		else if (caught)
			return err_set(e, "ended by signal %d (%s); the programs were ended too", (int)caught,
				strsignal(caught));
		wait = fmin(0.2, spec_run_patience(r));
		ppoll(&p, 1, &(struct timespec){.tv_nsec = (long)(wait * 1e9)}, during);
	}
}

bool
run_spec(struct spec_run *r, run_spec_seen *seen, void *ctx, struct err *e)
{
	struct watching signals;
	bool good;

	watch_signals(&signals);
	good = spec_run_start(r, e) && wait_for_programs(r, &signals.during, seen, ctx, e);
	release_signals(&signals);
	return good;
}

bool
run_live_interrupted(void)
{
	sigset_t waiting;

	if (caught)
		return true;
	return sigpending(&waiting) == 0 &&
		(sigismember(&waiting, SIGINT) == 1 || sigismember(&waiting, SIGTERM) == 1 ||
			sigismember(&waiting, SIGHUP) == 1 || sigismember(&waiting, SIGQUIT) == 1);
}

static bool
is_pipe(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode);
}

/* Why the sampling ended, where that was not what was asked for. */
static void
say_ending(const struct options *o, const struct live *l)
{
	const struct source_end *end = live_end(l);
	bool asked = live_ending(l) != LIVE_ENDED;

	if (end->vanished)
		log_line(NULL, "%s ended after %.3g s: %zu samples", live_name(l), end->seconds, live_rows(l));
	else if (live_ending(l) == LIVE_ASKED && !o->argv)
		log_line(NULL, "ended after %.3g s: %zu samples", end->seconds, live_rows(l));
	else if (asked && o->argv)
		log_line(NULL, "%s was told to end after %.3g s", live_name(l), end->seconds);
	else if (end->signalled)
		log_line(NULL, "%s was ended by signal %d (%s)", o->argv[0], end->code, strsignal(end->code));
	else if (end->code)
		log_line(NULL, "%s ended with status %d", o->argv[0], end->code);
	if (end->left_behind)
		log_line(NULL, "%zu processes that %s started still ran when it ended: its totals are not exact%s",
			end->left_behind, o->argv[0],
			is_pipe(STDOUT_FILENO) || is_pipe(STDERR_FILENO)
				? ", and as they may hold this output open, a program that reads it may wait for their "
				  "end"
				: "");
}

static void
say_lines(struct str *text)
{
	char **line = str_split(str_text(text), '\n', NULL);

	for (size_t i = 0; line[i]; i++)
		if (*line[i])
			log_line(NULL, "%s", line[i]);
	str_split_free(line);
	str_free(text);
}

void
run_live_say(const struct options *o, const struct live *l)
{
	struct str text = {0};

	if (o->quiet)
		return;
	live_explain(l, &text);
	say_lines(&text);
	say_ending(o, l);
}

void
run_live_say_spec(const struct options *o, const struct spec_run *r)
{
	struct str text = {0};

	if (o->quiet)
		return;
	spec_run_explain(r, &text);
	say_lines(&text);
}

void
run_live_obey_signal(void)
{
	if (caught && caught != SIGINT)
		raise(caught); /* the handlers are the old ones again: die as the signal asks */
}
