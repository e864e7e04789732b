#include "cli/print/print_explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "base/utf8.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "core/udd/model.h"
#include "draw/cell.h"
#include "work/analysis/explain.h"
#include "work/analysis/miscount.h"
#include "work/analysis/suspects.h"
#include "work/analysis/touch.h"
#include "work/analysis/words.h"

#define NAMES_SHOWN 4
#define TIGHT_SHOWN 2
#define MISCOUNTS_SHOWN 2

static void
write_steps(struct json_writer *w, const char *steps)
{
	char **line = str_split(steps, '\n', NULL);

	json_open(w, "witness", '[');
	for (size_t i = 0; line[i]; i++)
		if (*line[i])
			json_str(w, NULL, line[i]);
	json_close(w, ']');
	str_split_free(line);
}

static void
write_relaxers(struct json_writer *w, const struct udd_model *m, const struct relaxers *r)
{
	json_open(w, "relaxed_by", '[');
	for (size_t i = 0; i < r->n && r->one[i].signatures; i++) {
		const struct relaxer *x = &r->one[i];

		json_open(w, NULL, '{');
		print_json_set(w, "features", m, &x->added);
		json_int(w, "signatures", (int64_t)x->signatures);
		json_int(w, "alone", (int64_t)x->alone);
		json_int(w, "together", (int64_t)x->together);
		print_json_set(w, "together_with", m, &x->all);
		if (x->tie == RELAX_NONE)
			json_null(w, "ties_with");
		else
			print_json_set(w, "ties_with", m, &r->one[x->tie].added);
		json_bool(w, "same_cone", x->same_cone);
		write_steps(w, x->steps);
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void
write_miscounts(struct json_writer *w, const struct udd_model *m, const struct constraint_detail *t)
{
	json_open(w, "miscounts", '[');
	for (size_t i = 0; i < t->n_miscounts; i++) {
		const struct miscount *c = &t->miscount[i];

		json_open(w, NULL, '{');
		json_str(w, "counter", m->counter[c->counter].name);
		json_str(w, "direction", c->high ? "high" : "low");
		json_int(w, "explains", (int64_t)c->enough);
		json_bool(w, "zero", c->zero);
		json_num(w, "share_least", c->share[0]);
		json_num(w, "share_most", c->share[1]);
		if (*c->leak) {
			json_str(w, "per", c->leak);
			json_num(w, "rate_least", c->rate[0]);
			json_num(w, "rate_most", c->rate[1]);
		}
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void
write_tight(struct json_writer *w, const struct constraint_detail *t)
{
	json_int(w, "tight", (int64_t)t->tight);
	json_int(w, "raising", (int64_t)t->raising);
	json_open(w, "held_by", '[');
	for (size_t i = 0; i < t->n_paths; i++)
		if (!t->path[i].slack)
			json_str(w, NULL, t->path[i].words);
	json_close(w, ']');
}

void
print_explain_json(
	struct json_writer *w, const struct udd_model *m, const struct result *r, const struct explanations *x)
{
	if (!x)
		return;
	json_open(w, "explanations", '[');
	for (size_t i = 0; i < x->n; i++) {
		const struct explanation *e = &x->one[i];

		json_open(w, NULL, '{');
		json_str(w, "text", e->constraint->text);
		json_bool(w, "equality", e->constraint->equality);
		print_coefficients(w, "coef", m, e->constraint->coef, e->constraint->n);
		json_bool(w, "combined", e->certificate);
		json_open(w, "broken_by", '[');
		for (size_t k = 0; k < e->n_findings; k++)
			json_str(w, NULL, r->finding[e->finding[k]].name);
		json_close(w, ']');
		json_num(w, "worst_margin", e->worst);
		json_num(w, "worst_off", e->off);
		write_tight(w, e->touch);
		write_relaxers(w, m, e->touch->relax);
		json_bool(w, "all_tried", e->touch->relax->whole);
		write_miscounts(w, m, e->touch);
		json_close(w, '}');
	}
	json_close(w, ']');
}

void
print_json_suspects(
	struct json_writer *w, const struct udd_model *m, const struct suspects *s, const struct fset *of)
{
	json_open(w, "suspects", '[');
	for (size_t i = 0; i < s->n; i++) {
		const struct suspect *x = &s->one[i];

		json_open(w, NULL, '{');
		json_str(w, "counter", m->counter[x->counter].name);
		json_num(w, "factor_least", x->least);
		json_num(w, "factor_most", x->most);
		json_str(w, "per", x->leak);
		json_num(w, "rate_least", x->leak ? x->rate[0] : NAN);
		json_num(w, "rate_most", x->leak ? x->rate[1] : NAN);
		json_int(w, "explains", (int64_t)x->refuted);
		print_json_set(w, "of", m, of);
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void
print_explain_add_broken(const struct options *o, const struct result *r, const struct explanation *e, struct str *out)
{
	str_addf(out, "    broken by %zu: ", e->n_findings);
	for (size_t k = 0; k < e->n_findings && (k < NAMES_SHOWN || o->verbose); k++) {
		const char *name = r->finding[e->finding[k]].name;

		str_add(out, k ? ", " : "");
		utf8_add_visible(out, name, strlen(name));
	}
	if (e->n_findings > NAMES_SHOWN && !o->verbose)
		str_addf(out, " and %zu more", e->n_findings - NAMES_SHOWN);
	str_addc(out, '\n');
}

static void
add_tight(const struct options *o, const struct constraint_detail *t, struct str *out)
{
	size_t shown = 0;

	str_addf(out, "    %zu of %zu signatures that raise its counters lie on it\n", t->tight, t->raising);
	for (size_t i = 0; i < t->n_paths && (shown < TIGHT_SHOWN || o->verbose); i++)
		if (!t->path[i].slack) {
			str_addf(out, "      %s\n", t->path[i].words);
			shown++;
		}
}

static void
add_steps(const char *steps, struct str *out)
{
	char **line = str_split(steps, '\n', NULL);

	for (size_t i = 0; line[i]; i++)
		if (*line[i])
			str_addf(out, "          %s\n", line[i]);
	str_split_free(line);
}

/* Prints the first relaxer with its witness step by step, and the others in a line each, or all of them in full with
 * -v. */
static void
add_relaxers(const struct options *o, const struct udd_model *m, const struct relaxers *r, struct str *out)
{
	for (size_t i = 0; i < r->n && r->one[i].signatures; i++) {
		const struct relaxer *x = &r->one[i];

		str_add(out, "    relaxed by ");
		words_features(m, &x->added, out);
		str_addf(out, ": repairs %zu of %zu alone", x->alone, r->asked);
		if (!fset_equal(&x->all, &x->added)) {
			str_addf(out, ", %zu as ", x->together);
			words_features(m, &x->all, out);
		}
		str_addc(out, '\n');
		if (x->tie != RELAX_NONE) {
			str_add(out, "        the same observations as ");
			words_features(m, &r->one[x->tie].added, out);
			str_add(out,
				x->same_cone ? ", and the same cone: no counter in use tells them apart\n"
					     : "; their cones differ\n");
		}
		if (i == 0 || o->verbose)
			add_steps(x->steps, out);
		else
			str_addf(out, "        %s\n", x->words);
	}
	if (r->n == 0 || !r->one[0].signatures)
		str_addf(out, "    no feature that is off relaxes it%s\n",
			r->whole ? ", and no few of them together" : "; not all sets of them were tried");
}

/* Names counters that may be wrong instead of the model. */
static void
add_miscounts(const struct options *o, const struct udd_model *m, const struct explanation *e, struct str *out)
{
	const struct constraint_detail *t = e->touch;
	size_t shown = 0, likely = 0;

	for (size_t i = 0; i < t->n_miscounts; i++) {
		if (!miscount_is_likely(&t->miscount[i]))
			continue;
		likely++;
		if (shown == MISCOUNTS_SHOWN && !o->verbose)
			continue;
		str_add(out, shown++ ? "      or " : "    or a counter is wrong: ");
		miscount_words(m, &t->miscount[i], e->constraint->equality, out);
		str_addf(out, "; that explains %zu of %zu\n", t->miscount[i].enough, e->n_findings);
	}
	if (likely > shown)
		str_addf(out, "      or %zu other%s\n", likely - shown, likely - shown == 1 ? "" : "s");
}

void
print_explain_text(const struct options *o, const struct udd_model *m, const struct result *r,
	const struct explanations *x, struct str *out)
{
	bool ascii = print_ascii(o);
	struct str text = {0};
	char *shown;

	if (!x || !x->n)
		return;
	str_add(&text, "\nwhat refutes it\n");
	for (size_t i = 0; i < x->n; i++) {
		const struct explanation *e = &x->one[i];

		str_add(&text, "  ");
		print_relation(&text, e->constraint->text, ascii);
		str_add(&text,
			e->certificate                     ? "  (a combination: no constraint is violated by itself)\n"
				: !e->constraint->equality ? "\n"
				: e->off > 0               ? ": the left side is too large\n"
							   : ": the left side is too small\n");
		print_explain_add_broken(o, r, e, &text);
		add_tight(o, e->touch, &text);
		add_relaxers(o, m, e->touch->relax, &text);
		add_miscounts(o, m, e, &text);
	}
	shown = glyph_translate(str_text(&text), ascii);
	str_add(out, shown);
	free(shown);
	str_free(&text);
}
