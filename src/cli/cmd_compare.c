/* hecate compare: how the cones of variants or sets of features relate, and what would tell them apart. */
#include "cli/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/shell.h"
#include "base/str.h"
#include "cli/model_args.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_compare.h"
#include "cli/reading.h"
#include "cli/trust_args.h"
#include "cli/writing.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "work/analysis/analysis.h"
#include "work/search/compare.h"

#define NONE "none"

/* The sets that are compared, and their names. */
struct sets {
	struct fset *on;
	const char **name;
	size_t n;
	size_t first_data; /* number of arguments that name sets */
};

static bool
add_variant(const struct udd_model *m, const char *word, struct fset *on)
{
	for (size_t i = 0; i < m->n_variants; i++)
		if (str_eq(m->variant[i].name, word)) {
			*on = fset_or(*on, m->variant[i].on);
			return true;
		}
	return false;
}

static bool
add_feature(const struct udd_model *m, const char *word, struct fset *on)
{
	size_t i = udd_feature_named(m, word);

	if (i == m->n_features)
		return false;
	fset_put(on, i, true);
	return true;
}

static bool
unknown_word(const struct udd_model *model, const char *word, struct err *e)
{
	const char **name = mem_new_array(model->n_features + model->n_variants, sizeof *name);
	size_t n = 0;
	char *hint;

	for (size_t i = 0; i < model->n_variants; i++)
		name[n++] = model->variant[i].name;
	for (size_t i = 0; i < model->n_features; i++)
		name[n++] = model->feature[i].name;
	err_set(e, "model %s has no variant and no feature '%s', and there is no file of that name", model->name, word);
	hint = near_hint(word, name, n);
	if (hint)
		err_hint(e, "%s", hint);
	free(hint);
	free(name);
	return false;
}

/* A variant's name, or a list of features, variants and "none" (which adds nothing), separated by ',' or '+'. */
static bool
parse_set(const struct udd_model *model, const char *text, struct fset *on, struct err *e)
{
	char *commas, **word;
	bool good = true;

	*on = (struct fset){0};
	if (add_variant(model, text, on) || add_feature(model, text, on))
		return udd_legal(model, on, e);
	commas = mem_str(text);
	for (char *p = commas; *p; p++)
		if (*p == '+')
			*p = ',';
	word = str_split(commas, ',', NULL);
	for (size_t i = 0; word[i] && good; i++)
		good = add_feature(model, word[i], on) || add_variant(model, word[i], on) || str_eq(word[i], NONE) ||
			str_eq(word[i], "∅") || unknown_word(model, word[i], e);
	str_split_free(word);
	free(commas);
	return good && udd_legal(model, on, e);
}

/* An argument that names a variant or a feature is a set, even if a file or folder of that name exists; ./NAME is the
 * file. */
static bool
is_data(const struct udd_model *m, const char *arg)
{
	struct fset on = {0};

	if (add_variant(m, arg, &on) || add_feature(m, arg, &on))
		return false;
	return str_eq(arg, "-") || file_is_path(arg) || access(arg, F_OK) == 0;
}

static void
cmd_compare_add_set(struct sets *s, struct fset on, const char *name)
{
	s->on[s->n] = on;
	s->name[s->n++] = name;
}

/* Reads the arguments after the model, up to the first that is data. Without any, all variants of the model. */
static bool
take_sets(const struct options *options, const struct udd_model *model, struct sets *sets, struct err *e)
{
	size_t at = 1;

	sets->on = mem_new_array(options->n_args + model->n_variants + 1, sizeof *sets->on);
	sets->name = mem_new_array(options->n_args + model->n_variants + 1, sizeof *sets->name);
	for (; at < options->n_args && !is_data(model, options->arg[at]); at++) {
		struct fset on;

		if (!parse_set(model, options->arg[at], &on, e))
			return false;
		cmd_compare_add_set(sets, on, options->arg[at]);
	}
	sets->first_data = at;
	if (sets->n == 1) {
		err_set(e, "compare needs two variants or sets of features; there is one: %s", sets->name[0]);
		return shell_hint(e, "for instance: hecate compare %s %s none", options->arg[0], sets->name[0]);
	}
	if (sets->n >= 2)
		return true;
	for (size_t i = 0; i < model->n_variants; i++)
		cmd_compare_add_set(sets, model->variant[i].on, model->variant[i].name);
	if (sets->n >= 2)
		return true;
	if (!model->n_features)
		return err_set(e, "model %s has no features: there is nothing to compare", model->name);
	err_set(e, "model %s declares no two variants to compare", model->name);
	return shell_hint(e, "name two sets of features, for instance: hecate compare %s none %s", options->arg[0],
		model->feature[0].name);
}

