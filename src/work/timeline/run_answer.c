#include "work/timeline/run_answer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "core/obs/source_data.h"
#include "core/stack/stack.h"
#include "core/tasktime/amounts.h"
#include "work/files/recording.h"
#include "work/timeline/stack_count.h"

#define PARKED 200        /* in futexes that much longer than busy */
#define NAMED_WITH 0.8    /* of the busiest program's busy time */
#define IDLE 0.01         /* busy time of all tasks per time that passed */
#define WORTH_A_WORD 0.1  /* of the busy time: the second class */

/* --- how it ended ------------------------------------------------------------------------------------------------ */

static const char *const end_names[] = {[RUN_PART] = "part", [RUN_RECORDED] = "recorded", [RUN_EXITED] = "exited",
	[RUN_KILLED] = "killed", [RUN_STOPPED] = "stopped", [RUN_WATCHED] = "watched"};

unsigned
run_end_cpus(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n > 0 ? (unsigned)n : 0;
}

struct run_end
run_end_of(const struct source_end *end, bool command, bool itself)
{
	return (struct run_end){
		.kind = !command             ? RUN_WATCHED
			: !itself            ? RUN_STOPPED
			: end->signalled     ? RUN_KILLED
			: end->exited        ? RUN_EXITED
					     : RUN_RECORDED,
		.code = itself ? end->code : 0,
		.seconds = end->seconds,
		.cpus = run_end_cpus(),
	};
}

void
run_end_write(const struct run_end *e, struct str *out)
{
	str_addf(out, "%s %d %.6f %u", end_names[e->kind], e->code, e->seconds, e->cpus);
}

bool
run_end_read(const char *text, struct run_end *e)
{
	char kind[16];

	if (sscanf(text, "%15s %d %lf %u", kind, &e->code, &e->seconds, &e->cpus) != 4 || !(e->seconds >= 0))
		return false;
	for (int k = RUN_RECORDED; k <= RUN_WATCHED; k++)
		if (str_eq(kind, end_names[k])) {
			e->kind = (enum run_end_kind)k;
			return true;
		}
	return false;
}

/* --- the sums ---------------------------------------------------------------------------------------------------- */

/* A task's or a program's time by class, in ns. */
struct times {
	double ns[RUN_CLASSES];
};

struct program {
	const char *name;
	size_t length, n;
	struct times times;
};

static double
busy_of(const struct times *t)
{
	double sum = 0;

	for (int c = 0; c < RUN_ASLEEP; c++)
		sum += t->ns[c];
	return sum;
}

/* The part of `off` that no class names is sleep, as is all of it without records. */
static struct times
times_of(const struct tasktime_amounts *a)
{
	const int64_t *ns = a->ns;
	double fault_io = (double)ns[TASKTIME_FAULT_IO],
	       io = fmax((double)ns[TASKTIME_IO], fault_io + (double)ns[TASKTIME_BLOCK_IO]);
	struct times t = {{
		[RUN_ON_CPU] = (double)ns[TASKTIME_RUN],
		[RUN_FOR_CPU] = (double)(ns[TASKTIME_WAIT] + ns[TASKTIME_WAY] + ns[TASKTIME_TAKEN]),
		[RUN_FOR_DISK] = io - fault_io,
		[RUN_FOR_PAGES] = fault_io + (double)ns[TASKTIME_FAULT_UNKNOWN],
		[RUN_IN_KERNEL] = (double)(ns[TASKTIME_BLOCKED] + ns[TASKTIME_BLOCKED_UNKNOWN]),
	}};
	double futex = (double)ns[TASKTIME_FUTEX];

	if (busy_of(&t) * PARKED >= futex)
		t.ns[RUN_FOR_LOCK] = futex;
	t.ns[RUN_ASLEEP] = fmax(0,
		(double)ns[TASKTIME_OFF] -
			(busy_of(&t) - t.ns[RUN_ON_CPU] - t.ns[RUN_FOR_CPU]));
	return t;
}

/* The amount that a stack's counter is; -1: none. */
static int
amount_of_item(const struct counter_item *item)
{
	for (size_t v = 0; v < item->n_choices; v++)
		if (item->choice[v].source)
			return tasktime_amount_find(item->choice[v].event[0].name);
	return -1;
}

