/* From files to a model. Each flow, with its sidecar and counters, becomes items of the µDD language's tree. The tree
 * is then completed as that of a .udd file is. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "convert/fdl/fdl.h"
#include "convert/fdl/fdl_flow.h"
#include "convert/fdl/lexer.h"
#include "convert/fdl/parts.h"
#include "core/udd/build.h"
#include "core/udd/diagram.h"
#include "core/udd/word.h"
#include "text/bexpr.h"
#include "text/diag.h"

#define FDL ".fdl"
#define FDLM4 ".fdlm4"

struct builder {
	struct udd_model *m;
	const struct udd_loader *loader;
	struct udd_defines define;    /* the loader's */
	struct diags *diags;
	struct fdl_table *table;
	bool folder;
	bool some_m4;                 /* some file goes through m4 */
	size_t cap_sums;
	const struct fdl_binding **bound; /* per counter: the statistic that a sidecar binds it to; NULL */
	size_t cap_bound;
};

bool
fdl_is_file(const char *path)
{
	return str_ends(path, FDL) || str_ends(path, FDLM4);
}

/* The part of a path after its folders. */
static const char *
read_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Makes a model's name from that of its file, without folders, ending, and characters that names cannot have. In the
 * arena. */
static const char *
stem_of(struct udd_model *model, const char *path)
{
	size_t n = strlen(path), end;
	char *stem;

	while (n && path[n - 1] == '/')
		n--;
	for (end = n; n && path[n - 1] != '/'; n--)
		;
	stem = arena_strn(model->arena, path + n, end - n);
	if (fdl_is_file(stem))
		*strrchr(stem, '.') = '\0';
	for (char *c = stem; *c; c++)
		if (!fdl_word_byte(*c) && *c != '-')
			*c = '_';
	return *stem ? stem : "fdl";
}

static void
read_fail(struct builder *b, const char *what)
{
	diag_add(b->diags, DIAG_ERROR, NULL, NULL, "%s", what);
}

static struct udd_word
plain_word(struct builder *b, const char *text, const struct udd_word *where)
{
	return (struct udd_word){.text = word_text(&b->m->ast->words, text, strlen(text)), .at = where->at,
		.len = where->len};
}

/* The text of file number `file` as the flow was parsed from it: after m4, or its own. The caller frees. NULL after a
 * diagnostic. */
static char *
read_text_of(struct builder *builder, uint32_t file)
{
	const struct source *source = &builder->m->ast->file[file];
	size_t bad;

	if (!utf8_valid(source->text, source->n, &bad)) {
		struct place at = {source, (uint32_t)bad, 1};

		diag_add(builder->diags, DIAG_ERROR, &at, "save the file as UTF-8 text",
			"this is not text: a NUL or a byte that is not UTF-8");
		return NULL;
	}
	if (!str_ends(source->name, FDLM4))
		return mem_strn(source->text, source->n);
	builder->some_m4 = true;
	return fdl_m4(source, (const char *const *)builder->define.text, builder->define.n, builder->diags);
}

/* Reads the sidecar of a file, if there is one; false after errors. */
static bool
read_sidecar(struct builder *builder, uint32_t file, struct fdl_sidecar *out)
{
	const char *path = builder->m->ast->file[file].name, *own = read_base_name(path);
	char *name = str_format("%.*s.json", (int)(strrchr(own, '.') - own), own);
	struct udd_file f = {0};
	struct err e = {0};
	struct source s;
	bool good = true;

	*out = (struct fdl_sidecar){0};
	if (builder->loader->load(builder->loader->ctx, path, name, &f, &e)) {
		source_init(&s, f.name ? f.name : mem_str(name), f.text, f.n);
		good = fdl_sidecar_read(&s, own, builder->m->arena, builder->diags, out);
		source_free(&s);
	} else if (str_ends(path, FDLM4)) {
		diag_add(builder->diags, DIAG_WARNING, NULL, NULL,
			"%s has no sidecar %s, so its features are not known", path, name);
	}
	free(name);
	return good;
}

