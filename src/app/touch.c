#include "app/touch.h"

#include <stdlib.h>
#include <string.h>

#include "app/cones.h"
#include "app/describe.h"
#include "app/wire.h"
#include "base/err.h"
#include "base/int128.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/cone/signatures.h"
#include "core/lang/diag.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"

#define PAIR_FEATURES 16 /* more that are off make too many pairs to try */

/* What is asked, and where the answer goes. */
struct work {
	struct analysis *a;
	const int64_t *coef;
	bool equality;
	struct touch *t;
	size_t cap_features;
};

static int64_t
slack_of(const struct work *w, const int64_t *signature)
{
	i128 sum = 0;

	for (size_t i = 0; i < w->a->model->n_counters; i++)
		sum += (i128)w->coef[i] * signature[i];
	return sum > INT64_MAX ? INT64_MAX : sum < INT64_MIN ? INT64_MIN : (int64_t)sum;
}

static bool
raises(const struct work *w, const int64_t *signature)
{
	for (size_t i = 0; i < w->a->model->n_counters; i++)
		if (w->coef[i] && signature[i])
			return true;
	return false;
}

/* "load · DTLB Miss · PDE$ Miss · ■ load.pde$_miss": of the counters only those of the constraint. */
static char *
path_words(const struct work *w, const struct witness *x)
{
	struct str out = {0};
	const char *root = "";

	for (size_t i = 0; i < x->n; i++) {
		const struct step *s = &x->step[i];
		const char *name = s->name;

		/* "load_STLB" of the path "load" is its STLB */
		if (s->kind == STEP_CHOICE && *root && str_starts(name, root) && name[strlen(root)] == '_' && name[strlen(root) + 1])
			name += strlen(root) + 1;
		if (s->kind == STEP_ROOT)
			str_add(&out, root = s->name);
		else if (s->kind == STEP_CHOICE)
			str_addf(&out, " · %s%s%s", name, *name ? " " : "", s->value);
		for (size_t c = 0; s->kind == STEP_COUNT && c < w->a->model->n_counters; c++)
			if (w->coef[c] && str_eq(w->a->model->counter[c].name, s->name))
				str_addf(&out, s->amount > 1 ? " · ■ %s ×%u" : " · ■ %s", s->name, s->amount);
	}
	return str_take(&out);
}

/* One µpath for each of some signatures: the diagram is expanded once. Without it (it was good a moment ago) there are no words. */
static char **
words_of(const struct work *w, const struct fset *on, const struct signatures *sig, const size_t *which, size_t n)
{
	struct diags d = {0};
	struct udd_diagram *g = n ? udd_expand(w->a->model, on, &d) : NULL;
	char **words = mem_new_array(n, sizeof *words);

	for (size_t i = 0; i < n; i++) {
		struct witness *x = g ? signatures_witness(sig, g, which[i]) : NULL;

		words[i] = x ? path_words(w, x) : mem_str("");
		witness_free(x);
	}
	udd_diagram_free(g);
	diags_free(&d);
	return words;
}

/* Candidates for the list: slack first, then the sum of all counts. */
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
find_paths(struct work *w, const struct fset *on, const struct signatures *sig)
{
	struct candidate *c = mem_new_array(sig->n, sizeof *c);
	size_t n = 0, told = 0, loose = 0, *which;
	char **words;

	for (size_t k = 0; k < sig->n; k++) {
		const int64_t *row = sig->coef + k * sig->n_counters;

		if (!raises(w, row))
			continue;
		c[n] = (struct candidate){.signature = k, .slack = slack_of(w, row)};
		for (size_t i = 0; i < sig->n_counters; i++)
			if (__builtin_add_overflow(c[n].total, row[i], &c[n].total))
				c[n].total = INT64_MAX;
		w->t->tight += c[n++].slack == 0;
	}
	w->t->raising = n;
	qsort(c, n, sizeof *c, compare_candidates);
	which = mem_new_array(n, sizeof *which);
	for (size_t k = 0; k < n && loose < TOUCH_PATHS; k++) {
		if (c[k].slack == 0 && k >= TOUCH_PATHS)
			continue;
		loose += c[k].slack != 0;
		c[told] = c[k];
		which[told++] = c[k].signature;
	}
	words = words_of(w, on, sig, which, told);
	w->t->path = mem_new_array(told, sizeof *w->t->path);
	w->t->n_paths = told;
	for (size_t k = 0; k < told; k++)
		w->t->path[k] = (struct touch_path){.slack = c[k].slack, .paths = mem_str(sig->paths[which[k]]), .words = words[k]};
	free(words);
	free(which);
	free(c);
}

