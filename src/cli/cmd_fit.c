/* hecate fit: do events fit on the counters at once, before anything is counted? */
#include "cli/commands.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/number.h"
#include "base/shell.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/text_args.h"
#include "cli/writing.h"
#include "event/list.h"
#include "event/name.h"
#include "event/table.h"
#include "work/files/texts.h"
#include "work/fit/fit.h"
#include "work/machine.h"
#include "work/metrics/metric_data.h"
#include "work/run/counter_list.h"

/* What is asked about, and the table that has the metrics and, of another processor, the counters of events. */
struct fit_names {
	const char *cpu; /* NULL: this machine */
	char **name;
	size_t *counter;      /* of each name: the counter that it is for; names that are given again have the same */
	size_t n, cap, counter_cap;
	bool run;             /* they are what a run opens */
	struct set_constraints constraints; /* between these counters */
	struct event_table table;
	struct table_metrics *metrics; /* NULL: the table is not loaded */
};

static void
fit_name_add(struct fit_names *names, const char *name)
{
	size_t same = 0;

	while (same < names->n && !event_name_same(names->name[same], name))
		same++;
	mem_grow(&names->name, &names->cap, names->n + 1, sizeof *names->name);
	mem_grow(&names->counter, &names->counter_cap, names->n + 1, sizeof *names->counter);
	names->counter[names->n] = same < names->n ? names->counter[same] : same;
	names->name[names->n++] = mem_str(name);
}

static void
fit_names_free(struct fit_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->name[i]);
	free(names->name);
	free(names->counter);
	set_constraints_free(&names->constraints);
	table_metrics_free(names->metrics);
	event_table_free(&names->table);
}

/* Loads the table, unless it is. Returns false and sets *e if no source knows anything. */
static bool
fit_load_table(struct fit_names *names, struct err *e)
{
	struct err missing = {0}; /* a source that is missing matters only if no other one knows */
	bool good = names->metrics || machine_events(names->cpu, &names->table, &missing);

	if (!names->metrics)
		names->metrics = table_metrics_new(&names->table);
	if (!good)
		*e = missing;
	return good;
}

/* Adds an event, or the events of a metric or a group of metrics. A name of both is the event. */
static bool
fit_add_name(struct fit_names *names, const char *name, struct err *e)
{
	struct event_name event;
	struct names events = {0};
	struct err none = {0};
	bool *picked, good = true, is_event;

	event_name_read(name, &event);
	is_event = event.word != EVENT_WORD_NONE || event.form != EVENT_FORM_PLAIN || !fit_load_table(names, &none) ||
		event_table_find(&names->table, event.base, NULL);
	event_name_free(&event);
	if (!is_event) {
		picked = mem_new_array(names->metrics->n + 1, sizeof *picked);
		is_event = !table_metrics_pick(names->metrics, name, picked, &none);
		good = is_event || table_metrics_events(names->metrics, picked, &events, e);
		free(picked);
	}
	if (is_event)
		fit_name_add(names, name);
	for (size_t i = 0; i < events.n && good; i++)
		fit_name_add(names, events.name[i]);
	names_free(&events);
	return good;
}

/* Adds constraints between the counters of a list; number[i] is the number of counter i among all that are asked about.
 */
static void
fit_add_constraints(const struct counter_list *list, const size_t *number, struct fit_names *names)
{
	struct set_constraints more = counter_list_constraints(list, NULL);
	size_t n = names->constraints.n;

	names->constraints.at = mem_resize(names->constraints.at, n + more.n, sizeof *more.at);
	for (size_t k = 0; k < more.n; k++) {
		for (size_t i = 0; i < more.at[k].n; i++)
			more.at[k].unit[i] = number[more.at[k].unit[i]];
		names->constraints.at[names->constraints.n++] = more.at[k];
	}
	free(more.at);
}

