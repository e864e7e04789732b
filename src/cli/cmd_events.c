/* hecate events: the events that the sources of this machine know, and what is known of each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/near.h"
#include "base/number.h"
#include "base/str.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/print/text_table.h"
#include "cli/writing.h"
#include "event/table.h"
#include "event/words.h"
#include "work/fit/fit.h"
#include "work/machine.h"
#include "work/trust/facts.h"

struct event_report {
	const struct options *options;
	struct event_table table;
	struct trust_page *page; /* what is known of the processor's events; NULL: nothing */
	struct health_book health; /* of events that were counted here */
	struct fit_trial trial;    /* with --try */
	size_t *row, n;          /* those that fit */
};

/* Number of events of a PMU by source. */
struct pmu_count {
	const char *pmu;
	size_t n[EVENT_SOURCES];
};

static struct pmu_count *
count_pmus(const struct event_report *report, size_t *n)
{
	struct pmu_count *count = NULL;
	size_t cap = 0;

	*n = 0;
	for (size_t i = 0; i < report->table.n; i++) {
		const struct event_row *row = &report->table.row[i];
		size_t k = 0;

		while (k < *n && !str_eq(count[k].pmu, row->pmu))
			k++;
		if (k == *n) {
			mem_grow(&count, &cap, *n + 1, sizeof *count);
			count[(*n)++] = (struct pmu_count){.pmu = row->pmu};
		}
		for (int source = 0; source < EVENT_SOURCES; source++)
			count[k].n[source] += row->sources >> source & 1;
	}
	return count;
}

/* The verdict of trust on an event; NULL: none is known. */
static const struct trust_entry *
trust_of(const struct event_report *report, const struct event_row *row)
{
	return report->page ? trust_page_entry(report->page, row->name) : NULL;
}

/* What became of an event that was counted on such a processor; NULL: it was not. */
static const struct health_entry *
health_of(const struct event_report *report, const struct event_row *row)
{
	char cpu[64];

	if (!report->health.n)
		return NULL;
	if (!*report->table.cpu)
		machine_cpu(cpu);
	return health_find(
		&report->health, *report->table.cpu ? report->table.cpu : cpu, row->name, row->pmu, row->code);
}

/* --- text -------------------------------------------------------------------------------------------------------- */

static void
print_counts(const struct event_report *report, struct str *out)
{
	static const struct text_column column[] = {{.title = "PMU"}, {.title = "sysfs", .right = true},
		{.title = "perf", .right = true}, {.title = "HECATE_EVENTS", .right = true},
		{.title = "libpfm4", .right = true}};
	struct text_table *text = text_table_new(column, sizeof column / sizeof *column, print_ascii(report->options));
	size_t n;
	struct pmu_count *count = count_pmus(report, &n);

	str_add(out, "processor  ");
	print_visible(out, *report->table.cpu ? report->table.cpu : "not known");
	str_addf(out, "\n%zu events, %zu metrics\n\n", report->table.n, report->table.n_metrics);
	for (size_t i = 0; i < n; i++) {
		text_table_row(text, "%s", count[i].pmu);
		for (int k = 0; k < EVENT_SOURCES; k++)
			if (count[i].n[k])
				text_table_addf(text, "%zu", count[i].n[k]);
			else
				text_table_add(text, "");
	}
	text_table_end(text, out);
	free(count);
	str_add(out, "\nhecate events WORD... finds events by words of their names and descriptions.\n");
}

static void
print_field(struct str *out, const char *name, const char *text, bool ascii)
{
	struct str shown = {0};

	if (!*text)
		return;
	str_addf(out, "  %-12s", name);
	print_visible(&shown, text);
	print_signs(out, str_text(&shown), ascii);
	str_addc(out, '\n');
	str_free(&shown);
}