/* How many signatures of a choice break the constraint, and one of them. */
static size_t
count_breaking(const struct work *w, const struct signatures *sig, size_t *first)
{
	size_t n = 0;

	for (size_t k = 0; k < sig->n; k++) {
		int64_t slack = slack_of(w, sig->coef + k * sig->n_counters);

		if ((slack < 0 || (w->equality && slack > 0)) && n++ == 0)
			*first = k;
	}
	return n;
}

static struct touch_feature
try_choice(struct work *w, const struct fset *on, size_t feature, size_t partner)
{
	struct touch_feature f = {.feature = feature, .partner = partner};
	const struct signatures *sig;
	struct err e = {0};
	size_t first = 0;
	char *error = NULL;

	if (!udd_legal(w->a->model, on, &e)) {
		f.words = mem_str(e.hint[0] ? e.hint : e.what);
		return f;
	}
	cones_begin(w->a->cones);
	sig = cones_signatures(w->a->cones, on, &error);
	if (!sig) {
		f.words = mem_str("this choice makes an error");
		free(error);
		return f;
	}
	f.legal = true;
	f.signatures = count_breaking(w, sig, &first);
	if (f.signatures) {
		char **words = words_of(w, on, sig, &first, 1);

		f.words = words[0];
		free(words);
	} else {
		f.words = mem_str("");
	}
	return f;
}

static void
keep_feature(struct work *w, struct touch_feature f)
{
	mem_grow(&w->t->feature, &w->cap_features, w->t->n_features + 1, sizeof *w->t->feature);
	w->t->feature[w->t->n_features++] = f;
}

static bool
find_features(struct work *w, const struct fset *now, const struct watch *watch)
{
	size_t n = w->a->model->n_features, alone;
	bool pairs;

	for (size_t i = 0; i < n; i++) {
		struct fset on = *now;

		if (fset_has(now, i))
			continue;
		if (watch && !watch->go_on(watch->ctx, "features", i, n))
			return false;
		fset_put(&on, i, true);
		keep_feature(w, try_choice(w, &on, i, TOUCH_ALONE));
	}
	alone = w->t->n_features;
	pairs = alone <= PAIR_FEATURES;
	for (size_t x = 0; pairs && x < alone; x++)
		for (size_t y = x + 1; y < alone; y++) {
			size_t i = w->t->feature[x].feature, j = w->t->feature[y].feature;
			struct touch_feature f;
			struct fset on = *now;

			if (w->t->feature[x].signatures || w->t->feature[y].signatures)
				continue;
			if (watch && !watch->go_on(watch->ctx, "pairs", x, alone))
				return false;
			fset_put(&on, i, true);
			fset_put(&on, j, true);
			f = try_choice(w, &on, i, j);
			if (f.legal && f.signatures)
				keep_feature(w, f);
			else
				free(f.words);
		}
	return true;
}

struct touch *
analysis_touch(struct analysis *a, const struct fset *on, size_t constraint, const int64_t *coef, bool equality, const struct watch *watch)
{
	struct work w = {.a = a, .coef = coef, .equality = equality, .t = mem_new(sizeof *w.t)};
	const struct signatures *sig;
	char *error = NULL;

	w.t->constraint = constraint;
	cones_begin(a->cones);
	sig = cones_signatures(a->cones, on, &error);
	free(error);
	if (sig)
		find_paths(&w, on, sig);
	if (sig && find_features(&w, on, watch))
		return w.t;
	touch_free(w.t);
	return NULL;
}

void
touch_wire(struct wire *w, struct touch *t)
{
	wire_size(w, &t->constraint);
	wire_size(w, &t->raising);
	wire_size(w, &t->tight);
	wire_array(w, &t->path, &t->n_paths, sizeof *t->path, 10);
	for (size_t i = 0; i < t->n_paths; i++) {
		wire_i64(w, &t->path[i].slack);
		wire_str(w, &t->path[i].paths);
		wire_str(w, &t->path[i].words);
	}
	wire_array(w, &t->feature, &t->n_features, sizeof *t->feature, 26);
	for (size_t i = 0; i < t->n_features; i++) {
		wire_size(w, &t->feature[i].feature);
		wire_size(w, &t->feature[i].partner);
		wire_size(w, &t->feature[i].signatures);
		wire_str(w, &t->feature[i].words);
		wire_bool(w, &t->feature[i].legal);
	}
}

void
touch_free(struct touch *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n_paths; i++) {
		free(t->path[i].paths);
		free(t->path[i].words);
	}
	for (size_t i = 0; i < t->n_features; i++)
		free(t->feature[i].words);
	free(t->path);
	free(t->feature);
	free(t);
}
