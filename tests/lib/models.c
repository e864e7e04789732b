#include "models.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "test.h"

struct below {
	const char *dir; /* a folder below $HECATE_TESTS */
};

static char *
full_name(const char *dir, const char *file)
{
	const char *top = getenv("HECATE_TESTS");

	return str_format("%s/%s/%s", top ? top : "tests", dir, file);
}

/* The path of an include, relative to the directory of the file that asks for it. */
static char *
path_next_to(const char *from, const char *path)
{
	const char *slash = from ? strrchr(from, '/') : NULL;

	return slash ? str_format("%.*s/%s", (int)(slash - from), from, path) : mem_str(path);
}

static bool
load_file(void *ctx, const char *from, const char *path, struct udd_file *out, struct err *e)
{
	const struct below *b = ctx;
	char *name = path_next_to(from, path), *full = full_name(b->dir, name);
	FILE *f = fopen(full, "rb");
	struct stat st;

	if (!f || fstat(fileno(f), &st) != 0 || !S_ISREG(st.st_mode)) {
		err_set(e, "cannot read %s", name);
		free(name);
		free(full);
		if (f)
			fclose(f);
		return false;
	}
	*out = (struct udd_file){.name = name, .dev = st.st_dev, .ino = st.st_ino};
	out->text = mem_new((size_t)st.st_size + 1);
	out->n = fread(out->text, 1, (size_t)st.st_size, f);
	fclose(f);
	free(full);
	return true;
}

struct udd_model *
model_from_file(const char *dir, const char *file, struct diags *d)
{
	struct below b = {dir};

	return udd_parse(file, &(struct udd_loader){.load = load_file, .ctx = &b}, d);
}

struct text {
	const char *s;
	size_t n;
};

static bool
load_text(void *ctx, const char *from, const char *path, struct udd_file *out, struct err *e)
{
	const struct text *t = ctx;

	if (from)
		return err_set(e, "cannot read %s", path);
	*out = (struct udd_file){.name = mem_str(path), .text = mem_strn(t->s, t->n), .n = t->n, .ino = 1};
	return true;
}

struct udd_model *
model_from_text(const char *text, size_t n, struct diags *d)
{
	struct text t = {text, n};

	return udd_parse("m.udd", &(struct udd_loader){.load = load_text, .ctx = &t}, d);
}

struct udd_model *
model_from_made(struct str *text)
{
	struct diags d = {0};
	struct udd_model *m = model_from_text(str_text(text), text->n, &d);

	CHECK(m != NULL);
	diags_free(&d);
	str_free(text);
	return m;
}

struct udd_model *
model_random(uint64_t *seed)
{
	struct str t = {0};
	unsigned places = 2 + (unsigned)(test_random(seed) % 4);

	str_add(&t, "model random;\n");
	for (int i = 0; i < RANDOM_MODEL_COUNTERS; i++)
		str_addf(&t, "counter c%d;\n", i);
	for (int i = 0; i < RANDOM_MODEL_FEATURES; i++)
		str_addf(&t, "feature f%d;\n", i);
	str_add(&t, "path p {\n");
	for (unsigned i = 0; i < places; i++) {
		uint64_t kind = test_random(seed) % 4;

		if (kind)
			str_addf(&t, "when (%sf%u) { ", kind == 1 ? "!" : "",
				(unsigned)(test_random(seed) % RANDOM_MODEL_FEATURES));
		str_add(&t, "choose {");
		for (char c = 'A'; c <= 'B'; c++) {
			str_addf(&t, " case %c:", c);
			for (unsigned k = (unsigned)(test_random(seed) % 3); k > 0; k--)
				str_addf(&t, " count c%u;", (unsigned)(test_random(seed) % RANDOM_MODEL_COUNTERS));
		}
		str_add(&t, kind ? " } }\n" : " }\n");
	}
	str_add(&t, "count c0;\n}\n");
	return model_from_made(&t);
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **
names_list(const char *dir, const char *ending, size_t *n)
{
	char *full = full_name(dir, "."), **list = NULL;
	DIR *d = opendir(full);
	size_t cap = 0;

	*n = 0;
	for (struct dirent *e; d && (e = readdir(d));) {
		if (!str_ends(e->d_name, ending))
			continue;
		mem_grow(&list, &cap, *n + 2, sizeof *list);
		list[(*n)++] = mem_str(e->d_name);
	}
	if (d)
		closedir(d);
	free(full);
	if (!list)
		return mem_new(sizeof *list);
	qsort(list, *n, sizeof *list, compare_names);
	list[*n] = NULL;
	return list;
}

void
names_list_free(char **list)
{
	for (size_t i = 0; list[i]; i++)
		free(list[i]);
	free(list);
}
