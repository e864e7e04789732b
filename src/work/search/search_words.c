/* The result of a search, in a sentence. */
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "work/analysis/describe.h"
#include "work/search/search_work.h"

#define SETS_SAID 3

static void
search_words_add_names(const struct search_work *work, struct fset on, const char *none, struct str *out)
{
	size_t n = fset_count(&on), some = 0;

	for (size_t i = 0; i < work->a->model->n_features; i++)
		if (fset_has(&on, i)) {
			str_add(out, !some ? "" : some + 1 == n ? " and " : ", ");
			str_add(out, work->a->model->feature[i].name);
			some++;
		}
	if (!n)
		str_add(out, none);
}

static void
search_words_add_count(size_t n, struct str *out)
{
	str_addf(out, "%zu observation%s", n, plural_s(n));
}

static struct fset
repairing(const struct search_work *w)
{
	struct fset f = {0};

	for (size_t i = 0; i < w->s->graph->n_repairs; i++)
		fset_put(&f, w->s->graph->repair[i].feature, true);
	return f;
}

/* Appends the effect of the proposal. The model with the proposal is the last of the graph, if it was tested. */
static void
say_freed(const struct search_work *work, size_t features, struct str *out)
{
	const struct search_graph *graph = work->s->graph;
	size_t freed = 0;

	if (graph->n_models < 2) {
		str_add(out, features > 1 ? "; together they were not tested" : "; it was not tested");
		return;
	}
	if (!graph->model[1].usable) {
		str_add(out, features > 1 ? "; together they make an error" : "; with it the model makes an error");
		return;
	}
	for (size_t i = 0; i < work->n; i++)
		freed += graph_model_refuted_by(&graph->model[0], i) && !graph_model_refuted_by(&graph->model[1], i);
	str_addf(out, features > 1 ? "; together they free %zu" : "; it frees %zu", freed);
	if (graph->model[1].infeasible) {
		str_add(out, ", and ");
		search_words_add_count(graph->model[1].infeasible, out);
		str_add(out, graph->model[1].infeasible == 1 ? " still refutes it" : " still refute it");
	} else {
		str_add(out, ", and nothing is refuted any more");
	}
	for (size_t i = 0; i < graph->own.n_shrinks; i++)
		str_add(out, "; but it also removes a part of the cone");
}

static void
say_discovery(const struct search_work *work, struct str *out)
{
	const struct search *search = work->s;
	struct fset found = repairing(work), taken = fset_minus(found, work->cause.left_out),
		required = fset_minus(fset_minus(search->graph->proposed, search->request.on), found);
	bool several = fset_count(&taken) > 1;

	if (search->graph->n_models && !search->graph->model[0].infeasible) {
		str_add(out,
			search_decided(search) ? "no observation refutes this choice: there is nothing to discover"
				: "nothing could be decided");
		return;
	}
	if (!work->cause.text)
		return;
	if (!search->graph->n_repairs) {
		if (search->graph->own.stopped)
			return;
		str_add(out, "no feature relaxes what refutes this choice, above all ");
		str_add(out, work->cause.text);
		return;
	}
	search_words_add_names(work, taken, "", out);
	str_add(out, several ? " relax " : " relaxes ");
	str_add(out, work->cause.text);
	if (fset_count(&required)) {
		str_add(out, "; with ");
		search_words_add_names(work, required, "", out);
		str_add(out, fset_count(&required) > 1 ? ", which are required" : ", which is required");
	}
	say_freed(work, fset_count(&taken), out);
	if (fset_count(&work->cause.left_out)) {
		str_add(out, "; ");
		search_words_add_names(work, work->cause.left_out, "", out);
		str_add(out, " would too, but cannot be on together with these");
	}
	if (work->cause.passed)
		str_addf(out, "; no feature relaxes %s", work->cause.passed);
}

static void
search_words_add_minimal(const struct search_work *work, struct str *out)
{
	const struct search_graph *graph = work->s->graph;

	str_addf(out, "%sthe smallest survivor%s ", graph->own.whole ? "" : "of the models tested ",
		graph->needs.n_minimal == 1 ? " is" : "s are");
	for (size_t i = 0; i < graph->needs.n_minimal && i < SETS_SAID; i++) {
		str_add(out, i ? "; " : "");
		search_words_add_names(work, graph->model[graph->needs.minimal[i]].on, "no features", out);
	}
	if (graph->needs.n_minimal > SETS_SAID)
		str_addf(out, "; and %zu more", graph->needs.n_minimal - SETS_SAID);
}

static void
say_elimination(const struct search_work *work, struct str *out)
{
	const struct search_graph *graph = work->s->graph;

	if (!graph->n_models)
		return;
	if (graph->model[0].infeasible) {
		search_words_add_count(graph->model[0].infeasible, out);
		str_addf(out,
			" refute%s this choice: elimination needs one that survives; discovery finds such choices",
			graph->model[0].infeasible == 1 ? "s" : "");
		return;
	}
	if (!search_decided(work->s))
		str_add(out, "nothing could be decided");
	else
		search_words_add_minimal(work, out);
}

static void
say_all(const struct search_work *work, struct str *out)
{
	const struct search_graph *graph = work->s->graph;
	size_t orphans = 0;

	if (!search_decided(work->s)) {
		str_add(out, "nothing could be decided");
		return;
	}
	if (graph->needs.n_minimal) {
		search_words_add_minimal(work, out);
		return;
	}
	for (size_t i = 0; i < graph->n_observations; i++)
		orphans += graph->own.orphan[i];
	str_add(out, graph->complete ? "no choice of features survives" : "no tested choice of features survives");
	if (orphans) {
		str_add(out, "; ");
		search_words_add_count(orphans, out);
		str_add(out, graph->complete ? " fit none" : " fit none of them");
	}
}

/* Returns "perhaps COUNTER counts 1.22 to 1.24 times what it should, the same in all observations: that alone would
 * explain all 7 that refute A and B". */
static char *
suspicion(const struct search_work *w)
{
	char *sentence = suspects_sentence(w->a->model, &w->s->suspects);
	struct str out = {0};

	if (!sentence)
		return NULL;
	str_add(&out, sentence);
	search_words_add_names(w, w->s->suspected, "no features", &out);
	free(sentence);
	return str_take(&out);
}

void
search_write_words(struct search_work *work)
{
	struct str out = {0};

	if (!work->n) {
		work->s->graph->says = mem_str("there is no observation to judge");
		return;
	}
	work->s->graph->suspects = suspicion(work);
	if (work->s->graph->suspects)
		str_addf(&out, "%s; else ", work->s->graph->suspects);
	switch (work->s->request.task) {
	case SEARCH_DISCOVER:
		say_discovery(work, &out);
		break;
	case SEARCH_ELIMINATE:
		say_elimination(work, &out);
		break;
	case SEARCH_NONE:
	case SEARCH_AUTO:
		say_all(work, &out);
		break;
	}
	if (out.n && search_decided(work->s) && search_decided(work->s) < work->n) {
		str_add(&out, "; ");
		search_graph_undecided_text(work->s->graph->undecided, work->n, &out);
	}
	work->s->graph->says = out.n ? str_take(&out) : NULL;
	str_free(&out);
}
