/* Checks a model by walking the expansion of every root, with every when branch and case taken.
 *
 * A walk visits each pair of def and arguments once: `seen` has their texts, and `height` how far each nests below, so
 * that limits on nesting hold without walking again. The walk checks words with pieces, calls and their arguments,
 * recursion (an item that is `busy`), labels, and values that appear twice in one decision. For such a value a search
 * decides whether features can have both cases on, given all conditions around them and the laws of the model. Work is
 * limited by steps, so that a hostile file ends in time with an error. */
#include "core/udd/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "core/udd/ast.h"
#include "core/udd/model.h"
#include "core/udd/word.h"
#include "text/diag.h"

/* steps of one search whether two cases can both be on; without an answer, the choice of features is checked later */
#define SEARCH_NODES 2000000
#define SEARCHES_NODES 50000000       /* steps of all searches of a model */
#define KEYS_BYTES ((size_t)64 << 20) /* total bytes of the texts of distinct calls */
#define NEAR_WORK 20000000            /* characters compared to find names close to a declared counter's */

/* A condition that must hold at the current place, chained from the inside out. */
struct context {
	const struct context *outer;
	const struct bexpr *e;
	const struct udd_frame *frame;
	bool negated;
};

struct walker {
	struct udd_ast *ast;
	const struct udd_model *model;
	struct diags *diags;
	struct names seen;                            /* texts of the visited calls */
	struct height { int calls, levels; } *height; /* nesting of each of them */
	size_t cap_height;
	int calls, deepest_calls, deepest; /* nesting of the call being visited */
	size_t n_declared;                 /* number of declared counters */
	bool counting;                     /* a root's expansion: its counters go into the counter list */
	size_t steps, near_work, key_bytes;
	size_t search_left;        /* steps left for searches */
	struct arena *arena;       /* has the laws */
	const struct bexpr *const *law;
	size_t n_laws, law_nodes;
	int level;
	bool stopped;
};

static void walk_block(struct walker *, const struct udd_frame *, const struct context *, const struct udd_stmt *);

/* word_resolve(), which also counts the work. */
static bool
check_expansion_resolve(struct walker *w, const struct udd_frame *f, const struct udd_word *word, enum word_kind kind,
	struct udd_word *out)
{
	bool good = word_resolve(w->ast, f, word, kind, &w->ast->words, w->diags, out);

	w->steps += word->pieces && good ? 2 + strlen(out->text) / 16 : word->len / 16;
	return good;
}

static void
check_guard(struct walker *w, const struct udd_frame *f, struct bexpr *e)
{
	if (!e)
		return;
	w->steps += e->size;
	udd_check_features(w->ast, f, e, w->diags);
}

/* Warn of a name that is close to a declared counter's. */
static void
warn_near(struct walker *w, const struct udd_frame *f, const struct udd_word *c)
{
	size_t n = strlen(c->text), best = 3, which = 0;
	char *hint;

	for (size_t i = 0; i < w->n_declared && !diags_full(w->diags, DIAG_WARNING) && w->near_work < NEAR_WORK; i++) {
		const char *name = w->ast->counter_names.name[i];
		size_t m = strlen(name), d;

		if (m + 2 < n || n + 2 < m)
			continue;
		w->near_work += n * m;
		d = near_distance(c->text, name, best - 1);
		if (d < best) {
			best = d;
			which = i;
		}
	}
	if (best > 2)
		return;
	hint = str_format("nearest: %s", w->ast->counter_names.name[which]);
	udd_warn(w->ast, w->diags, f, c->at, c->len, hint,
		"counter %.80s is not declared, but resembles one that is", c->text);
	free(hint);
}

static void
walk_count(struct walker *w, const struct udd_frame *f, const struct udd_stmt *s)
{
	struct names *all = &w->ast->counter_names;
	struct udd_word c;
	uint32_t amount;
	size_t known = all->n;

	if (s->n_words == 2 && s->word[1].pieces)
		word_number(w->ast, f, &s->word[1], 1, INT32_MAX, &w->ast->words, w->diags, &amount);
	if (!check_expansion_resolve(w, f, &s->word[0], WORD_COUNTER, &c) || !w->counting)
		return;
	if (names_add(all, c.text, strlen(c.text)) == known)
		warn_near(w, f, &c);
}

