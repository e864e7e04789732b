/* Where the time of tasks goes, for scripts: the members next to the bars (docs/json.md, "hecate.stack/1"). */
#include <stdlib.h>
#include <sys/wait.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_stalls.h"
#include "core/obs/obs.h"
#include "work/run/tasktime_run.h"

static void
print_stalls_json_write_command(struct json_writer *w, const struct options *o, const struct tasktime_run_state *s)
{
	if (!o->argv) {
		json_null(w, "command");
		return;
	}
	print_json_command(w, o->argv, WIFEXITED(s->status), WIFSIGNALED(s->status),
		WIFEXITED(s->status) ? WEXITSTATUS(s->status) : WTERMSIG(s->status));
	json_close(w, '}');
}

static void
write_amounts(struct json_writer *w, const struct tasktime_coverage *coverage, const struct tasktime_amounts *a)
{
	json_open(w, "ns", '{');
	for (int i = 0; i < TASKTIME_AMOUNTS; i++)
		if (tasktime_covers(coverage, i))
			json_int(w, tasktime_amount_name(i), a->ns[i]);
	json_close(w, '}');
}

static void
write_task(struct json_writer *writer, const struct tasktime_run_state *state, const struct obs_table *table,
	const struct tasktime_run_task *task)
{
	json_open(writer, NULL, '{');
	json_str(writer, "observation",
		task->observation == TASKTIME_RUN_NONE ? NULL : table->obs[task->observation]->name);
	json_str(writer, "name", task->tid ? task->name : NULL);
	json_int(writer, "tid", task->tid);
	json_int(writer, "pid", task->pid);
	json_int(writer, "tasks", (int64_t)task->n_tasks);
	json_bool(writer, "ended", task->ended);
	json_bool(writer, "doubtful", task->doubtful);
	write_amounts(writer, &state->coverage, &task->sum);
	json_open(writer, "scheduler", '{');
	json_int(writer, "booked_ns", (int64_t)task->booked_ns);
	json_int(writer, "run_ns", (int64_t)task->run_ns);
	json_int(writer, "wait_ns", (int64_t)task->wait_ns);
	json_int(writer, "slices", (int64_t)task->slices);
	json_int(writer, "records_run_ns", (int64_t)task->records_run_ns);
	json_int(writer, "excess_ns", (int64_t)task->excess_ns);
	json_close(writer, '}');
	json_open(writer, "events", '{');
	json_int(writer, "on_cpu", (int64_t)task->row.in);
	json_int(writer, "minor", (int64_t)task->row.minor);
	json_int(writer, "major", (int64_t)task->row.major);
	json_int(writer, "failed", (int64_t)task->row.failed);
	json_int(writer, "failed_ns", (int64_t)task->row.failed_ns);
	json_int(writer, "unwoken", (int64_t)task->row.unwoken);
	json_int(writer, "broken", (int64_t)task->row.broken);
	json_close(writer, '}');
	json_close(writer, '}');
}

static void
write_processes(struct json_writer *writer, struct tasktime_run *run, const struct tasktime_run_state *state)
{
	size_t n, n_tasks, *process;
	struct stalls_process *list = print_stalls_processes(run, &n, &process);
	const struct tasktime_run_task *task = tasktime_run_tasks(run, &n_tasks);

	json_open(writer, "processes", '[');
	for (size_t i = 0; i < n; i++) {
		struct tasktime_amounts sum = {0};

		for (size_t k = 0; k < n_tasks; k++)
			if (process[k] == i)
				tasktime_amounts_add(&sum, &task[k].sum);
		json_open(writer, NULL, '{');
		json_int(writer, "pid", list[i].pid);
		json_str(writer, "name", list[i].name);
		json_str(writer, "program", list[i].program);
		json_int(writer, "tasks", (int64_t)list[i].tasks);
		write_amounts(writer, &state->coverage, &sum);
		json_close(writer, '}');
	}
	json_close(writer, ']');
	free(list);
	free(process);
}