/* Refuses options that need exactly two different sets. */
static bool
check_two(const struct udd_model *m, const struct sets *s, struct err *e)
{
	struct str names = {0};

	if (!fset_equal(&s->on[0], &s->on[1]))
		return true;
	print_feature_names(m, &s->on[0], "no features", &names);
	err_set(e, "%s and %s are the same set: %.300s", s->name[0], s->name[1], str_text(&names));
	str_free(&names);
	return err_hint(e, "name two that differ");
}

/* Makes the analysis, with the data. NULL after a message. */
static struct analysis *
cmd_compare_read_data(const struct options *options, struct model_args *args, size_t first)
{
	bool session = reading_first(options) == 0; /* a session file, which also brought the model */
	size_t n = session + (options->n_args > first ? options->n_args - first : 0), read = 0;
	struct obs_table **table = mem_new_array(n, sizeof(struct obs_table *));
	struct analysis *analysis = NULL;

	for (; read < n; read++) {
		table[read] = reading_table(options, options->arg[session && read == 0 ? 0 : first + read - session]);
		if (!table[read])
			break;
	}
	if (read == n) {
		trust_args_books(options, table, n, false, &args->how.books);
		analysis = analysis_new(args->model, &args->how);
	}
	for (size_t i = 0; i < read; i++)
		if (analysis)
			analysis_set_table(analysis, i, table[i]);
		else
			obs_table_free(table[i]);
	free(table);
	return analysis;
}

/* False and *e when there is no observation to judge, or no counter in common. */
static bool
check_data(const struct result *result, struct err *e)
{
	size_t used = 0;

	if (result->error)
		return true; /* the comparison reports it */
	for (size_t i = 0; i < result->n_counters; i++)
		used += result->used[i];
	if (!result->n_findings) {
		err_set(e, "no observation to judge");
		return err_hint(e, "does --observations match a name in the data?");
	}
	if (used)
		return true;
	err_set(e, "the data and the model (with --counters) have no counter in common");
	return err_hint(e, "docs/data.md says which column stands for which counter");
}

static int
report_two(const struct options *options, const struct udd_model *model, const struct sets *sets,
	struct analysis *analysis, const struct result *data)
{
	struct comparison *comparison = compare_run(analysis, sets->on, NULL);
	struct writing out;
	int status = 2;

	if (comparison->error) {
		fputs(comparison->error, stderr);
	} else {
		writing_begin(&out, options);
		if (options->json)
			print_compare_json(options, model, comparison, sets->name, data, &out.json);
		else
			print_compare_text(options, model, comparison, sets->name, &out.text);
		status = writing_end(&out, true) ? 0 : 2;
	}
	comparison_free(comparison);
	return status;
}

static int
report_many(const struct options *options, const struct udd_model *model, const struct sets *sets,
	struct analysis *analysis, const bool *used)
{
	struct compare_order *order = compare_order(analysis, sets->on, sets->n, NULL);
	struct writing out;
	int status;

	writing_begin(&out, options);
	if (options->json)
		print_order_json(model, order, sets->on, sets->name, used, &out.json);
	else
		print_order_text(options, model, order, sets->on, sets->name, &out.text);
	status = writing_end(&out, true) ? 0 : 2;
	compare_order_free(order);
	return status;
}

/* Warnings about the data come from analysing the first set. */
static int
cmd_compare_compare(const struct options *options, const struct model_args *args, const struct sets *sets,
	struct analysis *analysis)
{
	struct result *result = analysis_run(analysis, &sets->on[0], NULL);
	struct err e = {0};
	bool data = sets->first_data < options->n_args || reading_first(options) == 0;
	int status;

	for (size_t i = 0; i < result->n_notes && data && !options->quiet && !options->json; i++)
		log_line(NULL, "%s", result->note[i].text);
	if (data && !check_data(result, &e))
		status = print_failure(&e);
	else if (sets->n == 2)
		status = report_two(options, args->model, sets, analysis, data ? result : NULL);
	else
		status = report_many(options, args->model, sets, analysis, result->used);
	result_free(result);
	return status;
}

int
cmd_compare(const struct options *options)
{
	struct model_args j;
	struct sets s = {0};
	struct analysis *analysis = NULL;
	struct err e = {0};
	int status = 2;

	if (!model_args_begin(&j, options))
		goto out;
	if (!take_sets(options, j.model, &s, &e) || (s.n == 2 && !check_two(j.model, &s, &e))) {
		print_failure(&e);
		goto out;
	}
	analysis = cmd_compare_read_data(options, &j, s.first_data);
	if (analysis)
		status = cmd_compare_compare(options, &j, &s, analysis);
out:
	analysis_free(analysis);
	free(s.on);
	free(s.name);
	model_args_end(&j);
	return status;
}
