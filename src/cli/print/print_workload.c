
#include <math.h>

#include "base/json.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_determinism.h"
#include "cli/print/text_table.h"
#include "core/trust/judge.h"
#include "core/trust/runs.h"
#include "work/trust/determinism.h"
#include "work/trust/measured.h"

#define INDENT 4
#define NARROW 100 /* columns of a terminal that is called narrow */

/* How lines are written. */
struct page {
	struct str *out;
	size_t width;
	bool ascii, verbose;
};

static void
print_workload_add_line(struct page *p, struct str *line)
{
	print_wrapped(p->out, str_text(line), INDENT, INDENT, p->width, p->ascii);
	str_clear(line);
}

static void
found_text(struct page *p, const struct attribute_found *f)
{
	struct str line = {0};
	measured_found_text(f, &line);
	str_addf(&line, ": %s", determinism_part(f->part).about);
	print_workload_add_line(p, &line);
	str_free(&line);
}

static void
parts_text(struct page *page, const struct determinism_event *event)
{
	const struct attribute_result *result = &event->parts;
	struct str line = {0};
	if (!event->searched)
		return;
	if (!isnan(event->base) && fabs(event->base) > 0.5) {
		str_addf(&line, "starting the program: %+.0f in each run, without any part%s", event->base,
			event->base_expected ? "; it is expected, because it touches pages" : "");
		print_workload_add_line(page, &line);
	}
	for (size_t k = 0; k < result->n_found; k++)
		found_text(page, &result->found[k]);
	for (size_t k = 0; k < result->n_together; k++) {
		str_addf(&line,
			"%+.0f together, and not by halves:", result->together[k].level.error - result->none.error);
		for (size_t j = 0; j < result->together[k].n; j++)
			str_addf(&line, " %s", determinism_part(result->together[k].part[j]).name);
		print_workload_add_line(page, &line);
	}
	if (fabs(result->rest) > result->rest_width + 0.5) {
		str_addf(&line, "%+.0f (±%.0f) only when all parts run: no part alone has it", result->rest,
			result->rest_width);
		print_workload_add_line(page, &line);
	}
	if (!result->whole) {
		str_add(&line, "the search of parts was stopped");
		print_workload_add_line(page, &line);
	}
	str_free(&line);
}

/* What the judgement says; of the whole machine the remarks speak. */
static void
said_text(struct page *page, const struct trust_judged *judged)
{
	struct str line = {0};
	for (size_t k = 0; k < judged->n_said; k++)
		if (!judged->said[k].of_machine) {
			str_add(&line, judged->said[k].text);
			print_workload_add_line(page, &line);
		}
	if (page->verbose && judged->known) {
		str_addf(&line, "known: %s", judged->known);
		print_workload_add_line(page, &line);
	}
	str_free(&line);
}

static void
print_workload_add_count(const struct page *p, struct text_table *t, double count, bool sign)
{
	char text[NUMBER_TEXT] = "-";
	if (!isnan(count))
		number_exact(text, llround(count), sign && llround(count) != 0, p->ascii);
	text_table_add(t, text);
}

static void
print_workload_add_event(const struct page *page, struct text_table *table, const struct determinism_event *event,
	const struct trust_judged *judged)
{
	struct str letters = {0};
	trust_letters_print(measured_letters(event, judged), &letters);
	text_table_row(table, "%s", event->name);
	print_workload_add_count(page, table, event->expected, false);
	print_workload_add_count(page, table, event->mean, false);
	print_workload_add_count(page, table, event->spread, false);
	print_workload_add_count(page, table, event->mean - event->expected, true);
	text_table_add(table, letters.n > 0 ? str_text(&letters) : "-");
	text_table_add(table, trust_verdict_name(judged->verdict));
	str_free(&letters);
}