static void
write_cpus(struct json_writer *writer, const struct tasktime_run_state *state)
{
	json_open(writer, "cpus", '[');
	for (size_t i = 0; i < state->n_cpus; i++) {
		const struct tasktime_cpu_row *row = &state->cpu[i];

		json_open(writer, NULL, '{');
		json_int(writer, "cpu", row->cpu);
		json_int(writer, "elapsed_ns", (int64_t)(row->to_ns - row->from_ns));
		json_int(writer, "idle_ns", (int64_t)row->idle_ns);
		json_int(writer, "followed_ns", (int64_t)row->followed_ns);
		json_int(writer, "others_ns", (int64_t)row->others_ns);
		json_int(writer, "switching_ns", (int64_t)row->switching_ns);
		json_int(writer, "unknown_ns", (int64_t)row->unknown_ns);
		json_int(writer, "switches", (int64_t)row->switches);
		json_bool(writer, "offline", row->offline);
		json_close(writer, '}');
	}
	json_close(writer, ']');
}

static void
write_recording(struct json_writer *writer, const struct tasktime_run_state *state)
{
	json_open(writer, "recording", '{');
	json_int(writer, "windows", (int64_t)state->windows);
	json_int(writer, "doubted", (int64_t)state->doubted);
	json_int(writer, "missed", (int64_t)state->missed);
	json_int(writer, "quiet", (int64_t)state->quiet);
	json_int(writer, "records", (int64_t)state->figures.records);
	json_int(writer, "lost", (int64_t)state->figures.lost);
	json_int(writer, "late", (int64_t)state->trouble.late);
	json_int(writer, "contradictions", (int64_t)state->trouble.broken);
	json_int(writer, "unpaired_faults", (int64_t)state->trouble.unpaired);
	json_int(writer, "missing_wakeups", (int64_t)state->figures.missing_wakeups);
	json_int(writer, "missing_faults", (int64_t)state->figures.missing_faults);
	json_int(writer, "toggles", (int64_t)state->figures.toggles);
	json_int(writer, "ring_kb", (int64_t)state->figures.ring_kb);
	json_num(writer, "reader_seconds", state->reader_seconds);
	json_close(writer, '}');
}

void
print_stalls_json(struct json_writer *writer, const struct options *options, struct tasktime_run *run)
{
	static const char *const variant[] = {
		[TASKTIME_SOURCE_RECORDS] = "records", [TASKTIME_SOURCE_SWITCHES] = "switches",
		[TASKTIME_SOURCE_COUNTERS] = "counters"
	};
	const struct tasktime_run_task *task;
	struct tasktime_run_state s;
	struct str text = {0};
	size_t n;

	tasktime_run_state(run, &s);
	task = tasktime_run_tasks(run, &n);
	json_open(writer, "stalls", '{');
	print_stalls_json_write_command(writer, options, &s);
	json_str(writer, "detail", variant[s.variant]);
	json_str(writer, "note", *s.note ? s.note : NULL);
	json_bool(writer, "believed", s.believed);
	json_str(writer, "why", s.believed ? NULL : s.why);
	json_int(writer, "elapsed_ns", (int64_t)s.elapsed_ns);
	if (s.steal_known)
		json_int(writer, "steal_ns", (int64_t)s.steal_ns);
	else
		json_null(writer, "steal_ns");
	json_open(writer, "tasks", '[');
	for (size_t i = 0; i < n; i++)
		write_task(writer, &s, run_table(tasktime_as_run(run)), &task[i]);
	json_close(writer, ']');
	write_processes(writer, run, &s);
	write_cpus(writer, &s);
	write_recording(writer, &s);
	tasktime_run_ops.explain(tasktime_as_run(run), &text);
	print_json_lines(writer, "remarks", str_text(&text));
	str_free(&text);
	json_close(writer, '}');
}