static const struct fdl_binding *
find_binding(const struct fdl_sidecar *s, const char *counter)
{
	for (size_t i = 0; i < s->n_bindings; i++)
		if (str_eq(s->binding[i].counter, counter))
			return &s->binding[i];
	return NULL;
}

/* A counter that several flows raise is one counter, so all must bind it to the same statistic. */
static void
check_binding(struct builder *builder, const struct fdl_flow *flow, const struct udd_word *word, size_t i,
	const struct fdl_binding *now)
{
	const struct fdl_binding *before = builder->bound[i];
	struct place at = fdl_place(flow, word->at, word->len);
	char *hint;

	if (!before || !now || str_eq(before->stat, now->stat))
		return;
	hint = str_format("it is bound to %.200s there and to %.200s here", before->stat, now->stat);
	diag_add(builder->diags, DIAG_ERROR, &at, hint,
		"counter %.80s is bound to another statistic in another model of the folder", word->text);
	free(hint);
}

static void
read_add_counter(struct builder *builder, const struct fdl_flow *flow, const struct fdl_sidecar *sidecar,
	const struct udd_word *w)
{
	struct udd_ast *ast = builder->m->ast;
	size_t known = names_find(&ast->counter_names, w->text, strlen(w->text));
	const struct fdl_binding *binding = find_binding(sidecar, w->text);
	struct udd_item *item;
	struct place at = fdl_place(flow, w->at, w->len);

	if (sidecar->binds && !binding)
		diag_add(builder->diags, DIAG_ERROR, &at,
			"counter_bindings of the sidecar names a statistic for each counter",
			"counter %.80s is bound to nothing", w->text);
	if (known != NAMES_NONE) {
		check_binding(builder, flow, w, known, binding);
		return;
	}
	item = udd_item_new(ast, builder->m->arena, ITEM_COUNTER, flow->file);
	item->name = *w;
	udd_item_declare(ast, item, builder->diags);
	mem_grow(&builder->bound, &builder->cap_bound, ast->counter_names.n, sizeof *builder->bound);
	builder->bound[ast->counter_names.n - 1] = binding;
	if (!binding) {
		item->event = fdl_table_events(builder->table, w, builder->m->arena, &item->n_events);
		item->text = fdl_table_text(builder->table, w->text, builder->m->arena);
		return;
	}
	item->event = arena_alloc(builder->m->arena, sizeof *item->event);
	item->event->name.text = binding->stat;
	item->n_events = 1;
}

/* Collects the counters that statements raise, in text order. */
static void
read_add_counters(struct builder *b, const struct fdl_flow *f, const struct fdl_sidecar *s, const struct udd_stmt *body)
{
	for (; body; body = body->next) {
		if (body->kind == STMT_COUNT)
			read_add_counter(b, f, s, &body->word[0]);
		else if (body->kind == STMT_SWITCH)
			for (const struct udd_case *c = body->cases; c; c = c->next)
				read_add_counters(b, f, s, c->body);
	}
}

static void
read_add_sums(struct builder *builder, const struct fdl_flow *flow, size_t root)
{
	for (size_t i = 0; i < flow->n_groups; i++) {
		const struct fdl_group *group = &flow->group[i];
		const char **part = arena_alloc(builder->m->arena, (group->n + 1) * sizeof *part);

		for (size_t k = 0; k < group->n; k++)
			part[k] = group->part[k].text;
		mem_grow(&builder->m->sum, &builder->cap_sums, builder->m->n_sums + 1, sizeof *builder->m->sum);
		builder->m->sum[builder->m->n_sums++] = (struct udd_sum){group->total.text, part, group->n,
			(uint32_t)root, flow->file, group->total.at, group->total.len};
	}
}

static const char *
tags_of(struct builder *b, const struct fdl_sidecar *s)
{
	struct str t = {0};
	const char *kept;

	for (size_t i = 0; i < s->n_features; i++)
		str_addf(&t, "%s%s", i ? ", " : "", s->feature[i]);
	kept = arena_str(b->m->arena, str_text(&t));
	str_free(&t);
	return kept;
}

/* Adds a feature for a file of a folder, and a variant with only this feature. exclude_others() later makes the feature
 * exclude those of all other files. */
