#include "core/udd/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/udd/check.h"
#include "core/udd/include.h"
#include "core/udd/parser.h"

static const struct udd_item *
item_of(struct udd_item **list, size_t i)
{
	return list[i];
}

static void
add_features(struct udd_model *m)
{
	struct udd_ast *a = m->ast;

	m->n_features = a->feature_names.n < FSET_MAX ? a->feature_names.n : FSET_MAX;
	m->feature = arena_alloc(m->arena, (m->n_features + 1) * sizeof *m->feature);
	for (size_t i = 0; i < m->n_features; i++) {
		const struct udd_item *item = item_of(a->feature, i);
		uint32_t *excludes = arena_alloc(m->arena, (item->n_words + 1) * sizeof *excludes);
		struct fset seen = {0};
		size_t n = 0;

		for (size_t k = 0; k < item->n_words; k++) {
			size_t other = names_find(&a->feature_names, item->word[k].text, strlen(item->word[k].text));

			if (other >= FSET_MAX || fset_has(&seen, other)) /* NAMES_NONE is above any bound */
				continue;
			fset_put(&seen, other, true);
			excludes[n++] = (uint32_t)other;
		}
		m->feature[i] = (struct udd_feature){item->name.text, item->text, item->when, excludes, n};
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
add_groups(struct udd_model *m)
{
	m->n_groups = m->ast->group_names.n;
	m->group = arena_alloc(m->arena, (m->n_groups + 1) * sizeof *m->group);
	for (size_t i = 0; i < m->n_groups; i++) {
		const struct udd_item *item = m->ast->group[i];
		const char **name = arena_alloc(m->arena, (item->n_words + 1) * sizeof *name);

		for (size_t k = 0; k < item->n_words; k++)
			name[k] = item->word[k].text;
		m->group[i] = (struct udd_group){item->name.text, name, item->n_words};
	}
}

/* Counter i of the list; the declared stand first. Without a mapping its event has its own name. */
static void
add_counter(struct udd_model *m, size_t i, size_t n_declared)
{
	const struct udd_item *item = i < n_declared ? m->ast->counter[i] : NULL;
	struct udd_counter *c = &m->counter[i];
	size_t n = item && item->n_events ? item->n_events : 1;
	struct udd_event *event = arena_alloc(m->arena, n * sizeof *event);

	*c = (struct udd_counter){m->ast->counter_names.name[i], item ? item->text : "", event, n, item != NULL};
	event[0].name = c->name;
	for (size_t k = 0; item && k < item->n_events; k++)
		event[k] = (struct udd_event){item->event[k].name.text, item->event[k].filtered ? item->event[k].filter.text : NULL};
}

static void
check_whole(struct parser *p)
{
	struct place at = {&p->ast->file[0], 0, 0};

	if (!p->ast->some_model)
		diag_add(p->diags, DIAG_ERROR, &at, "begin with: model NAME;", "the file names no model");
	if (!p->ast->some_path)
		diag_add(p->diags, DIAG_ERROR, &at, "path NAME { … } says what one kind of request does", "the model has no path");
}

static void
finish(struct parser *p)
{
	struct udd_model *m = p->model;
	struct udd_ast *a = p->ast;
	size_t n_declared = a->counter_names.n, broken = p->diags->errors;

	check_whole(p);
	udd_check_names(a, p->diags);
	add_features(m);
	udd_check_variants(a, m, p->diags);
	if (!broken) /* what is half read would only add errors that nobody made */
		udd_check_expansion(a, m, p->diags);
	if (p->diags->errors)
		return;
	add_roots(m);
	add_groups(m);
	m->name = a->model->name.text;
	m->text = a->model->text;
	m->file = a->file[0].name;
	m->n_counters = a->counter_names.n;
	m->counter = arena_alloc(m->arena, (m->n_counters + 1) * sizeof *m->counter);
	for (size_t i = 0; i < m->n_counters; i++)
		add_counter(m, i, n_declared);
}

struct udd_model *
udd_parse(const char *path, const struct udd_loader *loader, struct diags *d)
{
	struct udd_model *m = mem_new(sizeof *m);
	struct parser p = {.model = m, .diags = d, .loader = loader};
	size_t before = d->errors;
	bool good;

	m->arena = arena_new();
	m->ast = mem_new(sizeof *m->ast);
	m->ast->tail = &m->ast->first;
	m->ast->last_include = &m->ast->include;
	m->ast->file = mem_new_array(UDD_FILES_MAX, sizeof *m->ast->file);
	p.arena = m->arena;
	p.ast = m->ast;
	p.includes = mem_new(sizeof *p.includes);
	good = include_first(&p, path);
	if (good)
		finish(&p);
	free(p.includes);
	if (good && d->errors == before)
		return m;
	udd_free(m);
	return NULL;
}

void
udd_free(struct udd_model *m)
{
	struct udd_ast *a = m ? m->ast : NULL;

	if (!m)
		return;
	for (size_t i = 0; i < a->n_files; i++)
		source_free(&a->file[i]);
	free(a->file);
	names_free(&a->words);
	names_free(&a->def_names);
	names_free(&a->feature_names);
	names_free(&a->variant_names);
	names_free(&a->root_names);
	names_free(&a->counter_names);
	names_free(&a->group_names);
	free(a->def);
	free(a->feature);
	free(a->variant);
	free(a->root);
	free(a->counter);
	free(a->group);
	free(a);
	arena_free(m->arena);
	free(m);
}
