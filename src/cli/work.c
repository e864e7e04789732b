#include "cli/work.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/analysis/analysis.h"
#include "app/files/data.h"
#include "app/files/recording.h"
#include "app/files/texts.h"
#include "base/err.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/shell.h"
#include "base/str.h"
#include "cli/counterpoint.h"
#include "cli/options.h"
#include "cli/reading.h"
#include "cli/work_sink.h"
#include "core/fdl/fdl.h"
#include "core/lang/diag.h"
#include "core/obs/rows.h"
#include "core/udd/model.h"
#include "core/verdict/verdict.h"

int
work_fail(const struct err *e)
{
	struct str text = {0};

	err_text(e, &text);
	fprintf(stderr, "hecate: %s\n", str_text(&text));
	str_free(&text);
	return 2;
}

void
work_say_diagnostics(const struct options *o, const struct diags *d)
{
	struct str text = {0};

	for (size_t i = 0; i < d->n; i++)
		if (d->item[i].level == DIAG_ERROR || !o->quiet)
			diag_print(&d->item[i], "hecate: ", &text);
	if (d->dropped)
		str_addf(&text, "hecate: %zu more not shown\n", d->dropped);
	fputs(str_text(&text), stderr);
	str_free(&text);
}

void
work_say_lines(const struct options *o, struct str *text)
{
	char **line = str_split(str_text(text), '\n', NULL);

	for (size_t i = 0; line[i] && !o->quiet; i++)
		if (*line[i])
			log_line(NULL, "%s", line[i]);
	str_split_free(line);
	str_free(text);
}

static struct udd_model *
parse(const struct options *o, const char *path, const struct udd_loader *loader)
{
	struct diags d = {0};
	struct udd_model *m = model_read(path, loader, &d);

	work_say_diagnostics(o, &d);
	diags_free(&d);
	return m;
}

struct udd_model *
work_load_named(const struct options *o, const char *name, struct bundle *b)
{
	struct udd_loader loader;
	struct udd_model *m;
	struct err e = {0};
	char *path;

	if (recording_is(name)) {
		if (!recording_load_model(name, b, &e)) {
			work_fail(&e);
			return NULL;
		}
		loader = bundle_loader(b);
		return parse(o, b->path, &loader);
	}
	path = text_is_other(name, TEXT_MODEL, &e) ? NULL : file_find_model(name, &e);
	if (!path) {
		work_fail(&e);
		return NULL;
	}
	for (size_t i = 0; i < o->include_dirs.n; i++) {
		size_t cap = b->n_include_dirs;

		mem_grow(&b->include_dir, &cap, b->n_include_dirs + 1, sizeof *b->include_dir);
		b->include_dir[b->n_include_dirs++] = mem_str(o->include_dirs.item[i]);
	}
	for (size_t i = 0; i < o->defines.n; i++) {
		size_t cap = b->define.n;

		mem_grow(&b->define.text, &cap, b->define.n + 1, sizeof *b->define.text);
		b->define.text[b->define.n++] = mem_str(o->defines.item[i]);
	}
	loader = bundle_disk_loader(b);
	m = parse(o, path, &loader);
	free(path);
	return m;
}

size_t
work_first_data(const struct options *o)
{
	return o->n_args == 0 || recording_is(o->arg[0]) ? 0 : 1;
}

struct udd_model *
work_load(const struct options *o, struct bundle *b)
{
	struct err e = {0};

	if (o->n_args == 0) {
		err_set(&e, "%s needs a model", o->command->name);
		err_hint(&e, "for instance: hecate %s linux-page-faults", o->command->name);
		work_fail(&e);
		return NULL;
	}
	/* A file of another name is data, whatever it holds. */
	if (!file_is_path(o->arg[0]) && access(o->arg[0], F_OK) == 0 && !recording_is(o->arg[0])
		&& !file_is_folder(o->arg[0])) {
		err_set(&e, "%s is data: which model is it to be judged by?", o->arg[0]);
		char *as_path = str_format("./%s", o->arg[0]);

		if (*o->command->name)
			shell_hint(&e, "the model comes first: hecate %s MODEL %s; a model of this name is %s",
				o->command->name, o->arg[0], as_path);
		else
			shell_hint(&e, "the model comes first: hecate MODEL %s; a model of this name is %s", o->arg[0],
				as_path);
		free(as_path);
		work_fail(&e);
		return NULL;
	}
	return work_load_named(o, o->arg[0], b);
}

bool
work_choose(const struct options *o, const struct udd_model *m, struct fset *on)
{
	struct err e = {0};

	if (udd_choose(m, o->variant, o->features, o->without, on, &e))
		return true;
	work_fail(&e);
	return false;
}

bool
work_fixed(const struct options *o, const struct udd_model *m, struct fset *fixed, struct err *e)
{
	const char **name = mem_new_array(m->n_features, sizeof *name);
	char **word = str_split(o->fix ? o->fix : "", ',', NULL);
	bool good = true;

	for (size_t i = 0; i < m->n_features; i++)
		name[i] = m->feature[i].name;
	for (size_t k = 0; o->fix && word[k] && good; k++) {
		const char *near = near_name(word[k], name, m->n_features);
		size_t i = 0;

		while (i < m->n_features && !str_eq(word[k], name[i]))
			i++;
		if (i < m->n_features) {
			fset_put(fixed, i, true);
		} else {
			good = err_set(e, "--fix: the model has no feature '%s'", word[k]);
			if (near)
				err_hint(e, "nearest: %s", near);
		}
	}
	str_split_free(word);
	free(name);
	return good;
}