/* True if features can have both cases on here. Collects all conditions and searches. */
static bool
both_on(struct walker *w, const struct udd_frame *f, const struct context *in, const struct bexpr *a,
	const struct bexpr *b)
{
	const struct context first = {in, a, f, false}, *here = &(struct context){&first, b, f, false};
	struct arena *arena;
	const struct bexpr **all;
	size_t n = 0, cap = w->n_laws, budget, nodes = w->law_nodes;
	bool can;

	arena = arena_new();
	all = mem_new_array(cap, sizeof *all);
	for (; here; here = here->outer) {
		struct udd_features features = {w->ast, here->frame, &w->ast->words};
		struct bexpr *e;

		if (!here->e)
			continue;
		e = bexpr_bound(here->e, arena, &(struct bexpr_names){udd_feature_index, &features});
		mem_grow(&all, &cap, n + w->n_laws + 1, sizeof *all);
		all[n++] = here->negated ? bexpr_not(e, arena) : e;
		nodes += here->e->size;
	}
	if (w->n_laws)
		memcpy(all + n, w->law, w->n_laws * sizeof *all);
	n += w->n_laws;
	w->search_left -= nodes < w->search_left ? nodes : w->search_left;
	budget = w->search_left < SEARCH_NODES ? w->search_left : SEARCH_NODES;
	w->search_left -= budget;
	can = bexpr_satisfiable(all, n, FSET_MAX, &budget, NULL) == BEXPR_YES;
	w->search_left += budget;
	free(all);
	arena_free(arena);
	return can;
}

/* One value of a case, chained to the previous one with equal text. */
struct listed {
	const struct udd_case *of;
	struct udd_word word;
	size_t before; /* index + 1 */
};

static void
check_twice(struct walker *w, const struct udd_frame *f, const struct context *in, const struct listed *list, size_t i)
{
	const struct source *s = &w->ast->file[f->body->file];

	for (size_t k = list[i].before; k && w->search_left && !diags_full(w->diags, DIAG_ERROR);
		k = list[k - 1].before) {
		const struct listed *first = &list[k - 1], *second = &list[i];
		char *hint;

		if (!both_on(w, f, in, first->of->when, second->of->when))
			continue;
		hint = str_format("the other is at %s:%d:%d%s", s->name, source_line(s, first->word.at),
			source_column(s, first->word.at),
			first->of->when || second->of->when ? ", and features can have both on" : "");
		udd_complain(w->ast, w->diags, f, second->word.at, second->word.len, hint,
			"%s%.80s appears twice in one decision", second->of->n_values ? "value " : "",
			second->word.text);
		free(hint);
		return;
	}
}

/* Resolve every value and find equal ones. */
static void
check_values(struct walker *w, const struct udd_frame *f, const struct context *in, const struct udd_stmt *s)
{
	struct names texts = {0};
	size_t *last = NULL, cap_last = 0, cap = 0, n = 0;
	struct listed *list = NULL;

	for (const struct udd_case *k = s->cases; k; k = k->next) {
		for (uint32_t i = 0; i < (k->n_values ? k->n_values : 1); i++) {
			struct udd_word v = {.text = "default", .at = k->at, .len = k->len & 0x3fffffff};
			size_t t, known = texts.n;

			if (k->n_values && !check_expansion_resolve(w, f, &k->value[i], WORD_VALUE, &v))
				continue;
			/* The value "default" is not the default: the default's key has a blank, which no value has. */
			t = k->n_values ? names_add(&texts, v.text, strlen(v.text)) : names_add(&texts, " ", 1);
			mem_grow(&last, &cap_last, texts.n, sizeof *last);
			mem_grow(&list, &cap, n + 1, sizeof *list);
			list[n] = (struct listed){k, v, t == known ? 0 : last[t]};
			last[t] = n + 1;
			check_twice(w, f, in, list, n++);
		}
	}
	names_free(&texts);
	free(last);
	free(list);
}

static void
walk_switch(struct walker *w, const struct udd_frame *f, const struct context *in, const struct udd_stmt *s)
{
	struct udd_word property;

	if (s->kind == STMT_SWITCH)
		check_expansion_resolve(w, f, &s->word[0], WORD_NAME, &property);
	check_values(w, f, in, s);
	for (const struct udd_case *k = s->cases; k && !w->stopped; k = k->next) {
		struct context here = {in, k->when, f, false};

		check_guard(w, f, k->when);
		walk_block(w, f, &here, k->body);
	}
}

static void
walk_when(struct walker *w, const struct udd_frame *f, const struct context *in, const struct udd_stmt *s)
{
	struct arena *arena = arena_new();

	for (const struct udd_arm *a = s->arms; a && !w->stopped; a = a->next) {
		struct context here = {in, a->when, f, false}, *not;

		check_guard(w, f, a->when);
		walk_block(w, f, &here, a->body);
		not = arena_alloc(arena, sizeof *not);
		*not = (struct context){in, a->when, f, true};
		in = not;
	}
	arena_free(arena);
}

/* Index of the call in `seen`: its key is def and arguments as text, separated by control characters, which
 * arguments cannot contain. */
