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
#include "base/number.h"
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
warn_near(struct walker *walker, const struct udd_frame *frame, const struct udd_word *word)
{
	size_t n = strlen(word->text), best = 3, which = 0;
	char *hint;

	for (size_t i = 0;
		i < walker->n_declared && !diags_full(walker->diags, DIAG_WARNING) && walker->near_work < NEAR_WORK;
		i++) {
		const char *name = walker->ast->counter_names.name[i];
		size_t m = strlen(name), d;

		if (m + 2 < n || n + 2 < m)
			continue;
		walker->near_work += n * m;
		d = near_distance(word->text, name, best - 1);
		if (d < best) {
			best = d;
			which = i;
		}
	}
	if (best > 2)
		return;
	hint = str_format("nearest: %s", walker->ast->counter_names.name[which]);
	udd_warn(walker->ast, walker->diags, frame, word->at, word->len, hint,
		"counter %.80s is not declared, but resembles one that is", word->text);
	free(hint);
}

static void
walk_count(struct walker *walker, const struct udd_frame *frame, const struct udd_stmt *stmt)
{
	struct names *all = &walker->ast->counter_names;
	struct udd_word c;
	uint32_t amount;
	size_t known = all->n;

	if (stmt->n_words == 2 && stmt->word[1].pieces)
		word_number(
			walker->ast, frame, &stmt->word[1], 1, INT32_MAX, &walker->ast->words, walker->diags, &amount);
	if (!check_expansion_resolve(walker, frame, &stmt->word[0], WORD_COUNTER, &c) || !walker->counting)
		return;
	if (names_add(all, c.text, strlen(c.text)) == known)
		warn_near(walker, frame, &c);
}

