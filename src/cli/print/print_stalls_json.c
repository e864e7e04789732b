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
write_task(struct json_writer *w, const struct tasktime_run_state *s, const struct obs_table *table,
	const struct tasktime_run_task *t)
{
	json_open(w, NULL, '{');
	json_str(w, "observation", t->observation == TASKTIME_RUN_NONE ? NULL : table->obs[t->observation]->name);
	json_str(w, "name", t->tid ? t->name : NULL);
	json_int(w, "tid", t->tid);
	json_int(w, "pid", t->pid);
	json_int(w, "tasks", (int64_t)t->n_tasks);
	json_bool(w, "ended", t->ended);
	json_bool(w, "doubtful", t->doubtful);
	write_amounts(w, &s->coverage, &t->sum);
	json_open(w, "scheduler", '{');
	json_int(w, "booked_ns", (int64_t)t->booked_ns);
	json_int(w, "run_ns", (int64_t)t->run_ns);
	json_int(w, "wait_ns", (int64_t)t->wait_ns);
	json_int(w, "slices", (int64_t)t->slices);
	json_int(w, "records_run_ns", (int64_t)t->records_run_ns);
	json_int(w, "excess_ns", (int64_t)t->excess_ns);
	json_close(w, '}');
	json_open(w, "events", '{');
	json_int(w, "on_cpu", (int64_t)t->row.in);
	json_int(w, "minor", (int64_t)t->row.minor);
	json_int(w, "major", (int64_t)t->row.major);
	json_int(w, "failed", (int64_t)t->row.failed);
	json_int(w, "failed_ns", (int64_t)t->row.failed_ns);
	json_int(w, "unwoken", (int64_t)t->row.unwoken);
	json_int(w, "broken", (int64_t)t->row.broken);
	json_close(w, '}');
	json_close(w, '}');
}

static void
write_processes(struct json_writer *w, struct tasktime_run *run, const struct tasktime_run_state *s)
{
	size_t n, n_tasks, *process;
	struct stalls_process *list = print_stalls_processes(run, &n, &process);
	const struct tasktime_run_task *task = tasktime_run_tasks(run, &n_tasks);

	json_open(w, "processes", '[');
	for (size_t i = 0; i < n; i++) {
		struct tasktime_amounts sum = {0};

		for (size_t k = 0; k < n_tasks; k++)
			if (process[k] == i)
				tasktime_amounts_add(&sum, &task[k].sum);
		json_open(w, NULL, '{');
		json_int(w, "pid", list[i].pid);
		json_str(w, "name", list[i].name);
		json_str(w, "program", list[i].program);
		json_int(w, "tasks", (int64_t)list[i].tasks);
		write_amounts(w, &s->coverage, &sum);
		json_close(w, '}');
	}
	json_close(w, ']');
	free(list);
	free(process);
}

static void
write_cpus(struct json_writer *w, const struct tasktime_run_state *s)
{
	json_open(w, "cpus", '[');
	for (size_t i = 0; i < s->n_cpus; i++) {
		const struct tasktime_cpu_row *c = &s->cpu[i];

		json_open(w, NULL, '{');
		json_int(w, "cpu", c->cpu);
		json_int(w, "elapsed_ns", (int64_t)(c->to_ns - c->from_ns));
		json_int(w, "idle_ns", (int64_t)c->idle_ns);
		json_int(w, "followed_ns", (int64_t)c->followed_ns);
		json_int(w, "others_ns", (int64_t)c->others_ns);
		json_int(w, "switching_ns", (int64_t)c->switching_ns);
		json_int(w, "unknown_ns", (int64_t)c->unknown_ns);
		json_int(w, "switches", (int64_t)c->switches);
		json_bool(w, "offline", c->offline);
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void
write_recording(struct json_writer *w, const struct tasktime_run_state *s)
{
	json_open(w, "recording", '{');
	json_int(w, "windows", (int64_t)s->windows);
	json_int(w, "doubted", (int64_t)s->doubted);
	json_int(w, "missed", (int64_t)s->missed);
	json_int(w, "quiet", (int64_t)s->quiet);
	json_int(w, "records", (int64_t)s->figures.records);
	json_int(w, "lost", (int64_t)s->figures.lost);
	json_int(w, "late", (int64_t)s->trouble.late);
	json_int(w, "contradictions", (int64_t)s->trouble.broken);
	json_int(w, "unpaired_faults", (int64_t)s->trouble.unpaired);
	json_int(w, "missing_wakeups", (int64_t)s->figures.missing_wakeups);
	json_int(w, "missing_faults", (int64_t)s->figures.missing_faults);
	json_int(w, "toggles", (int64_t)s->figures.toggles);
	json_int(w, "ring_kb", (int64_t)s->figures.ring_kb);
	json_num(w, "reader_seconds", s->reader_seconds);
	json_close(w, '}');
}

void
print_stalls_json(struct json_writer *w, const struct options *o, struct tasktime_run *run)
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
	json_open(w, "stalls", '{');
	print_stalls_json_write_command(w, o, &s);
	json_str(w, "detail", variant[s.variant]);
	json_str(w, "note", *s.note ? s.note : NULL);
	json_bool(w, "believed", s.believed);
	json_str(w, "why", s.believed ? NULL : s.why);
	json_int(w, "elapsed_ns", (int64_t)s.elapsed_ns);
	if (s.steal_known)
		json_int(w, "steal_ns", (int64_t)s.steal_ns);
	else
		json_null(w, "steal_ns");
	json_open(w, "tasks", '[');
	for (size_t i = 0; i < n; i++)
		write_task(w, &s, run_table(tasktime_as_run(run)), &task[i]);
	json_close(w, ']');
	write_processes(w, run, &s);
	write_cpus(w, &s);
	write_recording(w, &s);
	tasktime_run_ops.explain(tasktime_as_run(run), &text);
	print_json_lines(w, "remarks", str_text(&text));
	str_free(&text);
	json_close(w, '}');
}
