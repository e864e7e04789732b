#include "cli/lesson_args.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/collect.h"
#include "cli/commands.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/writing.h"
#include "core/udd/model.h"
#include "text/diag.h"
#include "text/source.h"
#include "work/analysis/analysis.h"
#include "work/files/recording.h"
#include "work/files/texts.h"
#include "work/lesson/answers.h"
#include "work/lesson/lesson_files.h"

struct lesson *
lesson_args_load(const struct options *options, const char *arg)
{
	struct diags diags = {0};
	struct err e = {0};
	struct lesson *lesson = lesson_load(arg, &diags, &e);

	print_diagnostics(options, &diags);
	if (!lesson && !diags.errors)
		print_failure(&e);
	diags_free(&diags);
	return lesson;
}

static bool
line_of(const char *subcommand, char **arg, size_t n, struct lesson_line *line)
{
	struct err e = {0};

	line->argv = mem_new_array(n + 3, sizeof *line->argv);
	line->argv[line->argc++] = mem_str("hecate");
	if (subcommand)
		line->argv[line->argc++] = mem_str(subcommand);
	for (size_t i = 0; i < n; i++)
		line->argv[line->argc++] = arg[i];
	return options_parse(line->argc, line->argv, &line->options, &e) || print_failed(&e);
}

bool
lesson_line_make(const struct lesson *lesson, const char *subcommand, struct lesson_line *line)
{
	char **arg = mem_new_array(lesson->n_open, sizeof *arg);
	bool good;

	*line = (struct lesson_line){0};
	for (size_t i = 0; i < lesson->n_open; i++)
		arg[i] = !subcommand && lesson_is_written(lesson, lesson->open[i])
			? lesson_model_path(lesson, lesson->open[i], true)
			: lesson_beside(lesson->source, lesson->open[i]);
	good = line_of(subcommand, arg, lesson->n_open, line);
	if (good && !subcommand)
		((struct explore_options *)line->options.own)->lesson = true;
	free(arg);
	return good;
}

void
lesson_line_free(struct lesson_line *line)
{
	if (line->options.command)
		options_free(&line->options);
	for (int i = 0; i < line->argc; i++)
		free(line->argv[i]);
	free(line->argv);
	*line = (struct lesson_line){0};
}

bool
lesson_line_blame(const struct lesson *lesson)
{
	struct place at = {lesson->source, lesson->open_at, lesson->open_len};
	struct err e = {0};

	err_set(&e, "the lesson opens this, and it cannot be opened");
	err_hint(&e, "files lie beside the lesson; models, networks, stacks and machines may also be installed ones");
	err_at(&e, &at);
	return print_failed(&e);
}

struct lesson_bench {
	struct lesson_line line;
	struct collection collection;
	bool has_model;
	struct fset begin;
	struct result *result;
};

static bool
begin_features(const struct lesson *lesson, struct lesson_bench *bench)
{
	struct str list = {0};
	struct err e = {0};
	bool good = true;

	bench->begin = bench->collection.args.on;
	if (lesson->begin.kind != LESSON_FEATURES)
		return true;
	bench->begin = (struct fset){0};
	for (size_t i = 0; i < lesson->begin.n_list; i++)
		str_addf(&list, "%s%s", i ? "," : "", lesson->begin.list[i]);
	if (list.n)
		good = udd_choose(bench->collection.args.model, NULL, str_text(&list), NULL, &bench->begin, &e) ||
			print_failed(&e);
	str_free(&list);
	return good;
}

struct lesson_bench *
lesson_bench_new(const struct lesson *lesson)
{
	struct lesson_bench *bench = mem_new(sizeof *bench);
	enum text_kind kind;
	struct err e = {0};
	char *first = lesson_beside(lesson->source, lesson->open[0]);
	bool good = true;

	/* a file of another ending is data */
	bench->has_model = lesson->n_open > 1 && (!file_is_path(first) || file_has_ending(first, MODEL_ENDINGS)) &&
		text_kind_of(first, &kind, &e) && kind == TEXT_MODEL;
	free(first);
	if (bench->has_model)
		good = lesson_line_make(lesson, "check", &bench->line) &&
			collect_begin(&bench->collection, &bench->line.options, "DATA", NULL, NULL) &&
			begin_features(lesson, bench);
	if (good)
		return bench;
	lesson_line_blame(lesson);
	lesson_bench_free(bench);
	return NULL;
}