static size_t
call_number(struct walker *w, const struct udd_item *def, const struct udd_word *arg)
{
	struct str key = {0};
	size_t i;

	str_add(&key, def->name.text);
	for (size_t k = 0; arg && k < def->n_words; k++)
		str_addf(&key, "%c%s", arg[k].quoted ? 2 : 1, arg[k].text);
	i = w->seen.n;
	if (names_add(&w->seen, str_text(&key), key.n) == i)
		w->key_bytes += key.n + 64;
	i = names_find(&w->seen, str_text(&key), key.n);
	str_free(&key);
	return i;
}

static struct udd_item *
find_def(struct walker *w, const struct udd_frame *f, const struct udd_stmt *s)
{
	struct udd_word name;
	struct udd_item *def;
	size_t i;
	char *hint;

	if (!check_expansion_resolve(w, f, &s->word[0], WORD_NAME, &name))
		return NULL;
	i = names_find(&w->ast->def_names, name.text, strlen(name.text));
	def = i == NAMES_NONE ? NULL : w->ast->def[i];
	if (def && def->n_words == s->n_words - 1)
		return def;
	if (!s->word[0].pieces) /* udd_check_names() has reported it */
		return NULL;
	hint = def ? NULL : udd_nearest(w->diags, &w->ast->def_names, name.text);
	if (def)
		udd_complain(w->ast, w->diags, f, s->at, s->len, NULL, "%.80s takes %zu argument%s, not %u", name.text,
			def->n_words, def->n_words == 1 ? "" : "s", s->n_words - 1);
	else
		udd_complain(w->ast, w->diags, f, s->at, s->len, hint, "no def %.80s", name.text);
	free(hint);
	return NULL;
}

/* All arguments. NULL after a diagnostic, or if they are unknown. The caller frees. */
static struct udd_word *
resolve_arguments(struct walker *w, const struct udd_frame *f, const struct udd_stmt *s)
{
	struct udd_word *arg = mem_new_array(s->n_words, sizeof *arg);
	bool good = true;

	for (uint32_t i = 1; i < s->n_words; i++)
		good &= check_expansion_resolve(w, f, &s->word[i], WORD_ARGUMENT, &arg[i - 1]);
	if (good)
		return arg;
	free(arg);
	return NULL;
}

/* Record the deepest nesting, `more` levels below the current one. True, with a diagnostic, if it is too deep. */
static bool
too_deep(struct walker *w, const struct udd_frame *f, const struct udd_stmt *s, struct height more)
{
	int calls = w->calls + more.calls, levels = w->level + more.levels;

	w->deepest_calls = calls > w->deepest_calls ? calls : w->deepest_calls;
	w->deepest = levels > w->deepest ? levels : w->deepest;
	if (calls <= UDD_CALLS_MAX && levels <= UDD_LEVELS_MAX)
		return false;
	if (calls > UDD_CALLS_MAX)
		udd_complain(w->ast, w->diags, f, s->at, s->len, NULL, "calls nest deeper than %d", UDD_CALLS_MAX);
	else
		udd_complain(w->ast, w->diags, f, s->at, s->len, NULL, "blocks and calls nest deeper than %d together",
			UDD_LEVELS_MAX);
	w->stopped = true;
	return true;
}

/* Visit a call that was not seen before, and measure its nesting. */
static struct height
walk_body(struct walker *w, const struct udd_frame *f, const struct context *in, struct udd_item *def)
{
	int outer_calls = w->deepest_calls, outer = w->deepest;
	struct height h;

	w->deepest_calls = ++w->calls;
	w->deepest = w->level;
	def->busy = def->called = true;
	if (f->arg)
		udd_check_labels(w->ast, f, w->diags);
	walk_block(w, f, in, def->body);
	def->busy = false;
	w->calls--;
	h = (struct height){w->deepest_calls - w->calls, w->deepest - w->level};
	w->deepest_calls = outer_calls > w->deepest_calls ? outer_calls : w->deepest_calls;
	w->deepest = outer > w->deepest ? outer : w->deepest;
	return h;
}

static void
walk_call(struct walker *w, const struct udd_frame *f, const struct context *in, const struct udd_stmt *s)
{
	struct udd_item *def = find_def(w, f, s);
	struct udd_word *arg;
	struct udd_frame inner;
	struct height h;
	size_t known = w->seen.n, i;

	if (!def)
		return;
	if (def->busy) {
		udd_complain(w->ast, w->diags, f, s->at, s->len, "use repeat, or a def for each level",
			"%.80s calls itself%s: recursion cannot end", def->name.text,
			f->body == def ? "" : " through others");
		return;
	}
	arg = resolve_arguments(w, f, s);
	i = call_number(w, def, arg);
	mem_grow(&w->height, &w->cap_height, i + 1, sizeof *w->height);
	if (i < known) {
		too_deep(w, f, s, w->height[i]);
	} else if (!too_deep(w, f, s, (struct height){1, 0})) {
		inner = (struct udd_frame){f, def, arg, s->at, s->len};
		h = walk_body(w, &inner, in, def);
		w->height[i] = h;
	}
	free(arg);
}

