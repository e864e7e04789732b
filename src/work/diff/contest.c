#include "work/diff/contest.h"

#include <errno.h>
#include <math.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/stack/stack.h"
#include "shape/wire.h"
#include "work/diff/contest_news.h"
#include "work/side_process.h"

/* In memory that both processes see. */
struct turnstile {
	atomic_int waits; /* enum contest_wait */
	sem_t go;         /* posted after `waits` is CONTEST_RUNS again */
};

struct measuring {
	struct side_process *process;
	struct turnstile *turnstile;
	size_t cap;
};

/* --- in the process that measures --------------------------------------------------------------------------------- */

struct child {
	struct side_sender *sender;
	const struct contest *contest;
	struct turnstile *turnstile;
	struct measured_diff measured;
	double began, waited;  /* clock_seconds() of the first run; seconds of waiting and explaining since */
	double judged;         /* clock_seconds() of the last report */
	double seconds;        /* wait after so many; INFINITY: never */
	size_t runs, runs_due; /* that were made; wait after so many */
	size_t listed;         /* quantities that the other process knows */
	bool decided, past;    /* past: go on although it is decided */
};

static void
child_say(struct child *child, struct news *news)
{
	struct wire w = {0};

	news->measured = &child->measured;
	news_wire_all(&w, news);
	side_send(child->sender, &w);
	wire_free(&w);
}

static double
child_seconds(const struct child *child)
{
	return clock_seconds() - child->began - child->waited;
}

/* Takes a turn of the limits: the next run may begin, or not before the user says so. */
static void
child_limit(struct child *child)
{
	const struct measure_options *how = &child->contest->task->how;
	int runs = CONTEST_RUNS;
	enum contest_wait cause = CONTEST_RUNS;

	if (child->decided && !child->past) {
		child->past = true;
		cause = CONTEST_KNOWS;
	} else if (child_seconds(child) >= child->seconds || child->runs >= child->runs_due) {
		cause = CONTEST_USED_UP;
	}
	if (cause == CONTEST_RUNS)
		return;
	if (how->seconds > 0)
		child->seconds = child_seconds(child) + how->seconds;
	if (how->blocks)
		child->runs_due = child->runs + how->blocks * SHIFT_BLOCK;
	atomic_compare_exchange_strong(&child->turnstile->waits, &runs, (int)cause);
}

static void
child_before(void *ctx)
{
	struct child *child = ctx;
	double from = clock_seconds();

	if (child->began == 0)
		child->began = from;
	if (child->runs % SHIFT_BLOCK == 0)
		child_limit(child);
	if (atomic_load(&child->turnstile->waits) == CONTEST_RUNS)
		return;
	child_say(child, &(struct news){.word = NEWS_WAITS});
	while (atomic_load(&child->turnstile->waits) != CONTEST_RUNS)
		while (sem_wait(&child->turnstile->go) != 0 && errno == EINTR)
			;
	child->waited += clock_seconds() - from;
}

static void
child_list(struct child *child, const struct diff_table *table)
{
	struct news news = {.word = NEWS_QUANTITIES, .n_listed = table->n};

	news.listed = mem_new_array(table->n, sizeof *news.listed);
	for (size_t i = 0; i < table->n; i++) {
		const struct diff_quantity *q = &table->quantity[i];

		news.listed[i] = (struct listed){mem_str(q->name), mem_str(q->unit),
			q->exact_by ? mem_str(q->exact_by) : NULL, q->is_time, q->exact};
	}
	child_say(child, &news);
	news_free(&news);
	child->listed = table->n;
}

static void
child_ran(void *ctx, const struct diff_table *table, size_t row)
{
	struct child *child = ctx;
	double *value = mem_new_array(table->n, sizeof *value);

	if (!child->listed)
		child_list(child, table);
	for (size_t i = 0; i < table->n; i++)
		value[i] = table->quantity[i].value[row];
	child->runs++;
	child_say(child,
		&(struct news){.word = NEWS_RUN,
			.row = row,
			.is_b = table->is_b[row] != 0,
			.value = value,
			.n = table->n,
			.ended = child_seconds(child)});
	free(value);
}

