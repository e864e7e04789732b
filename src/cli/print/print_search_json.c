/* The result of a search, as a document (docs/json.md). */
#include <math.h>

#include "base/json.h"
#include "cli/counting.h"
#include "cli/model_args.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_explain.h"
#include "cli/print/print_search.h"
#include "cli/search_watch.h"
#include "core/udd/model.h"
#include "work/analysis/past.h"
#include "work/search/search.h"
#include "work/search/search_result.h"

static const char *
task_name(enum search_task t)
{
	switch (t) {
	case SEARCH_DISCOVER:
		return "discovery";
	case SEARCH_ELIMINATE:
		return "elimination";
	case SEARCH_NONE:
	case SEARCH_AUTO:
		break;
	}
	return "all";
}

/* The strongest refutation. */
static void
write_worst(struct json_writer *w, const struct search *s, const struct lattice_model *x)
{
	const struct search_cone *c = x->usable ? &s->cone[x->cone] : NULL;

	json_str(w, "worst", c ? c->worst : NULL);
	json_str(w, "worst_by", c && c->worst ? s->start->finding[c->worst_by].name : NULL);
}

static void
write_models(struct json_writer *w, const struct udd_model *m, const struct search *s)
{
	json_open(w, "models", '[');
	for (size_t i = 0; i < s->lattice->n_models; i++) {
		const struct lattice_model *x = &s->lattice->model[i];

		json_open(w, NULL, '{');
		print_json_set(w, "features", m, &x->on);
		if (x->usable) {
			json_int(w, "infeasible", (int64_t)x->n_infeasible);
			json_int(w, "infeasible_each", (int64_t)s->cone[x->cone].each);
			json_int(w, "infeasible_family_wise", (int64_t)s->cone[x->cone].family_wise);
			json_int(w, "cone", (int64_t)x->cone);
		} else {
			json_null(w, "infeasible");
			json_null(w, "infeasible_each");
			json_null(w, "infeasible_family_wise");
			json_null(w, "cone");
		}
		json_str(w, "step", lattice_step_name(x->step));
		json_open(w, "refuted_by", '[');
		for (size_t k = 0; k < s->start->n_findings; k++)
			if (lattice_refutes(x, k))
				json_str(w, NULL, s->start->finding[k].name);
		json_close(w, ']');
		write_worst(w, s, x);
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void
write_edges(struct json_writer *w, const struct udd_model *m, const struct lattice *l)
{
	json_open(w, "edges", '[');
	for (size_t i = 0; i < l->n_edges; i++) {
		const struct lattice_edge *e = &l->edge[i];
		size_t f = 0;

		while (f < m->n_features && !fset_has(&e->changed, f))
			f++;
		json_open(w, NULL, '{');
		json_int(w, "from", (int64_t)e->from);
		json_int(w, "to", (int64_t)e->to);
		json_str(w, "feature", fset_count(&e->changed) == 1 ? m->feature[f].name : NULL);
		print_json_set(w, "changed", m, &e->changed);
		json_str(w, "step", lattice_step_name(e->step));
		json_close(w, '}');
	}
	json_close(w, ']');
}

/* `nothing`: pairs in which a feature adds nothing; otherwise pairs that are equal. */
static void
write_alike(struct json_writer *w, const char *key, const struct udd_model *m, const struct search *s, bool nothing)
{
	json_open(w, key, '[');
	for (size_t i = 0; i < s->n_alike; i++) {
		const struct search_alike *x = &s->alike[i];

		if ((x->kind == ALIKE_NOTHING) != nothing)
			continue;
		json_open(w, NULL, '{');
		if (!nothing)
			json_str(w, "kind", x->kind == ALIKE_EQUAL ? "equal" : "survivors");
		json_open(w, "sets", '[');
		print_json_set(w, NULL, m, &s->alike[i].one);
		print_json_set(w, NULL, m, &s->alike[i].other);
		json_close(w, ']');
		json_int(w, "tested", (int64_t)x->tested);
		json_int(w, "held", (int64_t)x->held);
		json_bool(w, "all", x->whole);
		json_str(w, "says", x->says);
		json_str(w, "why", x->why);
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void
write_needs(struct json_writer *w, const struct udd_model *m, const struct search *s)
{
	json_open(w, "needs", '[');
	for (size_t i = 0; i < s->start->n_findings; i++)
		if (fset_count(&s->lattice->needs[i])) {
			json_open(w, NULL, '{');
			json_str(w, "observation", s->start->finding[i].name);
			print_json_set(w, "features", m, &s->lattice->needs[i]);
			json_close(w, '}');
		}
	json_close(w, ']');
	json_open(w, "orphans", '[');
	for (size_t i = 0; i < s->start->n_findings; i++)
		if (s->lattice->orphan[i])
			json_str(w, NULL, s->start->finding[i].name);
	json_close(w, ']');
}

static void
write_shrinks(struct json_writer *w, const struct udd_model *m, const struct lattice *l)
{
	json_open(w, "shrinks", '[');
	for (size_t i = 0; i < l->n_shrinks; i++) {
		json_open(w, NULL, '{');
		json_str(w, "feature", m->feature[l->shrink[i].feature].name);
		json_int(w, "from", (int64_t)l->shrink[i].from);
		json_int(w, "to", (int64_t)l->shrink[i].to);
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void
write_step(struct json_writer *w, const struct udd_model *m, const struct search *s)
{
	json_str(w, "step", task_name(s->request.task));
	print_json_set(w, "fixed", m, &s->lattice->fixed);
	json_str(w, "says", s->says);
	print_json_suspects(w, m, &s->suspects, &s->suspected);
	print_json_set(w, "proposed", m, &s->proposed);
	json_open(w, "repairs", '[');
	for (size_t i = 0; i < s->n_repairs; i++) {
		json_open(w, NULL, '{');
		json_str(w, "feature", m->feature[s->repair[i].feature].name);
		json_int(w, "frees", (int64_t)s->repair[i].frees);
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void
write_minimal(struct json_writer *w, const struct udd_model *m, const struct lattice *l)
{
	json_open(w, "minimal", '[');
	for (size_t i = 0; i < l->n_minimal; i++)
		print_json_set(w, NULL, m, &l->model[l->minimal[i]].on);
	json_close(w, ']');
	print_json_set(w, "required", m, &l->required);
}

/* The smallest survivors by each observation's verdict, or by Holm's procedure over all. */
static void
write_by(struct json_writer *w, const char *key, const struct udd_model *m, const struct lattice *l)
{
	json_open(w, key, '{');
	write_minimal(w, m, l);
	json_bool(w, "complete", l->complete);
	json_close(w, '}');
}

static void
write_changes(struct json_writer *w, const struct udd_model *m, const struct search_watch *watch)
{
	json_open(w, "changes", '[');
	for (size_t i = 0; i < watch->n_changes; i++) {
		const struct watch_change *c = &watch->change[i];

		json_open(w, NULL, '{');
		json_num(w, "seconds", c->seconds);
		json_int(w, "samples", (int64_t)c->samples);
		json_open(w, "minimal", '[');
		for (size_t k = 0; k < c->n_minimal; k++)
			print_json_set(w, NULL, m, &c->minimal[k]);
		json_close(w, ']');
		print_json_set(w, "required", m, &c->required);
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void
write_refusal(struct json_writer *w, const struct search *s, const struct search_end *end)
{
	if (!end->refused) {
		json_null(w, "refusal");
		return;
	}
	json_open(w, "refusal", '{');
	json_open(w, "observations", '[');
	for (size_t i = 0; i < end->refusal.n; i++)
		json_str(w, NULL, s->start->finding[end->refusal.element[i]].name);
	json_close(w, ']');
	json_bool(w, "smallest", end->refusal.proven);
	json_close(w, '}');
}

static void
write_watch(struct json_writer *w, const struct udd_model *m, const struct search_watch *watch)
{
	if (!watch) {
		json_null(w, "watch");
		return;
	}
	json_open(w, "watch", '{');
	json_int(w, "searches", (int64_t)watch->searches);
	write_changes(w, m, watch);
	json_open(w, "refutations", '[');
	for (size_t i = 0; i < watch->past->n; i++) {
		const struct past_refutation *r = &watch->past->item[i];

		json_open(w, NULL, '{');
		json_str(w, "observation", r->name);
		json_num(w, "seconds", r->seconds);
		json_int(w, "samples", (int64_t)r->samples);
		print_json_set(w, "features", m, &r->on);
		json_str(w, "text", r->text);
		print_coefficients(w, "coef", m, r->coef, m->n_counters);
		json_close(w, '}');
	}
	json_close(w, ']');
	json_close(w, '}');
}

void
print_search_json(const struct options *o, const struct udd_model *m, const struct search *s,
	const struct search_end *end, const struct counting *c, const struct search_watch *watch, struct json_writer *w)
{
	const struct lattice *l = s->lattice;
	struct fset optional = search_optional(s);

	json_open(w, NULL, '{');
	print_json_head(w, "hecate.search/1", m, &s->start->on);
	print_counting_json(c, w);
	print_json_data(w, o, m, s->start, c);
	json_int(w, "observations", (int64_t)s->start->n_findings);
	json_int(w, "decided", (int64_t)s->decided);
	json_int(w, "undecided", (int64_t)(s->start->n_findings - s->decided));
	write_step(w, m, s);
	write_models(w, m, s);
	write_edges(w, m, l);
	write_minimal(w, m, l);
	print_json_set(w, "optional", m, &optional);
	print_json_set(w, "useless", m, &s->useless);
	json_open(w, "useless_tried", '{');
	json_int(w, "tested", (int64_t)s->useless_tested);
	json_bool(w, "all", s->useless_whole);
	json_close(w, '}');
	print_json_set(w, "impossible", m, &l->impossible);
	write_by(w, "by_each", m, model_args_family_wise(o) && s->other ? s->other : l);
	write_by(w, "by_family_wise", m, !model_args_family_wise(o) && s->other ? s->other : l);
	write_alike(w, "inseparable", m, s, false);
	write_alike(w, "adds_nothing", m, s, true);
	write_needs(w, m, s);
	write_shrinks(w, m, l);
	print_json_set(w, "proven", m, &s->proven);
	json_bool(w, "complete", l->complete);
	json_str(w, "reason", l->reason);
	json_int(w, "tested", (int64_t)l->tested);
	json_num(w, "skipped", l->sets - (double)l->tested);
	json_int(w, "cones", (int64_t)s->cones);
	write_refusal(w, s, end);
	print_drafts_json(w, m, s->start, end->drafts);
	print_explain_json(w, m, s->start, end->start);
	json_num(w, "seconds", s->seconds);
	if (s->worth)
		print_worth_json(w, m, s->worth);
	write_watch(w, m, watch);
	json_close(w, '}');
}