static void
walk_repeat(struct walker *w, const struct udd_frame *f, const struct context *in, const struct udd_stmt *s)
{
	uint32_t v[2] = {1, 1};
	bool good = true;
	struct diags none = {0};

	/* udd_check_names() has checked numbers without pieces */
	for (uint32_t i = 0; i < s->n_words; i++)
		good &= word_number(
			w->ast, f, &s->word[i], 0, 64, &w->ast->words, s->word[i].pieces ? w->diags : &none, &v[i]);
	diags_free(&none);
	if (good && s->n_words == 2 && v[0] > v[1] && (s->word[0].pieces || s->word[1].pieces))
		udd_complain_range(w->ast, w->diags, f, s, v[0], v[1]);
	if (!good || v[s->n_words - 1] > 0)
		walk_block(w, f, in, s->block[0]);
}

static void
walk_statement(struct walker *w, const struct udd_frame *f, const struct context *in, const struct udd_stmt *s)
{
	struct udd_word out;

	switch (s->kind) {
	case STMT_EVENT:
		check_expansion_resolve(w, f, &s->word[0], WORD_NAME, &out);
		return;
	case STMT_COUNT:
		walk_count(w, f, s);
		return;
	case STMT_SWITCH:
	case STMT_CHOOSE:
		walk_switch(w, f, in, s);
		return;
	case STMT_WHEN:
		walk_when(w, f, in, s);
		return;
	case STMT_BOTH:
		walk_block(w, f, in, s->block[0]);
		walk_block(w, f, in, s->block[1]);
		return;
	case STMT_CALL:
		walk_call(w, f, in, s);
		return;
	case STMT_REPEAT:
		walk_repeat(w, f, in, s);
		return;
	case STMT_RETURN:
	case STMT_IMPOSSIBLE:
	case STMT_DONE:
	case STMT_BEFORE:
	case STMT_TARGET:
	case STMT_JUMP:
		return;
	}
}

static void
walk_block(struct walker *w, const struct udd_frame *f, const struct context *in, const struct udd_stmt *s)
{
	if (!s || w->stopped || too_deep(w, f, s, (struct height){0, 1}))
		return;
	w->level++;
	for (; s && !w->stopped; s = s->next) {
		if (++w->steps > UDD_STEPS_MAX || w->key_bytes > KEYS_BYTES) {
			udd_complain(w->ast, w->diags, f, s->at, s->len, NULL,
				"the model is too large: too many distinct calls, or statements in them");
			w->stopped = true;
			break;
		}
		walk_statement(w, f, in, s);
	}
	w->level--;
}

/* Visits a def that no path calls, with unknown arguments. */
static void
walk_uncalled(struct walker *w, struct udd_item *def)
{
	struct udd_frame f = {.body = def};

	def->busy = true;
	walk_block(w, &f, NULL, def->body);
	def->busy = false;
}

static void
check_groups(struct walker *w)
{
	for (struct udd_item *item = w->ast->first; item; item = item->next)
		for (size_t i = 0; item->kind == ITEM_GROUP && i < item->n_words; i++)
			if (names_find(&w->ast->counter_names, item->word[i].text, strlen(item->word[i].text)) ==
				NAMES_NONE)
				warn_near(w, &(struct udd_frame){.body = item}, &item->word[i]);
}

void
udd_check_expansion(struct udd_ast *ast, const struct udd_model *m, struct diags *d)
{
	struct walker w = {.ast = ast, .model = m, .diags = d, .n_declared = ast->counter_names.n, .counting = true,
		.search_left = SEARCHES_NODES, .arena = arena_new()};

	w.law = udd_laws(m, w.arena, &w.n_laws);
	for (size_t i = 0; i < w.n_laws; i++)
		w.law_nodes += w.law[i]->size + 2;
	for (size_t i = 0; i < ast->root_names.n && !w.stopped; i++) {
		struct udd_frame f = {.body = ast->root[i]};
		struct context when = {NULL, ast->root[i]->when, &f, false};

		walk_block(&w, &f, &when, ast->root[i]->body);
	}
	w.counting = false;
	for (size_t i = 0; i < ast->def_names.n && !w.stopped; i++)
		if (!ast->def[i]->called)
			walk_uncalled(&w, ast->def[i]);
	check_groups(&w);
	names_free(&w.seen);
	free(w.height);
	arena_free(w.arena);
}
