/* Where the time of tasks goes, as text: bars, sums, and how far to trust them. */
#include "cli/print/print_stalls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_stack.h"
#include "cli/print/text_table.h"
#include "core/obs/obs.h"
#include "draw/cell.h"
#include "draw/stack_bars.h"
#include "work/run/tasktime_run.h"
#include "work/timeline/run_answer.h"

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
line_of_sum(const struct page *page, char *name, const struct obs_table *like, const int64_t *sum)
{
	struct obs_table *table = obs_table_new((const char *const *)like->column, like->n_columns);
	struct obs *obs = obs_table_add(table, name, "");
	struct stack_columns *columns;
	struct line x = {.name = name, .owned = true};
	unsigned char counted[TASKTIME_AMOUNTS];

	for (int i = 0; i < TASKTIME_AMOUNTS; i++) {
		counted[i] = tasktime_covers(&page->state.coverage, i);
		obs->health[i] = counted[i] ? OBS_LIVE : OBS_UNSUPPORTED;
	}
	obs_add_row(obs, sum, counted, NAN);
	columns = stack_columns_new(page->stack, table);
	x.bar.stack = page->stack;
	x.bar.counts = stack_counts_new(page->stack, columns, table, 0);
	x.bar.account = stack_account_new(page->stack, x.bar.counts->value);
	x.elapsed = (double)sum[TASKTIME_ELAPSED];
	stack_columns_free(columns);
	obs_table_free(table);
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

/* How long it ran or waited for something: those that only slept come last. */
static double
rank_of(const struct page *page, const struct line *line)
{
	double busy, whole;

	return run_answer_bar(page->stack, line->bar.counts, &busy, &whole) ? busy : line->elapsed;
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
take_tasks(struct page *page, const struct stack_report *report, const struct obs_table *table)
{
	page->task = mem_new_array(report->n_observations, sizeof *page->task);
	for (size_t i = 0; i < report->n_observations; i++) {
		struct line *line = &page->task[page->n_tasks];

		*line = (struct line){.name = mem_str(report->observation[i].name),
			.bar = report->observation[i].bar[0],
			.task = print_stalls_task_of(page, table, report->observation[i].obs)};
		line->elapsed = isnan(line->bar.account->whole) ? 0 : line->bar.account->whole;
		line->rank = rank_of(page, line);
		if (isnan(line->bar.account->whole) && !line->task)
			line_free(line); /* no task's time: what the file also has of the whole command */
		else
			page->n_tasks++;
	}
	if (page->n_tasks)
		qsort(page->task, page->n_tasks, sizeof *page->task, by_rank);
}

/* Adds up all tasks. A counter that no task has is missing in the sum. */
static void
take_all(struct page *page)
{
	struct stack_counts *counts = mem_new(sizeof *counts);

	counts->n_counters = page->stack->n_counters;
	counts->value = mem_new_array(counts->n_counters, sizeof *counts->value);
	counts->lack = mem_new_array(counts->n_counters, sizeof *counts->lack);
	counts->running = mem_new_array(counts->n_counters, sizeof *counts->running);
	counts->filled = mem_new_array(counts->n_counters, sizeof *counts->filled);
	for (size_t i = 0; i < counts->n_counters; i++) {
		counts->value[i] = NAN;
		counts->lack[i] = STACK_NOT_COUNTED;
		counts->running[i] = 1;
		for (size_t k = 0; k < page->n_tasks; k++)
			if (page->task[k].bar.counts->lack[i] == STACK_COUNTED) {
				counts->value[i] = (isnan(counts->value[i]) ? 0 : counts->value[i]) +
					page->task[k].bar.counts->value[i];
				counts->lack[i] = STACK_COUNTED;
			}
	}
	page->all = (struct line){.name = mem_str("all"),
		.owned = true,
		.bar = {.stack = page->stack,
			.counts = counts,
			.account = stack_account_new(page->stack, counts->value)}};
}

struct stalls_process *
print_stalls_processes(struct tasktime_run *run, size_t *n, size_t **process)
{
	size_t n_tasks, cap = 0;
	const struct tasktime_run_task *task = tasktime_run_tasks(run, &n_tasks);
	struct stalls_process *list = NULL;

	*n = 0;
	*process = mem_new_array(n_tasks, sizeof **process);
	for (size_t i = 0; i < n_tasks; i++) {
		size_t at = 0;

		while (at < *n && list[at].pid != task[i].pid)
			at++;
		if (at == *n) {
			mem_grow(&list, &cap, *n + 1, sizeof *list);
			list[(*n)++] = (struct stalls_process){.pid = task[i].pid,
				.program = tasktime_run_held_name(run, task[i].pid),
				.name = !task[i].tid    ? "others"
					: *task[i].name ? task[i].name
						     : "task",
				.first = i};
		}
		if (task[i].tid && task[i].tid == task[i].pid && *task[i].name)
			list[at].name = task[i].name;
		list[at].tasks += task[i].n_tasks;
		(*process)[i] = at;
	}
	return list;
}

static void
take_processes(struct page *page, const struct obs_table *table)
{
	size_t n, *process;
	struct stalls_process *list = print_stalls_processes(page->run, &n, &process);
	size_t n_tasks;
	const struct tasktime_run_task *task = tasktime_run_tasks(page->run, &n_tasks);
	struct tasktime_amounts *sum = mem_new_array(n, sizeof *sum);

	for (size_t i = 0; i < page->n_tasks; i++)
		if (page->task[i].task)
			tasktime_amounts_add(&sum[process[page->task[i].task - task]], &page->task[i].task->sum);
	page->process = mem_new_array(n, sizeof *page->process);
	for (size_t i = 0; i < n; i++) {
		const char *program = list[i].program;
		char *name = list[i].pid ? str_format("%s%s%s-%d (%zu)", program ? program : "", program ? ": " : "",
						   list[i].name, list[i].pid, list[i].tasks)
					 : NULL;

		if (name && (list[i].tasks > 1 || program) && sum[i].ns[TASKTIME_ELAPSED]) {
			struct line *line = &page->process[page->n_processes++];

			*line = line_of_sum(page, name, table, sum[i].ns);
			line->rank = rank_of(page, line);
		} else {
			free(name);
		}
	}
	if (page->n_processes)
		qsort(page->process, page->n_processes, sizeof *page->process, by_rank);
	free(sum);
	free(list);
	free(process);
}

/* --- bars -------------------------------------------------------------------------------------------------------- */

/* One scale for all bars, except for the sum of the tasks that are not listed. */
static void
add_bars(struct page *page, const char *what, const struct line *line, size_t n)
{
	size_t shown = page->o->verbose || n <= BARS_MOST ? n : BARS_MOST;
	char number[NUMBER_TEXT];
	struct bar_axis axis = {0, 0};
	double rest = 0, longest = 0;

	for (size_t i = 0; i < n; i++)
		if (n == 1 || !str_eq(line[i].name, "others"))
			longest = fmax(longest, line[i].elapsed);
	for (size_t i = 0; i < shown; i++)
		axis.below = fmax(axis.below, stack_bar_below(line[i].bar.stack, line[i].bar.account, false));
	str_addf(page->out, " %-*s%*s\n", NAME_COLUMNS, what, TIME_COLUMNS, "elapsed");
	for (size_t i = 0; i < shown; i++) {
		str_addc(page->out, ' ');
		print_padded(page->out, line[i].name, NAME_COLUMNS, page->ascii);
		print_right(page->out, number_seconds(number, line[i].elapsed / 1e9, page->ascii), TIME_COLUMNS,
			page->ascii);
		str_addc(page->out, ' ');
		axis.top = fmax(longest, str_eq(line[i].name, "others") ? line[i].elapsed : 0);
		print_stack_bar(page->out, &line[i].bar, &axis, BAR_COLUMNS, page->ascii);
	}
	for (size_t i = shown; i < n; i++)
		rest += line[i].elapsed;
	if (shown < n)
		str_addf(page->out, " and %zu more, %s together (-v shows them)\n", n - shown,
			number_seconds(number, rest / 1e9, page->ascii));
	str_addc(page->out, '\n');
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

static void
print_stalls_add_share(struct text_table *table, const struct line *line, size_t part)
{
	char number[NUMBER_TEXT];
	double share = line->bar.account->amount[part].share;

	text_table_add(table, isnan(share) ? "?" : number_share(number, share));
}

static void
print_stalls_add_table(struct page *page)
{
	size_t beside = page->n_tasks == 1 ? 0 : page->n_tasks < BESIDE_MOST ? page->n_tasks : BESIDE_MOST;
	struct text_column column[3 + BESIDE_MOST + 1] = {{.title = "     part", .width = NAME_COLUMNS + 1},
		{.title = page->n_tasks == 1 ? "ms" : "all, ms", .right = true, .gap = TEXT_NO_GAP, .width = 14},
		{.title = "%", .right = true, .gap = TEXT_NO_GAP, .width = 8}};
	struct text_table *table;

	for (size_t i = 0; i < beside; i++) {
		size_t width = strlen(page->task[i].name) + 2;

		column[3 + i] = (struct text_column){.title = page->task[i].name, .right = true, .gap = TEXT_NO_GAP,
			.width = width < 10 ? 10 : width};
	}
	table = text_table_new(column, 3 + beside + 1, page->ascii);
	for (size_t i = 0; i < page->stack->n_parts; i++) {
		double ms = page->all.bar.account->amount[i].value / 1e6;

		if (!some_has(page, i))
			continue;
		print_stack_part(table, page->stack, i, page->ascii);
		if (isnan(ms))
			text_table_add(table, "?");
		else
			text_table_addf(table, "%.3f", ms);
		print_stalls_add_share(table, &page->all, i);
		for (size_t k = 0; k < beside; k++)
			print_stalls_add_share(table, &page->task[k], i);
		text_table_add(table, page->stack->part[i].text);
	}
	text_table_end(table, page->out);
	str_addc(page->out, '\n');
}

/* --- scheduler, faults, records ---------------------------------------------------------------------------------- */

static void
add_cpus(struct page *page)
{
	const struct tasktime_run_state *state = &page->state;

	if (!state->n_cpus)
		return;
	str_addf(page->out, " %-6s%10s%10s%10s%11s%10s%12s\n", "CPU", "idle %", "these %", "others %", "between %",
		"unknown %", "switches/s");
	for (size_t i = 0; i < state->n_cpus; i++) {
		const struct tasktime_cpu_row *row = &state->cpu[i];
		double all = (double)(row->to_ns - row->from_ns);

		if (all > 0)
			str_addf(page->out, " %-6u%10.1f%10.1f%10.1f%11.1f%10.1f%12.0f%s\n", row->cpu,
				(double)row->idle_ns / all * 100, (double)row->followed_ns / all * 100,
				(double)row->others_ns / all * 100, (double)row->switching_ns / all * 100,
				(double)row->unknown_ns / all * 100, (double)row->switches / (all / 1e9),
				row->offline ? "  went offline" : "");
	}
	str_addc(page->out, '\n');
}

/* Compares the records with the scheduler's accounts, for the time in which these are known. */
static void
add_books(struct page *page)
{
	uint64_t run = 0, wait = 0, booked = 0, records = 0, slices = 0, minor = 0, major = 0, in = 0;
	int64_t cost = 0;

	for (size_t i = 0; i < page->n_tasks; i++) {
		const struct tasktime_run_task *task = page->task[i].task;

		if (!task)
			continue;
		in += task->row.in;
		minor += task->row.minor;
		major += task->row.major;
		run += task->run_ns;
		wait += task->wait_ns;
		booked += task->booked_ns;
		slices += task->slices;
		records += task->records_run_ns;
		cost += task->sum.ns[TASKTIME_SWITCH_COST];
	}
	if (booked)
		str_addf(page->out, " scheduler  run %.3f ms, wait %.3f ms, %llu times on a CPU, by its own accounts",
			(double)run / 1e6, (double)wait / 1e6, (unsigned long long)slices);
	if (booked && page->state.coverage.classes && page->state.believed)
		str_addf(page->out, "; run by records %+.2f %% of elapsed, with switch_cost %+.2f %%",
			((double)records - (double)run) / (double)booked * 100,
			((double)records + (double)cost - (double)run) / (double)booked * 100);
	if (booked)
		str_addc(page->out, '\n');
	if (page->state.coverage.faults)
		str_addf(page->out, " faults     %llu minor, %llu major; %llu times on a CPU\n",
			(unsigned long long)minor, (unsigned long long)major, (unsigned long long)in);
}

static void
add_recording(struct page *page)
{
	const struct tasktime_run_state *state = &page->state;
	double seconds = (double)state->elapsed_ns / 1e9;

	if (state->coverage.classes)
		str_addf(page->out, " recorded   %llu records, %llu lost; ", (unsigned long long)state->figures.records,
			(unsigned long long)state->figures.lost);
	else
		str_add(page->out, " counted    ");
	str_addf(page->out, "hecate used %.2f %% of a CPU", seconds > 0 ? state->reader_seconds / seconds * 100 : 0);
	if (state->steal_known)
		str_addf(page->out, "; steal %.0f ms (all CPUs and tasks)", (double)state->steal_ns / 1e6);
	str_addc(page->out, '\n');
}

static void
add_doubts(struct page *page)
{
	bool bars = tasktime_run_shows(&page->state);

	str_addf(page->out, " ! %s%s\n", bars ? "" : "no bars are shown: ", page->state.why);
	str_addf(page->out,
		"   %zu of %zu windows are unreliable; %llu records were lost, %llu came late, %llu contradict each "
		"other, %llu ends of faults had no beginning\n%s",
		page->state.doubted, page->state.windows, (unsigned long long)page->state.trouble.lost,
		(unsigned long long)page->state.trouble.late, (unsigned long long)page->state.trouble.broken,
		(unsigned long long)page->state.trouble.unpaired,
		bars ? "   in these the scheduler's run and wait stand, undivided\n\n" : "");
}

/* Without bars: the scheduler's accounts. */
static void
print_stalls_add_refusal(struct page *page)
{
	str_addf(page->out,
		"   the scheduler's accounts do not depend on records (--detail counters):\n\n");
	for (size_t i = 0; i < page->n_tasks; i++) {
		const struct tasktime_run_task *task = page->task[i].task;

		str_addc(page->out, ' ');
		print_padded(page->out, page->task[i].name, NAME_COLUMNS, page->ascii);
		str_addf(page->out, " elapsed %.3f ms", page->task[i].elapsed / 1e6);
		if (task->booked_ns)
			str_addf(page->out, ", run %.3f ms, wait %.3f ms", (double)task->run_ns / 1e6,
				(double)task->wait_ns / 1e6);
		str_addc(page->out, '\n');
	}
	str_addc(page->out, '\n');
}

static void
add_heading(struct page *page)
{
	static const char *const variant[] = {
		[TASKTIME_SOURCE_RECORDS] = "by records", [TASKTIME_SOURCE_SWITCHES] = "by records of switches",
		[TASKTIME_SOURCE_COUNTERS] = "by the scheduler's counters"
	};
	char number[NUMBER_TEXT];

	print_padded(page->out, page->stack->name, 0, page->ascii);
	str_add(page->out, ": ");
	print_padded(page->out, page->source, 0, page->ascii);
	if (page->run)
		str_addf(page->out, "  %s, %s",
			number_seconds(number, (double)page->state.elapsed_ns / 1e9, page->ascii),
			variant[page->state.variant]);
	str_add(page->out, "\n\n");
}

static void
print_stalls_add_page(struct page *page)
{
	add_heading(page);
	if (!page->state.believed)
		add_doubts(page);
	if (tasktime_run_shows(&page->state)) {
		add_bars(page, "task", page->task, page->n_tasks);
		if (page->n_processes)
			add_bars(page, "process (tasks)", page->process, page->n_processes);
		print_stalls_add_table(page);
	} else {
		print_stalls_add_refusal(page);
	}
	if (!page->run)
		return;
	add_cpus(page);
	add_books(page);
	add_recording(page);
}

void
print_stalls_text(const struct options *options, const struct stack_report *report, const struct obs_table *table,
	struct tasktime_run *run, struct str *out)
{
	struct page p = {.o = options,
		.stack = report->stack[0],
		.source = report->observation[0].obs->source,
		.run = run,
		.state = {.believed = true},
		.ascii = print_ascii(options),
		.out = out};

	if (run)
		tasktime_run_state(run, &p.state);
	take_tasks(&p, report, table);
	if (run)
		take_processes(&p, table);
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