void
lesson_bench_free(struct lesson_bench *bench)
{
	if (!bench)
		return;
	result_free(bench->result);
	if (bench->line.argc)
		collect_end(&bench->collection);
	lesson_line_free(&bench->line);
	free(bench);
}

const struct udd_model *
lesson_bench_model(const struct lesson_bench *bench)
{
	return bench->has_model ? bench->collection.args.model : NULL;
}

struct fset
lesson_bench_begin(const struct lesson_bench *bench)
{
	return bench->begin;
}

const struct result *
lesson_bench_result(struct lesson_bench *bench, const struct fset *on)
{
	struct err e = {0};

	if (!bench->has_model || !udd_legal(bench->collection.args.model, on, &e))
		return NULL;
	if (bench->result && fset_equal(&bench->result->on, on))
		return bench->result;
	result_free(bench->result);
	bench->result = analysis_run(bench->collection.analysis, on, NULL);
	return bench->result && !bench->result->error ? bench->result : NULL;
}

bool
lesson_bench_case(const struct lesson *lesson, const struct source *source, const char *model,
	const struct lesson_case *test, bool *holds)
{
	char **arg = mem_new_array(lesson->n_open + 2, sizeof *arg);
	size_t n = 2;
	struct lesson_line line = {0};
	struct collection collection = {0};
	struct result *result = NULL;
	bool good;

	arg[0] = mem_str(model);
	arg[1] = lesson_beside(source, test->data);
	for (size_t i = 0; i < lesson->n_open; i++)
		if (lesson->open[i][0] == '-')
			arg[n++] = mem_str(lesson->open[i]);
	good = line_of("check", arg, n, &line) && collect_begin(&collection, &line.options, "DATA", NULL, NULL);
	free(arg);
	if (good)
		result = analysis_run(collection.analysis, &collection.args.on, NULL);
	if (good && result->error)
		print_remarks(&line.options, &(struct str){.s = mem_str(result->error), .n = strlen(result->error)});
	good = good && !result->error;
	*holds = good && (test->accepts
		? result->n_findings && result->count[VERDICT_FEASIBLE] == result->n_findings
		: result->count[VERDICT_INFEASIBLE] > 0);
	result_free(result);
	collect_end(&collection);
	lesson_line_free(&line);
	return good;
}

bool
cmd_lessons_wanted(const struct options *options)
{
	const struct explore_options *own = options->own;

	return !options->command->run && own->lesson && options->n_args == 0;
}

static void
list_lesson(const struct lesson *lesson, bool ascii, struct str *out)
{
	char *words = lesson_progress_words(lesson);

	print_padded(out, lesson->name, 16, ascii);
	str_addf(out, " %3u min  ", lesson->minutes);
	print_padded(out, words, 14, ascii);
	print_padded(out, lesson->title, 0, ascii);
	str_addc(out, '\n');
	free(words);
}

static int
compare_places(const void *a, const void *b)
{
	const struct lesson *first = *(struct lesson *const *)a, *second = *(struct lesson *const *)b;
	unsigned p = first && first->place ? first->place : UINT_MAX,
		 q = second && second->place ? second->place : UINT_MAX;

	if (p != q)
		return p < q ? -1 : 1;
	return first && second ? strcmp(first->name, second->name) : (second != NULL) - (first != NULL);
}

int
cmd_lessons(const struct options *options)
{
	char **name = lesson_names();
	struct lesson **lesson;
	struct str out = {0};
	bool ascii = print_ascii(options), good;
	size_t n = 0;

	while (name[n])
		n++;
	lesson = mem_new_array(n, sizeof(struct lesson *));
	for (size_t i = 0; i < n; i++)
		lesson[i] = lesson_args_load(options, name[i]);
	if (n)
		qsort(lesson, n, sizeof *lesson, compare_places);
	for (size_t i = 0; i < n && lesson[i]; i++) {
		list_lesson(lesson[i], ascii, &out);
		lesson_free(lesson[i]);
	}
	str_add(&out, n ? "\nhecate --lesson NAME opens one; so does a file of your own.\n"
			: "no lesson is installed; hecate --lesson FILE opens one\n");
	good = writing_text(options, &out);
	str_free(&out);
	free(lesson);
	str_split_free(name);
	return good ? 0 : 2;
}
