#include "work/trust/measured.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "collect/workload/workload.h"
#include "core/trust/book.h"
#include "core/trust/judge.h"
#include "core/trust/runs.h"
#include "event/name.h"
#include "work/trust/determinism.h"

/* What a kind of the workload's counts is called in books. */
static const struct { enum workload_kind kind; const char *class; } classes[] = {
	{WORKLOAD_INSTRUCTIONS, "inst_retired"},
	{WORKLOAD_BRANCHES, "branches_retired"},
	{WORKLOAD_CONDITIONAL, "cond_branches_retired"},
	{WORKLOAD_LOADS, "loads_retired"},
	{WORKLOAD_STORES, "stores_retired"},
};

static const struct trust_group *
measured_group_of(const struct trust_runs *runs, const char *event, size_t *at)
{
	for (size_t k = 0; k < runs->n; k++)
		if (str_eq(runs->group[k].event, event) && str_eq(runs->group[k].test, "all parts")) {
			*at = k;
			return &runs->group[k];
		}
	return NULL;
}

const struct trust_judged *
measured_judged(const struct trust_runs *runs, const struct trust_judgement *j, const char *event)
{
	size_t at;
	return measured_group_of(runs, event, &at) != NULL ? &j->group[at] : NULL;
}

trust_letters
measured_letters(const struct determinism_event *event, const struct trust_judged *judged)
{
	trust_letters all = judged->letters;
	/* what the kernel counts when it is entered is no error of the parts that enter it */
	for (size_t k = 0; !event->kernel && k < event->parts.n_found; k++)
		all |= determinism_letter(event->parts.found[k].part, event->parts.found[k].slope);
	return all;
}

void
measured_found_text(const struct attribute_found *found, struct str *out)
{
	double per = 1.0;
	const char *occasion = determinism_occasion(found->part, &per);
	bool constant = found->constant_low < 0.0 || found->constant_high > 0.0,
	     slope = found->low > 1e-9 || found->high < -1e-9;
	str_addf(out, "%s: ", determinism_part(found->part).name);
	if (slope || !constant)
		str_addf(out, "%+.4g (%.4g to %.4g) for each %s", found->slope / per, found->low / per,
			found->high / per, occasion);
	if (constant)
		str_addf(out, "%s%+.0f (%.0f to %.0f) in each run", slope ? ", and " : "", found->constant,
			found->constant_low, found->constant_high);
}

/* Adds a term, or widens the one for the same cause. */
static void
measured_add_term(struct trust_entry *e, enum trust_cause cause, double low, double high)
{
	for (size_t k = 0; k < e->n_terms; k++)
		if (e->term[k].cause == cause) {
			e->term[k].low = fmin(e->term[k].low, low);
			e->term[k].high = fmax(e->term[k].high, high);
			return;
		}
	if (e->n_terms < TRUST_TERMS_MAX)
		e->term[e->n_terms++] = (struct trust_term){cause, low, high};
}

static bool
has_term(const struct trust_entry *e, enum trust_cause cause)
{
	for (size_t k = 0; k < e->n_terms; k++)
		if (e->term[k].cause == cause)
			return true;
	return false;
}

/* What single parts show is more exact than an assumption. Of interrupts that are an upper bound each received one adds
 * at least as much as the slope says, and one at most, the return. */
static void
measured_add_terms(struct trust_entry *entry, const struct determinism_event *event, const struct trust_judged *judged)
{
	enum trust_cause cause;
	for (size_t k = 0; k < event->parts.n_found; k++) {
		const struct attribute_found *found = &event->parts.found[k];
		double per = 1.0;
		const char *occasion = determinism_occasion(found->part, &per);
		if (str_eq(occasion, "page fault"))
			measured_add_term(entry, TRUST_PER_FAULT, found->low / per, found->high / per);
		else if (str_eq(occasion, "exception") || str_eq(occasion, "masked exception"))
			measured_add_term(entry, TRUST_PER_EXCEPTION, found->low / per, found->high / per);
	}
	for (size_t k = 0; k < judged->n_parts; k++) {
		const struct trust_part *part = &judged->part[k];
		if (part->per_run || !trust_cause_find(part->by, &cause) || (part->assumed && has_term(entry, cause)))
			continue;
		measured_add_term(
			entry, cause, fmin(part->low, part->slope), fmax(part->bound ? 1.0 : part->slope, part->high));
	}
}

static char *
note_of(const struct determinism_event *event, const struct trust_judged *judged)
{
	struct str note = {0};
	char number[NUMBER_TEXT];
	if (judged->spread > 0.0)
		str_addf(&note, "varies by %s between runs",
			number_exact(number, llround(judged->spread), false, true));
	for (size_t k = 0; k < event->parts.n_found; k++) {
		str_add(&note, note.n > 0 ? "; " : "");
		measured_found_text(&event->parts.found[k], &note);
	}
	for (size_t k = 0; k < judged->n_said; k++)
		if (!judged->said[k].of_machine)
			str_addf(&note, "%s%s", note.n > 0 ? "; " : "", judged->said[k].text);
	if (note.n == 0)
		return NULL;
	str_addc(&note, '.');
	return str_take(&note);
}

/* An event that is right in total, while its parts are not, is not exact. */
static enum trust_verdict
verdict_of(const struct trust_judged *judged, trust_letters letters)
{
	return judged->verdict == TRUST_EXACT && letters != 0 ? TRUST_CONSTANT : judged->verdict;
}

static bool
shows_something(const struct determinism *d, const struct determinism_event *event, const struct trust_group *g,
	const struct trust_judged *judged, size_t runs)
{
	if (event->multiplexed || event->silent || judged->verdict == TRUST_UNKNOWN || g->n < runs)
		return false;
	if (g->kernel && judged->verdict != TRUST_EXACT)
		return false;
	if (event->kind < 0 && judged->verdict != TRUST_REPEATABLE) /* cycles vary: that is no error */
		return false;
	return !d->cut || event->kind < 0 || (event->searched && event->parts.whole);
}

static struct trust_entry
measured_entry_of(
	const struct determinism_event *event, const struct trust_judged *judged, const char *day, size_t runs)
{
	struct trust_entry e = {.n_events = 1, .measured = true};
	e.event = mem_new(sizeof *e.event);
	e.event[0] = mem_str(event->name);
	for (size_t k = 0; k < sizeof classes / sizeof classes[0]; k++)
		if (event->kind == (int)classes[k].kind)
			e.stands_for = mem_str(classes[k].class);
	e.letters = measured_letters(event, judged);
	e.verdict = verdict_of(judged, e.letters);
	measured_add_terms(&e, event, judged);
	e.note = note_of(event, judged);
	e.source = str_format("measured here %s, %zu runs of hecate-workload", day, runs);
	return e;
}

struct trust_page *
measured_page(const struct determinism *determinism, const struct trust_runs *runs,
	const struct trust_judgement *judgement, size_t n, const char *day)
{
	struct trust_page *page = mem_new(sizeof *page);
	size_t at = 0;
	page->cpu.family = -1;
	page->entry = mem_new_array(determinism->n_events, sizeof *page->entry);
	for (size_t k = 0; k < determinism->n_events; k++) {
		const struct determinism_event *event = &determinism->event[k];
		const struct trust_group *group = event->name != NULL ? measured_group_of(runs, event->name, &at)
								      : NULL;
		if (group != NULL && shows_something(determinism, event, group, &judgement->group[at], n))
			page->entry[page->n++] = measured_entry_of(event, &judgement->group[at], day, group->n);
	}
	return page;
}
