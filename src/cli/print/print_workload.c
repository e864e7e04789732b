#include "cli/print/print_workload.h"

#include <math.h>
#include <stdlib.h>

#include "app/trust/determinism.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/print/print_determinism.h"
#include "core/trust/judge.h"
#include "core/trust/runs.h"

/* The judgement of an event's runs with all parts; NULL: it has none. */
static const struct trust_judged *
judged_event(const struct trust_runs *runs, const struct trust_judgement *j, const char *event)
{
	for (size_t k = 0; k < runs->n; k++)
		if (str_eq(runs->group[k].event, event) && str_eq(runs->group[k].test, "all parts"))
			return &j->group[k];
	return NULL;
}

/* An exact count with thin groups of three digits; "-" for NAN. */
static void
add_count(struct str *out, double count, int width)
{
	struct str digits = {0}, grouped = {0};
	if (isnan(count)) {
		str_addf(out, "%*s", width, "-");
		return;
	}
	str_addf(&digits, "%.0f", fabs(count));
	for (size_t k = 0; k < digits.n; k++)
		str_addf(&grouped, "%s%c", k > 0 && (digits.n - k) % 3 == 0 ? " " : "", digits.s[k]);
	char *whole = str_format("%s%s", count < -0.5 ? "-" : "", str_text(&grouped));
	str_addf(out, "%*s", width, whole);
	free(whole);
	str_free(&digits);
	str_free(&grouped);
}

static void
add_letters(struct str *out, trust_letters letters)
{
	struct str s = {0};
	trust_letters_print(letters, &s);
	str_addf(out, "  %-8s", s.n > 0 ? str_text(&s) : "-");
	str_free(&s);
}

static trust_letters
letters_of_parts(const struct determinism_event *event)
{
	trust_letters all = 0;
	for (size_t k = 0; k < event->parts.n_found; k++)
		all |= determinism_letter(event->parts.found[k].part, event->parts.found[k].slope);
	return all;
}

static void
found_text(const struct attribute_found *f, struct str *out)
{
	double per = 1.0;
	const char *occasion = determinism_occasion(f->part, &per);
	bool constant = f->constant_low < 0.0 || f->constant_high > 0.0, slope = f->low > 1e-9 || f->high < -1e-9;
	str_addf(out, "    %-22s ", determinism_part(f->part).name);
	if (slope || !constant)
		str_addf(out, "%+.4g (%.4g to %.4g) for each %s", f->slope / per, f->low / per, f->high / per,
			occasion);
	if (constant)
		str_addf(out, "%s%+.0f (%.0f to %.0f) in each run", slope ? ", and " : "", f->constant, f->constant_low,
			f->constant_high);
	str_addf(out, ": %s\n", determinism_part(f->part).about);
}

static void
parts_text(const struct determinism_event *event, struct str *out)
{
	const struct attribute_result *r = &event->parts;
	if (!event->searched)
		return;
	if (!isnan(event->base) && fabs(event->base) > 0.5)
		str_addf(out, "    %-22s %+.0f in each run, without any part%s\n", "starting the program", event->base,
			event->base_expected ? "; it is expected, because it touches pages" : "");
	for (size_t k = 0; k < r->n_found; k++)
		found_text(&r->found[k], out);
	for (size_t k = 0; k < r->n_together; k++) {
		str_addf(out, "    %+.0f together, and not by halves:", r->together[k].level.error - r->none.error);
		for (size_t j = 0; j < r->together[k].n; j++)
			str_addf(out, " %s", determinism_part(r->together[k].part[j]).name);
		str_addc(out, '\n');
	}
	if (fabs(r->rest) > r->rest_width + 0.5)
		str_addf(out, "    %+.0f (±%.0f) only when all parts run: no part alone has it\n", r->rest,
			r->rest_width);
	if (!r->whole)
		str_add(out, "    the search of parts was stopped\n");
}

void
print_workload_text(const struct determinism *d, const char *machine, const struct trust_runs *runs,
	const struct trust_judgement *j, struct str *out)
{
	str_addf(out, "%s, CPU %d, %zu runs of hecate-workload\n\n", machine, d->cpu, d->runs);
	str_addf(out, "%-34s %14s %14s %10s %12s  %-8s %s\n", "event", "expected", "mean", "spread", "difference",
		"letters", "verdict");
	for (size_t k = 0; k < d->n_events; k++) {
		const struct determinism_event *event = &d->event[k];
		const struct trust_judged *judged = event->name != NULL ? judged_event(runs, j, event->name) : NULL;
		if (judged == NULL)
			continue;
		str_addf(out, "%-34s", event->name);
		add_count(out, event->expected, 15);
		add_count(out, event->mean, 15);
		add_count(out, event->spread, 11);
		add_count(out, event->mean - event->expected, 13);
		add_letters(out, judged->letters | letters_of_parts(event));
		str_addf(out, " %s%s%s\n", trust_verdict_name(judged->verdict),
			event->multiplexed ? ", but it shares its counter with others, and is an estimate" : "",
			event->silent ? ", but it counts nothing" : "");
		parts_text(event, out);
	}
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
	struct json_writer *w)
{
	json_open(w, NULL, '{');
	print_determinism_members(runs, j, w);
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
