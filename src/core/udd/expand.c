/* Expands text to a diagram, for one choice of features.
 *
 * Statements are visited in text order. Open edges are those that reach the current point and wait for the next
 * node. A decision gives each case its own open edges, and joins those that come out of its cases. `done` and
 * `return` join the open edges to those of the place where they lead. After them there are none. Unreachable text
 * makes no nodes, but it is visited, because values named there belong to their properties' domains.
 *
 * repeat (M..N) makes N copies of its block, not M + … + N: a µop that goes through it k times enters at the k-th
 * copy from the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/udd/check.h"
#include "core/udd/expander.h"
#include "core/udd/model.h"
#include "core/udd/word.h"
#include "text/bexpr.h"
#include "text/diag.h"

#define VARIANTS_SHOWN 8

bool
expand_resolve(
	struct expander *x, struct place_in *in, const struct udd_word *w, enum word_kind kind, struct udd_word *out)
{
	if (word_resolve(x->ast, in->frame, w, kind, &x->g->origins->words, x->diags, out)) {
		x->steps += w->pieces ? 2 + strlen(out->text) / 16 : w->len / 16;
		return true;
	}
	x->stopped = true; /* cannot happen in a model that udd_parse() accepted */
	return false;
}

bool
expand_holds_for(struct expander *x, struct place_in *in, const struct bexpr *e, const struct fset *on)
{
	struct udd_features f = {x->ast, in->frame, &x->g->origins->words};

	if (!e)
		return true;
	x->steps += e->size;
	return bexpr_eval(e, NULL, on->w, &(struct bexpr_names){udd_feature_index, &f}) == BEXPR_YES;
}

bool
expand_holds(struct expander *x, struct place_in *in, const struct bexpr *e)
{
	return expand_holds_for(x, in, e, &x->g->on);
}

/* "features on: a, b", for messages about a choice of features. The caller frees. */
static char *
features_hint(const struct expander *x)
{
	struct str t = {0};

	if (!fset_count(&x->g->on))
		return mem_str("no feature is on");
	str_add(&t, "features on: ");
	for (size_t i = 0, n = 0; i < x->model->n_features; i++)
		if (fset_has(&x->g->on, i))
			str_addf(&t, "%s%s", n++ ? ", " : "", x->model->feature[i].name);
	return str_take(&t);
}

void
expand_complain(struct expander *x, struct place_in *in, uint32_t at, uint32_t len, const char *text)
{
	char *hint = x->model->n_features ? features_hint(x) : NULL;

	udd_complain(x->ast, x->diags, in->frame, at, len, hint, "%s", text);
	free(hint);
}

static const struct udd_arm *
find_arm(struct expander *x, struct place_in *in, const struct udd_stmt *s, const struct fset *on)
{
	const struct udd_arm *a = s->arms;

	while (a && !expand_holds_for(x, in, a->when, on))
		a = a->next;
	return a;
}

static void
expand_when(struct expander *x, struct place_in *in, const struct udd_stmt *s)
{
	const struct udd_arm *now = find_arm(x, in, s, &x->g->on), *then = x->off ? find_arm(x, in, s, x->off) : now;
	bool outer = x->in_part;

	if (now != then && then && !expand_changes_nothing(then->body))
		expand_mark_open(x); /* a branch is left out */
	else if (now != then)
		x->in_part = true;
	if (now)
		expand_block(x, in, now->body);
	x->in_part = outer;
}

static void
expand_both(struct expander *x, struct place_in *in, const struct udd_stmt *s)
{
	uint32_t fork = expand_step(x, in, s, UDD_FORK, 0);

	for (int i = 0; i < 2; i++) {
		struct open_edges ended = OPEN_EDGES_NONE;
		struct place_in inner = *in;

		inner.on_return = inner.on_done = &ended;
		inner.in_part = x->in_part;
		expand_block(x, &inner, s->block[i]);
		in->frame_id = inner.frame_id;
		open_edges_join(x, &x->open, &ended);
		expand_step(x, in, s, i == 0 ? UDD_MID : UDD_JOIN, fork);
	}
}

