/* How data were counted, as JSON: the command or the target, the sampling, and warnings. */
#include "base/json.h"
#include "base/str.h"
#include "cli/counting.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/spec_args.h"
#include "work/run/counters_run.h"

void
print_json_warning(struct json_writer *w, const char *code, const char *text)
{
	json_open(w, NULL, '{');
	json_str(w, "code", code);
	json_str(w, "text", text);
	json_close(w, '}');
}

/* Writes lines like those of explain() of a counters run as warnings: objects of the open array. */
static void
print_json_warning_lines(struct json_writer *w, const char *text)
{
	char **line = str_split(text, '\n', NULL);

	for (size_t i = 0; line[i]; i++)
		if (*line[i])
			print_json_warning(w, counters_run_explain_code(line[i]), line[i]);
	str_split_free(line);
}

void
print_json_command(struct json_writer *w, char *const *argv, bool exited, bool signalled, int code)
{
	json_open(w, "command", '{');
	json_open(w, "argv", '[');
	for (size_t i = 0; argv[i]; i++)
		json_str(w, NULL, argv[i]);
	json_close(w, ']');
	if (exited)
		json_int(w, "exit", code);
	else
		json_null(w, "exit");
	if (signalled)
		json_int(w, "signal", code);
	else
		json_null(w, "signal");
}

static void
write_command(struct json_writer *w, const struct options *o, const struct source_end *end)
{
	print_json_command(w, o->argv, end->exited, end->signalled, end->code);
	json_num(w, "seconds", end->seconds);
	json_close(w, '}');
}

static void
write_target(struct json_writer *w, const struct source_target *t, const struct run_facts *f)
{
	static const char *const kind[] = {
		[SOURCE_PROCESSES] = "processes", [SOURCE_THREADS] = "threads", [SOURCE_CPUS] = "cpus"
	};

	json_open(w, "target", '{');
	json_str(w, "kind", kind[t->kind]);
	json_open(w, "ids", '[');
	for (size_t i = 0; i < t->n; i++)
		json_int(w, NULL, t->id[i]);
	json_close(w, ']');
	json_str(w, "name", f->label);
	json_bool(w, "ended", f->end.vanished);
	json_num(w, "seconds", f->end.seconds);
	json_close(w, '}');
}

static void
write_sampling(struct json_writer *w, const struct watch_args *how, const struct run_facts *f)
{
	if (!how->sampling.interval_ms) {
		json_null(w, "sampling");
		return;
	}
	json_open(w, "sampling", '{');
	json_int(w, "interval_ms", how->sampling.interval_ms);
	json_int(w, "samples", (int64_t)f->rows);
	json_int(w, "missed", (int64_t)f->missed);
	json_str(w, "ended_by", run_ending_word(f->ending));
	json_close(w, '}');
}

/* "command" or "target", and "sampling", of a run of counters. */
static void
write_collected(struct json_writer *w, const struct counting *c)
{
	struct run_facts f = run_facts(c->run.counts);

	if (!run_as_counters(c->run.counts))
		return;
	if (c->options->argv)
		write_command(w, c->options, &f.end);
	if (c->watch.has_target)
		write_target(w, &c->watch.target, &f);
	write_sampling(w, &c->watch, &f);
}

void
print_counting_json(const struct counting *c, struct json_writer *w)
{
	if (c->spec && c->run.counts)
		spec_args_json(w, c->spec, c->run.counts, c->reported);
	else
		write_collected(w, c);
}

void
print_counting_json_warnings(const struct counting *c, struct json_writer *w)
{
	struct str text = {0};

	if (!c->run.counts)
		return;
	counting_explain(c, &text);
	print_json_warning_lines(w, str_text(&text));
	str_free(&text);
	if (run_facts(c->run.counts).end.left_behind)
		print_json_warning(w, "left-behind",
			"processes that the command started were still running when it ended, so its totals are not "
			"exact");
}