static void
add_choice(struct builder *builder, const struct fdl_flow *flow, struct udd_item *path, const char *tags)
{
	struct udd_ast *ast = builder->m->ast;
	struct udd_item *item = udd_item_new(ast, builder->m->arena, ITEM_FEATURE, flow->file);

	item->name = path->name;
	item->text = tags;
	udd_item_declare(ast, item, builder->diags);
	item = udd_item_new(ast, builder->m->arena, ITEM_VARIANT, flow->file);
	item->name = path->name;
	item->text = tags;
	item->word = arena_copy(builder->m->arena, &path->name, sizeof path->name);
	item->n_words = 1;
	udd_item_declare(ast, item, builder->diags);
	path->when = arena_alloc(builder->m->arena, sizeof *path->when);
	*path->when = (struct bexpr){.op = BEXPR_NAME, .name = path->name.text, .index = BEXPR_UNBOUND, .size = 1,
		.at = path->name.at, .len = path->name.len};
}

/* In a folder, x.fdl and x.fdlm4 would have the same name. */
static bool
is_new(struct builder *b, const struct fdl_flow *f, const struct udd_word *name)
{
	struct place at = fdl_place(f, name->at, name->len);

	if (names_find(&b->m->ast->root_names, name->text, strlen(name->text)) == NAMES_NONE)
		return true;
	diag_add(b->diags, DIAG_ERROR, &at, "a model of the folder has the name of its file without the ending",
		"a second model of the folder is called %.80s", name->text);
	return false;
}

/* Reads one FDL file that has been added as a source. Reports whatever is wrong with it. */
static void
read_flow(struct builder *builder, uint32_t file)
{
	struct udd_model *model = builder->m;
	char *text = read_text_of(builder, file);
	struct fdl_flow f;
	struct fdl_sidecar sidecar;
	struct udd_item *item;
	struct udd_word name;

	if (text && fdl_parse_flow(model->ast, model->arena, &model->ast->words, file, text, builder->diags, &f) &&
		fdl_order(&f, model->arena, builder->diags)) {
		fdl_lint(&f, builder->diags);
		name = plain_word(builder, stem_of(model, model->ast->file[file].name), &f.where);
		if (is_new(builder, &f, &name) && read_sidecar(builder, file, &sidecar)) {
			read_add_counters(builder, &f, &sidecar, f.body);
			read_add_sums(builder, &f, model->ast->root_names.n);
			item = udd_item_new(model->ast, model->arena, ITEM_PATH, file);
			item->name = name;
			item->body = f.body;
			model->ast->some_path = true;
			udd_item_declare(model->ast, item, builder->diags);
			if (builder->folder)
				add_choice(builder, &f, item, tags_of(builder, &sidecar));
			else
				model->ast->model->text = sidecar.name ? tags_of(builder, &sidecar) : "";
		}
	}
	free(text);
}

/* Loads a file as the next source of the model; false after a diagnostic. */
static bool
read_load(struct builder *builder, const char *from, const char *path, uint32_t *file)
{
	struct udd_file f = {0};
	struct err e = {0};
	struct str text = {0};

	if (builder->loader->load(builder->loader->ctx, from, path, &f, &e)) {
		if (f.n <= UDD_FILE_MAX) {
			*file = udd_add_source(builder->m, f.name ? f.name : mem_str(path), f.text, f.n);
			return true;
		}
		free(f.name);
		free(f.text);
		err_set(&e, "%s is larger than %zu MB", path, UDD_FILE_MAX >> 20);
	}
	err_text(&e, &text);
	read_fail(builder, str_text(&text));
	str_free(&text);
	return false;
}

static void
exclude_others(struct builder *builder)
{
	struct udd_ast *ast = builder->m->ast;
	size_t n = ast->feature_names.n;

	for (size_t i = 0; i < n; i++) {
		struct udd_item *item = ast->feature[i];

		item->word = arena_alloc(builder->m->arena, (n + 1) * sizeof *item->word);
		for (size_t k = 0; k < n; k++)
			if (k != i)
				item->word[item->n_words++] = ast->feature[k]->name;
	}
}