static void
expand_call(struct expander *x, struct place_in *in, const struct udd_stmt *s)
{
	struct udd_word name, *arg = mem_new_array(s->n_words, sizeof *arg);
	struct open_edges returned = OPEN_EDGES_NONE;
	struct label_scope labels = {0};
	struct udd_frame frame = {in->frame, NULL, arg, s->at, s->len};
	struct place_in inner = {&frame, UDD_NONE, in, &returned, in->on_done, &labels, x->in_part};
	size_t i = NAMES_NONE;
	bool good = expand_resolve(x, in, &s->word[0], WORD_NAME, &name);

	for (uint32_t k = 1; k < s->n_words && good; k++)
		good = expand_resolve(x, in, &s->word[k], WORD_ARGUMENT, &arg[k - 1]);
	if (good)
		i = names_find(&x->ast->def_names, name.text, strlen(name.text));
	if (i != NAMES_NONE) {
		frame.body = x->ast->def[i];
		expand_block(x, &inner, frame.body->body);
		open_edges_join(x, &x->open, &returned);
		expand_close_labels(x, &labels);
	}
	free(arg);
}

static uint32_t
expand_read_number(struct expander *x, struct place_in *in, const struct udd_word *w, uint32_t lo, uint32_t hi)
{
	uint32_t v = lo;

	if (!word_number(x->ast, in->frame, w, lo, hi, &x->g->origins->words, x->diags, &v))
		x->stopped = true;
	return v;
}

/* Expand one pass through a repeat, with labels of its own. */
static void
expand_time(struct expander *x, struct place_in *in, const struct udd_stmt *s)
{
	struct label_scope labels = {.outer = in->labels};

	in->labels = &labels;
	expand_block(x, in, s->block[0]);
	in->labels = labels.outer;
	expand_close_labels(x, &labels);
}

static void
expand_range(struct expander *x, struct place_in *in, const struct udd_stmt *s, uint32_t lo, uint32_t hi)
{
	uint32_t n = expand_node(x, in, s, UDD_DECISION, 0, hi - lo + 1);
	char label[32];

	for (uint32_t k = hi;; k--) {
		if (n != UDD_NONE && k >= lo) {
			uint32_t e = x->g->node[n].first_edge + (k - lo);
			struct open_edges enter = open_edges_of(x, e);

			snprintf(label, sizeof label, k == 1 ? "%u time" : "%u times", k);
			x->g->edge[e].label = (uint32_t)names_add(&x->labels, label, strlen(label));
			open_edges_join(x, &x->open, &enter);
		}
		if (k == 0 || x->stopped)
			return;
		expand_time(x, in, s);
	}
}

static void
expand_repeat(struct expander *x, struct place_in *in, const struct udd_stmt *s)
{
	uint32_t lo = expand_read_number(x, in, &s->word[0], 0, 64),
		 hi = s->n_words == 2 ? expand_read_number(x, in, &s->word[1], 0, 64) : lo;

	if (x->stopped)
		return;
	if (s->n_words == 2)
		expand_range(x, in, s, lo, hi);
	else
		for (uint32_t i = 0; i < lo && !x->stopped; i++)
			expand_time(x, in, s);
}

static void
expand_count(struct expander *x, struct place_in *in, const struct udd_stmt *s)
{
	struct udd_word c;
	uint32_t amount = s->n_words == 2 ? expand_read_number(x, in, &s->word[1], 1, INT32_MAX) : 1, n;

	if (!expand_resolve(x, in, &s->word[0], WORD_COUNTER, &c))
		return;
	n = expand_step(x, in, s, UDD_COUNT, (uint32_t)names_find(&x->ast->counter_names, c.text, strlen(c.text)));
	if (n == UDD_NONE)
		return;
	x->g->node[n].amount = amount;
	expand_label(x, in, s, n);
}

static void
expand_event(struct expander *x, struct place_in *in, const struct udd_stmt *s)
{
	struct udd_word w;

	if (expand_resolve(x, in, &s->word[0], WORD_NAME, &w))
		expand_label(x, in, s,
			expand_step(x, in, s, UDD_EVENT, (uint32_t)names_add(&x->events, w.text, strlen(w.text))));
}

/* Joins the open edges to those at the end of another block; none is open afterwards. */
static void
expand_leave(struct expander *x, struct open_edges *to)
{
	open_edges_join(x, to, &x->open);
	x->open = OPEN_EDGES_NONE;
}

static void
expand_done(struct expander *x, struct place_in *in, const struct udd_stmt *s)
{
	if (in->on_done) {
		expand_label(x, in, s, expand_step(x, in, s, UDD_DONE, 0));
		expand_leave(x, in->on_done);
	} else {
		expand_label(x, in, s, expand_node(x, in, s, UDD_DONE, 0, 0));
	}
}

