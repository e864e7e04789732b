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
expand_when(struct expander *expander, struct place_in *in, const struct udd_stmt *stmt)
{
	const struct udd_arm *now = find_arm(expander, in, stmt, &expander->g->on),
			     *then = expander->off ? find_arm(expander, in, stmt, expander->off) : now;
	bool outer = expander->in_part;

	if (now != then && then && !expand_changes_nothing(then->body))
		expand_mark_open(expander); /* a branch is left out */
	else if (now != then)
		expander->in_part = true;
	if (now)
		expand_block(expander, in, now->body);
	expander->in_part = outer;
}

static void
expand_both(struct expander *expander, struct place_in *in, const struct udd_stmt *s)
{
	uint32_t fork = expand_step(expander, in, s, UDD_FORK, 0);

	for (int i = 0; i < 2; i++) {
		struct open_edges ended = OPEN_EDGES_NONE;
		struct place_in inner = *in;

		inner.on_return = inner.on_done = &ended;
		inner.in_part = expander->in_part;
		expand_block(expander, &inner, s->block[i]);
		in->frame_id = inner.frame_id;
		open_edges_join(expander, &expander->open, &ended);
		expand_step(expander, in, s, i == 0 ? UDD_MID : UDD_JOIN, fork);
	}
}

static void
expand_call(struct expander *expander, struct place_in *in, const struct udd_stmt *stmt)
{
	struct udd_word name, *arg = mem_new_array(stmt->n_words, sizeof *arg);
	struct open_edges returned = OPEN_EDGES_NONE;
	struct label_scope labels = {0};
	struct udd_frame frame = {in->frame, NULL, arg, stmt->at, stmt->len};
	struct place_in inner = {&frame, UDD_NONE, in, &returned, in->on_done, &labels, expander->in_part};
	size_t i = NAMES_NONE;
	bool good = expand_resolve(expander, in, &stmt->word[0], WORD_NAME, &name);

	for (uint32_t k = 1; k < stmt->n_words && good; k++)
		good = expand_resolve(expander, in, &stmt->word[k], WORD_ARGUMENT, &arg[k - 1]);
	if (good)
		i = names_find(&expander->ast->def_names, name.text, strlen(name.text));
	if (i != NAMES_NONE) {
		frame.body = expander->ast->def[i];
		expand_block(expander, &inner, frame.body->body);
		open_edges_join(expander, &expander->open, &returned);
		expand_close_labels(expander, &labels);
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
expand_range(struct expander *expander, struct place_in *in, const struct udd_stmt *s, uint32_t lo, uint32_t hi)
{
	uint32_t n = expand_node(expander, in, s, UDD_DECISION, 0, hi - lo + 1);
	char label[32];

	for (uint32_t k = hi;; k--) {
		if (n != UDD_NONE && k >= lo) {
			uint32_t e = expander->g->node[n].first_edge + (k - lo);
			struct open_edges enter = open_edges_of(expander, e);

			snprintf(label, sizeof label, k == 1 ? "%u time" : "%u times", k);
			expander->g->edge[e].label = (uint32_t)names_add(&expander->labels, label, strlen(label));
			open_edges_join(expander, &expander->open, &enter);
		}
		if (k == 0 || expander->stopped)
			return;
		expand_time(expander, in, s);
	}
}

static void
expand_repeat(struct expander *expander, struct place_in *in, const struct udd_stmt *stmt)
{
	uint32_t lo = expand_read_number(expander, in, &stmt->word[0], 0, 64),
		 hi = stmt->n_words == 2 ? expand_read_number(expander, in, &stmt->word[1], 0, 64) : lo;

	if (expander->stopped)
		return;
	if (stmt->n_words == 2)
		expand_range(expander, in, stmt, lo, hi);
	else
		for (uint32_t i = 0; i < lo && !expander->stopped; i++)
			expand_time(expander, in, stmt);
}

static void
expand_count(struct expander *expander, struct place_in *in, const struct udd_stmt *stmt)
{
	struct udd_word c;
	uint32_t amount = stmt->n_words == 2 ? expand_read_number(expander, in, &stmt->word[1], 1, INT32_MAX) : 1, n;

	if (!expand_resolve(expander, in, &stmt->word[0], WORD_COUNTER, &c))
		return;
	n = expand_step(expander, in, stmt, UDD_COUNT,
		(uint32_t)names_find(&expander->ast->counter_names, c.text, strlen(c.text)));
	if (n == UDD_NONE)
		return;
	expander->g->node[n].amount = amount;
	expand_label(expander, in, stmt, n);
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
expand_statement(struct expander *expander, struct place_in *in, const struct udd_stmt *stmt)
{
	switch (stmt->kind) {
	case STMT_EVENT:
		expand_event(expander, in, stmt);
		return;
	case STMT_COUNT:
		expand_count(expander, in, stmt);
		return;
	case STMT_SWITCH:
	case STMT_CHOOSE:
		expand_decision(expander, in, stmt);
		return;
	case STMT_WHEN:
		expand_when(expander, in, stmt);
		return;
	case STMT_BOTH:
		expand_both(expander, in, stmt);
		return;
	case STMT_CALL:
		expand_call(expander, in, stmt);
		return;
	case STMT_REPEAT:
		expand_repeat(expander, in, stmt);
		return;
	case STMT_RETURN:
		if (in->on_return && expander->in_part && !in->in_part)
			expand_mark_open(expander);
		if (in->on_return)
			expand_leave(expander, in->on_return);
		else
			expand_done(expander, in, stmt);
		return;
	case STMT_IMPOSSIBLE:
		expand_node(expander, in, stmt, UDD_IMPOSSIBLE, 0, 0);
		return;
	case STMT_DONE:
		expand_done(expander, in, stmt);
		return;
	case STMT_BEFORE:
		expand_before(expander, in, stmt);
		return;
	case STMT_TARGET:
		expand_target(expander, stmt);
		return;
	case STMT_JUMP:
		expand_leave(expander, target_edges(expander, &stmt->word[0]));
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
close_domains(struct expander *expander)
{
	struct udd_diagram *diagram = expander->g;
	uint32_t *next = mem_new_array(expander->properties.n + 1, sizeof *next);
	size_t total = expander->mentions.n, base = expander->n_domain;

	mem_grow(&diagram->property_domain, &expander->cap_property_domain, diagram->n_properties,
		sizeof *diagram->property_domain);
	for (size_t i = 0; i < expander->mentions.n; i++)
		next[expander->mention[i].property - expander->first_property + 1]++;
	for (size_t p = 0; p < expander->properties.n; p++) {
		next[p + 1] += expander->has_other[p];
		total += expander->has_other[p];
		next[p + 1] += next[p];
		diagram->property_domain[expander->first_property + p] =
			(struct udd_domain){(uint32_t)base + next[p], next[p + 1] - next[p]};
	}
	diagram->domain = mem_resize(diagram->domain, base + total, sizeof *diagram->domain);
	expander->n_domain = base + total;
	for (size_t i = 0; i < expander->mentions.n; i++)
		diagram->domain[base + next[expander->mention[i].property - expander->first_property]++] =
			expander->mention[i].value;
	for (size_t p = 0; p < expander->properties.n; p++)
		if (expander->has_other[p])
			diagram->domain[base + next[p]] = 0;
	free(next);
}

static void
expand_root(struct expander *expander, const struct udd_item *root)
{
	struct udd_frame frame = {.body = root};
	struct label_scope labels = {0};
	struct place_in in = {&frame, UDD_NONE, NULL, NULL, NULL, &labels, false};

	expander->first_property = expander->g->n_properties;
	expander->open = (struct open_edges){UDD_NONE, UDD_NONE, true};
	expand_block(expander, &in, root->body);
	if (!expander->stopped)
		expand_node(expander, &in, NULL, UDD_DONE, 0, 0);
	expand_close_labels(expander, &labels);
	close_domains(expander);
	names_free(&expander->properties);
	names_free(&expander->mentions);
	names_free(&expander->targets);
}

/* Reports that no model of a folder was chosen. */
static void
complain_folder(struct expander *expander)
{
	struct str hint = {0};

	str_add(&hint, "--variant names one of them: ");
	for (size_t i = 0; i < expander->model->n_variants && i < VARIANTS_SHOWN; i++)
		str_addf(&hint, "%s%s", i ? ", " : "", expander->model->variant[i].name);
	if (expander->model->n_variants > VARIANTS_SHOWN)
		str_addf(&hint, " and %zu more", expander->model->n_variants - VARIANTS_SHOWN);
	diag_add(expander->diags, DIAG_ERROR, NULL, str_text(&hint),
		"%s is a folder of models, and none of them is chosen", expander->model->file);
	str_free(&hint);
}

/* Reports that no path is on, and what the first one requires. */
static void
complain_off(struct expander *expander)
{
	const struct udd_item *root = expander->ast->root[0];
	struct udd_frame frame = {.body = root};
	struct str hint = {0};
	char *on;

	expander->stopped = true;
	if (expander->model->form == UDD_FORM_FDL_FOLDER) {
		complain_folder(expander);
		return;
	}
	on = features_hint(expander);
	str_addf(&hint, "%s is on when ", root->name.text);
	bexpr_print(root->when, &hint);
	str_addf(&hint, "; %s", on);
	udd_complain(expander->ast, expander->diags, &frame, root->name.at, root->name.len, str_text(&hint),
		"no path is on");
	free(on);
	str_free(&hint);
}

static void
expand_roots(struct expander *expander)
{
	struct udd_diagram *diagram = expander->g;

	for (size_t i = 0; i < expander->model->n_roots && !expander->stopped; i++) {
		struct udd_frame frame = {.body = expander->ast->root[i]};
		struct place_in in = {.frame = &frame};

		if (!expand_holds(expander, &in, expander->ast->root[i]->when))
			continue;
		if (diagram->root_mark)
			diagram->root_mark[diagram->n_roots] = !expand_holds_for(
				expander, &in, expander->ast->root[i]->when, expander->off);
		diagram->root[diagram->n_roots++] = (uint32_t)i;
		expand_root(expander, expander->ast->root[i]);
	}
	if (diagram->n_roots == 0 && !expander->stopped)
		complain_off(expander);
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
udd_expand_marked(const struct udd_model *model, const struct fset *on, const struct fset *off, struct diags *diags)
{
	struct udd_diagram *diagram = mem_new(sizeof *diagram);
	struct expander x = {.model = model, .ast = model->ast, .g = diagram, .diags = diags, .off = off};

	diagram->model = model;
	diagram->on = *on;
	diagram->origins = mem_new(sizeof *diagram->origins);
	diagram->origins->arena = arena_new();
	diagram->root = mem_new_array(model->n_roots, sizeof *diagram->root);
	diagram->root_node = mem_new_array(model->n_roots, sizeof *diagram->root_node);
	diagram->marked = off != NULL;
	diagram->root_mark = off ? mem_new_array(model->n_roots, sizeof *diagram->root_mark) : NULL;
	diagram->n_files = model->ast->n_files;
	diagram->file = mem_new_array(diagram->n_files, sizeof *diagram->file);
	for (size_t i = 0; i < diagram->n_files; i++)
		diagram->file[i] = mem_str(model->ast->file[i].name);
	names_add(&x.values, "(other)", 7);
	names_add(&x.labels, "", 0);
	expand_roots(&x);
	diagram->event = expand_take_names(&x.events, &diagram->n_events);
	diagram->value = expand_take_names(&x.values, &diagram->n_values);
	diagram->label = expand_take_names(&x.labels, &diagram->n_labels);
	diagram->n_causality = diagram->n_edges;
	expand_sort_marks(diagram);
	free(x.mention);
	free(x.has_other);
	free(x.target_edges);
	if (!x.stopped && udd_check_before(diagram, diags))
		return diagram;
	udd_diagram_free(diagram);
	return NULL;
}

struct udd_diagram *
udd_expand(const struct udd_model *m, const struct fset *on, struct diags *d)
{
	return udd_expand_marked(m, on, NULL, d);
}