bool
run_answer_bar(const struct stack *stack, const struct stack_counts *counts, double *busy, double *whole)
{
	struct tasktime_amounts amounts = {0};
	bool some = false;
	struct times times;

	for (size_t i = 0; i < stack->n_counters; i++) {
		int amount = amount_of_item(&stack->counter[i]);

		if (amount < 0 || counts->lack[i] != STACK_COUNTED)
			continue;
		amounts.ns[amount] = (int64_t)counts->value[i];
		some |= amount == TASKTIME_RUN;
	}
	times = times_of(&amounts);
	*busy = busy_of(&times);
	*whole = (double)amounts.ns[TASKTIME_ELAPSED];
	return some;
}

/* Which column has each amount; n_columns: none has. */
struct columns {
	size_t at[TASKTIME_AMOUNTS];
	bool some;
};

static struct columns
columns_of(const struct obs_table *table)
{
	struct columns c;

	for (int i = 0; i < TASKTIME_AMOUNTS; i++)
		c.at[i] = table->n_columns;
	for (size_t k = 0; k < table->n_columns; k++) {
		int amount = tasktime_amount_find(table->column[k]);

		if (amount >= 0 && c.at[amount] == table->n_columns)
			c.at[amount] = k;
	}
	/* without the tasks' time: perf's clock and the scheduler's books, or what linux-vm calls them */
	for (size_t k = 0; k < table->n_columns && c.at[TASKTIME_ELAPSED] == table->n_columns; k++) {
		if (str_eq(table->column[k], "task-clock") || str_eq(table->column[k], "ran"))
			c.at[TASKTIME_RUN] = k;
		if (str_eq(table->column[k], "task:wait_ns") || str_eq(table->column[k], "waited"))
			c.at[TASKTIME_WAIT] = k;
	}
	c.some = c.at[TASKTIME_RUN] < table->n_columns && c.at[TASKTIME_WAIT] < table->n_columns;
	return c;
}

bool
run_answer_serves(const struct obs_table *table)
{
	return columns_of(table).some;
}

bool
run_answer_tells_tasks(const struct obs_table *table)
{
	struct columns c = columns_of(table);

	return c.some && c.at[TASKTIME_ELAPSED] < table->n_columns;
}

/* Adds up the rows of an observation in the window. Returns the number of those that have a task's time: a session file
 * may also hold the counts of the whole command. */
static size_t
sum_rows(const struct obs *obs, const struct columns *c, double from_s, double to_s, struct tasktime_amounts *out)
{
	size_t known = 0, first = obs->time && from_s > -INFINITY ? obs_row_after(obs, from_s) : 0,
	       end = obs->time && to_s < INFINITY ? obs_row_after(obs, to_s) : obs->n_rows;

	*out = (struct tasktime_amounts){0};
	if (end <= first || (!obs->time && (from_s > -INFINITY || to_s < INFINITY)))
		return 0;
	for (int i = 0; i < TASKTIME_AMOUNTS; i++)
		if (c->at[i] < obs->n_columns) {
			struct obs_sum sum = obs_sum(obs, c->at[i], first, end - first);

			out->ns[i] = (int64_t)sum.sum;
			known = i == TASKTIME_RUN ? sum.counted : known;
		}
	return known;
}

/* The length of a task's name without its number: "gcc" of "gcc-4711" and of "gcc-4711#2". */
static size_t
name_length(const char *name)
{
	size_t n = strlen(name);

	for (int round = 0; round < 2; round++) {
		size_t end = n;

		while (end && name[end - 1] >= '0' && name[end - 1] <= '9')
			end--;
		if (end > 1 && end < n && name[end - 1] == (round ? '-' : '#'))
			n = end - 1;
	}
	return n;
}

static struct program *
program_called(struct program **list, size_t *n, size_t *cap, const char *name)
{
	size_t length = name_length(name);

	for (size_t i = 0; i < *n; i++)
		if ((*list)[i].length == length && memcmp((*list)[i].name, name, length) == 0)
			return &(*list)[i];
	mem_grow(list, cap, *n + 1, sizeof **list);
	(*list)[*n] = (struct program){.name = name, .length = length};
	return &(*list)[(*n)++];
}

static enum run_class
largest(const struct times *t, enum run_class without)
{
	enum run_class best = RUN_CLASSES;

	for (int c = 0; c < RUN_ASLEEP; c++)
		if (c != (int)without && (best == RUN_CLASSES || t->ns[c] > t->ns[best]))
			best = (enum run_class)c;
	return best;
}

