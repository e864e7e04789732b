/* Where the numbers of an observation come from: its source, its counters with their events, the constraint or the
 * region, what it breaks, and the proof. */
#include "draw/view/constraints/constraints.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/obs/obs.h"
#include "core/obs/source_data.h"
#include "core/udd/model.h"
#include "draw/view/view_counters.h"
#include "draw/view/view_relation.h"
#include "draw/view/view_table.h"
#include "draw/view/view_trust.h"
#include "work/run/run.h"

static void
whence_counters(const struct state *state, const struct finding *f, struct str *out)
{
	const struct source_status *status = run_facts(state->data.leader).status;
	size_t name_width = 0, value_width = 0;
	char number[NUMBER_TEXT];

	for (size_t i = 0; i < state->question.model->n_counters; i++) {
		size_t w = utf8_width(state->question.model->counter[i].name),
		       v = utf8_width(number_full(number, f->counter.value[i], false));

		name_width = w > name_width ? w : name_width;
		value_width = v > value_width ? v : value_width;
	}
	for (size_t i = 0; i < state->question.model->n_counters; i++) {
		const struct udd_counter *counter = &state->question.model->counter[i];
		const char *value = number_full(number, f->counter.value[i], false);

		str_addf(out, "%s%*s  %s  ", counter->name,
			(int)(name_width - utf8_width(counter->name) + value_width - utf8_width(value)), "", value);
		if (*counter->text)
			str_addf(out, "%s  ", counter->text);
		if (f->counter.dead[i])
			str_add(out, "dead: never live, in no verdict  ");
		for (size_t k = 0; k < counter->n_events; k++) {
			str_addf(out, "%s%s", k ? " + " : "", counter->event[k].name);
			if (counter->event[k].filter)
				str_addf(out, " if %s", counter->event[k].filter);
		}
		if (status && status[i].health == OBS_UNSUPPORTED)
			str_addf(out, "  not counted: %s", status[i].why);
		else if (status && status[i].user_only)
			str_add(out, "  (:u added)");
		str_addc(out, '\n');
	}
}

/* How the numbers of view 3 are computed. */
static void
whence_region(const struct state *state, const struct finding *finding, struct str *out)
{
	char number[NUMBER_TEXT];
	size_t n = 0;

	for (size_t i = 0; i < finding->counter.n_values; i++)
		n += isfinite(finding->counter.value[i]) != 0;
	if (finding->data.exact) {
		str_add(out,
			"excess: the left side minus the right side of the worst constraint, in counts; exact, so "
			"anything but 0 refutes an equality\n\n");
		return;
	}
	if (!isfinite(finding->measure.distance2))
		return;
	str_addf(out, "d² %s: squared distance of the mean from the cone, in units of its covariance\n",
		number_digits(number, finding->measure.distance2, 6, false));
	if (finding->data.peeked) {
		str_addf(out, "threshold %s: a mean on the cone stays below it at every look, with %g %% confidence\n",
			number_digits(number, finding->measure.threshold2, 6, false),
			state->question.how.confidence * 100);
		str_addf(out, "p %s: of this look; valid however often one looks\n",
			number_p(number, finding->measure.p));
	} else if (finding->own.test.dimensions && state->question.how.decides == REGION_CONE) {
		str_addf(out,
			"threshold %s: %g %% quantile of Hotelling's T² in %zu of %zu dimensions: the number of "
			"constraints that meet at the cone's nearest point\n",
			number_digits(number, finding->measure.threshold2, 6, false),
			state->question.how.confidence * 100, finding->own.test.dimensions, n);
		str_addf(out, "p %s: chance of such a distance or more if the mean is on the cone%s\n",
			number_p(number, finding->measure.p),
			isnan(finding->own.doubt) ? "" : ", with the noise in time that explains it best");
	} else {
		str_addf(out, "threshold %s: %g %% quantile of χ² with %zu degrees of freedom, one per counter\n",
			number_digits(number, finding->measure.threshold2, 6, false),
			state->question.how.confidence * 100, n);
		str_addf(out, "p %s: chance of such a distance or more if the mean is on the cone\n",
			number_p(number, finding->measure.p));
	}
	str_addf(out, "corr %.3f: mean size of the correlations between the means; closest pair %.4f\n",
		finding->correlation.mean, finding->correlation.most);
	str_add(out, "over time: each counter over its mean, averaged over the counters\n\n");
}

