/* Where the numbers of an observation come from: its source, its counters with their events, the constraint or the
 * region, what it breaks, and the proof. */
#include "draw/view/constraints/constraints.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/str.h"
#include "base/utf8.h"
#include "core/obs/obs.h"
#include "core/obs/source_data.h"
#include "core/udd/model.h"
#include "draw/view/popups/popups.h"
#include "draw/view/view_relation.h"
#include "draw/view/view_trust.h"
#include "work/run/run.h"

static void
whence_counters(const struct state *s, const struct finding *f, struct str *out)
{
	const struct source_status *status = run_facts(s->data.leader).status;
	size_t name_width = 0, value_width = 0;
	char number[NUMBER_TEXT];

	for (size_t i = 0; i < s->question.model->n_counters; i++) {
		size_t w = utf8_width(s->question.model->counter[i].name),
		       v = utf8_width(number_full(number, f->counter.value[i], false));

		name_width = w > name_width ? w : name_width;
		value_width = v > value_width ? v : value_width;
	}
	for (size_t i = 0; i < s->question.model->n_counters; i++) {
		const struct udd_counter *c = &s->question.model->counter[i];
		const char *value = number_full(number, f->counter.value[i], false);

		str_addf(out, "%s%*s  %s  ", c->name,
			(int)(name_width - utf8_width(c->name) + value_width - utf8_width(value)), "", value);
		if (f->counter.dead[i])
			str_add(out, "dead: never live, in no verdict  ");
		for (size_t k = 0; k < c->n_events; k++) {
			str_addf(out, "%s%s", k ? " + " : "", c->event[k].name);
			if (c->event[k].filter)
				str_addf(out, " if %s", c->event[k].filter);
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
whence_region(const struct state *s, const struct finding *f, struct str *out)
{
	char number[NUMBER_TEXT];
	size_t n = 0;

	for (size_t i = 0; i < f->counter.n_values; i++)
		n += isfinite(f->counter.value[i]) != 0;
	if (f->data.exact) {
		str_add(out,
			"excess: the left side minus the right side of the worst constraint, in counts; exact, so "
			"anything but 0 refutes an equality\n\n");
		return;
	}
	if (!isfinite(f->measure.distance2))
		return;
	str_addf(out, "d² %s: squared distance of the mean from the cone, in units of its covariance\n",
		number_digits(number, f->measure.distance2, 6, false));
	if (f->data.peeked) {
		str_addf(out,
			"threshold %s: a mean on the cone stays below it at every look, with %g %% confidence\n",
			number_digits(number, f->measure.threshold2, 6, false), s->question.how.confidence * 100);
		str_addf(out, "p %s: of this look; valid however often one looks\n", number_p(number, f->measure.p));
	} else if (f->own.test.dimensions && s->question.how.decides == REGION_CONE) {
		str_addf(out,
			"threshold %s: %g %% quantile of Hotelling's T² in %zu of %zu dimensions: the number of "
			"constraints that meet at the cone's nearest point\n",
			number_digits(number, f->measure.threshold2, 6, false), s->question.how.confidence * 100,
			f->own.test.dimensions, n);
		str_addf(out, "p %s: chance of such a distance or more if the mean is on the cone%s\n",
			number_p(number, f->measure.p),
			isnan(f->own.doubt) ? "" : ", with the noise in time that explains it best");
	} else {
		str_addf(out, "threshold %s: %g %% quantile of χ² with %zu degrees of freedom, one per counter\n",
			number_digits(number, f->measure.threshold2, 6, false), s->question.how.confidence * 100, n);
		str_addf(out, "p %s: chance of such a distance or more if the mean is on the cone\n",
			number_p(number, f->measure.p));
	}
	str_addf(out, "corr %.3f: mean size of the correlations between the means; closest pair %.4f\n",
		f->correlation.mean, f->correlation.most);
	str_add(out, "over time: each counter over its mean, averaged over the counters\n\n");
}

/* What was subtracted from counters by what is known of their events. */
static void
whence_trust(const struct state *s, const struct finding *f, struct str *out)
{
	char by[NUMBER_TEXT], off[NUMBER_TEXT];

	for (size_t i = 0; i < f->n_trust; i++) {
		const struct finding_trust *t = &f->trust[i];
		const char *name = s->question.model->counter[t->counter].name;

		if (isinf(t->widened))
			str_addf(out, "%s is not used in the verdict: %s\n", name, t->because);
		else
			str_addf(out, "%s lowered by %s, and may be off by %s: %s\n", name,
				number_full(by, t->subtracted, false), number_full(off, t->widened, false), t->because);
	}
	if (f->n_trust && f->counter.without_trust != f->own.verdict)
		str_addf(out, "without these corrections it is %s\n", verdict_name(f->counter.without_trust));
}

/* "violates a ≤ b", and by how much; then the proof. */
static void
whence_add_broken(struct page *p, const struct finding *f)
{
	for (size_t i = 0; i < f->proof.n_violated; i++) {
		char *size = violation_size(f, &f->proof.violated[i]), *head = str_format("violated, %s", size),
		     *relation = relation_pretty(f->proof.violated[i].text);

		p->row += i == 0;
		page_head(p, head, "");
		page_relation(p, ROLE_TEXT, 0, 2, relation);
		free(relation);
		free(head);
		free(size);
	}
	if (f->proof.n_certificates) {
		char *relation = relation_pretty(f->proof.certificate->text);

		p->row++;
		page_head(p, "certificate", "");
		page_relation(p, ROLE_TEXT, 0, 2, relation);
		page_words(p, ROLE_TEXT,
			f->own.verified
				? "Every signature of the model satisfies it and the whole region violates it; "
				  "checked in exact arithmetic, without the solvers."
				: "Every signature of the model satisfies it and the whole region violates it; this is "
				  "not checked.");
		free(relation);
	}
}

int
draw_whence(const struct state *s, struct grid *g, struct rect screen, int first)
{
	const struct finding *f = state_finding(s);
	struct rect in =
		draw_popup(g, screen, screen.w - 8, screen.h - 6, f ? f->name : "", "where the numbers come from");
	struct page p = {.s = s, .g = g, .r = in, .skip = first};
	struct str text = {0};

	if (!f)
		return 1;
	str_addf(&text, "%s\n%s, %zu sample%s, verdict %s\n\n", f->source,
		f->data.exact ? "exact totals" : "noisy samples", f->data.samples, f->data.samples == 1 ? "" : "s",
		verdict_name(f->verdict));
	page_words(&p, ROLE_TEXT, str_text(&text));
	str_clear(&text);
	if (s->view.current == VIEW_CONSTRAINTS)
		whence_constraint(&p, f);
	else if (s->view.current == VIEW_OBSERVATIONS || s->view.current == VIEW_GEOMETRY)
		whence_region(s, f, &text);
	for (size_t i = 0; i < f->n_warnings; i++)
		str_addf(&text, DOUBT_MARK " %s\n%s", f->warning[i].text, i + 1 == f->n_warnings ? "\n" : "");
	whence_counters(s, f, &text);
	page_words(&p, ROLE_TEXT, str_text(&text));
	str_clear(&text);
	whence_trust(s, f, &text);
	if (text.n) {
		page_blank(&p);
		page_head(&p, "what is known of the counters lowers them", "");
		page_words(&p, ROLE_TEXT, str_text(&text));
	}
	page_counters_trust(&p, "how far the counters can be trusted");
	str_free(&text);
	whence_add_broken(&p, f);
	return page_rows(&p);
}