static int
by_busy(const void *a, const void *b)
{
	double x = busy_of(&((const struct program *)a)->times), y = busy_of(&((const struct program *)b)->times);

	return (x < y) - (x > y);
}

/* Fills in who did what, from programs in the order of their busy time. */
static void
decide(struct run_answer *answer, const struct program *program, size_t n)
{
	struct times both = program[0].times;
	double busy = busy_of(&both);

	answer->what = largest(&both, RUN_CLASSES);
	answer->who = mem_strn(program[0].name, program[0].length);
	answer->n_who = program[0].n;
	if (n > 1 && busy_of(&program[1].times) >= NAMED_WITH * busy && busy > 0 &&
		largest(&program[1].times, RUN_CLASSES) == answer->what) {
		answer->with = mem_strn(program[1].name, program[1].length);
		answer->n_with = program[1].n;
		for (int c = 0; c < RUN_CLASSES; c++)
			both.ns[c] += program[1].times.ns[c];
		busy = busy_of(&both);
	}
	answer->second = largest(&both, answer->what);
	answer->share = busy > 0 ? both.ns[answer->what] / busy : 0;
	answer->second_share = busy > 0 ? both.ns[answer->second] / busy : 0;
	if (answer->second_share < WORTH_A_WORD)
		answer->second = RUN_CLASSES;
}

struct run_answer *
run_answer_new(
	const struct obs_table *table, double from_s, double to_s, const struct run_end *end, const char *name)
{
	struct columns columns = columns_of(table);
	struct run_answer *answer;
	struct program *program = NULL;
	struct tasktime_amounts sum;
	size_t n = 0, cap = 0, n_tasks = 0;
	double run = 0, ready = 0, busy = 0, last = 0, ns[RUN_CLASSES] = {0};

	for (size_t i = 0; columns.some && i < table->n; i++) {
		const struct obs *obs = table->obs[i];
		struct program *of;
		struct times times;

		if (obs->n_rows && obs->time)
			last = fmax(last, obs->time[obs->n_rows - 1]);
		if (!sum_rows(obs, &columns, from_s, to_s, &sum))
			continue;
		times = times_of(&sum);
		of = program_called(&program, &n, &cap, obs->name);
		for (int c = 0; c < RUN_CLASSES; c++) {
			of->times.ns[c] += times.ns[c];
			ns[c] += times.ns[c];
		}
		of->n++;
		n_tasks++;
		run += times.ns[RUN_ON_CPU];
		ready += times.ns[RUN_ON_CPU] + times.ns[RUN_FOR_CPU];
		busy += busy_of(&times);
	}
	if (!n) {
		free(program);
		return NULL;
	}
	answer = mem_new(sizeof *answer);
	*answer = (struct run_answer){.end = *end, .name = mem_str(name), .n_tasks = n_tasks, .busy_ns = busy};
	memcpy(answer->ns, ns, sizeof ns);
	answer->by_task = columns.at[TASKTIME_ELAPSED] < table->n_columns;
	if (!(answer->end.seconds > 0))
		answer->end.seconds = last;
	qsort(program, n, sizeof *program, by_busy);
	decide(answer, program, n);
	answer->running = answer->end.seconds > 0 ? run / 1e9 / answer->end.seconds : NAN;
	answer->ready = answer->end.seconds > 0 ? ready / 1e9 / answer->end.seconds : NAN;
	if (busy <= 0 || busy / 1e9 < IDLE * answer->end.seconds)
		answer->what = RUN_ASLEEP;
	free(program);
	return answer;
}

char *
run_answer_program(const struct obs_table *table)
{
	const struct obs *first = table->n ? table->obs[0] : NULL;
	const char *source = !first ? "" : *first->source == '-' ? first->name : first->source;
	char *word = mem_strn(source, strcspn(source, " ")), *slash = strrchr(word, '/');
	char *name = mem_str(slash ? slash + 1 : word);

	free(word);
	return name;
}

struct run_answer *
run_answer_recorded(const char *path, const struct obs_table *table)
{
	struct run_end end = {.kind = RUN_RECORDED};
	char *text = recording_is(path) ? recording_end(path) : NULL, *name = run_answer_program(table);
	struct run_answer *answer;

	if (text && !run_end_read(text, &end))
		end = (struct run_end){.kind = RUN_RECORDED};
	answer = run_answer_new(table, -INFINITY, INFINITY, &end, name);
	free(name);
	free(text);
	return answer;
}

