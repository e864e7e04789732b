#include "core/laws/judge.h"

#include <stdlib.h>

#include "base/mem.h"
#include "core/laws/ask.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"

const char *const law_state_words[] = {"holds", "strained", "broken"};

struct columns_match *
laws_match(const struct laws *laws, const struct obs_table *table)
{
	struct wanted_counter *wanted = mem_new_array(laws->n_events, sizeof *wanted);
	struct event_item *event = mem_new_array(laws->n_events, sizeof *event);
	struct columns_match *out;

	for (size_t i = 0; i < laws->n_events; i++) {
		event[i] = (struct event_item){.name = laws->event[i].name, .also = laws->event[i].also};
		wanted[i] = (struct wanted_counter){.name = event[i].name, .event = &event[i], .n_events = 1};
	}
	out = columns_match_counters(wanted, laws->n_events, table);
	free(wanted);
	free(event);
	return out;
}

static int
worse_first(const void *a, const void *b)
{
	const struct law_finding *x = a, *y = b;

	if (x->sum.state != y->sum.state)
		return x->sum.state > y->sum.state ? -1 : 1;
	return x->law < y->law ? -1 : x->law > y->law;
}

struct laws_judgement *
laws_judge(const struct laws *laws, const struct columns_match *match, const struct obs *obs,
	const struct laws_how *options)
{
	struct law_asked asked = {.laws = laws, .match = match, .obs = obs, .options = options};
	struct laws_judgement *out = mem_new(sizeof *out);
	struct law_form *form = mem_new_array(laws->n, sizeof *form);

	out->finding = mem_new_array(laws->n, sizeof *out->finding);
	for (size_t i = 0; i < laws->n; i++)
		if (law_lacks(&asked, laws->law[i].without) && law_can_ask(&asked, &laws->law[i].form)) {
			form[out->n] = laws->law[i].form;
			out->finding[out->n++].law = i;
		}
	law_ask_begin(&asked);
	law_ask_level(&asked, form, out->n);
	for (size_t i = 0; i < out->n; i++) {
		out->finding[i].sum = law_ask(&asked, &form[i]);
		out->n_broken += out->finding[i].sum.state == LAW_BROKEN;
		out->n_strained += out->finding[i].sum.state == LAW_STRAINED;
	}
	qsort(out->finding, out->n, sizeof *out->finding, worse_first);
	if (out->n_broken)
		law_find_blame(&asked, form, out->n, out);
	free(form);
	return out;
}

void
laws_judgement_free(struct laws_judgement *judgement)
{
	if (!judgement)
		return;
	free(judgement->finding);
	free(judgement->blame);
	free(judgement);
}
