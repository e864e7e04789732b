/* How a profile went, in words: spec_run_report_…() of work/run/spec_run.h, from what that header says of a run. */
#include <string.h>
#include <sys/wait.h>

#include "base/number.h"
#include "base/str.h"
#include "base/utf8.h"
#include "work/run/spec_run.h"

static void
add_safe(struct str *out, const char *text)
{
	utf8_add_visible(out, text, strlen(text));
}

static void
spec_report_add_numbers(struct str *out, const struct spec_numbers *numbers)
{
	for (size_t i = 0; i < numbers->n; i++) {
		size_t last = i;

		while (last + 1 < numbers->n && numbers->at[last + 1] == numbers->at[last] + 1)
			last++;
		str_addf(out, "%s%d", i ? "," : "", numbers->at[i]);
		if (last > i)
			str_addf(out, "-%d", numbers->at[last]);
		i = last;
	}
}

static void
report_program(const struct spec_run *run, size_t i, bool running, struct str *out)
{
	const struct program *program = programs_at(spec_run_programs(run), i);
	const struct spec_program *of = program->of;
	uint64_t from_ns = spec_run_beginning(run);
	struct str name = {0};
	char number[NUMBER_TEXT];

	programs_name(spec_run_programs(run), i, &name);
	str_add(out, "  ");
	add_safe(out, str_text(&name));
	str_free(&name);
	if (of->cores.n)
		str_add(out, of->cores.n > 1 ? ", CPUs " : ", CPU "), spec_report_add_numbers(out, &of->cores);
	if (of->nodes.n)
		str_addf(out, ", memory %s ", spec_memory_name(of->memory)), spec_report_add_numbers(out, &of->nodes);
	if (!program->begun_ns) {
		str_add(out, running ? ": not started yet\n" : ": never started\n");
		return;
	}
	str_addf(
		out, ": started at %s s", number_digits(number, (double)(program->begun_ns - from_ns) / 1e9, 4, false));
	if (program->state == PROGRAM_ENDED)
		str_addf(out, ", ran %s s",
			number_digits(number, (double)(program->end.at_ns - program->begun_ns) / 1e9, 4, false));
	if (program->state == PROGRAM_ENDED && program->end.known && WIFSIGNALED(program->end.status))
		str_addf(out, ", ended by signal %d (%s)", WTERMSIG(program->end.status),
			strsignal(WTERMSIG(program->end.status)));
	else if (program->state == PROGRAM_ENDED && program->end.known && WEXITSTATUS(program->end.status))
		str_addf(out, ", ended with status %d", WEXITSTATUS(program->end.status));
	str_add(out, of->background ? ", in the background\n" : "\n");
}

uint64_t
spec_run_beginning(const struct spec_run *r)
{
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < programs_n(spec_run_programs(r)); i++) {
		const struct program *g = programs_at(spec_run_programs(r), i);

		if (g->begun_ns && g->begun_ns - (uint64_t)(g->of->delay * 1e9) < first)
			first = g->begun_ns - (uint64_t)(g->of->delay * 1e9);
	}
	return first;
}

void
spec_run_report_programs(const struct spec_run *run, struct str *out)
{
	const struct profile_spec *spec = spec_run_options(run)->spec;
	struct spec_run_state t;
	char number[NUMBER_TEXT];

	spec_run_state(run, &t);
	str_add(out, "profile ");
	add_safe(out, spec->name);
	if (spec->text && *spec->text)
		str_add(out, ": "), add_safe(out, spec->text);
	str_addf(out, "\n%s s%s\n", number_digits(number, t.seconds, 4, false),
		t.running                      ? " so far"
			: t.ending == RUN_END_DURATION ? ", its duration"
			: t.ending == RUN_END_ASKED    ? ", ended early"
						    : ", to the end of its programs");
	for (size_t i = 0; i < programs_n(spec_run_programs(run)); i++)
		report_program(run, i, t.running, out);
}

void
spec_run_report_limits(const struct spec_run *run, struct str *out)
{
	const struct profile_spec *spec = spec_run_options(run)->spec;
	bool apart = spec_run_options(run)->apart;
	struct spec_run_state t;
	char number[NUMBER_TEXT], other[NUMBER_TEXT], most[NUMBER_TEXT];

	spec_run_state(run, &t);
	if (spec->mode == SPEC_AGGREGATED)
		str_add(out, "aggregated: one snapshot of all of it\n");
	else if (!t.looks)
		str_addf(out, "it ended before the first sample, after %s s\n",
			number_digits(number, spec->granularity, 4, false));
	else
		str_addf(out, "%zu samples; asked for every %s s, taken every %s s on average, %s s at most%s\n",
			t.looks, number_digits(number, spec->granularity, 4, false),
			number_digits(other, t.interval, 4, false), number_digits(most, t.longest, 4, false),
			t.missed ? ", and some came late" : "");
	str_addf(out, "%s took %s %% of a CPU", apart ? "looking" : "hecate itself",
		number_digits(number, t.processor * 100, 2, false));
	if (spec->processor > 0)
		str_addf(out, " (limit %s %%: %s)", number_digits(number, spec->processor * 100, 4, false),
			t.processor_kept ? "kept" : "not kept");
	str_addf(out, "%s %s MiB of memory", apart ? ", hecate" : " and",
		number_digits(number, t.memory / 0x1p20, 3, false));
	if (spec->memory > 0)
		str_addf(out, " (limit %s MiB: %s)", number_digits(number, spec->memory / 0x1p20, 4, false),
			t.memory_kept ? "kept" : "not kept");
	str_addc(out, '\n');
}