/* All that is known of one event. */
static void
print_event(const struct event_report *report, const struct event_row *row, struct str *out)
{
	const struct trust_entry *trust = trust_of(report, row);
	const struct health_entry *health = health_of(report, row);
	bool ascii = print_ascii(report->options);
	const struct event_row *other = event_table_other_code(&report->table, row);
	struct str line = {0}, shown = {0};
	size_t n, *same = event_table_same_code(&report->table, row, &n);

	print_visible(out, row->name);
	str_addf(out, "%s\n", row->deprecated ? "  (deprecated)" : "");
	print_visible(&shown, row->text);
	if (shown.n)
		print_wrapped(out, str_text(&shown), 2, 0, print_width(report->options), ascii);
	print_field(out, "PMU", row->pmu, ascii);
	print_field(out, "topic", row->topic, ascii);
	str_addf(&line, "%s/%s/ (", row->pmu, row->code);
	event_sources_list(row, &line);
	str_addc(&line, ')');
	print_field(out, "code", *row->code ? str_text(&line) : "not known in full", ascii);
	str_clear(&line);
	if (*row->unit)
		str_addf(&line, row->scale != 1 ? "%s, %.10g each" : "%s", row->unit, row->scale);
	print_field(out, "unit", str_text(&line), ascii);
	str_clear(&line);
	for (size_t i = 0; i < n; i++)
		if (!i || !str_eq(report->table.row[same[i]].name, report->table.row[same[i - 1]].name))
			str_addf(&line, "%s%s", line.n ? ", " : "", report->table.row[same[i]].name);
	print_field(out, "same code", str_text(&line), ascii);
	str_clear(&line);
	if (other)
		str_addf(&line, "%s/%s/ (%s); the name is refused: write the code that is meant", other->pmu,
			other->code, event_source_name(other->source));
	print_field(out, "other code", str_text(&line), ascii);
	print_field(out, "counters", row->counters, ascii);
	print_field(out, "in a set", row->taken_alone ? "alone with its kind" : "", ascii);
	print_field(out, "errata", *row->errata ? row->errata : trust && trust->errata ? trust->errata : "", ascii);
	str_clear(&line);
	if (health)
		health_write_entry(health, &line);
	print_field(out, "here", str_text(&line), ascii);
	if (trust) {
		str_clear(&line);
		str_addf(&line, "%s%s%s (%s)", trust_verdict_word(trust->verdict), trust->note ? ": " : "",
			trust->note ? trust->note : "", trust->source);
		print_field(out, "trust", str_text(&line), ascii);
	}
	free(same);
	str_free(&line);
	str_free(&shown);
}

static void
print_list(const struct event_report *report, struct writing *out)
{
	struct text_column column[] = {{.title = "event", .limit = 52}, {.title = "PMU"}, {.title = "source"},
		{.title = "here", .hidden = true}, {.title = "description"}};
	struct text_table *text = text_table_new(column, sizeof column / sizeof *column, print_ascii(report->options));
	struct str sources = {0};

	for (size_t i = 0; i < report->n; i++) {
		const struct event_row *row = &report->table.row[report->row[i]];
		const struct health_entry *health = health_of(report, row);
		size_t fit = utf8_fit(row->text, 60);

		text_table_row(text, "%s", row->name);
		text_table_add(text, row->pmu);
		str_clear(&sources);
		event_sources_list(row, &sources);
		text_table_add(text, str_text(&sources));
		text_table_add(text, health ? health_word(health->health) : "");
		column[3].hidden &= !health;
		text_table_addf(text, "%.*s%s", (int)fit, row->text, row->text[fit] ? "..." : "");
	}
	str_free(&sources);
	text_table_end(text, &out->text);
}

/* --- trying events ----------------------------------------------------------------------------------------------- */

#define TRY_MOST 2000 /* half a minute */

/* Prints which events are refused for the same reason as this one, once for all. */
static void
print_refused(const struct fit_trial *trial, size_t first, struct str *out)
{
	const struct fit_tried *of = &trial->tried[first];
	size_t n = 0;

	for (size_t i = 0; i < trial->n; i++) {
		if (trial->tried[i].opens || !str_eq(trial->tried[i].why, of->why))
			continue;
		if (i < first)
			return;
		str_add(out, n ? "" : "refused: ");
		print_listed(out, n++, trial->tried[i].name);
	}
	print_listed_more(out, n);
	str_addf(out, ": %s%s%s\n", of->why, of->remedy ? "; " : "", of->remedy ? of->remedy : "");
}

static void
print_tried(const struct event_report *report, const struct fit_trial *trial, struct str *out)
{
	static const struct text_column column[] = {
		{.title = "event", .limit = 52}, {.title = "here"}, {.title = "counted", .right = true}};
	struct text_table *text = text_table_new(column, sizeof column / sizeof *column, print_ascii(report->options));
	char number[NUMBER_TEXT];

	for (size_t i = 0; i < trial->n; i++) {
		const struct fit_tried *tried = &trial->tried[i];

		if (!tried->opens)
			continue;
		text_table_row(text, "%s", tried->name);
		text_table_add(text, health_word(tried->health));
		text_table_add(
			text, number_exact(number, (long long)tried->count, false, print_ascii(report->options)));
	}
	text_table_end(text, out);
	for (size_t i = 0; i < trial->n; i++)
		if (!trial->tried[i].opens)
			print_refused(trial, i, out);
}

