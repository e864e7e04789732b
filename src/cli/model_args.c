#include "cli/model_args.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/trust_args.h"
#include "convert/fdl/fdl.h"
#include "core/udd/model.h"
#include "core/verdict/verdict.h"
#include "text/diag.h"
#include "text/word_list.h"
#include "work/files/recording.h"
#include "work/files/texts.h"

static struct udd_model *
parse(const struct options *o, const char *path, const struct udd_loader *loader)
{
	struct diags d = {0};
	struct udd_model *m = model_read(path, loader, &d);

	print_diagnostics(o, &d);
	diags_free(&d);
	return m;
}

struct udd_model *
model_args_load_named(const struct options *options, const char *name, struct bundle *bundle)
{
	struct udd_loader loader;
	struct udd_model *model;
	struct err e = {0};
	char *path;

	if (recording_is(name)) {
		if (!recording_load_model(name, bundle, &e)) {
			print_failure(&e);
			return NULL;
		}
		loader = bundle_loader(bundle);
		return parse(options, bundle->path, &loader);
	}
	path = text_is_other(name, TEXT_MODEL, &e) ? NULL : file_find_model(name, &e);
	if (!path) {
		print_failure(&e);
		return NULL;
	}
	for (size_t i = 0; i < options->include_dirs.n; i++) {
		size_t cap = bundle->n_include_dirs;

		mem_grow(&bundle->include_dir, &cap, bundle->n_include_dirs + 1, sizeof *bundle->include_dir);
		bundle->include_dir[bundle->n_include_dirs++] = mem_str(options->include_dirs.item[i]);
	}
	for (size_t i = 0; i < options->defines.n; i++) {
		size_t cap = bundle->define.n;

		mem_grow(&bundle->define.text, &cap, bundle->define.n + 1, sizeof *bundle->define.text);
		bundle->define.text[bundle->define.n++] = mem_str(options->defines.item[i]);
	}
	loader = bundle_disk_loader(bundle);
	model = parse(options, path, &loader);
	free(path);
	return model;
}

struct udd_model *
model_args_load(const struct options *o, struct bundle *bundle)
{
	struct err e = {0};

	if (o->n_args == 0) {
		err_set(&e, "%s needs a model", o->command->name);
		err_hint(&e, "for instance: hecate %s linux-page-faults", o->command->name);
		print_failure(&e);
		return NULL;
	}
	/* A file of another name is data, whatever it holds. */
	if (!file_is_path(o->arg[0]) && access(o->arg[0], F_OK) == 0 && !recording_is(o->arg[0])
		&& !file_is_folder(o->arg[0])) {
		err_set(&e, "%s is data, and no model to judge it is given", o->arg[0]);
		char *as_path = str_format("./%s", o->arg[0]);

		if (*o->command->name)
			shell_hint(&e, "name the model first: hecate %s MODEL %s; to read it as a model, write %s",
				o->command->name, o->arg[0], as_path);
		else
			shell_hint(&e, "name the model first: hecate MODEL %s; to read it as a model, write %s",
				o->arg[0], as_path);
		free(as_path);
		print_failure(&e);
		return NULL;
	}
	return model_args_load_named(o, o->arg[0], bundle);
}

bool
model_args_choose(const struct options *o, const struct udd_model *m, struct fset *on)
{
	struct err e = {0};

	if (udd_choose(m, o->variant, o->features, o->without, on, &e))
		return true;
	print_failure(&e);
	return false;
}

bool
model_args_fixed(const struct options *options, const struct udd_model *m, struct fset *fixed, struct err *e)
{
	struct word_list list = word_list_of(options->fix ? options->fix : "", ',');
	bool good = true;

	while (options->fix && good && word_list_next(&list)) {
		size_t i = 0;

		while (i < m->n_features && !str_eq(list.word, m->feature[i].name))
			i++;
		good = i < m->n_features;
		if (good) {
			fset_put(fixed, i, true);
		} else {
			err_set(e, "--fix: the model has no feature '%s'", list.word);
			word_list_hint(e, list.word, "it has", m->feature, m->n_features, sizeof *m->feature);
		}
	}
	return word_list_end(&list, good, e);
}