/* What was subtracted from counters by what is known of their events. */
static void
whence_trust(const struct state *state, const struct finding *finding, struct str *out)
{
	char by[NUMBER_TEXT], off[NUMBER_TEXT];

	for (size_t i = 0; i < finding->n_trust; i++) {
		const struct finding_trust *trust = &finding->trust[i];
		const char *name = state->question.model->counter[trust->counter].name;

		if (isinf(trust->widened))
			str_addf(out, "%s is not used in the verdict: %s\n", name, trust->because);
		else
			str_addf(out, "%s lowered by %s, and may be off by %s: %s\n", name,
				number_full(by, trust->subtracted, false), number_full(off, trust->widened, false),
				trust->because);
	}
	if (finding->n_trust && finding->counter.without_trust != finding->own.verdict)
		str_addf(out, "without these corrections it is %s\n", verdict_name(finding->counter.without_trust));
}

/* "violates a ≤ b", and by how much; then the proof. */
static void
whence_add_broken(struct page *page, const struct finding *finding)
{
	for (size_t i = 0; i < finding->proof.n_violated; i++) {
		char *size = violation_size(finding, &finding->proof.violated[i]),
		     *head = str_format("violated, %s", size),
		     *relation = relation_pretty(finding->proof.violated[i].text);

		page->row += i == 0;
		page_head(page, head, "");
		page_relation(page, ROLE_TEXT, 0, 2, relation);
		free(relation);
		free(head);
		free(size);
	}
	if (finding->proof.n_certificates) {
		char *relation = relation_pretty(finding->proof.certificate->text);

		page->row++;
		page_head(page, "certificate", "");
		page_relation(page, ROLE_TEXT, 0, 2, relation);
		page_words(page, ROLE_TEXT,
			finding->own.verified
				? "Every signature of the model satisfies it and the whole region violates it; "
				  "checked in exact arithmetic, without the solvers."
				: "Every signature of the model satisfies it and the whole region violates it; this is "
				  "not checked.");
		free(relation);
	}
}

/* Without data: what the counters are. */
static void
add_counters_alone(struct page *page)
{
	const struct udd_model *model = page->s->question.model;
	bool *all = mem_new_array(model ? model->n_counters : 0, sizeof *all);

	for (size_t i = 0; model && i < model->n_counters; i++)
		all[i] = true;
	if (model)
		page_counter_texts(page, all);
	free(all);
}

static int
draw_whence(const struct state *state, struct grid *grid, struct rect screen, int first)
{
	const struct finding *finding = state_finding(state);
	struct rect in = draw_popup(
		grid, screen, screen.w - 8, screen.h - 6, finding ? finding->name : "Counters",
		finding ? "where the numbers come from" : "");
	struct page p = {.s = state, .g = grid, .r = in, .skip = first};
	struct str text = {0};

	if (!finding) {
		add_counters_alone(&p);
		return page_rows(&p);
	}
	str_addf(&text, "%s\n%s, %zu sample%s, verdict %s\n\n", finding->source,
		finding->data.exact ? "exact totals" : "noisy samples", finding->data.samples,
		plural_s(finding->data.samples), verdict_name(finding->verdict));
	page_words(&p, ROLE_TEXT, str_text(&text));
	str_clear(&text);
	if (state->view.current == VIEW_CONSTRAINTS)
		whence_constraint(&p, finding);
	else if (state->view.current == VIEW_OBSERVATIONS || state->view.current == VIEW_GEOMETRY)
		whence_region(state, finding, &text);
	for (size_t i = 0; i < finding->n_warnings; i++)
		str_addf(&text, DOUBT_MARK " %s\n%s", finding->warning[i].text,
			i + 1 == finding->n_warnings ? "\n" : "");
	whence_counters(state, finding, &text);
	page_words(&p, ROLE_TEXT, str_text(&text));
	str_clear(&text);
	whence_trust(state, finding, &text);
	if (text.n) {
		page_blank(&p);
		page_head(&p, "what is known of the counters lowers them", "");
		page_words(&p, ROLE_TEXT, str_text(&text));
	}
	page_counters_trust(&p, "how far the counters can be trusted");
	str_free(&text);
	whence_add_broken(&p, finding);
	return page_rows(&p);
}

const struct popup_draw popup_draw_whence = {.text = draw_whence};