static bool
pick_counters(const struct options *o, const struct udd_model *m, struct analysis_options *a)
{
	const char **name = mem_new_array(m->n_counters, sizeof *name);
	char **word = str_split(o->counters, ',', NULL);
	struct err e = {0};
	bool good = true;

	a->n_counters = m->n_counters;
	a->counter = mem_new_array(m->n_counters, sizeof *a->counter);
	for (size_t i = 0; i < m->n_counters; i++)
		name[i] = m->counter[i].name;
	for (size_t k = 0; word[k] && good; k++) {
		bool found = false;

		for (size_t i = 0; i < m->n_counters; i++)
			if (str_eq(word[k], name[i]))
				a->counter[i] = found = true;
		if (!found) {
			const char *near = near_name(word[k], name, m->n_counters);

			err_set(&e, "--counters: the model has no counter '%s'", word[k]);
			if (near)
				err_hint(&e, "nearest: %s", near);
			work_fail(&e);
			good = false;
		}
	}
	str_split_free(word);
	free(name);
	return good;
}

bool
work_analysis_options(const struct options *o, const struct udd_model *m, struct analysis_options *a)
{
	struct err e = {0};

	*a = analysis_options_default();
	if (!counterpoint_alone(o, &e))
		return work_fail(&e) == 0;
	a->confidence = o->confidence;
	a->family_wise = o->family_wise;
	a->flow = o->flow;
	a->exact = o->exact;
	a->split_phases = o->split_phases;
	a->peeking = o->peek;
	a->independent_rows = o->independent_rows;
	a->tolerance = o->tolerance;
	a->runs = (double)o->stated_runs;
	a->cone_seconds = o->cone_seconds;
	for (size_t k = 0; k < REGION_KINDS; k++)
		if (o->region && str_eq(o->region, region_name((enum region_kind)k)))
			a->decides = (int)k;
	if (o->counterpoint)
		counterpoint_options(a);
	if (o->counters && !pick_counters(o, m, a)) {
		analysis_options_free(a);
		return false;
	}
	a->observations = o->observations ? mem_str(o->observations) : NULL;
	return true;
}

bool
job_begin(struct job *j, const struct options *o)
{
	*j = (struct job){0};
	j->model = work_load(o, &j->bundle);
	return j->model && work_choose(o, j->model, &j->on) && work_analysis_options(o, j->model, &j->how);
}

void
job_end(struct job *j)
{
	udd_free(j->model);
	analysis_options_free(&j->how);
	bundle_free(&j->bundle);
}

struct obs_table *
work_read_data(const struct options *o, const char *path)
{
	char *one[] = {(char *)(uintptr_t)path};
	struct obs_table *t;

	reading_tables(o, one, 1, &t);
	return t;
}

struct obs_table *
work_open_data(const struct options *o, const char *path)
{
	struct err e = {0};
	struct obs_table *t;

	if (str_eq(path, "-"))
		return work_read_data(o, path);
	t = data_open(path, o->exact, &e);
	if (!t)
		work_fail(&e);
	return t;
}

bool
work_data_held(const struct obs_table *t)
{
	const struct err *e = obs_table_failure(t);

	if (e)
		work_fail(e);
	return !e;
}

bool
work_write_file(const char *path, const struct str *text, struct err *e)
{
	struct work_sink sink;

	work_sink_begin_file(&sink, path);
	return work_sink_end(&sink, text, true, e);
}

bool
work_is_stream(const struct options *o)
{
	return !o->output || str_eq(o->output, "-") || work_target_is_straight(o->output);
}

bool
work_flush(struct str *text, struct err *e)
{
	if (fwrite(str_text(text), 1, text->n, stdout) != text->n || fflush(stdout) != 0)
		return err_set(e, "cannot write to standard output: %s", strerror(errno));
	str_clear(text);
	return true;
}

bool
work_write(const struct options *o, const struct str *text)
{
	struct work_sink sink;
	struct err e = {0};

	work_sink_begin(&sink, o);
	return work_sink_end(&sink, text, true, &e) || work_fail(&e) == 0;
}

void
work_json_set(struct json_writer *w, const char *key, const struct udd_model *m, const struct fset *on)
{
	json_open(w, key, '[');
	for (size_t i = 0; i < m->n_features; i++)
		if (fset_has(on, i))
			json_str(w, NULL, m->feature[i].name);
	json_close(w, ']');
}

void
work_json_head(struct json_writer *w, const char *schema, const struct udd_model *m, const struct fset *on)
{
	json_str(w, "schema", schema);
	json_str(w, "model", m->name);
	json_str(w, "file", m->file);
	work_json_set(w, "features", m, on);
}

void
work_feature_names(const struct udd_model *m, const struct fset *on, const char *none, struct str *out)
{
	size_t some = 0;

	for (size_t i = 0; i < m->n_features; i++)
		if (fset_has(on, i))
			str_addf(out, "%s%s", some++ ? ", " : "", m->feature[i].name);
	if (!some)
		str_add(out, none);
}