/* Adds the events of a model, a network or a stack. */
static bool
fit_add_text(const struct options *options, const char *arg, struct fit_names *names)
{
	struct text_args args;
	struct counter_list *list;
	size_t *number;
	bool *one;

	if (!text_args_load(options, arg, &args)) {
		text_args_free(&args);
		return false;
	}
	list = text_args_counters(&args);
	number = mem_new_array(list->n, sizeof *number);
	one = mem_new_array(list->n, sizeof *one);
	for (size_t i = 0; i < list->n; i++) {
		size_t first = names->n;
		char **event;

		one[i] = true;
		event = fit_counter_events(list, one);
		one[i] = false;
		number[i] = SETS_ALWAYS;
		for (size_t k = 0; event[k]; k++)
			fit_name_add(names, event[k]);
		str_split_free(event);
		if (first < names->n)
			number[i] = names->counter[first];
		for (size_t k = first + 1; k < names->n; k++)
			if (names->counter[k] == k) /* a part of the same sum */
				names->counter[k] = number[i];
	}
	fit_add_constraints(list, number, names);
	names->run = true;
	free(number);
	free(one);
	counter_list_free(list);
	text_args_free(&args);
	return true;
}

/* Is it pmu/terms/, and no file? */
static bool
is_terms(const char *text)
{
	struct event_name event;
	bool is;

	event_name_read(text, &event);
	is = event.form == EVENT_FORM_TERMS && access(text, F_OK) != 0;
	event_name_free(&event);
	return is;
}

static bool
fit_add_argument(const struct options *options, const char *arg, struct fit_names *names, struct err *e)
{
	size_t n;
	char **event = event_list_split(arg, &n);
	struct err none = {0};
	enum text_kind kind;
	bool good = true;

	if (!(n && is_terms(event[0])) && text_kind_of(arg, &kind, &none)) {
		str_split_free(event);
		return fit_add_text(options, arg, names);
	}
	for (size_t i = 0; i < n && good; i++)
		if (*event[i])
			good = fit_add_name(names, event[i], e);
	str_split_free(event);
	return good;
}

static const char *const kind_words[] = {"counter", "pinned", "none", "elsewhere", "refused"};

static void
fit_add_sets(const struct fit *fit, struct str *out)
{
	for (size_t s = 0; s < fit->n_sets && fit->n_sets > 1; s++) {
		const char *between = "";

		str_addf(out, "  set %zu: ", s + 1);
		for (size_t i = 0; i < fit->n; i++)
			if (fit_in_set(fit, s, i)) {
				str_addf(out, "%s", between);
				print_visible(out, fit->event[i].name);
				between = ", ";
			}
		str_addc(out, '\n');
	}
}

/* Says which constraints the sets hold. */
static void
fit_add_constraints_held(const struct fit *fit, bool ascii, struct str *out)
{
	size_t whole = 0;

	for (size_t k = 0; k < fit->n_constraints; k++)
		whole += fit->constraint[k].set < fit->n_sets;
	if (fit->n_constraints && fit->n_sets > 1)
		str_addf(out, "%zu of %zu constraint%s %s whole in one set%s\n", whole, fit->n_constraints,
			plural_s(fit->n_constraints), whole == 1 ? "is" : "are", whole ? ":" : "");
	for (size_t s = 0; s < fit->n_sets && fit->n_sets > 1; s++)
		for (size_t k = 0; k < fit->n_constraints; k++)
			if (fit->constraint[k].set == s) {
				str_addf(out, "  set %zu: ", s + 1);
				print_relation(out, fit->constraint[k].text, ascii);
				str_addc(out, '\n');
			}
}

static bool
same_remark(const struct fit_event *a, const struct fit_event *b)
{
	return a->kind == b->kind && a->idle == b->idle &&
		(a->why == b->why || (a->why && b->why && str_eq(a->why, b->why)));
}

/* Adds what is to be said of an event, once for all that have the same to be said. */
static void
fit_add_remark(const struct fit *fit, size_t first, struct str *out)
{
	const struct fit_event *event = &fit->event[first];
	size_t n = 0;

	for (size_t i = 0; i < first; i++)
		if (same_remark(&fit->event[i], event))
			return;
	for (size_t i = first; i < fit->n; i++)
		if (same_remark(&fit->event[i], event))
			print_listed(out, n++, fit->event[i].name);
	print_listed_more(out, n);
	if (event->why)
		str_addf(out, ": %s", event->why);
	else if (event->idle)
		str_add(out, ": opens, but gets no counter; it is none of this PMU's, or other users have all");
	else if (event->kind == FIT_ELSEWHERE)
		str_add(out, ": of a PMU outside the cores, with counters of its own; counted with -a, never for a "
			     "command");
	else if (event->kind == FIT_PINNED)
		str_add(out, ": pinned, so it keeps its counter in every set");
	else
		str_add(out, ": counted by the kernel, without a counter");
	str_addf(out, event->remedy ? "; %s\n" : "\n", event->remedy);
}

