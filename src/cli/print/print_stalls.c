/* Where the time of tasks goes, as text: bars, sums, and how far to trust them. */
#include "cli/print/print_stalls.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_stack.h"
#include "core/obs/obs.h"
#include "draw/cell.h"
#include "draw/stack_bars.h"
#include "work/run/tasktime_run.h"

#define BAR_COLUMNS 44
#define NAME_COLUMNS 24
#define TIME_COLUMNS 9
#define BARS_MOST 20   /* rows without -v */
#define BESIDE_MOST 3  /* tasks with a column in the table */

/* A line with a bar: of a task, a process, or all tasks. */
struct line {
	char *name; /* owned */
	struct stack_bar bar;
	const struct tasktime_run_task *task; /* NULL: it is a sum */
	double elapsed, rank; /* in order of rank, highest first */
	bool owned; /* this struct owns counts and account */
};

struct page {
	const struct options *o;
	const struct stack *stack;
	const char *source;
	struct tasktime_run *run; /* NULL: the data are recorded */
	struct tasktime_run_state state;
	struct line *task, *process, all;
	size_t n_tasks, n_processes;
	bool ascii;
	struct str *out;
};

/* --- lines and their order --------------------------------------------------------------------------------------- */

/* The bar of a sum, which is an observation of one row. */
static struct line
line_of_sum(const struct page *p, char *name, const struct obs_table *like, const int64_t *sum)
{
	struct obs_table *t = obs_table_new((const char *const *)like->column, like->n_columns);
	struct obs *o = obs_table_add(t, name, "");
	struct stack_columns *columns;
	struct line x = {.name = name, .owned = true};
	unsigned char counted[TASKTIME_AMOUNTS];

	for (int i = 0; i < TASKTIME_AMOUNTS; i++) {
		counted[i] = tasktime_covers(&p->state.coverage, i);
		o->health[i] = counted[i] ? OBS_LIVE : OBS_UNSUPPORTED;
	}
	obs_add_row(o, sum, counted, NAN);
	columns = stack_columns_new(p->stack, t);
	x.bar.stack = p->stack;
	x.bar.counts = stack_counts_new(p->stack, columns, t, 0);
	x.bar.account = stack_account_new(p->stack, x.bar.counts->value);
	x.elapsed = (double)sum[TASKTIME_ELAPSED];
	stack_columns_free(columns);
	obs_table_free(t);
	return x;
}

static void
line_free(struct line *x)
{
	free(x->name);
	if (!x->owned)
		return;
	stack_counts_free(x->bar.counts);
	stack_account_free(x->bar.account);
}

static int
by_rank(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return (x->rank < y->rank) - (x->rank > y->rank);
}

/* On a whole machine most tasks exist all the time, so those that slept least come first. */
static double
rank_of(const struct page *p, const struct tasktime_amounts *a)
{
	return (double)(a->ns[TASKTIME_ELAPSED] - (p->o->all_cpus ? a->ns[TASKTIME_OFF] : 0));
}

/* The task of an observation; NULL: the data are recorded. */
static const struct tasktime_run_task *
print_stalls_task_of(const struct page *p, const struct obs_table *t, const struct obs *o)
{
	size_t n = 0;
	const struct tasktime_run_task *task = p->run ? tasktime_run_tasks(p->run, &n) : NULL;

	for (size_t k = 0; k < n; k++)
		if (task[k].observation != TASKTIME_RUN_NONE && t->obs[task[k].observation] == o)
			return &task[k];
	return NULL;
}

static void
take_tasks(struct page *p, const struct stack_report *r, const struct obs_table *t)
{
	p->task = mem_new_array(r->n_observations, sizeof *p->task);
	for (size_t i = 0; i < r->n_observations; i++) {
		struct line *x = &p->task[i];

		*x = (struct line){.name = mem_str(r->observation[i].name),
			.bar = r->observation[i].bar[0],
			.task = print_stalls_task_of(p, t, r->observation[i].obs)};
		x->elapsed = isnan(x->bar.account->whole) ? 0 : x->bar.account->whole;
		x->rank = x->task ? rank_of(p, &x->task->sum) : x->elapsed;
	}
	p->n_tasks = r->n_observations;
	if (p->n_tasks)
		qsort(p->task, p->n_tasks, sizeof *p->task, by_rank);
}

