#include "work/analysis/touch.h"

#include <stdlib.h>
#include <string.h>

#include "base/int128.h"
#include "base/mem.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "shape/shape.h"
#include "text/diag.h"
#include "work/analysis/cones.h"
#include "work/analysis/describe.h"
#include "work/analysis/miscount.h"
#include "work/analysis/relax.h"
#include "work/analysis/witness.h"

/* A question, and the place of its answer. */
struct touch_question {
	struct analysis *a;
	const int64_t *coef;
	bool equality;
	struct constraint_detail *t;
};

static int64_t
slack_of(const struct touch_question *w, const int64_t *signature)
{
	i128 sum = 0;

	for (size_t i = 0; i < w->a->model->n_counters; i++)
		sum += (i128)w->coef[i] * signature[i];
	return sum > INT64_MAX ? INT64_MAX : sum < INT64_MIN ? INT64_MIN : (int64_t)sum;
}

static bool
raises(const struct touch_question *w, const int64_t *signature)
{
	for (size_t i = 0; i < w->a->model->n_counters; i++)
		if (w->coef[i] && signature[i])
			return true;
	return false;
}

/* Writes one µpath for each of some signatures, expanding the diagram once. If that fails, there are no words. */
static char **
words_of(const struct touch_question *question, const struct fset *on, const struct signatures *sig,
	const size_t *which, size_t n)
{
	struct diags d = {0};
	struct udd_diagram *diagram = n ? udd_expand(question->a->model, on, &d) : NULL;
	char **words = mem_new_array(n, sizeof *words);

	for (size_t i = 0; i < n; i++)
		words[i] = diagram ? witness_words(question->a->model, question->coef, sig, diagram, which[i])
				   : mem_str("");
	udd_diagram_free(diagram);
	diags_free(&d);
	return words;
}

/* Order of the candidates: slack, then the sum of all counts. */
struct candidate {
	size_t signature;
	int64_t slack, total;
};

static int
compare_candidates(const void *va, const void *vb)
{
	const struct candidate *a = va, *b = vb;

	if (a->slack != b->slack)
		return a->slack < b->slack ? -1 : 1;
	if (a->total != b->total)
		return a->total < b->total ? -1 : 1;
	return a->signature < b->signature ? -1 : a->signature > b->signature;
}

static void
find_paths(struct touch_question *question, const struct fset *on, const struct signatures *sig)
{
	struct candidate *candidate = mem_new_array(sig->n, sizeof *candidate);
	size_t n = 0, listed = 0, loose = 0, *which;
	char **words;

	for (size_t k = 0; k < sig->n; k++) {
		const int64_t *row = sig->coef + k * sig->n_counters;

		if (!raises(question, row))
			continue;
		candidate[n] = (struct candidate){.signature = k, .slack = slack_of(question, row)};
		for (size_t i = 0; i < sig->n_counters; i++)
			if (__builtin_add_overflow(candidate[n].total, row[i], &candidate[n].total))
				candidate[n].total = INT64_MAX;
		question->t->tight += candidate[n++].slack == 0;
	}
	question->t->raising = n;
	qsort(candidate, n, sizeof *candidate, compare_candidates);
	which = mem_new_array(n, sizeof *which);
	for (size_t k = 0; k < n && loose < TOUCH_PATHS; k++) {
		if (candidate[k].slack == 0 && k >= TOUCH_PATHS)
			continue;
		loose += candidate[k].slack != 0;
		candidate[listed] = candidate[k];
		which[listed++] = candidate[k].signature;
	}
	words = words_of(question, on, sig, which, listed);
	question->t->path = mem_new_array(listed, sizeof *question->t->path);
	question->t->n_paths = listed;
	for (size_t k = 0; k < listed; k++)
		question->t->path[k] = (struct touch_path){
			.slack = candidate[k].slack, .paths = mem_str(sig->paths[which[k]]), .words = words[k]};
	free(words);
	free(which);
	free(candidate);
}

struct constraint_detail *
touch_new(struct relax *relax, struct analysis *analysis, const struct fset *on, const int64_t *coef, bool equality,
	int side, const bool *breaking)
{
	struct touch_question w = {.a = analysis, .coef = coef, .equality = equality, .t = mem_new(sizeof *w.t)};
	const struct signatures *sig;
	char *error = NULL;

	cones_begin(analysis->cones);
	sig = cones_signatures(analysis->cones, on, &error);
	free(error);
	if (sig) {
		find_paths(&w, on, sig);
		w.t->relax = relax_find(relax, coef, equality, side, breaking);
	}
	if (w.t->relax) {
		w.t->miscount = miscounts_find(analysis, on, coef, breaking, &w.t->n_miscounts);
		return w.t;
	}
	touch_free(w.t);
	return NULL;
}

struct constraint_detail *
analysis_touch(struct analysis *analysis, const struct fset *on, size_t constraint, const int64_t *coef, bool equality,
	const struct analysis_watch *watch)
{
	size_t n = analysis_n_observations(analysis), below = 0, above = 0;
	bool *breaking = mem_new_array(n, sizeof *breaking);
	struct relax *relax = NULL;
	struct constraint_detail *detail = NULL;
	char *error = NULL;

	cones_begin(analysis->cones);
	if (cones_signatures(analysis->cones, on, &error))
		relax = relax_new(analysis, on, watch);
	free(error);
	for (size_t i = 0; relax && i < n; i++) {
		bool low = relax_breaks(relax, i, coef, equality, -1),
		     high = equality && relax_breaks(relax, i, coef, true, 1);

		breaking[i] = low || high;
		below += low;
		above += high && !low;
	}
	if (relax)
		detail = touch_new(relax, analysis, on, coef, equality,
			below && !above           ? -1
				: above && !below ? 1
						  : 0,
			breaking);
	if (detail)
		detail->constraint = constraint;
	relax_free(relax);
	free(breaking);
	return detail;
}

static const struct shape_row PATH_ROWS[] = {
	{SHAPE_FIELD(struct touch_path, slack)}, {SHAPE_FIELD(struct touch_path, paths)},
	{SHAPE_FIELD(struct touch_path, words)},
};
static const struct shape PATH = SHAPE(struct touch_path, PATH_ROWS);

static const struct shape_row TOUCH_ROWS[] = {
	{SHAPE_FIELD(struct constraint_detail, constraint)}, {SHAPE_FIELD(struct constraint_detail, raising)},
	{SHAPE_FIELD(struct constraint_detail, tight)},
	{SHAPE_ARRAY(struct constraint_detail, path, n_paths), .of = &PATH},
	{SHAPE_OWN(struct constraint_detail, relax), .of = &relaxers_shape},
	{SHAPE_ARRAY(struct constraint_detail, miscount, n_miscounts), .of = &miscount_shape},
};
static const struct shape TOUCH = SHAPE(struct constraint_detail, TOUCH_ROWS);

void
touch_wire(struct wire *w, struct constraint_detail *t)
{
	shape_wire(w, &TOUCH, t);
}

void
touch_free(struct constraint_detail *t)
{
	shape_free(&TOUCH, t);
}
