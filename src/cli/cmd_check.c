/* hecate check: verdicts for recorded data, or for a command run here and now. */
#include "cli/commands.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/analysis.h"
#include "app/data.h"
#include "app/live.h"
#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/work.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"

/* Set by the handlers below; a signal handler can reach nothing else. */
static volatile sig_atomic_t caught;

static void
on_signal(int number)
{
	caught = number;
}

/* Waits for the end of one run. Where the command shares our terminal, Ctrl-C reaches it, and we only stop repeating. */
static bool
wait_for_end(struct live *l, const sigset_t *during, struct err *e)
{
	bool shared = isatty(STDIN_FILENO);

	while (!live_poll(l, e)) {
		struct pollfd p = {.fd = live_wait_fd(l), .events = POLLIN};

		if (caught && (caught != SIGINT || !shared))
			return err_set(e, "ended by signal %d (%s) while %s ran; the command was ended too", (int)caught, strsignal(caught),
				       live_table(l)->n ? "a repetition of the command" : "the command");
		ppoll(&p, 1, &(struct timespec){.tv_nsec = 200000000}, during);
	}
	return !*e->what;
}

static bool
run_command(const struct options *o, struct live *l, struct err *e)
{
	static const int watched[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	struct sigaction act = {.sa_handler = on_signal}, old[4];
	sigset_t block, during;
	bool good = true;

	sigemptyset(&act.sa_mask);
	sigemptyset(&block);
	for (int i = 0; i < 4; i++) {
		sigaction(watched[i], &act, &old[i]);
		sigaddset(&block, watched[i]);
	}
	sigprocmask(SIG_BLOCK, &block, &during);
	for (size_t run = 0; run < o->runs && good && !caught; run++)
		good = live_start(l, e) && wait_for_end(l, &during, e);
	sigprocmask(SIG_SETMASK, &during, NULL);
	for (int i = 0; i < 4; i++)
		sigaction(watched[i], &old[i], NULL);
	return good;
}

static void
say_about_run(const struct options *o, const struct live *l)
{
	const struct source_end *end = live_end(l);
	struct str text = {0};
	char **line;

	if (o->quiet)
		return;
	live_explain(l, &text);
	line = str_split(str_text(&text), '\n', NULL);
	for (size_t i = 0; line[i]; i++)
		if (*line[i])
			log_line(NULL, "%s", line[i]);
	if (end->signalled)
		log_line(NULL, "%s was ended by signal %d (%s)", o->argv[0], end->code, strsignal(end->code));
	else if (end->code)
		log_line(NULL, "%s ended with status %d", o->argv[0], end->code);
	if (end->left_behind)
		log_line(NULL, "%zu processes that %s started still ran when it ended: its totals are not exact", end->left_behind, o->argv[0]);
	str_split_free(line);
	str_free(&text);
}

static bool
collect(const struct options *o, const struct udd_model *m, const struct analysis_options *how, struct analysis *a, struct source_keep *keep,
        struct live **live)
{
	const struct live_options run = {.ops = &source_perf, .counter = how->counter, .argv = o->argv, .keep = keep, .out_fd = o->json ? STDERR_FILENO : -1, .err_fd = -1};
	struct err e = {0};

	for (size_t i = 1; i < o->n_args; i++) {
		struct obs_table *t = work_read_data(o, o->arg[i]);

		if (!t)
			return false;
		analysis_set_table(a, i - 1, t);
	}
	if (!o->argv)
		return true;
	*live = live_new(m, &run);
	if (!run_command(o, *live, &e)) {
		work_fail(&e);
		return false;
	}
	analysis_set_table(a, o->n_args - 1, data_copy(live_table(*live)));
	say_about_run(o, *live);
	return true;
}

static int
status_of(const struct result *r)
{
	struct err e = {0};

	if (r->count[VERDICT_INFEASIBLE])
		return 1;
	if (r->count[VERDICT_FEASIBLE] || r->count[VERDICT_BORDERLINE])
		return 0;
	err_set(&e, r->n_findings ? "nothing could be decided" : "no observation to judge");
	if (!r->n_findings)
		err_hint(&e, "does --observations match a name in the data?");
	return work_fail(&e);
}

static int
report(const struct options *o, const struct udd_model *m, const struct result *r, const struct live *live)
{
	struct str out = {0};
	bool good;

	if (r->error) {
		fputs(r->error, stderr);
		return 2;
	}
	for (size_t i = 0; i < r->n_notes && !o->quiet && !o->json; i++)
		log_line(NULL, "%s", r->note[i].text);
	if (o->json)
		report_check_json(o, m, r, live, &out);
	else
		report_check_text(o, m, r, &out);
	good = work_write(o, &out);
	str_free(&out);
	return good ? status_of(r) : 2;
}

int
cmd_check(const struct options *o)
{
	struct job j;
	struct analysis *a = NULL;
	struct source_keep *keep = o->argv ? source_keep_new() : NULL;
	struct live *live = NULL;
	struct result *r = NULL;
	struct err e = {0};
	int status = 2;

	if (!job_begin(&j, o))
		goto out;
	if (o->n_args < 2 && !o->argv) {
		err_set(&e, "check needs data, or a command behind --");
		err_hint(&e, "for instance: hecate check %s -- gcc -c x.c", o->arg[0]);
		work_fail(&e);
		goto out;
	}
	a = analysis_new(j.model, &j.how);
	if (!collect(o, j.model, &j.how, a, keep, &live))
		goto out;
	r = analysis_run(a, &j.on, NULL);
	status = report(o, j.model, r, live);
out:
	result_free(r);
	live_free(live);
	source_keep_free(keep);
	analysis_free(a);
	job_end(&j);
	if (caught && caught != SIGINT)
		raise(caught); /* the handlers are the old ones again: die as the signal asks */
	return status;
}