/* The edges that jump to the target of this name and have not reached it yet. */
static struct open_edges *
target_edges(struct expander *x, const struct udd_word *name)
{
	size_t known = x->targets.n, i = names_add(&x->targets, name->text, strlen(name->text));

	mem_grow(&x->target_edges, &x->cap_targets, i + 1, sizeof *x->target_edges);
	if (i == known)
		x->target_edges[i] = OPEN_EDGES_NONE;
	return &x->target_edges[i];
}

/* Jumps only lead down the text. So nodes are in topological order, and at a target all jumps to it are known. */
static void
expand_target(struct expander *x, const struct udd_stmt *s)
{
	struct open_edges *arrives = target_edges(x, &s->word[0]);

	open_edges_join(x, &x->open, arrives);
	*arrives = OPEN_EDGES_NONE;
}

static void
expand_statement(struct expander *x, struct place_in *in, const struct udd_stmt *s)
{
	switch (s->kind) {
	case STMT_EVENT:
		expand_event(x, in, s);
		return;
	case STMT_COUNT:
		expand_count(x, in, s);
		return;
	case STMT_SWITCH:
	case STMT_CHOOSE:
		expand_decision(x, in, s);
		return;
	case STMT_WHEN:
		expand_when(x, in, s);
		return;
	case STMT_BOTH:
		expand_both(x, in, s);
		return;
	case STMT_CALL:
		expand_call(x, in, s);
		return;
	case STMT_REPEAT:
		expand_repeat(x, in, s);
		return;
	case STMT_RETURN:
		if (in->on_return && x->in_part && !in->in_part)
			expand_mark_open(x);
		if (in->on_return)
			expand_leave(x, in->on_return);
		else
			expand_done(x, in, s);
		return;
	case STMT_IMPOSSIBLE:
		expand_node(x, in, s, UDD_IMPOSSIBLE, 0, 0);
		return;
	case STMT_DONE:
		expand_done(x, in, s);
		return;
	case STMT_BEFORE:
		expand_before(x, in, s);
		return;
	case STMT_TARGET:
		expand_target(x, s);
		return;
	case STMT_JUMP:
		expand_leave(x, target_edges(x, &s->word[0]));
		return;
	}
}

void
expand_block(struct expander *x, struct place_in *in, const struct udd_stmt *s)
{
	for (; s && !x->stopped; s = s->next) {
		if (++x->steps > UDD_STEPS_MAX) {
			expand_complain(
				x, in, s->at, s->len, "the model is too large: its calls come to too many statements");
			x->stopped = true;
			return;
		}
		expand_statement(x, in, s);
	}
}

/* Set the domains of this root's properties: the mentioned values in order, the unnamed one last. */
static void
close_domains(struct expander *x)
{
	struct udd_diagram *g = x->g;
	uint32_t *next = mem_new_array(x->properties.n + 1, sizeof *next);
	size_t total = x->mentions.n, base = x->n_domain;

	mem_grow(&g->property_domain, &x->cap_property_domain, g->n_properties, sizeof *g->property_domain);
	for (size_t i = 0; i < x->mentions.n; i++)
		next[x->mention[i].property - x->first_property + 1]++;
	for (size_t p = 0; p < x->properties.n; p++) {
		next[p + 1] += x->has_other[p];
		total += x->has_other[p];
		next[p + 1] += next[p];
		g->property_domain[x->first_property + p] =
			(struct udd_domain){(uint32_t)base + next[p], next[p + 1] - next[p]};
	}
	g->domain = mem_resize(g->domain, base + total, sizeof *g->domain);
	x->n_domain = base + total;
	for (size_t i = 0; i < x->mentions.n; i++)
		g->domain[base + next[x->mention[i].property - x->first_property]++] = x->mention[i].value;
	for (size_t p = 0; p < x->properties.n; p++)
		if (x->has_other[p])
			g->domain[base + next[p]] = 0;
	free(next);
}

static void
expand_root(struct expander *x, const struct udd_item *root)
{
	struct udd_frame frame = {.body = root};
	struct label_scope labels = {0};
	struct place_in in = {&frame, UDD_NONE, NULL, NULL, NULL, &labels, false};

	x->first_property = x->g->n_properties;
	x->open = (struct open_edges){UDD_NONE, UDD_NONE, true};
	expand_block(x, &in, root->body);
	if (!x->stopped)
		expand_node(x, &in, NULL, UDD_DONE, 0, 0);
	expand_close_labels(x, &labels);
	close_domains(x);
	names_free(&x->properties);
	names_free(&x->mentions);
	names_free(&x->targets);
}

