/* The result of a search, in a sentence. */
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "work/analysis/describe.h"
#include "work/search/search_graph.h"
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
	str_addf(out, "%zu observation%s", n, n == 1 ? "" : "s");
}

/* Appends "X, which 6 observations break". */
static void
search_words_add_broken(const char *constraint, size_t by, struct str *out)
{
	str_addf(out, "%s, which ", constraint);
	search_words_add_count(by, out);
	str_add(out, by == 1 ? " breaks" : " break");
}

static struct fset
repairing(const struct search_work *w)
{
	struct fset f = {0};

	for (size_t i = 0; i < w->s->n_repairs; i++)
		fset_put(&f, w->s->repair[i].feature, true);
	return f;
}

/* Appends the effect of the proposal. The model with the proposal is the last of the lattice, if it was tested. */
static void
say_freed(const struct search_work *work, size_t features, struct str *out)
{
	const struct lattice *lattice = work->s->lattice;
	size_t freed = 0;

	if (lattice->n_models < 2) {
		str_add(out, features > 1 ? "; together they were not tested" : "; it was not tested");
		return;
	}
	if (!lattice->model[1].usable) {
		str_add(out, features > 1 ? "; together they make an error" : "; with it the model makes an error");
		return;
	}
	for (size_t i = 0; i < work->n; i++)
		freed += lattice_refutes(&lattice->model[0], i) && !lattice_refutes(&lattice->model[1], i);
	str_addf(out, features > 1 ? "; together they free %zu" : "; it frees %zu", freed);
	if (lattice->model[1].n_infeasible) {
		str_add(out, ", and ");
		search_words_add_count(lattice->model[1].n_infeasible, out);
		str_add(out, lattice->model[1].n_infeasible == 1 ? " still refutes it" : " still refute it");
	} else {
		str_add(out, ", and nothing is refuted any more");
	}
	for (size_t i = 0; i < lattice->n_shrinks; i++)
		str_add(out, "; but it also removes a part of the cone");
}

static void
say_discovery(const struct search_work *work, struct str *out)
{
	const struct search *search = work->s;
	struct fset found = repairing(work), taken = fset_minus(found, work->cause.left_out),
		required = fset_minus(fset_minus(search->proposed, search->request.on), found);
	bool several = fset_count(&taken) > 1;

	if (search->lattice->n_models && !search->lattice->model[0].n_infeasible) {
		str_add(out,
			search->decided ? "no observation refutes this choice: there is nothing to discover"
				: "nothing could be decided");
		return;
	}
	if (!work->cause.text)
		return;
	if (!search->n_repairs) {
		if (search->lattice->stopped)
			return;
		str_add(out, "no feature relaxes what refutes this choice, above all ");
		search_words_add_broken(work->cause.text, work->cause.by, out);
		return;
	}
	search_words_add_names(work, taken, "", out);
	str_add(out, several ? " relax " : " relaxes ");
	search_words_add_broken(work->cause.text, work->cause.by, out);
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
	if (work->cause.passed) {
		str_add(out, "; no feature relaxes ");
		search_words_add_broken(work->cause.passed, work->cause.passed_by, out);
	}
}

static void
search_words_add_minimal(const struct search_work *work, struct str *out)
{
	const struct lattice *lattice = work->s->lattice;

	str_addf(out, "%sthe smallest survivor%s ", lattice->whole ? "" : "of the models tested ",
		lattice->n_minimal == 1 ? " is" : "s are");
	for (size_t i = 0; i < lattice->n_minimal && i < SETS_SAID; i++) {
		str_add(out, i ? "; " : "");
		search_words_add_names(work, lattice->model[lattice->minimal[i]].on, "no features", out);
	}
	if (lattice->n_minimal > SETS_SAID)
		str_addf(out, "; and %zu more", lattice->n_minimal - SETS_SAID);
}

static void
say_elimination(const struct search_work *work, struct str *out)
{
	const struct lattice *lattice = work->s->lattice;

	if (!lattice->n_models)
		return;
	if (lattice->model[0].n_infeasible) {
		search_words_add_count(lattice->model[0].n_infeasible, out);
		str_addf(out,
			" refute%s this choice: elimination needs one that survives; discovery finds such choices",
			lattice->model[0].n_infeasible == 1 ? "s" : "");
		return;
	}
	if (!work->s->decided)
		str_add(out, "nothing could be decided");
	else
		search_words_add_minimal(work, out);
}

static void
say_all(const struct search_work *work, struct str *out)
{
	const struct lattice *lattice = work->s->lattice;
	size_t orphans = 0;

	if (!work->s->decided) {
		str_add(out, "nothing could be decided");
		return;
	}
	if (lattice->n_minimal) {
		search_words_add_minimal(work, out);
		return;
	}
	for (size_t i = 0; i < lattice->n_observations; i++)
		orphans += lattice->orphan[i];
	str_add(out, lattice->complete ? "no choice of features survives" : "no tested choice of features survives");
	if (orphans) {
		str_add(out, "; ");
		search_words_add_count(orphans, out);
		str_add(out, lattice->complete ? " fit none" : " fit none of them");
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
		work->s->says = mem_str("there is no observation to judge");
		return;
	}
	work->s->suspects_text = suspicion(work);
	if (work->s->suspects_text)
		str_addf(&out, "%s; else ", work->s->suspects_text);
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
	if (out.n && work->s->decided && work->s->decided < work->n) {
		str_add(&out, "; ");
		search_graph_undecided_text(work->n - work->s->decided, work->n, &out);
	}
	work->s->says = out.n ? str_take(&out) : NULL;
	str_free(&out);
}