/* Returns true if features can have both cases on here. Collects all conditions and searches. */
static bool
both_on(struct walker *walker, const struct udd_frame *frame, const struct context *in, const struct bexpr *a,
	const struct bexpr *b)
{
	const struct context first = {in, a, frame, false}, *here = &(struct context){&first, b, frame, false};
	struct arena *arena;
	const struct bexpr **all;
	size_t n = 0, cap = walker->n_laws, budget, nodes = walker->law_nodes;
	bool can;

	arena = arena_new();
	all = mem_new_array(cap, sizeof *all);
	for (; here; here = here->outer) {
		struct udd_features features = {walker->ast, here->frame, &walker->ast->words};
		struct bexpr *e;

		if (!here->e)
			continue;
		e = bexpr_bound(here->e, arena, &(struct bexpr_names){udd_feature_index, &features});
		mem_grow(&all, &cap, n + walker->n_laws + 1, sizeof *all);
		all[n++] = here->negated ? bexpr_not(e, arena) : e;
		nodes += here->e->size;
	}
	if (walker->n_laws)
		memcpy(all + n, walker->law, walker->n_laws * sizeof *all);
	n += walker->n_laws;
	walker->search_left -= nodes < walker->search_left ? nodes : walker->search_left;
	budget = walker->search_left < SEARCH_NODES ? walker->search_left : SEARCH_NODES;
	walker->search_left -= budget;
	can = bexpr_satisfiable(all, n, FSET_MAX, &budget, NULL) == BEXPR_YES;
	walker->search_left += budget;
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
check_twice(struct walker *walker, const struct udd_frame *frame, const struct context *in, const struct listed *list,
	size_t i)
{
	const struct source *source = &walker->ast->file[frame->body->file];

	for (size_t k = list[i].before; k && walker->search_left && !diags_full(walker->diags, DIAG_ERROR);
		k = list[k - 1].before) {
		const struct listed *first = &list[k - 1], *second = &list[i];
		char *hint;

		if (!both_on(walker, frame, in, first->of->when, second->of->when))
			continue;
		hint = str_format("the other is at %s:%d:%d%s", source->name, source_line(source, first->word.at),
			source_column(source, first->word.at),
			first->of->when || second->of->when ? ", and features can have both on" : "");
		udd_complain(walker->ast, walker->diags, frame, second->word.at, second->word.len, hint,
			"%s%.80s appears twice in one decision", second->of->n_values ? "value " : "",
			second->word.text);
		free(hint);
		return;
	}
}

/* Resolve every value and find equal ones. */
static void
check_values(
	struct walker *walker, const struct udd_frame *frame, const struct context *in, const struct udd_stmt *stmt)
{
	struct names texts = {0};
	size_t *last = NULL, cap_last = 0, cap = 0, n = 0;
	struct listed *list = NULL;

	for (const struct udd_case *udd_case = stmt->cases; udd_case; udd_case = udd_case->next) {
		for (uint32_t i = 0; i < (udd_case->n_values ? udd_case->n_values : 1); i++) {
			struct udd_word v = {.text = "default", .at = udd_case->at, .len = udd_case->len & 0x3fffffff};
			size_t t, known = texts.n;

			if (udd_case->n_values &&
				!check_expansion_resolve(walker, frame, &udd_case->value[i], WORD_VALUE, &v))
				continue;
			/* The value "default" is not the default: the default's key has a blank, which no value has. */
			t = udd_case->n_values ? names_add(&texts, v.text, strlen(v.text)) : names_add(&texts, " ", 1);
			mem_grow(&last, &cap_last, texts.n, sizeof *last);
			mem_grow(&list, &cap, n + 1, sizeof *list);
			list[n] = (struct listed){udd_case, v, t == known ? 0 : last[t]};
			last[t] = n + 1;
			check_twice(walker, frame, in, list, n++);
		}
	}
	names_free(&texts);
	free(last);
	free(list);
}

static void
walk_switch(struct walker *walker, const struct udd_frame *frame, const struct context *in, const struct udd_stmt *stmt)
{
	struct udd_word property;

	if (stmt->kind == STMT_SWITCH)
		check_expansion_resolve(walker, frame, &stmt->word[0], WORD_NAME, &property);
	check_values(walker, frame, in, stmt);
	for (const struct udd_case *udd_case = stmt->cases; udd_case && !walker->stopped; udd_case = udd_case->next) {
		struct context here = {in, udd_case->when, frame, false};

		check_guard(walker, frame, udd_case->when);
		walk_block(walker, frame, &here, udd_case->body);
	}
}

static void
walk_when(struct walker *walker, const struct udd_frame *frame, const struct context *in, const struct udd_stmt *stmt)
{
	struct arena *arena = arena_new();

	for (const struct udd_arm *arm = stmt->arms; arm && !walker->stopped; arm = arm->next) {
		struct context here = {in, arm->when, frame, false}, *not;

		check_guard(walker, frame, arm->when);
		walk_block(walker, frame, &here, arm->body);
		not = arena_alloc(arena, sizeof *not);
		*not = (struct context){in, arm->when, frame, true};
		in = not;
	}
	arena_free(arena);
}

/* Index of the call in `seen`: its key is def and arguments as text, separated by control characters, which
 * arguments cannot contain. */
static size_t
call_number(struct walker *walker, const struct udd_item *def, const struct udd_word *arg)
{
	struct str key = {0};
	size_t i;

	str_add(&key, def->name.text);
	for (size_t k = 0; arg && k < def->n_words; k++)
		str_addf(&key, "%c%s", arg[k].quoted ? 2 : 1, arg[k].text);
	i = walker->seen.n;
	if (names_add(&walker->seen, str_text(&key), key.n) == i)
		walker->key_bytes += key.n + 64;
	i = names_find(&walker->seen, str_text(&key), key.n);
	str_free(&key);
	return i;
}

static struct udd_item *
find_def(struct walker *walker, const struct udd_frame *frame, const struct udd_stmt *stmt)
{
	struct udd_word name;
	struct udd_item *def;
	size_t i;
	char *hint;

	if (!check_expansion_resolve(walker, frame, &stmt->word[0], WORD_NAME, &name))
		return NULL;
	i = names_find(&walker->ast->def_names, name.text, strlen(name.text));
	def = i == NAMES_NONE ? NULL : walker->ast->def[i];
	if (def && def->n_words == stmt->n_words - 1)
		return def;
	if (!stmt->word[0].pieces) /* udd_check_names() has reported it */
		return NULL;
	hint = def ? NULL : udd_nearest(walker->diags, &walker->ast->def_names, name.text);
	if (def)
		udd_complain(walker->ast, walker->diags, frame, stmt->at, stmt->len, NULL,
			"%.80s takes %zu argument%s, not %u", name.text, def->n_words, plural_s(def->n_words),
			stmt->n_words - 1);
	else
		udd_complain(walker->ast, walker->diags, frame, stmt->at, stmt->len, hint, "no def %.80s", name.text);
	free(hint);
	return NULL;
}

/* All arguments. Returns NULL after a diagnostic, or if they are unknown. The caller frees. */
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
too_deep(struct walker *walker, const struct udd_frame *frame, const struct udd_stmt *stmt, struct height more)
{
	int calls = walker->calls + more.calls, levels = walker->level + more.levels;

	walker->deepest_calls = calls > walker->deepest_calls ? calls : walker->deepest_calls;
	walker->deepest = levels > walker->deepest ? levels : walker->deepest;
	if (calls <= UDD_CALLS_MAX && levels <= UDD_LEVELS_MAX)
		return false;
	if (calls > UDD_CALLS_MAX)
		udd_complain(walker->ast, walker->diags, frame, stmt->at, stmt->len, NULL, "calls nest deeper than %d",
			UDD_CALLS_MAX);
	else
		udd_complain(walker->ast, walker->diags, frame, stmt->at, stmt->len, NULL,
			"blocks and calls nest deeper than %d together", UDD_LEVELS_MAX);
	walker->stopped = true;
	return true;
}

/* Visit a call that was not seen before, and measure its nesting. */
static struct height
walk_body(struct walker *walker, const struct udd_frame *frame, const struct context *in, struct udd_item *def)
{
	int outer_calls = walker->deepest_calls, outer = walker->deepest;
	struct height h;

	walker->deepest_calls = ++walker->calls;
	walker->deepest = walker->level;
	def->busy = def->called = true;
	if (frame->arg)
		udd_check_labels(walker->ast, frame, walker->diags);
	walk_block(walker, frame, in, def->body);
	def->busy = false;
	walker->calls--;
	h = (struct height){walker->deepest_calls - walker->calls, walker->deepest - walker->level};
	walker->deepest_calls = outer_calls > walker->deepest_calls ? outer_calls : walker->deepest_calls;
	walker->deepest = outer > walker->deepest ? outer : walker->deepest;
	return h;
}

static void
walk_call(struct walker *walker, const struct udd_frame *frame, const struct context *in, const struct udd_stmt *stmt)
{
	struct udd_item *def = find_def(walker, frame, stmt);
	struct udd_word *arg;
	struct udd_frame inner;
	struct height h;
	size_t known = walker->seen.n, i;

	if (!def)
		return;
	if (def->busy) {
		udd_complain(walker->ast, walker->diags, frame, stmt->at, stmt->len,
			"use repeat, or a def for each level", "%.80s calls itself%s: recursion cannot end",
			def->name.text, frame->body == def ? "" : " through others");
		return;
	}
	arg = resolve_arguments(walker, frame, stmt);
	i = call_number(walker, def, arg);
	mem_grow(&walker->height, &walker->cap_height, i + 1, sizeof *walker->height);
	if (i < known) {
		too_deep(walker, frame, stmt, walker->height[i]);
	} else if (!too_deep(walker, frame, stmt, (struct height){1, 0})) {
		inner = (struct udd_frame){frame, def, arg, stmt->at, stmt->len};
		h = walk_body(walker, &inner, in, def);
		walker->height[i] = h;
	}
	free(arg);
}

static void
walk_repeat(struct walker *walker, const struct udd_frame *frame, const struct context *in, const struct udd_stmt *stmt)
{
	uint32_t v[2] = {1, 1};
	bool good = true;
	struct diags none = {0};

	/* udd_check_names() has checked numbers without pieces */
	for (uint32_t i = 0; i < stmt->n_words; i++)
		good &= word_number(walker->ast, frame, &stmt->word[i], 0, 64, &walker->ast->words,
			stmt->word[i].pieces ? walker->diags : &none, &v[i]);
	diags_free(&none);
	if (good && stmt->n_words == 2 && v[0] > v[1] && (stmt->word[0].pieces || stmt->word[1].pieces))
		udd_complain_range(walker->ast, walker->diags, frame, stmt, v[0], v[1]);
	if (!good || v[stmt->n_words - 1] > 0)
		walk_block(walker, frame, in, stmt->block[0]);
}

static void
walk_statement(
	struct walker *walker, const struct udd_frame *frame, const struct context *in, const struct udd_stmt *stmt)
{
	struct udd_word out;

	switch (stmt->kind) {
	case STMT_EVENT:
		check_expansion_resolve(walker, frame, &stmt->word[0], WORD_NAME, &out);
		return;
	case STMT_COUNT:
		walk_count(walker, frame, stmt);
		return;
	case STMT_SWITCH:
	case STMT_CHOOSE:
		walk_switch(walker, frame, in, stmt);
		return;
	case STMT_WHEN:
		walk_when(walker, frame, in, stmt);
		return;
	case STMT_BOTH:
		walk_block(walker, frame, in, stmt->block[0]);
		walk_block(walker, frame, in, stmt->block[1]);
		return;
	case STMT_CALL:
		walk_call(walker, frame, in, stmt);
		return;
	case STMT_REPEAT:
		walk_repeat(walker, frame, in, stmt);
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
walk_block(struct walker *walker, const struct udd_frame *frame, const struct context *in, const struct udd_stmt *stmt)
{
	if (!stmt || walker->stopped || too_deep(walker, frame, stmt, (struct height){0, 1}))
		return;
	walker->level++;
	for (; stmt && !walker->stopped; stmt = stmt->next) {
		if (++walker->steps > UDD_STEPS_MAX || walker->key_bytes > KEYS_BYTES) {
			udd_complain(walker->ast, walker->diags, frame, stmt->at, stmt->len, NULL,
				"the model is too large: too many distinct calls, or statements in them");
			walker->stopped = true;
			break;
		}
		walk_statement(walker, frame, in, stmt);
	}
	walker->level--;
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
udd_check_expansion(struct udd_ast *ast, const struct udd_model *model, struct diags *diags)
{
	struct walker w = {.ast = ast,
		.model = model,
		.diags = diags,
		.n_declared = ast->counter_names.n,
		.counting = true,
		.search_left = SEARCHES_NODES,
		.arena = arena_new()};

	w.law = udd_laws(model, w.arena, &w.n_laws);
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