void
print_workload_text(const struct options *options, const struct determinism *determinism, const char *machine,
	const struct trust_runs *runs, const struct trust_judgement *judgement, struct str *out)
{
	struct page p = {.width = print_width(options), .ascii = print_ascii(options),
		.verbose = options->verbose};
	struct text_column column[] = {{.title = "event", .limit = p.width < NARROW ? 20 : 40},
		{.title = "expected", .right = true}, {.title = "mean", .right = true},
		{.title = "range", .right = true}, {.title = "difference", .right = true}, {.title = "letters"},
		{.title = "verdict"}};
	struct text_table *table = text_table_new(column, sizeof column / sizeof column[0], p.ascii);

	str_addf(out, "%s, CPU %d, %zu runs of hecate-workload\n\n", machine, determinism->cpu, determinism->runs);
	for (size_t k = 0; k < determinism->n_events; k++) {
		const struct determinism_event *event = &determinism->event[k];
		const struct trust_judged *judged = event->name ? measured_judged(runs, judgement, event->name) : NULL;

		if (!judged)
			continue;
		print_workload_add_event(&p, table, event, judged);
		p.out = text_table_below(table);
		said_text(&p, judged);
		parts_text(&p, event);
	}
	column[1].hidden = text_table_width(table) > p.width; /* mean and difference say it, too */
	text_table_end(table, out);
}

static void
found_json(const struct attribute_found *found, struct json_writer *writer)
{
	double per = 1.0;
	const char *occasion = determinism_occasion(found->part, &per);
	struct str letters = {0};
	trust_letters_print(determinism_letter(found->part, found->slope), &letters);
	json_open(writer, NULL, '{');
	json_str(writer, "part", determinism_part(found->part).name);
	json_str(writer, "class", determinism_part(found->part).class);
	json_str(writer, "per", occasion);
	json_num(writer, "slope", found->slope / per);
	json_num(writer, "low", found->low / per);
	json_num(writer, "high", found->high / per);
	json_num(writer, "constant", found->constant);
	json_num(writer, "constant_low", found->constant_low);
	json_num(writer, "constant_high", found->constant_high);
	json_str(writer, "letter", str_text(&letters));
	json_close(writer, '}');
	str_free(&letters);
}

static void
event_json(const struct determinism_event *event, struct json_writer *writer)
{
	json_open(writer, NULL, '{');
	json_str(writer, "event", event->name);
	json_bool(writer, "multiplexed", event->multiplexed);
	json_bool(writer, "kernel", event->kernel);
	json_bool(writer, "silent", event->silent);
	json_bool(writer, "searched", event->searched);
	json_bool(writer, "whole", event->searched && event->parts.whole);
	json_num(writer, "base", event->base);
	json_num(writer, "rest", event->searched ? event->parts.rest : (double)NAN);
	json_num(writer, "rest_width", event->searched ? event->parts.rest_width : (double)NAN);
	json_open(writer, "parts", '[');
	for (size_t k = 0; k < event->parts.n_found; k++)
		found_json(&event->parts.found[k], writer);
	json_close(writer, ']');
	json_close(writer, '}');
}

void
print_workload_json(const struct determinism *determinism, const struct trust_runs *runs,
	const struct trust_judgement *judgement, const struct workload_stored *stored, struct json_writer *writer)
{
	json_open(writer, NULL, '{');
	print_determinism_members(runs, judgement, writer);
	json_str(writer, "stored", stored->path);
	json_str(writer, "not_stored", stored->why);
	json_int(writer, "cpu", determinism->cpu);
	json_int(writer, "runs", (int64_t)determinism->runs);
	json_bool(writer, "cut", determinism->cut);
	json_open(writer, "remarks", '[');
	for (size_t k = 0; k < determinism->n_remarks; k++)
		json_str(writer, NULL, determinism->remark[k]);
	json_close(writer, ']');
	json_open(writer, "events", '[');
	for (size_t k = 0; k < determinism->n_events; k++)
		if (determinism->event[k].name != NULL && determinism->event[k].status.health != OBS_UNSUPPORTED)
			event_json(&determinism->event[k], writer);
	json_close(writer, ']');
	json_close(writer, '}');
}
