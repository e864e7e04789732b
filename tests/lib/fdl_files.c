#include "fdl_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "convert/fdl/print.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "test.h"
#include "work/files/files.h"

/* The definitions "A B=1" of a first line "# -D A B=1"; NULL: none. The caller frees. */
static char *
first_line_defines(const char *path)
{
	char line[200] = "", *end;
	FILE *f = fopen(path, "r");

	if (f && !fgets(line, sizeof line, f))
		*line = '\0';
	if (f)
		fclose(f);
	end = strchr(line, '\n');
	if (end)
		*end = '\0';
	return mem_str(str_starts(line, "# -D ") ? line + 5 : "");
}

struct udd_model *
fdl_load(const char *path, const char *define, struct diags *d)
{
	struct bundle b = {0};
	char *top = str_format("%s/fdl", getenv("HECATE_TESTS")), *said;
	struct udd_loader loader;
	struct udd_model *m;

	if (!CHECK(chdir(top) == 0))
		abort();
	said = define ? mem_str(define) : first_line_defines(path);
	b.define.text = str_split(said, ' ', &b.define.n);
	if (!*said)
		b.define.n = 0;
	loader = bundle_disk_loader(&b);
	m = model_read(path, &loader, d);
	str_split_free(b.define.text);
	b.define = (struct udd_defines){0};
	bundle_free(&b);
	free(said);
	free(top);
	return m;
}

struct piece {
	const char *s;
	size_t n;
};

static bool
load_text(void *ctx, const char *from, const char *path, struct udd_file *out, struct err *e)
{
	const struct piece *t = ctx;

	if (from)
		return err_set(e, "cannot read %s", path);
	*out = (struct udd_file){.name = mem_str(path), .text = mem_strn(t->s, t->n), .n = t->n, .ino = 1};
	return true;
}

struct udd_model *
fdl_load_text(const char *name, const char *text, size_t n, struct diags *d)
{
	struct piece t = {text, n};

	return model_read(name, &(struct udd_loader){.load = load_text, .ctx = &t}, d);
}

static bool
load_with_sidecar(void *ctx, const char *from, const char *path, struct udd_file *out, struct err *e)
{
	static const char flow[] = "FLOW { incr cycles; incr fetch_running; incr fetch_waits; incr fetch_squashes; "
		"incr committing; done; }";
	const struct piece *t = ctx;

	if (from && !str_eq(path, "core.json"))
		return err_set(e, "cannot read %s", path);
	*out = (struct udd_file){.name = mem_str(path), .text = from ? mem_strn(t->s, t->n) : mem_str(flow),
		.n = from ? t->n : sizeof flow - 1, .ino = from ? 2 : 1};
	return true;
}

struct udd_model *
fdl_load_with_sidecar(const char *sidecar, size_t n, struct diags *d)
{
	struct piece t = {sidecar, n};

	return model_read("core.fdl", &(struct udd_loader){.load = load_with_sidecar, .ctx = &t}, d);
}

static struct udd_diagram *
expand(const struct udd_model *m, const char *variant, struct diags *d)
{
	struct err e = {0};
	struct fset on;

	if (!CHECK(udd_choose(m, variant, NULL, NULL, &on, &e)))
		return NULL;
	return udd_expand(m, &on, d);
}

struct signatures *
fdl_signatures(const struct udd_model *m, const char *variant, struct diags *d)
{
	struct udd_diagram *g = expand(m, variant, d);
	struct signatures *s = g ? signatures_new(g, d) : NULL;

	udd_diagram_free(g);
	return s;
}

/* For each counter of a its number in b; SIZE_MAX: b does not have it. The caller frees. */
static size_t *
translate(const struct udd_model *a, const struct udd_model *b)
{
	size_t *to = mem_new_array(a->n_counters, sizeof *to);

	for (size_t i = 0; i < a->n_counters; i++) {
		to[i] = SIZE_MAX;
		for (size_t k = 0; k < b->n_counters; k++)
			if (str_eq(a->counter[i].name, b->counter[k].name))
				to[i] = k;
	}
	return to;
}

static size_t width;

static int
compare_vectors(const void *a, const void *b)
{
	return memcmp(a, b, width);
}

bool
fdl_same_signatures(const struct udd_model *a, const struct signatures *s, const struct udd_model *b,
	const struct signatures *t)
{
	size_t *to = translate(a, b), n = t->n_counters;
	int64_t *x = mem_new_array(s->n, n * sizeof *x), *y = t->n ? mem_copy(t->coef, t->n * n * sizeof *y) : NULL;
	bool good = CHECK_STR(s->total, t->total);

	good &= CHECK_INT(s->n, t->n);
	for (size_t k = 0; k < s->n; k++)
		for (size_t i = 0; i < s->n_counters; i++)
			if (to[i] != SIZE_MAX)
				x[k * n + to[i]] = s->coef[k * s->n_counters + i];
			else
				good &= test_check(s->coef[k * s->n_counters + i] == 0, __FILE__, __LINE__,
					"%s is lost", a->counter[i].name);
	width = n * sizeof *x;
	if (good && s->n) {
		qsort(x, s->n, width, compare_vectors);
		qsort(y, t->n, width, compare_vectors);
		good = CHECK(memcmp(x, y, s->n * width) == 0);
	}
	free(to);
	free(x);
	free(y);
	return good;
}

char *
fdl_written(const struct udd_model *m, const char *variant)
{
	struct diags d = {0};
	struct udd_diagram *g = expand(m, variant, &d);
	struct fdl_lost lost = {0};
	struct str out = {0};
	struct err e = {0};
	bool good = CHECK(g != NULL) && CHECK(fdl_write_diagram(g, &lost, &out, &e));

	udd_diagram_free(g);
	diags_free(&d);
	fdl_lost_free(&lost);
	if (good)
		return str_take(&out);
	str_free(&out);
	return NULL;
}