/* Adds up all tasks. A counter that no task has is missing in the sum. */
static void
take_all(struct page *p)
{
	struct stack_counts *c = mem_new(sizeof *c);

	c->n_counters = p->stack->n_counters;
	c->value = mem_new_array(c->n_counters, sizeof *c->value);
	c->lack = mem_new_array(c->n_counters, sizeof *c->lack);
	c->running = mem_new_array(c->n_counters, sizeof *c->running);
	c->filled = mem_new_array(c->n_counters, sizeof *c->filled);
	for (size_t i = 0; i < c->n_counters; i++) {
		c->value[i] = NAN;
		c->lack[i] = STACK_NOT_COUNTED;
		c->running[i] = 1;
		for (size_t k = 0; k < p->n_tasks; k++)
			if (p->task[k].bar.counts->lack[i] == STACK_COUNTED) {
				c->value[i] = (isnan(c->value[i]) ? 0 : c->value[i]) + p->task[k].bar.counts->value[i];
				c->lack[i] = STACK_COUNTED;
			}
	}
	p->all = (struct line){.name = mem_str("all"),
		.owned = true,
		.bar = {.stack = p->stack, .counts = c, .account = stack_account_new(p->stack, c->value)}};
}

struct stalls_process *
print_stalls_processes(struct tasktime_run *r, size_t *n, size_t **process)
{
	size_t n_tasks, cap = 0;
	const struct tasktime_run_task *t = tasktime_run_tasks(r, &n_tasks);
	struct stalls_process *list = NULL;

	*n = 0;
	*process = mem_new_array(n_tasks, sizeof **process);
	for (size_t i = 0; i < n_tasks; i++) {
		size_t at = 0;

		while (at < *n && list[at].pid != t[i].pid)
			at++;
		if (at == *n) {
			mem_grow(&list, &cap, *n + 1, sizeof *list);
			list[(*n)++] = (struct stalls_process){.pid = t[i].pid,
				.program = tasktime_run_held_name(r, t[i].pid),
				.name = !t[i].tid    ? "others"
					: *t[i].name ? t[i].name
						     : "task",
				.first = i};
		}
		if (t[i].tid && t[i].tid == t[i].pid && *t[i].name)
			list[at].name = t[i].name;
		list[at].tasks += t[i].n_tasks;
		(*process)[i] = at;
	}
	return list;
}

static void
take_processes(struct page *p, const struct obs_table *t)
{
	size_t n, *process;
	struct stalls_process *list = print_stalls_processes(p->run, &n, &process);
	size_t n_tasks;
	const struct tasktime_run_task *task = tasktime_run_tasks(p->run, &n_tasks);
	struct tasktime_amounts *sum = mem_new_array(n, sizeof *sum);

	for (size_t i = 0; i < p->n_tasks; i++)
		if (p->task[i].task)
			tasktime_amounts_add(&sum[process[p->task[i].task - task]], &p->task[i].task->sum);
	p->process = mem_new_array(n, sizeof *p->process);
	for (size_t i = 0; i < n; i++) {
		const char *program = list[i].program;
		char *name = list[i].pid ? str_format("%s%s%s-%d (%zu)", program ? program : "", program ? ": " : "",
						   list[i].name, list[i].pid, list[i].tasks)
					 : NULL;

		if (name && (list[i].tasks > 1 || program) && sum[i].ns[TASKTIME_ELAPSED]) {
			p->process[p->n_processes] = line_of_sum(p, name, t, sum[i].ns);
			p->process[p->n_processes++].rank = rank_of(p, &sum[i]);
		} else {
			free(name);
		}
	}
	if (p->n_processes)
		qsort(p->process, p->n_processes, sizeof *p->process, by_rank);
	free(sum);
	free(list);
	free(process);
}

/* --- bars -------------------------------------------------------------------------------------------------------- */

/* One scale for all bars, except for the sum of the tasks that are not listed. */
static void
add_bars(struct page *p, const char *what, const struct line *x, size_t n)
{
	size_t shown = p->o->verbose || n <= BARS_MOST ? n : BARS_MOST;
	char number[NUMBER_TEXT];
	struct bar_axis axis = {0, 0};
	double rest = 0, longest = 0;

	for (size_t i = 0; i < n; i++)
		if (n == 1 || !str_eq(x[i].name, "others"))
			longest = fmax(longest, x[i].elapsed);
	for (size_t i = 0; i < shown; i++)
		axis.below = fmax(axis.below, stack_bar_below(x[i].bar.stack, x[i].bar.account, false));
	str_addf(p->out, " %-*s%*s\n", NAME_COLUMNS, what, TIME_COLUMNS, "elapsed");
	for (size_t i = 0; i < shown; i++) {
		str_addc(p->out, ' ');
		print_padded(p->out, x[i].name, NAME_COLUMNS, p->ascii);
		print_right(
			p->out, number_seconds(number, x[i].elapsed / 1e9, p->ascii), TIME_COLUMNS, p->ascii);
		str_addc(p->out, ' ');
		axis.top = fmax(longest, str_eq(x[i].name, "others") ? x[i].elapsed : 0);
		print_stack_bar(p->out, &x[i].bar, &axis, BAR_COLUMNS, p->ascii);
	}
	for (size_t i = shown; i < n; i++)
		rest += x[i].elapsed;
	if (shown < n)
		str_addf(p->out, " and %zu more, %s together (-v shows them)\n", n - shown,
			number_seconds(number, rest / 1e9, p->ascii));
	str_addc(p->out, '\n');
}