/* Says what holds counters, and what the sets do not contain. */
static void
fit_add_remarks(const struct fit *fit, struct str *out)
{
	fit_write_holders(fit, out);
	for (size_t i = 0; i < fit->n; i++)
		if (fit->event[i].kind != FIT_COUNTED || fit->event[i].why || fit->event[i].idle)
			fit_add_remark(fit, i, out);
}

static void
fit_text(const struct fit *fit, bool ascii, struct str *out)
{
	fit_write_sets(fit, out);
	str_addc(out, '\n');
	fit_add_sets(fit, out);
	fit_add_constraints_held(fit, ascii, out);
	fit_add_remarks(fit, out);
}

static void
fit_json(const struct fit *fit, struct str *out)
{
	struct json_writer json = {.out = out};

	json_open(&json, NULL, '{');
	json_str(&json, "schema", "hecate.fit/1");
	json_str(&json, "cpu", fit->cpu);
	json_bool(&json, "together", fit->n_sets <= 1);
	json_int(&json, "counters", (int64_t)fit->room);
	json_int(&json, "held", (int64_t)fit->held);
	json_bool(&json, "watchdog", fit->watchdog);
	json_bool(&json, "smt", fit->smt);
	json_open(&json, "events", '[');
	for (size_t i = 0; i < fit->n; i++) {
		json_open(&json, NULL, '{');
		json_str(&json, "name", fit->event[i].name);
		json_str(&json, "needs", kind_words[fit->event[i].kind]);
		json_bool(&json, "idle", fit->event[i].idle);
		json_str(&json, "counters", fit->event[i].counters);
		json_str(&json, "why", fit->event[i].why);
		json_str(&json, "remedy", fit->event[i].remedy);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_open(&json, "sets", '[');
	for (size_t s = 0; s < fit->n_sets; s++) {
		json_open(&json, NULL, '{');
		json_open(&json, "events", '[');
		for (size_t i = 0; i < fit->n; i++)
			if (fit_in_set(fit, s, i))
				json_str(&json, NULL, fit->event[i].name);
		json_close(&json, ']');
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_open(&json, "constraints", '[');
	for (size_t k = 0; k < fit->n_constraints; k++) {
		json_open(&json, NULL, '{');
		json_str(&json, "text", fit->constraint[k].text);
		if (fit->constraint[k].set < fit->n_sets)
			json_int(&json, "set", (int64_t)fit->constraint[k].set + 1);
		else
			json_null(&json, "set");
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_close(&json, '}');
}

int
cmd_fit(const struct options *options)
{
	struct fit_names names = {.cpu = options->processor};
	struct err e = {0};
	struct fit *fit = NULL;
	struct str out = {0};
	int status = 2;
	bool good = true;

	for (size_t i = 0; i < options->n_args && good; i++)
		good = fit_add_argument(options, options->arg[i], &names, &e);
	if (good && !names.n) {
		err_set(&e, "fit needs events, metrics, a model, a network or a stack");
		shell_hint(&e, "for instance: hecate fit cycles instructions dTLB-load-misses");
	} else if (good && (!names.cpu || fit_load_table(&names, &e))) {
		const struct fit_related related = {&names.constraints, names.counter, names.run && !names.cpu};

		fit = fit_new_related((const char *const *)names.name, names.n, names.cpu ? &names.table : NULL,
			&related, &e);
	}
	if (*e.what)
		print_failure(&e);
	if (fit) {
		bool refused = false;

		for (size_t i = 0; i < fit->n; i++)
			refused |= fit->event[i].kind == FIT_REFUSED;
		if (options->json)
			fit_json(fit, &out);
		else
			fit_text(fit, print_ascii(options), &out);
		status = !writing_text(options, &out) ? 2 : refused || fit->n_sets > 1;
	}
	fit_free(fit);
	str_free(&out);
	fit_names_free(&names);
	return status;
}
