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
print_json_command(struct json_writer *writer, char *const *argv, bool exited, bool signalled, int code)
{
	json_open(writer, "command", '{');
	json_open(writer, "argv", '[');
	for (size_t i = 0; argv[i]; i++)
		json_str(writer, NULL, argv[i]);
	json_close(writer, ']');
	if (exited)
		json_int(writer, "exit", code);
	else
		json_null(writer, "exit");
	if (signalled)
		json_int(writer, "signal", code);
	else
		json_null(writer, "signal");
}

static void
write_command(struct json_writer *w, const struct options *o, const struct source_end *end)
{
	print_json_command(w, o->argv, end->exited, end->signalled, end->code);
	json_num(w, "seconds", end->seconds);
	json_close(w, '}');
}

static void
write_target(struct json_writer *writer, const struct source_target *target, const struct run_facts *facts)
{
	static const char *const kind[] = {
		[SOURCE_PROCESSES] = "processes", [SOURCE_THREADS] = "threads", [SOURCE_CPUS] = "cpus"
	};

	json_open(writer, "target", '{');
	json_str(writer, "kind", kind[target->kind]);
	json_open(writer, "ids", '[');
	for (size_t i = 0; i < target->n; i++)
		json_int(writer, NULL, target->id[i]);
	json_close(writer, ']');
	json_str(writer, "name", facts->label);
	json_bool(writer, "ended", facts->end.vanished);
	json_num(writer, "seconds", facts->end.seconds);
	json_close(writer, '}');
}

static void
write_sampling(struct json_writer *writer, const struct watch_args *how, const struct run_facts *facts)
{
	if (!how->sampling.interval_ms) {
		json_null(writer, "sampling");
		return;
	}
	json_open(writer, "sampling", '{');
	json_int(writer, "interval_ms", how->sampling.interval_ms);
	json_int(writer, "samples", (int64_t)facts->rows);
	json_int(writer, "missed", (int64_t)facts->missed);
	json_str(writer, "ended_by", run_ending_word(facts->ending));
	json_close(writer, '}');
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
print_counting_json_warnings(const struct counting *counting, struct json_writer *writer)
{
	struct str text = {0};

	if (!counting->run.counts)
		return;
	counting_explain(counting, &text);
	print_json_warning_lines(writer, str_text(&text));
	str_free(&text);
	if (run_facts(counting->run.counts).end.left_behind)
		print_json_warning(writer, "left-behind",
			"processes that the command started were still running when it ended, so its totals are not "
			"exact");
}