static void
write_tried(const struct fit_trial *trial, struct json_writer *json)
{
	json_open(json, "tried", '[');
	for (size_t i = 0; i < trial->n; i++) {
		const struct fit_tried *tried = &trial->tried[i];

		json_open(json, NULL, '{');
		json_str(json, "name", tried->name);
		json_str(json, "health", tried->opens ? health_word(tried->health) : NULL);
		json_int(json, "count", (int64_t)tried->count);
		json_str(json, "why", tried->why);
		json_str(json, "remedy", tried->remedy);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* Tries what the filter leaves. Returns false and sets *e if there is nothing to try. */
static bool
try_events(struct event_report *report, const struct event_filter *filter, struct err *e)
{
	size_t n;

	if (report->options->processor) {
		err_set(e, "--try: only this machine's events can be opened");
		return err_hint(e, "leave out --cpu");
	}
	fit_try_list(&report->table, filter, &report->trial);
	n = report->trial.n;
	if (!n) {
		err_set(e, "no event of this machine fits");
		return err_hint(e, "hecate events shows which are known");
	}
	if (n > TRY_MOST) {
		err_set(e, "%zu events are too many to try", n);
		return err_hint(e, "at most %d; name words of those that matter", TRY_MOST);
	}
	if (n > 100 && !report->options->quiet)
		log_line(NULL, "trying %zu events, 10 ms each", n);
	fit_try(&report->trial);
	return true;
}

/* --- JSON -------------------------------------------------------------------------------------------------------- */

static void
write_event(const struct event_report *report, const struct event_row *row, struct json_writer *json)
{
	const struct trust_entry *trust = trust_of(report, row);
	const struct event_row *other = event_table_other_code(&report->table, row);
	const struct health_entry *health = health_of(report, row);
	struct str text = {0};
	size_t n, *same = event_table_same_code(&report->table, row, &n);

	json_open(json, NULL, '{');
	json_str(json, "name", row->name);
	json_str(json, "pmu", row->pmu);
	json_str(json, "topic", row->topic);
	json_str(json, "text", row->text);
	json_str(json, "code", *row->code ? row->code : NULL);
	json_str(json, "source", event_source_name(row->source));
	json_open(json, "sources", '[');
	for (int i = 0; i < EVENT_SOURCES; i++)
		if (row->sources & 1U << i)
			json_str(json, NULL, event_source_name((enum event_source)i));
	json_close(json, ']');
	json_str(json, "unit", row->unit);
	json_num(json, "scale", row->scale);
	json_str(json, "counters", row->counters);
	json_str(json, "errata", *row->errata ? row->errata : trust && trust->errata ? trust->errata : "");
	json_bool(json, "taken_alone", row->taken_alone);
	json_bool(json, "deprecated", row->deprecated);
	json_str(json, "trust", trust ? trust_verdict_word(trust->verdict) : NULL);
	json_str(json, "health", health ? health_word(health->health) : NULL);
	if (health)
		health_write_entry(health, &text);
	json_str(json, "health_text", health ? str_text(&text) : NULL);
	str_free(&text);
	json_str(json, "other_code", other ? other->code : NULL);
	json_str(json, "other_source", other ? event_source_name(other->source) : NULL);
	json_open(json, "same_code", '[');
	for (size_t i = 0; i < n; i++)
		json_str(json, NULL, report->table.row[same[i]].name);
	json_close(json, ']');
	json_close(json, '}');
	free(same);
}

static void
write_json(const struct event_report *report, bool all, struct writing *out)
{
	struct json_writer *json = &out->json;
	size_t n;
	struct pmu_count *count = count_pmus(report, &n);

	json_open(json, NULL, '{');
	json_str(json, "schema", "hecate.events/1");
	json_str(json, "cpu", report->table.cpu);
	json_int(json, "metrics", (int64_t)report->table.n_metrics);
	json_open(json, "pmus", '[');
	for (size_t i = 0; i < n; i++)
		for (int k = 0; k < EVENT_SOURCES; k++) {
			if (!count[i].n[k])
				continue;
			json_open(json, NULL, '{');
			json_str(json, "pmu", count[i].pmu);
			json_str(json, "source", event_source_name((enum event_source)k));
			json_int(json, "events", (int64_t)count[i].n[k]);
			json_close(json, '}');
		}
	json_close(json, ']');
	json_open(json, "events", '[');
	for (size_t i = 0; i < report->n && !all; i++)
		write_event(report, &report->table.row[report->row[i]], json);
	json_close(json, ']');
	write_tried(&report->trial, json);
	json_close(json, '}');
	free(count);
}

/* --- the command ------------------------------------------------------------------------------------------------- */

/* What is known of the events of the processor, which perf identifies as VENDOR-FAMILY-MODEL-STEPPING. */
static struct trust_page *
find_page(const struct options *options, const char *cpu)
{
	struct trust_cpuid id = {.family = -1, .model = -1};
	struct str remarks = {0};
	struct trust_book *book = trust_facts_load(&remarks);
	struct trust_page *page;

	if (sscanf(cpu, "%47[A-Za-z]-%d-%x", id.vendor, &id.family, (unsigned *)&id.model) != 3)
		trust_facts_cpu(&id);
	page = trust_facts_page(book, &id);
	print_remarks(options, &remarks);
	trust_book_free(book);
	return page;
}

/* Names the nearest events to what was asked for. */
static void
hint_near(const struct event_report *report, struct err *e)
{
	char word[EVENT_WORD_MAX], *near;
	struct names words = {0};
	const char **name;
	struct str asked = {0};

	if (report->options->n_args == 1 &&
		event_word(report->options->arg[0], strlen(report->options->arg[0]), word) != EVENT_WORD_NONE) {
		err_hint(e, "%s is in no list, because perf knows it on every machine: name it as it is", word);
		return;
	}
	for (size_t i = 0; event_word_listed(i, word); i++)
		names_add(&words, word, strlen(word));
	name = mem_new_array(report->table.n + words.n, sizeof *name);
	for (size_t i = 0; i < report->table.n; i++)
		name[i] = report->table.row[i].name;
	for (size_t i = 0; i < words.n; i++)
		name[report->table.n + i] = words.name[i];
	for (size_t i = 0; i < report->options->n_args; i++)
		str_addf(&asked, "%s%s", i ? " " : "", report->options->arg[i]);
	near = near_text(str_text(&asked), name, report->table.n + words.n);
	err_hint(e, "%s%seach word must stand in the name or the description", near ? near : "", near ? "; " : "");
	free(near);
	free(name);
	names_free(&words);
	str_free(&asked);
}

/* Says what it needs to count hardware events, if this machine cannot. */
static void
print_need(struct str *out)
{
	struct err why = {0};

	if (!machine_has_pmu(&why))
		str_addf(out, "\nNone of the processor's events can be counted here: %s; %s.\n", why.what, why.hint);
}

int
cmd_events(const struct options *options)
{
	const struct events_options *own = options->own;
	const struct event_filter filter = {
		.word = options->arg, .n = options->n_args, .pmu = own->pmu, .code = own->code};
	struct event_report report = {.options = options};
	bool all = !filter.n && !filter.pmu && !filter.code, good;
	struct writing out;
	struct err e = {0};

	good = machine_events(options->processor, &report.table, &e);
	if (good && *e.what && !options->quiet && !own->try)
		log_line(NULL, "%s%s%s", e.what, *e.hint ? "; " : "", e.hint);
	if (own->try) {
		e = (struct err){0}; /* perf's words need no source */
		good = try_events(&report, &filter, &e);
		all = true;
	} else if (good && !all) {
		report.row = event_table_select(&report.table, &filter, &report.n);
		good = report.n ||
			err_set(&e, "no event of %s fits", *report.table.cpu ? report.table.cpu : "this machine");
		if (!good)
			hint_near(&report, &e);
	} else if (!good && !*e.what) {
		err_set(&e, "no source knows an event of %s", options->processor ? options->processor : "this machine");
		err_hint(&e,
			"install perf (Debian: linux-perf), or name another processor with --cpu GenuineIntel-6-8F-4");
	}
	if (good) {
		report.page = find_page(options, report.table.cpu);
		machine_health(&report.health);
		writing_begin(&out, options);
		if (options->json)
			write_json(&report, all, &out);
		else if (own->try)
			print_tried(&report, &report.trial, &out.text);
		else if (all)
			print_counts(&report, &out.text);
		else if (report.n <= 3)
			for (size_t i = 0; i < report.n; i++)
				print_event(&report, &report.table.row[report.row[i]], &out.text);
		else
			print_list(&report, &out);
		if (!options->json && !options->processor && !own->try)
			print_need(&out.text);
		good = writing_end(&out, true);
	} else {
		print_failure(&e);
	}
	trust_page_free(report.page);
	health_free(&report.health);
	fit_trial_free(&report.trial);
	free(report.row);
	event_table_free(&report.table);
	return good ? 0 : 2;
}