/* --- the table --------------------------------------------------------------------------------------------------- */

static bool
some_has(const struct page *p, size_t part)
{
	bool some = p->all.bar.account->amount[part].value > 0;

	for (size_t i = 0; i < p->n_tasks && i < BESIDE_MOST; i++)
		some |= p->task[i].bar.account->amount[part].value > 0;
	return some || (stack_has_parts(p->stack, part) && p->stack->part[part].depth == 0);
}

static size_t
print_stalls_columns_of(const struct line *x)
{
	size_t n = 0;

	for (const char *c = x->name; *c; c++)
		n++;
	return n + 2 < 10 ? 10 : n + 2;
}

static void
print_stalls_add_share(struct page *p, const struct line *x, size_t part, size_t columns)
{
	char number[NUMBER_TEXT];
	double share = x->bar.account->amount[part].share;

	print_right(p->out, isnan(share) ? "?" : number_share(number, share), columns, true);
}

static void
print_stalls_add_table(struct page *p)
{
	size_t beside = p->n_tasks == 1 ? 0 : p->n_tasks < BESIDE_MOST ? p->n_tasks : BESIDE_MOST;

	str_addf(p->out, "     %-*s%14s%8s", NAME_COLUMNS - 4, "part", p->n_tasks == 1 ? "ms" : "all, ms", "%");
	for (size_t i = 0; i < beside; i++)
		print_right(p->out, p->task[i].name, print_stalls_columns_of(&p->task[i]), p->ascii);
	str_addc(p->out, '\n');
	for (size_t i = 0; i < p->stack->n_parts; i++) {
		const struct stack_part *part = &p->stack->part[i];
		double ms = p->all.bar.account->amount[i].value / 1e6;

		if (!some_has(p, i))
			continue;
		print_stack_legend(p->out, p->stack, i, p->ascii);
		for (unsigned d = 0; d < part->depth; d++)
			str_add(p->out, "  ");
		print_padded(p->out, part->name, NAME_COLUMNS - 4 - 2 * part->depth, p->ascii);
		if (isnan(ms))
			str_addf(p->out, "%14s", "?");
		else
			str_addf(p->out, "%14.3f", ms);
		print_stalls_add_share(p, &p->all, i, 8);
		for (size_t k = 0; k < beside; k++)
			print_stalls_add_share(p, &p->task[k], i, print_stalls_columns_of(&p->task[k]));
		if (*part->text) {
			str_add(p->out, "  ");
			print_padded(p->out, part->text, 0, p->ascii);
		}
		str_addc(p->out, '\n');
	}
	str_addc(p->out, '\n');
}

/* --- scheduler, faults, records ---------------------------------------------------------------------------------- */

static void
add_cpus(struct page *p)
{
	const struct tasktime_run_state *s = &p->state;

	if (!s->n_cpus)
		return;
	str_addf(p->out, " %-6s%10s%10s%10s%11s%10s%12s\n", "CPU", "idle %", "these %", "others %", "between %",
		"unknown %", "switches/s");
	for (size_t i = 0; i < s->n_cpus; i++) {
		const struct tasktime_cpu_row *c = &s->cpu[i];
		double all = (double)(c->to_ns - c->from_ns);

		if (all > 0)
			str_addf(p->out, " %-6u%10.1f%10.1f%10.1f%11.1f%10.1f%12.0f%s\n", c->cpu,
				(double)c->idle_ns / all * 100, (double)c->followed_ns / all * 100,
				(double)c->others_ns / all * 100, (double)c->switching_ns / all * 100,
				(double)c->unknown_ns / all * 100, (double)c->switches / (all / 1e9),
				c->offline ? "  went offline" : "");
	}
	str_addc(p->out, '\n');
}

/* Compares the records with the scheduler's accounts, for the time in which these are known. */
static void
add_books(struct page *p)
{
	uint64_t run = 0, wait = 0, booked = 0, records = 0, slices = 0, minor = 0, major = 0, in = 0;
	int64_t cost = 0;

	for (size_t i = 0; i < p->n_tasks; i++) {
		const struct tasktime_run_task *t = p->task[i].task;

		if (!t)
			continue;
		in += t->row.in;
		minor += t->row.minor;
		major += t->row.major;
		run += t->run_ns;
		wait += t->wait_ns;
		booked += t->booked_ns;
		slices += t->slices;
		records += t->records_run_ns;
		cost += t->sum.ns[TASKTIME_SWITCH_COST];
	}
	if (booked)
		str_addf(p->out, " scheduler  run %.3f ms, wait %.3f ms, %llu times on a CPU, by its own accounts",
			(double)run / 1e6, (double)wait / 1e6, (unsigned long long)slices);
	if (booked && p->state.coverage.classes && p->state.believed)
		str_addf(p->out, "; run by records %+.2f %% of elapsed, with switch_cost %+.2f %%",
			((double)records - (double)run) / (double)booked * 100,
			((double)records + (double)cost - (double)run) / (double)booked * 100);
	if (booked)
		str_addc(p->out, '\n');
	if (p->state.coverage.faults)
		str_addf(p->out, " faults     %llu minor, %llu major; %llu times on a CPU\n", (unsigned long long)minor,
			(unsigned long long)major, (unsigned long long)in);
}

