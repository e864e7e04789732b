#include "cli/run_live.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/run/counters_run.h"
#include "app/run/run.h"
#include "base/err.h"
#include "base/log.h"
#include "base/str.h"
#include "cli/options.h"

#define LONGEST_WAIT 0.2 /* seconds: a signal may arrive between the look at it and the wait */

/* Set by the handlers below; a signal handler can reach nothing else. */
static volatile sig_atomic_t caught, interrupts;

static void
on_signal(int number)
{
	caught = number;
	interrupts += number == SIGINT;
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

/* Does Ctrl-C end the run? A command that shares our terminal gets it too, and may end by itself first: the second one
 * is for us. */
static bool
is_end(const struct options *o, const struct run_how *how)
{
	return how->keeps && caught == SIGINT && (!o->argv || !isatty(STDIN_FILENO) || interrupts > 1);
}

static bool
fail_by_signal(const struct options *o, bool repetition, struct err *e)
{
	return err_set(e, "ended by signal %d (%s) while %s ran%s", (int)caught, strsignal(caught),
		o->spec            ? "the programs"
			: !o->argv ? "the sampling"
			: repetition ? "a repetition of the command"
				     : "the command",
		o->spec            ? "; the programs were ended too"
			: !o->argv ? ""
				   : "; the command was ended too");
}

static void
hear(void *failure, struct run *r, enum run_step step, const struct err *e)
{
	(void)r;
	if (step == RUN_ENDED && *e->what)
		*(struct err *)failure = *e;
}

/* Where the command shares our terminal, Ctrl-C reaches it, and we only stop repeating. */
static bool
wait_for_end(const struct options *o, struct runs *runs, const struct run_how *how, bool repetition,
	const sigset_t *during, struct err *e)
{
	struct run *shown = how->shown ? how->shown : runs_leader(runs);
	bool stays = how->keeps || isatty(STDIN_FILENO);
	struct err failure = {0};

	for (;;) {
		runs_poll(runs, hear, &failure);
		if (how->seen && !how->seen(how->ctx, shown, e))
			return false;
		if (!runs_running(runs))
			break;
		if (is_end(o, how))
			runs_finish(runs);
		else if (caught && (caught != SIGINT || !stays))
			return fail_by_signal(o, repetition, e);
		runs_wait(runs, LONGEST_WAIT, during);
	}
	if (*failure.what)
		*e = failure;
	return !*failure.what;
}

bool
run_here(const struct options *o, struct runs *runs, const struct run_how *how, struct err *e)
{
	size_t times = how->repeats ? o->runs : 1;
	struct watching signals;
	bool good = true;

	watch_signals(&signals);
	for (size_t i = 0; i < times && good && !caught; i++)
		good = runs_begin(runs, e) && wait_for_end(o, runs, how, i > 0, &signals.during, e);
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
say_ending(const struct options *o, const struct counters_run *l)
{
	const struct source_end *end = counters_run_end(l);
	bool asked = counters_run_ending(l) != RUN_END_ITSELF;

	if (end->vanished)
		log_line(NULL, "%s ended after %.3g s: %zu samples", counters_run_name(l), end->seconds,
			counters_run_rows(l));
	else if (counters_run_ending(l) == RUN_END_ASKED && !o->argv)
		log_line(NULL, "ended after %.3g s: %zu samples", end->seconds, counters_run_rows(l));
	else if (asked && o->argv)
		log_line(NULL, "%s was told to end after %.3g s", counters_run_name(l), end->seconds);
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

void
run_live_say_lines(const struct options *o, struct str *text)
{
	char **line = str_split(str_text(text), '\n', NULL);

	for (size_t i = 0; line[i] && !o->quiet; i++)
		if (*line[i])
			log_line(NULL, "%s", line[i]);
	str_split_free(line);
	str_free(text);
}

void
run_live_say(const struct options *o, const struct counters_run *l)
{
	struct str text = {0};

	if (o->quiet)
		return;
	counters_run_explain(l, &text);
	run_live_say_lines(o, &text);
	say_ending(o, l);
}

void
run_live_obey_signal(void)
{
	if (caught && caught != SIGINT)
		raise(caught); /* the handlers are the old ones again: die as the signal asks */
}