/* Reports that no model of a folder was chosen. */
static void
complain_folder(struct expander *x)
{
	struct str hint = {0};

	str_add(&hint, "--variant names one of them: ");
	for (size_t i = 0; i < x->model->n_variants && i < VARIANTS_SHOWN; i++)
		str_addf(&hint, "%s%s", i ? ", " : "", x->model->variant[i].name);
	if (x->model->n_variants > VARIANTS_SHOWN)
		str_addf(&hint, " and %zu more", x->model->n_variants - VARIANTS_SHOWN);
	diag_add(x->diags, DIAG_ERROR, NULL, str_text(&hint), "%s is a folder of models, and none of them is chosen",
		x->model->file);
	str_free(&hint);
}

/* Reports that no path is on, and what the first one requires. */
static void
complain_off(struct expander *x)
{
	const struct udd_item *root = x->ast->root[0];
	struct udd_frame frame = {.body = root};
	struct str hint = {0};
	char *on;

	x->stopped = true;
	if (x->model->form == UDD_FORM_FDL_FOLDER) {
		complain_folder(x);
		return;
	}
	on = features_hint(x);
	str_addf(&hint, "%s is on when ", root->name.text);
	bexpr_print(root->when, &hint);
	str_addf(&hint, "; %s", on);
	udd_complain(x->ast, x->diags, &frame, root->name.at, root->name.len, str_text(&hint), "no path is on");
	free(on);
	str_free(&hint);
}

static void
expand_roots(struct expander *x)
{
	struct udd_diagram *g = x->g;

	for (size_t i = 0; i < x->model->n_roots && !x->stopped; i++) {
		struct udd_frame frame = {.body = x->ast->root[i]};
		struct place_in in = {.frame = &frame};

		if (!expand_holds(x, &in, x->ast->root[i]->when))
			continue;
		if (g->root_mark)
			g->root_mark[g->n_roots] = !expand_holds_for(x, &in, x->ast->root[i]->when, x->off);
		g->root[g->n_roots++] = (uint32_t)i;
		expand_root(x, x->ast->root[i]);
	}
	if (g->n_roots == 0 && !x->stopped)
		complain_off(x);
}

/* Move the names of a table into an array that the caller owns. */
static char **
expand_take_names(struct names *t, size_t *n)
{
	char **name = t->name;

	*n = t->n;
	free(t->slot);
	*t = (struct names){0};
	return name;
}

struct udd_diagram *
udd_expand_marked(const struct udd_model *m, const struct fset *on, const struct fset *off, struct diags *d)
{
	struct udd_diagram *g = mem_new(sizeof *g);
	struct expander x = {.model = m, .ast = m->ast, .g = g, .diags = d, .off = off};

	g->model = m;
	g->on = *on;
	g->origins = mem_new(sizeof *g->origins);
	g->origins->arena = arena_new();
	g->root = mem_new_array(m->n_roots, sizeof *g->root);
	g->root_node = mem_new_array(m->n_roots, sizeof *g->root_node);
	g->marked = off != NULL;
	g->root_mark = off ? mem_new_array(m->n_roots, sizeof *g->root_mark) : NULL;
	g->n_files = m->ast->n_files;
	g->file = mem_new_array(g->n_files, sizeof *g->file);
	for (size_t i = 0; i < g->n_files; i++)
		g->file[i] = mem_str(m->ast->file[i].name);
	names_add(&x.values, "(other)", 7);
	names_add(&x.labels, "", 0);
	expand_roots(&x);
	g->event = expand_take_names(&x.events, &g->n_events);
	g->value = expand_take_names(&x.values, &g->n_values);
	g->label = expand_take_names(&x.labels, &g->n_labels);
	g->n_causality = g->n_edges;
	expand_sort_marks(g);
	free(x.mention);
	free(x.has_other);
	free(x.target_edges);
	if (!x.stopped && udd_check_before(g, d))
		return g;
	udd_diagram_free(g);
	return NULL;
}

struct udd_diagram *
udd_expand(const struct udd_model *m, const struct fset *on, struct diags *d)
{
	return udd_expand_marked(m, on, NULL, d);
}