/* Collects the files that the folder's text lists. */
static void
read_folder(struct builder *builder)
{
	const struct source *source = &builder->m->ast->file[0];
	char **name = str_split(source->text, '\n', NULL);
	size_t n = 0;
	char *what;

	for (; name[n] && *name[n]; n++)
		;
	if (n == 0 || n > FSET_MAX) {
		what = n ? str_format("%s has more than %d FDL files, which is as many as a family may have",
				   source->name, FSET_MAX)
			 : str_format("%s has no .fdl or .fdlm4 file, so it is not a family of models", source->name);
		read_fail(builder, what);
		free(what);
		n = 0;
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t file;

		if (read_load(builder, source->name, name[i], &file))
			read_flow(builder, file);
	}
	exclude_others(builder);
	str_split_free(name);
}

/* Moves the sums to the other items. All counters must be known by then. */
static void
keep_sums(struct udd_model *m)
{
	struct udd_sum *list = m->sum;

	m->sum = m->n_sums ? arena_copy(m->arena, list, m->n_sums * sizeof *list) : NULL;
	free(list);
}

static void
check_definitions(struct builder *b)
{
	for (size_t i = 0; i < b->define.n; i++) {
		const char *fault = fdl_define_fault(b->define.text[i]);

		if (fault)
			diag_add(b->diags, DIAG_ERROR, NULL, fault, "-D %.80s defines nothing", b->define.text[i]);
	}
}

/* Checks each flow by itself. An error that appears here appears again when the model is used. */
static void
lint_decisions(const struct udd_model *model, struct diags *diags)
{
	for (size_t i = 0; i < model->n_roots && !diags_full(diags, DIAG_WARNING); i++) {
		struct diags ignored = {0};
		struct fset on = {0};
		struct udd_diagram *diagram;

		if (model->form == UDD_FORM_FDL_FOLDER)
			fset_put(&on, i, true);
		diagram = udd_expand(model, &on, &ignored);
		if (diagram)
			fdl_lint_decisions(diagram, diags);
		udd_diagram_free(diagram);
		diags_free(&ignored);
	}
}

static struct udd_model *
read_fdl(const char *path, const struct udd_loader *loader, struct diags *diags)
{
	struct builder b = {.m = udd_model_new(), .loader = loader, .diags = diags, .folder = str_ends(path, "/")};
	size_t errors = diags->errors;
	uint32_t file;
	struct udd_item *model;

	if (read_load(&b, NULL, path, &file)) {
		b.define = loader->define ? *loader->define : (struct udd_defines){0};
		check_definitions(&b);
		b.table = fdl_table_load(b.m->ast->file[0].name, loader, diags);
		model = b.m->ast->model = udd_item_new(b.m->ast, b.m->arena, ITEM_MODEL, 0);
		b.m->ast->some_model = true;
		model->name.text = stem_of(b.m, b.m->ast->file[0].name);
		if (b.folder)
			read_folder(&b);
		else
			read_flow(&b, file);
	}
	keep_sums(b.m);
	b.m->form = b.folder ? UDD_FORM_FDL_FOLDER : UDD_FORM_FDL;
	if (diags->errors == errors && b.define.n && !b.some_m4)
		diag_add(diags, DIAG_ERROR, NULL, "leave -D out", "-D is for .fdlm4 files; %s does not go through m4",
			path);
	fdl_table_free(b.table);
	free(b.bound);
	if (diags->errors == errors && udd_model_finish(b.m, diags, errors)) {
		lint_decisions(b.m, diags);
		return b.m;
	}
	udd_free(b.m);
	return NULL;
}

struct udd_model *
model_read(const char *path, const struct udd_loader *loader, struct diags *d)
{
	if (fdl_is_file(path) || str_ends(path, "/"))
		return read_fdl(path, loader, d);
	if (loader->define && loader->define->n) {
		diag_add(d, DIAG_ERROR, NULL, "leave -D out", "-D is for .fdlm4 files; %s does not go through m4",
			path);
		return NULL;
	}
	return udd_parse(path, loader, d);
}