static bool
pick_counters(const struct options *o, const struct udd_model *m, struct analysis_options *options)
{
	struct word_list list = word_list_of(o->counters, ',');
	struct err e = {0};
	bool good = true;

	options->n_counters = m->n_counters;
	options->counter = mem_new_array(m->n_counters, sizeof *options->counter);
	while (good && word_list_next(&list)) {
		good = false;
		for (size_t i = 0; i < m->n_counters; i++)
			if (str_eq(list.word, m->counter[i].name))
				options->counter[i] = good = true;
		if (!good) {
			err_set(&e, "--counters: the model has no counter '%s'", list.word);
			word_list_hint(&e, list.word, "it has", m->counter, m->n_counters, sizeof *m->counter);
		}
	}
	return word_list_end(&list, good, &e) || print_failed(&e);
}

/* False and *e when --counterpoint is given with another option of how verdicts are made. The default confidence is
 * CounterPoint's own, so it is accepted even when it is given. */
static bool
counterpoint_alone(const struct options *options, struct err *e)
{
	const struct {
		bool given;
		const char *name, *why;
	} other[] = {
		{options->region != NULL, "region", "its box decides"},
		{options->confidence < CONFIDENCE_DEFAULT || options->confidence > CONFIDENCE_DEFAULT, "confidence",
			"its box is at 0.99"},
		{options->family_wise, "family-wise", "it judges each observation by itself"},
		{options->exact, "exact", "to it every row is a sample"},
		{options->split_phases, "split-phases", "it takes an observation whole"},
		{options->peek, "peek", "its box holds at one look alone"},
		{options->watch, "watch", "its box holds at one look alone"},
		{options->stated_runs > 0, "runs", "it uses no stated errors"},
		{options->tolerance >= 0, "tolerance", "it has its own, 2e-6 of the largest count"},
		{options->trust.n > 0, "trust", "it takes counts as they are"},
		{options->trust_zeros, "trust-zeros", "it takes every 0 as one"},
		{options->independent_rows, "independent-rows", "it takes rows to be independent in any case"},
	};

	for (size_t i = 0; options->counterpoint && i < sizeof other / sizeof *other; i++)
		if (other[i].given) {
			err_set(e, "--counterpoint does not go with --%s: %s", other[i].name, other[i].why);
			return err_hint(e, "leave one of the two out");
		}
	return true;
}

const char *
model_args_region(const struct options *o)
{
	if (o->counterpoint)
		return region_name(REGION_BOX);
	return o->region ? o->region : region_name((enum region_kind)analysis_options_default().decides);
}

bool
model_args_family_wise(const struct options *o)
{
	return !o->one_by_one && !o->counterpoint;
}

bool
model_args_analysis(const struct options *o, const struct udd_model *model, struct analysis_options *options)
{
	struct err e = {0};

	*options = analysis_options_default();
	if (o->family_wise && o->one_by_one) {
		err_set(&e, "--family-wise and --one-by-one exclude each other");
		err_hint(&e, "leave one of the two out; observations are judged family-wise without either");
		return print_failed(&e);
	}
	if (!counterpoint_alone(o, &e))
		return print_failed(&e);
	options->confidence = o->confidence;
	options->one_by_one = o->one_by_one;
	options->flow = o->flow;
	options->exact = o->exact;
	options->increments = o->increments;
	options->split_phases = o->split_phases;
	options->peeking = o->peek;
	options->trust_zeros = o->trust_zeros;
	options->independent_rows = o->independent_rows;
	options->tolerance = o->tolerance;
	options->runs = (double)o->stated_runs;
	options->cone_seconds = o->cone_seconds;
	for (size_t k = 0; k < REGION_KINDS; k++)
		if (o->region && str_eq(o->region, region_name((enum region_kind)k)))
			options->decides = (int)k;
	options->no_books = o->trust.n || o->counterpoint;
	if (o->counterpoint)
		counterpoint_options(options);
	if (o->counters && !pick_counters(o, model, options)) {
		analysis_options_free(options);
		return false;
	}
	options->observations = o->observations ? mem_str(o->observations) : NULL;
	if (trust_args_take(o, &options->trust))
		return true;
	analysis_options_free(options);
	return false;
}

bool
model_args_begin(struct model_args *j, const struct options *o)
{
	*j = (struct model_args){0};
	j->model = model_args_load(o, &j->bundle);
	return j->model && model_args_choose(o, j->model, &j->on) && model_args_analysis(o, j->model, &j->how);
}

void
model_args_end(struct model_args *j)
{
	udd_free(j->model);
	analysis_options_free(&j->how);
	bundle_free(&j->bundle);
}