void
run_answer_free(struct run_answer *answer)
{
	if (!answer)
		return;
	free(answer->name);
	free(answer->who);
	free(answer->with);
	free(answer);
}

/* --- the words --------------------------------------------------------------------------------------------------- */

void
run_answer_head(const struct run_answer *answer, bool ascii, struct str *out)
{
	const struct run_end *end = &answer->end;
	char number[NUMBER_TEXT];

	number_seconds(number, end->seconds, ascii);
	str_add(out, answer->name);
	switch (end->kind) {
	case RUN_PART:
		return;
	case RUN_EXITED:
		str_addf(out, " ended, status %d, %s", end->code, number);
		return;
	case RUN_KILLED:
		str_addf(out, " was killed by signal %d (%s) after %s", end->code, strsignal(end->code), number);
		return;
	case RUN_STOPPED:
		str_addf(out, " was stopped after %s", number);
		return;
	case RUN_WATCHED:
		str_addf(out, " was watched for %s", number);
		return;
	case RUN_RECORDED:
		str_addf(out, ", %s", number);
	}
}

static void
add_who(const struct run_answer *answer, struct str *out)
{
	str_add(out, answer->who);
	if (answer->n_who > 1)
		str_addf(out, " (%zu of them)", answer->n_who);
	if (answer->with)
		str_addf(out, " and %s", answer->with);
	if (answer->n_with > 1)
		str_addf(out, " (%zu of them)", answer->n_with);
}

static const char *const waited_for[RUN_CLASSES] = {[RUN_FOR_CPU] = "for a CPU", [RUN_FOR_DISK] = "for the disk",
	[RUN_FOR_PAGES] = "for pages from disk or swap", [RUN_IN_KERNEL] = "in the kernel",
	[RUN_FOR_LOCK] = "for locks"};

/* "1.0 of 2 CPUs used", "2 CPUs, 7.6 ready" */
static void
add_evidence(const struct run_answer *answer, struct str *out)
{
	char number[NUMBER_TEXT];
	unsigned cpus = answer->end.cpus;

	if (!isfinite(answer->running) || answer->end.kind == RUN_RECORDED)
		return;
	if (answer->what == RUN_FOR_CPU) {
		if (cpus)
			str_addf(out, "; %u CPU%s, ", cpus, cpus == 1 ? "" : "s");
		else
			str_add(out, "; ");
		str_addf(out, "%s ready", number_digits(number, answer->ready, 2, false));
	} else if (cpus) {
		str_addf(out, "; %s of %u CPU%s used", number_digits(number, answer->running, 2, false), cpus,
			cpus == 1 ? "" : "s");
	}
}

void
run_answer_finding(const struct run_answer *answer, bool ascii, struct str *out)
{
	char number[NUMBER_TEXT];

	if (answer->what == RUN_ASLEEP) {
		if (answer->busy_ns > 0)
			str_addf(out, "idle, busy for %s in all", number_seconds(number, answer->busy_ns / 1e9, ascii));
		else
			str_addf(out, "idle, nothing ran");
		return;
	}
	add_who(answer, out);
	number_share(number, answer->share);
	if (answer->what == RUN_ON_CPU)
		str_addf(out, " ran %s %% of the time", number);
	else
		str_addf(out, " waited %s %% of the time %s", number, waited_for[answer->what]);
	if (answer->second != RUN_CLASSES) {
		number_share(number, answer->second_share);
		if (answer->second == RUN_ON_CPU)
			str_addf(out, " and ran %s %%", number);
		else
			str_addf(out, " and %s%s %% %s", answer->what == RUN_ON_CPU ? "waited " : "", number,
				waited_for[answer->second]);
	}
	add_evidence(answer, out);
}

void
run_answer_sentence(const struct run_answer *answer, bool ascii, struct str *out)
{
	run_answer_head(answer, ascii, out);
	str_add(out, ": ");
	run_answer_finding(answer, ascii, out);
}

void
run_answer_brief(const struct run_answer *answer, struct str *out)
{
	char number[NUMBER_TEXT];

	if (answer->what == RUN_ASLEEP) {
		str_add(out, "idle");
		return;
	}
	str_addf(out, "%s %s%s %s %%", answer->who, answer->what == RUN_ON_CPU ? "runs" : "waits ",
		answer->what == RUN_ON_CPU ? "" : waited_for[answer->what], number_share(number, answer->share));
}
