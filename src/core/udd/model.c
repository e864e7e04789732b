/* Makes a checked model from parsed items, with its counters, features, roots, sums and variants. */
#include "core/udd/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/udd/build.h"
#include "core/udd/check.h"
#include "core/udd/include.h"
#include "core/udd/parser.h"

static void
model_add_features(struct udd_model *model)
{
	struct udd_ast *ast = model->ast;

	model->n_features = ast->feature_names.n < FSET_MAX ? ast->feature_names.n : FSET_MAX;
	model->feature = arena_alloc(model->arena, (model->n_features + 1) * sizeof *model->feature);
	for (size_t i = 0; i < model->n_features; i++) {
		const struct udd_item *item = ast->feature[i];
		uint32_t *excludes = arena_alloc(model->arena, (item->n_words + 1) * sizeof *excludes);
		struct fset seen = {0};
		size_t n = 0;

		for (size_t k = 0; k < item->n_words; k++) {
			size_t other = names_find(&ast->feature_names, item->word[k].text, strlen(item->word[k].text));

			if (other >= FSET_MAX || fset_has(&seen, other)) /* NAMES_NONE exceeds any bound */
				continue;
			fset_put(&seen, other, true);
			excludes[n++] = (uint32_t)other;
		}
		model->feature[i] = (struct udd_feature){item->name.text, item->text, item->when, excludes, n};
	}
}

static void
add_roots(struct udd_model *m)
{
	m->n_roots = m->ast->root_names.n;
	m->root = arena_alloc(m->arena, (m->n_roots + 1) * sizeof *m->root);
	for (size_t i = 0; i < m->n_roots; i++)
		m->root[i] = (struct udd_root){m->ast->root[i]->name.text, m->ast->root[i]->when};
}

static void
add_groups(struct udd_model *model)
{
	model->n_groups = model->ast->group_names.n;
	model->group = arena_alloc(model->arena, (model->n_groups + 1) * sizeof *model->group);
	for (size_t i = 0; i < model->n_groups; i++) {
		const struct udd_item *item = model->ast->group[i];
		const char **name = arena_alloc(model->arena, (item->n_words + 1) * sizeof *name);

		for (size_t k = 0; k < item->n_words; k++)
			name[k] = item->word[k].text;
		model->group[i] = (struct udd_group){item->name.text, name, item->n_words};
	}
}

/* Fill in counter i; declared ones come first. Without a mapping its event has its own name. */
static void
model_add_counter(struct udd_model *model, size_t i, size_t n_declared)
{
	const struct udd_item *item = i < n_declared ? model->ast->counter[i] : NULL;
	struct udd_counter *counter = &model->counter[i];
	size_t n = item && item->n_events ? item->n_events : 1;
	struct event_item *event = arena_alloc(model->arena, n * sizeof *event);

	*counter = (struct udd_counter){
		model->ast->counter_names.name[i], item ? item->text : "", event, n, item != NULL};
	event[0].name = counter->name;
	for (size_t k = 0; item && k < item->n_events; k++)
		event[k] = (struct event_item){item->event[k].name.text,
			item->event[k].filtered ? item->event[k].filter.text : NULL, item->event[k].also};
}

bool
udd_counter_place(const struct udd_model *model, size_t counter, struct place *out)
{
	const struct udd_item *item = model->counter[counter].declared ? model->ast->counter[counter] : NULL;
	const struct udd_word *word = !item ? NULL : item->n_events ? &item->event[0].name : &item->name;

	if (word)
		*out = udd_place(model->ast, item->file, word->at, word->len);
	return word != NULL;
}

static void
check_whole(struct udd_ast *a, struct diags *d)
{
	struct place at = {&a->file[0], 0, 0};

	if (!a->some_model)
		diag_add(d, DIAG_ERROR, &at, "begin with: model NAME;", "the file names no model");
	if (!a->some_path)
		diag_add(d, DIAG_ERROR, &at, "path NAME { … } says what one kind of request does",
			"the model has no path");
}