static void
child_progress(void *ctx, const struct diff_table *table, const struct diff_report *report)
{
	struct child *child = ctx;
	const struct measure_options *how = &child->contest->task->how;

	child_list(child, table);
	child->measured.report = *report;
	child_say(child, &(struct news){.word = NEWS_REPORT, .runs = table->n_runs});
	if (!how->blocks && diff_is_decided(&report->found[0], &how->judge, how->until))
		child->decided = true;
	child->judged = clock_seconds();
}

static void
child_explained(void *ctx, const struct measured_diff *measured)
{
	struct child *child = ctx;
	const struct measured_why *why = &measured->why;

	child->waited += clock_seconds() - child->judged;
	child->measured.why.report = why->report;
	child_say(child, &(struct news){.word = NEWS_WHY, .runs = why->table.n_runs, .text = why->failure});
}

static bool
child_interrupted(void)
{
	return false; /* it is killed */
}

static void
child_work(struct side_sender *sender, void *ctx)
{
	struct child *child = ctx;
	struct measure_options how = child->contest->task->how;
	struct measured_diff measured;
	struct err e = {0};
	sigset_t none;
	char *text;

	child->sender = sender;
	child->seconds = how.seconds > 0 ? how.seconds : INFINITY;
	child->runs_due = how.blocks ? how.blocks * SHIFT_BLOCK : SIZE_MAX;
	sigemptyset(&none);
	how.during = &none;
	how.interrupted = child_interrupted;
	how.seconds = 0;
	how.blocks = (size_t)1 << 40;
	how.before = child_before;
	how.ran = child_ran;
	how.progress = child_progress;
	how.explained = child_explained;
	how.ctx = child;
	if (measure_diff(&how, &measured, &e))
		return;
	text = str_format("%s%s%s", e.what, *e.hint ? "; " : "", e.hint);
	child_say(child, &(struct news){.word = NEWS_FAILED, .text = text});
	free(text);
}

/* --- in the process that started it ------------------------------------------------------------------------------- */