static void
add_recording(struct page *p)
{
	const struct tasktime_run_state *s = &p->state;
	double seconds = (double)s->elapsed_ns / 1e9;

	if (s->coverage.classes)
		str_addf(p->out, " recorded   %llu records, %llu lost; ", (unsigned long long)s->figures.records,
			(unsigned long long)s->figures.lost);
	else
		str_add(p->out, " counted    ");
	str_addf(p->out, "hecate used %.2f %% of a CPU", seconds > 0 ? s->reader_seconds / seconds * 100 : 0);
	if (s->steal_known)
		str_addf(p->out, "; steal %.0f ms (all CPUs and tasks)", (double)s->steal_ns / 1e6);
	str_addc(p->out, '\n');
}

/* Without bars: what was lost, and the scheduler's accounts. */
static void
print_stalls_add_refusal(struct page *p)
{
	str_addf(p->out, " ! no bars are shown: %s\n", p->state.why);
	str_addf(p->out,
		"   %zu of %zu windows are unreliable; %llu records were lost, %llu came late, %llu contradict each "
		"other, %llu ends of faults had no beginning\n",
		p->state.doubted, p->state.windows, (unsigned long long)p->state.trouble.lost,
		(unsigned long long)p->state.trouble.late, (unsigned long long)p->state.trouble.broken,
		(unsigned long long)p->state.trouble.unpaired);
	str_addf(p->out,
		"   the scheduler's accounts do not depend on records (--detail counters):\n\n");
	for (size_t i = 0; i < p->n_tasks; i++) {
		const struct tasktime_run_task *t = p->task[i].task;

		str_addc(p->out, ' ');
		print_padded(p->out, p->task[i].name, NAME_COLUMNS, p->ascii);
		str_addf(p->out, " elapsed %.3f ms", p->task[i].elapsed / 1e6);
		if (t->booked_ns)
			str_addf(p->out, ", run %.3f ms, wait %.3f ms", (double)t->run_ns / 1e6,
				(double)t->wait_ns / 1e6);
		str_addc(p->out, '\n');
	}
	str_addc(p->out, '\n');
}

static void
add_heading(struct page *p)
{
	static const char *const variant[] = {
		[TASKTIME_SOURCE_RECORDS] = "by records", [TASKTIME_SOURCE_SWITCHES] = "by records of switches",
		[TASKTIME_SOURCE_COUNTERS] = "by the scheduler's counters"
	};
	char number[NUMBER_TEXT];

	print_padded(p->out, p->stack->name, 0, p->ascii);
	str_add(p->out, ": ");
	print_padded(p->out, p->source, 0, p->ascii);
	if (p->run)
		str_addf(p->out, "  %s, %s", number_seconds(number, (double)p->state.elapsed_ns / 1e9, p->ascii),
			variant[p->state.variant]);
	str_add(p->out, "\n\n");
}

static void
print_stalls_add_page(struct page *p)
{
	add_heading(p);
	if (p->state.believed) {
		add_bars(p, "task", p->task, p->n_tasks);
		if (p->n_processes)
			add_bars(p, "process (tasks)", p->process, p->n_processes);
		print_stalls_add_table(p);
	} else {
		print_stalls_add_refusal(p);
	}
	if (!p->run)
		return;
	add_cpus(p);
	add_books(p);
	add_recording(p);
}

void
print_stalls_text(const struct options *o, const struct stack_report *r, const struct obs_table *t,
	struct tasktime_run *run, struct str *out)
{
	struct page p = {.o = o,
		.stack = r->stack[0],
		.source = r->observation[0].obs->source,
		.run = run,
		.state = {.believed = true},
		.ascii = print_ascii(o),
		.out = out};

	if (run)
		tasktime_run_state(run, &p.state);
	take_tasks(&p, r, t);
	if (run)
		take_processes(&p, t);
	take_all(&p);
	print_stalls_add_page(&p);
	for (size_t i = 0; i < p.n_tasks; i++)
		line_free(&p.task[i]);
	for (size_t i = 0; i < p.n_processes; i++)
		line_free(&p.process[i]);
	line_free(&p.all);
	free(p.task);
	free(p.process);
}
