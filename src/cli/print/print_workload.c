#include "cli/print/print_workload.h"

#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/mem.h"
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
parts_text(struct page *p, const struct determinism_event *event)
{
	const struct attribute_result *r = &event->parts;
	struct str line = {0};
	if (!event->searched)
		return;
	if (!isnan(event->base) && fabs(event->base) > 0.5) {
		str_addf(&line, "starting the program: %+.0f in each run, without any part%s", event->base,
			event->base_expected ? "; it is expected, because it touches pages" : "");
		print_workload_add_line(p, &line);
	}
	for (size_t k = 0; k < r->n_found; k++)
		found_text(p, &r->found[k]);
	for (size_t k = 0; k < r->n_together; k++) {
		str_addf(&line, "%+.0f together, and not by halves:", r->together[k].level.error - r->none.error);
		for (size_t j = 0; j < r->together[k].n; j++)
			str_addf(&line, " %s", determinism_part(r->together[k].part[j]).name);
		print_workload_add_line(p, &line);
	}
	if (fabs(r->rest) > r->rest_width + 0.5) {
		str_addf(&line, "%+.0f (±%.0f) only when all parts run: no part alone has it", r->rest, r->rest_width);
		print_workload_add_line(p, &line);
	}
	if (!r->whole) {
		str_add(&line, "the search of parts was stopped");
		print_workload_add_line(p, &line);
	}
	str_free(&line);
}

/* What the judgement says; of the whole machine the remarks speak. */
static void
said_text(struct page *p, const struct trust_judged *judged)
{
	struct str line = {0};
	for (size_t k = 0; k < judged->n_said; k++)
		if (!judged->said[k].of_machine) {
			str_add(&line, judged->said[k].text);
			print_workload_add_line(p, &line);
		}
	if (p->verbose && judged->known) {
		str_addf(&line, "known: %s", judged->known);
		print_workload_add_line(p, &line);
	}
	str_free(&line);
}

static void
print_workload_set_count(const struct page *p, struct text_table *t, size_t row, size_t column, double count, bool sign)
{
	char text[NUMBER_TEXT] = "-";
	if (!isnan(count))
		number_exact(text, llround(count), sign && llround(count) != 0, p->ascii);
	text_table_set(t, row, column, "%s", text);
}

static void
print_workload_add_event(const struct page *p, struct text_table *t, const struct determinism_event *event,
	const struct trust_judged *judged)
{
	size_t row = text_table_add(t);
	struct str letters = {0};
	trust_letters_print(measured_letters(event, judged), &letters);
	text_table_set(t, row, 0, "%s", event->name);
	print_workload_set_count(p, t, row, 1, event->expected, false);
	print_workload_set_count(p, t, row, 2, event->mean, false);
	print_workload_set_count(p, t, row, 3, event->spread, false);
	print_workload_set_count(p, t, row, 4, event->mean - event->expected, true);
	text_table_set(t, row, 5, "%s", letters.n > 0 ? str_text(&letters) : "-");
	text_table_set(t, row, 6, "%s", trust_verdict_name(judged->verdict));
	str_free(&letters);
}

void
print_workload_text(const struct options *o, const struct determinism *d, const char *machine,
	const struct trust_runs *runs, const struct trust_judgement *j, struct str *out)
{
	struct page p = {.out = out, .width = print_width(o), .ascii = print_ascii(o),
		.verbose = o->verbose};
	struct text_table_column column[] = {{.title = "event", .limit = p.width < NARROW ? 20 : 40},
		{.title = "expected", .right = true}, {.title = "mean", .right = true},
		{.title = "range", .right = true}, {.title = "difference", .right = true}, {.title = "letters"},
		{.title = "verdict"}};
	struct text_table *t = text_table_new(column, sizeof column / sizeof column[0], p.ascii);
	const struct trust_judged **judged = mem_new_array(d->n_events, sizeof(*judged));
	size_t row = 0;

	str_addf(out, "%s, CPU %d, %zu runs of hecate-workload\n\n", machine, d->cpu, d->runs);
	for (size_t k = 0; k < d->n_events; k++) {
		judged[k] = d->event[k].name != NULL ? measured_judged(runs, j, d->event[k].name) : NULL;
		if (judged[k] != NULL)
			print_workload_add_event(&p, t, &d->event[k], judged[k]);
	}
	column[1].hidden = text_table_width(t) > p.width; /* mean and difference say it, too */
	text_table_head(t, out);
	for (size_t k = 0; k < d->n_events; k++)
		if (judged[k] != NULL) {
			text_table_row(t, row++, out);
			said_text(&p, judged[k]);
			parts_text(&p, &d->event[k]);
		}
	free(judged);
	text_table_free(t);
}

static void
found_json(const struct attribute_found *f, struct json_writer *w)
{
	double per = 1.0;
	const char *occasion = determinism_occasion(f->part, &per);
	struct str letters = {0};
	trust_letters_print(determinism_letter(f->part, f->slope), &letters);
	json_open(w, NULL, '{');
	json_str(w, "part", determinism_part(f->part).name);
	json_str(w, "class", determinism_part(f->part).class);
	json_str(w, "per", occasion);
	json_num(w, "slope", f->slope / per);
	json_num(w, "low", f->low / per);
	json_num(w, "high", f->high / per);
	json_num(w, "constant", f->constant);
	json_num(w, "constant_low", f->constant_low);
	json_num(w, "constant_high", f->constant_high);
	json_str(w, "letter", str_text(&letters));
	json_close(w, '}');
	str_free(&letters);
}

static void
event_json(const struct determinism_event *event, struct json_writer *w)
{
	json_open(w, NULL, '{');
	json_str(w, "event", event->name);
	json_bool(w, "multiplexed", event->multiplexed);
	json_bool(w, "kernel", event->kernel);
	json_bool(w, "silent", event->silent);
	json_bool(w, "searched", event->searched);
	json_bool(w, "whole", event->searched && event->parts.whole);
	json_num(w, "base", event->base);
	json_num(w, "rest", event->searched ? event->parts.rest : (double)NAN);
	json_num(w, "rest_width", event->searched ? event->parts.rest_width : (double)NAN);
	json_open(w, "parts", '[');
	for (size_t k = 0; k < event->parts.n_found; k++)
		found_json(&event->parts.found[k], w);
	json_close(w, ']');
	json_close(w, '}');
}

void
print_workload_json(const struct determinism *d, const struct trust_runs *runs, const struct trust_judgement *j,
	const struct workload_stored *stored, struct json_writer *w)
{
	json_open(w, NULL, '{');
	print_determinism_members(runs, j, w);
	json_str(w, "stored", stored->path);
	json_str(w, "not_stored", stored->why);
	json_int(w, "cpu", d->cpu);
	json_int(w, "runs", (int64_t)d->runs);
	json_bool(w, "cut", d->cut);
	json_open(w, "remarks", '[');
	for (size_t k = 0; k < d->n_remarks; k++)
		json_str(w, NULL, d->remark[k]);
	json_close(w, ']');
	json_open(w, "events", '[');
	for (size_t k = 0; k < d->n_events; k++)
		if (d->event[k].name != NULL && d->event[k].status.health != OBS_UNSUPPORTED)
			event_json(&d->event[k], w);
	json_close(w, ']');
	json_close(w, '}');
}