bool
contest_start(struct contest *c, struct err *e)
{
	struct measuring *m;
	struct turnstile *turnstile = mmap(NULL, sizeof *turnstile, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct child child = {.contest = c};

	if (turnstile == MAP_FAILED)
		return err_set(e, "cannot start the comparison: %s", strerror(errno));
	atomic_init(&turnstile->waits, CONTEST_RUNS);
	sem_init(&turnstile->go, 1, 0);
	child.turnstile = turnstile;
	m = mem_new(sizeof *m);
	m->turnstile = turnstile;
	m->process = side_process_start("hecate-diff", child_work, &child, e);
	if (m->process) {
		c->measuring = m;
		return true;
	}
	munmap(turnstile, sizeof *turnstile);
	free(m);
	return false;
}

static void
measuring_free(struct measuring *m)
{
	if (!m)
		return;
	side_process_free(m->process);
	sem_destroy(&m->turnstile->go);
	munmap(m->turnstile, sizeof *m->turnstile);
	free(m);
}

int
contest_fd(const struct contest *c)
{
	return c->measuring ? side_process_fd(c->measuring->process) : -1;
}

/* The names of the first list stay; later ones say only what has become known to be exact. */
static bool
take_quantities(struct contest *c, struct news *x)
{
	struct diff_table *t = &c->of.measured.table;
	bool first = !t->n;

	if (!x->n_listed || (!first && x->n_listed != t->n))
		return false;
	if (first) {
		t->quantity = mem_new_array(x->n_listed, sizeof *t->quantity);
		c->of.text = mem_new_array(2 * x->n_listed, sizeof *c->of.text);
	}
	for (size_t i = 0; i < x->n_listed; i++) {
		struct listed *l = &x->listed[i];

		if (!l->name || !l->unit)
			return false;
		if (first) {
			t->quantity[t->n++] =
				(struct diff_quantity){.name = l->name, .unit = l->unit, .is_time = l->is_time};
			c->of.text[c->of.n_texts++] = l->name;
			c->of.text[c->of.n_texts++] = l->unit;
			l->name = l->unit = NULL;
		}
		t->quantity[i].exact = l->exact;
		free(t->quantity[i].exact_by);
		t->quantity[i].exact_by = l->exact_by;
		l->exact_by = NULL;
	}
	return true;
}

static bool
take_run(struct contest *c, const struct news *x)
{
	struct diff_table *t = &c->of.measured.table;
	size_t cap = c->measuring->cap;

	if (x->n != t->n || !t->n || x->row < t->n_runs || x->row >= t->n_runs + 2 * SHIFT_BLOCK)
		return false;
	if (x->row + SHIFT_BLOCK >= cap) {
		cap = 2 * cap + 64;
		t->is_b = mem_resize(t->is_b, cap, 1);
		c->ended = mem_resize(c->ended, cap, sizeof *c->ended);
		for (size_t i = 0; i < t->n; i++)
			t->quantity[i].value = mem_resize(t->quantity[i].value, cap, sizeof(double));
		c->measuring->cap = cap;
	}
	if (x->row >= t->n_runs + SHIFT_BLOCK) /* of the next block, so that this one is whole */
		t->n_runs += SHIFT_BLOCK;
	else if (x->row < t->n_runs + c->block) /* again: a run of that block has failed */
		c->block = 0;
	t->is_b[x->row] = x->is_b;
	c->ended[x->row] = x->ended;
	for (size_t i = 0; i < t->n; i++)
		t->quantity[i].value[x->row] = x->value[i];
	c->block = x->row + 1 - t->n_runs;
	c->of.measured.seconds = t->n_runs ? c->ended[t->n_runs - 1] : 0;
	c->unsaved |= t->n_runs > 0;
	return true;
}

/* Judges the parts of a stack, and finds what moves with the first quantity. */
static void
contest_look_closer(struct contest *c)
{
	struct measured_diff *m = &c->of.measured;
	struct err e = {0};

	if (c->task)
		measured_diff_find_moved(m, &c->rule);
	free(c->stack_failure);
	c->stack_failure = NULL;
	if (c->stack && m->table.n_runs && !diff_stack_judge(m, c->stack, &c->rule, c->recorded, &e))
		c->stack_failure = str_format("%s%s%s", e.what, *e.hint ? "; " : "", e.hint);
}

void
contest_set_stack(struct contest *c, struct stack *stack)
{
	stack_free(c->stack);
	c->stack = stack;
	contest_look_closer(c);
}

static bool
take_report(struct contest *c, struct measured_diff *from, size_t runs)
{
	struct measured_diff *m = &c->of.measured;

	if (from->report.n != m->table.n || runs > m->table.n_runs + c->block) {
		diff_report_clear(&from->report);
		return false;
	}
	diff_report_clear(&m->report);
	m->report = from->report;
	m->table.n_runs = c->judged = runs;
	contest_look_closer(c);
	c->block = 0;
	m->seconds = runs ? c->ended[runs - 1] : 0;
	c->unsaved |= runs > 0;
	memcpy(m->failed, from->failed, sizeof m->failed);
	memcpy(m->status, from->status, sizeof m->status);
	return true;
}

static bool
take_why(struct contest *c, struct measured_diff *from, struct news *x)
{
	struct measured_why *why = &c->of.measured.why;

	if (why->table.n || (from->why.report.n != MEASURE_PARTS && x->runs))
		return false;
	measured_why_begin(why, 0);
	why->table.n_runs = x->runs;
	why->report = from->why.report;
	why->failure = x->text;
	x->text = NULL;
	return true;
}

static bool
contest_take(void *ctx, struct wire *wire)
{
	struct contest *c = ctx;
	struct measured_diff measured = {0};
	struct news x = {.measured = &measured};
	bool good;

	news_wire_all(wire, &x);
	good = !wire->bad;
	if (x.word == NEWS_QUANTITIES)
		good = good && take_quantities(c, &x);
	else if (x.word == NEWS_RUN)
		good = good && take_run(c, &x);
	else if (x.word == NEWS_REPORT)
		good = take_report(c, &measured, x.runs) && good;
	else if (x.word == NEWS_WHY && good)
		good = take_why(c, &measured, &x);
	else if (x.word == NEWS_FAILED && x.text) {
		free(c->failure);
		c->failure = mem_str(x.text);
	}
	if (!good)
		diff_report_clear(&measured.why.report);
	news_free(&x);
	return good;
}

/* What was measured is judged as it stands. */
static void
contest_end(struct contest *c)
{
	struct diff_table *t = &c->of.measured.table;

	measuring_free(c->measuring);
	c->measuring = NULL;
	c->block = 0;
	if (c->judged == t->n_runs || !t->n_runs)
		return;
	diff_report_clear(&c->of.measured.report);
	diff_judge(t, &c->rule, &c->of.measured.report);
	contest_look_closer(c);
	c->judged = t->n_runs;
}

bool
contest_poll(struct contest *c)
{
	char *died = NULL;

	if (!c->measuring)
		return false;
	switch (side_process_take(c->measuring->process, contest_take, c, &died)) {
	case SIDE_NOTHING:
		return false;
	case SIDE_MESSAGE:
		return true;
	case SIDE_ENDED:
		break;
	}
	if (died && !c->failure)
		c->failure = str_format("%s; what it had measured stands", died);
	free(died);
	contest_end(c);
	return true;
}

enum contest_wait
contest_waits(const struct contest *c)
{
	return c->measuring ? (enum contest_wait)atomic_load(&c->measuring->turnstile->waits) : CONTEST_RUNS;
}

void
contest_pause(struct contest *c, bool pause)
{
	if (!c->measuring)
		return;
	atomic_store(&c->measuring->turnstile->waits, pause ? CONTEST_PAUSED : CONTEST_RUNS);
	if (!pause)
		sem_post(&c->measuring->turnstile->go);
}

void
contest_stop(struct contest *c)
{
	if (!c->measuring)
		return;
	side_process_stop(c->measuring->process);
	while (c->measuring && contest_poll(c))
		;
	contest_end(c);
}

/* --- the contest -------------------------------------------------------------------------------------------------- */

static struct contest *
contest_with(const struct diff_rule *rule)
{
	struct contest *c = mem_new(sizeof *c);

	c->rule = *rule;
	return c;
}

struct contest *
contest_new(struct contest_task *task, const char *a, const char *b)
{
	struct contest *c = contest_with(&task->how.judge);

	c->task = task;
	c->of.side[0] = mem_str(a);
	c->of.side[1] = mem_str(b);
	c->of.drawn = true;
	c->of.measured.random_layout = !task->how.same_environment;
	return c;
}

struct contest *
contest_of_recorded(struct recorded_diff *of, const struct diff_rule *rule)
{
	struct contest *c = contest_with(rule);

	c->of = *of;
	*of = (struct recorded_diff){0};
	c->recorded = !c->of.drawn;
	recorded_diff_judge(&c->of, rule);
	c->judged = c->of.measured.table.n_runs;
	return c;
}

struct contest *
contest_of_observations(const struct obs_table *const table[2], const struct obs *const obs[2],
	const struct diff_rule *rule, struct err *e)
{
	struct recorded_diff of;

	return recorded_diff_of(table, obs, &of, e) ? contest_of_recorded(&of, rule) : NULL;
}

void
contest_task_free(struct contest_task *task)
{
	sigset_t none;

	if (!task)
		return;
	sigemptyset(&none);
	if (task->revisions)
		revisions_remove(task->revisions, &none, NULL);
	free(task->revisions);
	for (int side = 0; side < 2; side++)
		if (task->words[side])
			str_split_free(task->words[side]);
	if (task->prepare)
		str_split_free(task->prepare);
	if (task->counter)
		str_split_free(task->counter);
	if (task->also)
		str_split_free(task->also);
	free(task);
}

void
contest_free(struct contest *c)
{
	if (!c)
		return;
	measuring_free(c->measuring);
	contest_task_free(c->task);
	recorded_diff_clear(&c->of);
	free(c->ended);
	free(c->failure);
	free(c->stack_failure);
	stack_free(c->stack);
	free(c);
}