bool
udd_model_finish(struct udd_model *model, struct diags *diags, size_t errors)
{
	struct udd_ast *ast = model->ast;
	size_t n_declared = ast->counter_names.n, broken = diags->errors;

	if (diags->errors == errors) /* else the broken item may be the one that lacks */
		check_whole(ast, diags);
	udd_check_names(ast, diags);
	model_add_features(model);
	udd_check_variants(ast, model, diags);
	if (!broken) /* an incomplete model would only add misleading errors */
		udd_check_expansion(ast, model, diags);
	if (diags->errors != errors)
		return false;
	add_roots(model);
	add_groups(model);
	model->name = ast->model->name.text;
	model->text = ast->model->text;
	model->file = ast->file[0].name;
	model->n_counters = ast->counter_names.n;
	model->counter = arena_alloc(model->arena, (model->n_counters + 1) * sizeof *model->counter);
	for (size_t i = 0; i < model->n_counters; i++)
		model_add_counter(model, i, n_declared);
	return true;
}

struct udd_model *
udd_model_new(void)
{
	struct udd_model *m = mem_new(sizeof *m);

	m->arena = arena_new();
	m->ast = mem_new(sizeof *m->ast);
	m->ast->tail = &m->ast->first;
	m->ast->last_include = &m->ast->include;
	m->ast->file = mem_new_array(UDD_FILES_MAX, sizeof *m->ast->file);
	return m;
}

uint32_t
udd_add_source(struct udd_model *m, char *name, char *text, size_t n)
{
	source_init(&m->ast->file[m->ast->n_files], name, text, n);
	return (uint32_t)m->ast->n_files++;
}

static bool
include_nothing(void *ctx, const char *from, const char *path, struct udd_file *out, struct err *e)
{
	(void)ctx;
	(void)from;
	(void)out;
	return err_set(e, "no file %s: this file may include no other", path);
}

void
udd_read_items(struct udd_model *m, char *name, char *text, size_t n, struct diags *d)
{
	const struct udd_loader loader = {.load = include_nothing};
	struct udd_file f = {.name = name, .text = text, .n = n};
	struct parser p = {.model = m, .ast = m->ast, .arena = m->arena, .diags = d, .loader = &loader};

	p.includes = mem_new(sizeof *p.includes);
	include_text(&p, &f, name);
	free(p.includes);
}

struct udd_model *
udd_parse(const char *path, const struct udd_loader *loader, struct diags *diags)
{
	struct udd_model *model = udd_model_new();
	struct parser p = {.model = model, .ast = model->ast, .arena = model->arena, .diags = diags, .loader = loader};
	size_t errors = diags->errors;
	bool good;

	p.includes = mem_new(sizeof *p.includes);
	good = include_first(&p, path) && udd_model_finish(model, diags, errors);
	free(p.includes);
	if (good)
		return model;
	udd_free(model);
	return NULL;
}

void
udd_free(struct udd_model *model)
{
	struct udd_ast *ast = model ? model->ast : NULL;

	if (!model)
		return;
	for (size_t i = 0; i < ast->n_files; i++)
		source_free(&ast->file[i]);
	free(ast->file);
	names_free(&ast->words);
	names_free(&ast->def_names);
	names_free(&ast->feature_names);
	names_free(&ast->variant_names);
	names_free(&ast->root_names);
	names_free(&ast->counter_names);
	names_free(&ast->group_names);
	free(ast->def);
	free(ast->feature);
	free(ast->variant);
	free(ast->root);
	free(ast->counter);
	free(ast->group);
	free(ast);
	arena_free(model->arena);
	free(model);
}

size_t
udd_feature_named(const struct udd_model *model, const char *name)
{
	size_t i = 0;

	while (i < model->n_features && !str_eq(model->feature[i].name, name))
		i++;
	return i;
}

size_t
udd_counter_named(const struct udd_model *model, const char *name)
{
	size_t i = 0;

	while (i < model->n_counters && !str_eq(model->counter[i].name, name))
		i++;
	return i;
}
