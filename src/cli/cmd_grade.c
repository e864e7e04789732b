/* hecate grade: answers to a lesson, judged again by the engine. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/commands.h"
#include "cli/lesson_grade.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/writing.h"
#include "text/diag.h"
#include "work/lesson/lesson_files.h"

struct grading {
	struct lesson *lesson;
	struct lesson_cases *cases; /* NULL: none */
	struct grade *grade;
	size_t n;
};

static const char *
grade_name(const struct grade *grade)
{
	const char *slash = strrchr(grade->path, '/');

	return slash ? slash + 1 : grade->path;
}

/* Answers are all named after the lesson, so what tells students apart is often the folder. */
static bool
same_names(const struct grading *grading)
{
	for (size_t i = 1; i < grading->n; i++)
		if (str_eq(grade_name(&grading->grade[0]), grade_name(&grading->grade[i])))
			return true;
	return false;
}

static void
add_grade_remarks(const struct grade_step *step, struct str *out)
{
	if (step->shown)
		str_add(out, "  hecate showed it");
	if (step->tries)
		str_addf(out, "  %u wrong %s", step->tries, step->tries == 1 ? "answer" : "answers");
	if (step->hints)
		str_addf(out, "  %u hint%s", step->hints, step->hints == 1 ? "" : "s");
}

static void
print_one(const struct grading *grading, bool ascii, struct str *out)
{
	const struct grade *grade = grading->grade;

	for (size_t i = 0; i < grading->lesson->n_steps; i++) {
		const struct grade_step *step = &grade->step[i];

		if (!step->of)
			continue;
		str_addf(out, "%2u of %-2u  step %-2zu ", step->points, step->of, i + 1);
		print_padded(out, grading->lesson->step[i].title, 0, ascii);
		add_grade_remarks(step, out);
		str_addc(out, '\n');
	}
	for (size_t i = 0; grading->cases && i < grading->cases->n; i++) {
		const struct lesson_case *one = &grading->cases->item[i];

		str_addf(out, "%2u of %-2u  case    ", grade->held[i] ? one->points : 0, one->points);
		print_padded(out, one->name, 0, ascii);
		str_addf(out, "  must %s it\n", one->accepts ? "accept" : "refute");
	}
	str_addf(out, "\nscore %u of %u\n", grade->points, grade->of);
}

/* A line for each student: a figure for each step and case, then the score. */
static void
print_class(const struct grading *grading, bool ascii, struct str *out)
{
	bool paths = same_names(grading);
	size_t width = 7;

	for (size_t i = 0; i < grading->n; i++) {
		size_t n = strlen(paths ? grading->grade[i].path : grade_name(&grading->grade[i]));

		width = n > width ? n : width;
	}
	print_padded(out, "answers", width, ascii);
	for (size_t k = 0; k < grading->lesson->n_steps; k++)
		if (grading->lesson->step[k].points)
			str_addf(out, " %3zu", k + 1);
	for (size_t k = 0; grading->cases && k < grading->cases->n; k++)
		str_addf(out, "  c%zu", k + 1);
	str_add(out, "  score\n");
	for (size_t i = 0; i < grading->n; i++) {
		const struct grade *grade = &grading->grade[i];

		print_padded(out, paths ? grade->path : grade_name(grade), width, ascii);
		for (size_t k = 0; k < grading->lesson->n_steps; k++)
			if (grading->lesson->step[k].points && grade->step[k].of)
				str_addf(out, " %3u", grade->step[k].points);
			else if (grading->lesson->step[k].points)
				str_add(out, "   -");
		for (size_t k = 0; grading->cases && k < grading->cases->n; k++)
			str_addf(out, " %3u", grade->held[k] ? grading->cases->item[k].points : 0);
		str_addf(out, "  %u of %u\n", grade->points, grade->of);
	}
}

static void
write_grade(const struct grading *grading, const struct grade *grade, struct json_writer *w)
{
	json_open(w, NULL, '{');
	json_str(w, "file", grade->path);
	json_int(w, "points", grade->points);
	json_int(w, "of", grade->of);
	json_open(w, "steps", '[');
	for (size_t i = 0; i < grading->lesson->n_steps; i++) {
		const struct grade_step *step = &grade->step[i];

		if (!step->of)
			continue;
		json_open(w, NULL, '{');
		json_int(w, "step", (int64_t)i + 1);
		json_str(w, "title", grading->lesson->step[i].title);
		json_int(w, "points", step->points);
		json_int(w, "of", step->of);
		json_int(w, "tries", step->tries);
		json_int(w, "hints", step->hints);
		json_bool(w, "shown", step->shown);
		json_close(w, '}');
	}
	json_close(w, ']');
	json_open(w, "cases", '[');
	for (size_t i = 0; grading->cases && i < grading->cases->n; i++) {
		json_open(w, NULL, '{');
		json_str(w, "name", grading->cases->item[i].name);
		json_bool(w, "holds", grade->held[i]);
		json_int(w, "of", grading->cases->item[i].points);
		json_close(w, '}');
	}
	json_close(w, ']');
	json_close(w, '}');
}

static bool
print_grades(const struct options *options, const struct grading *grading)
{
	struct writing out;

	writing_begin(&out, options);
	if (options->json) {
		json_open(&out.json, NULL, '{');
		json_str(&out.json, "schema", "hecate.grade/1");
		json_str(&out.json, "lesson", grading->lesson->name);
		json_open(&out.json, "answers", '[');
		for (size_t i = 0; i < grading->n; i++)
			write_grade(grading, &grading->grade[i], &out.json);
		json_close(&out.json, ']');
		json_close(&out.json, '}');
	} else if (grading->n == 1) {
		print_one(grading, print_ascii(options), &out.text);
	} else {
		print_class(grading, print_ascii(options), &out.text);
	}
	return writing_end(&out, true);
}

static bool
load_cases(const struct options *options, const char *path, struct grading *grading)
{
	struct diags diags = {0};
	struct err e = {0};

	grading->cases = lesson_cases_load(path, &diags, &e);
	print_diagnostics(options, &diags);
	if (!grading->cases && !diags.errors)
		print_failure(&e);
	diags_free(&diags);
	if (!grading->cases || str_eq(grading->cases->lesson, grading->lesson->name))
		return grading->cases != NULL;
	err_set(&e, "%s has cases of lesson %s, not of %s", path, grading->cases->lesson, grading->lesson->name);
	return print_failed(&e);
}

static bool
grade_all(const struct options *options, struct grading *grading)
{
	const struct grade_options *own = options->own;
	struct lesson_bench *bench;
	struct err e = {0};
	bool good;

	if (options->n_args == 1) {
		err_set(&e, "grade needs answers after the lesson");
		err_hint(&e, "they are kept in $XDG_STATE_HOME/hecate/lessons/%s, or ~/.local/state/hecate/lessons/%s",
			grading->lesson->name, grading->lesson->name);
		return print_failed(&e);
	}
	if (own->cases && !load_cases(options, own->cases, grading))
		return false;
	bench = lesson_bench_new(grading->lesson);
	good = bench != NULL;
	grading->grade = mem_new_array(options->n_args, sizeof *grading->grade);
	for (size_t i = 1; i < options->n_args && good; i++)
		good = lesson_grade(grading->lesson, bench, grading->cases, options->arg[i],
			&grading->grade[grading->n++]);
	lesson_bench_free(bench);
	return good && print_grades(options, grading);
}

static bool
check_lesson(const struct options *options, const struct lesson *lesson)
{
	struct str out = {0};
	bool good = lesson_check_play(lesson, &out);

	if (good) {
		str_addf(&out, "%s: %zu steps, %u points\n", lesson->name, lesson->n_steps, lesson_points(lesson));
		good = writing_text(options, &out);
	}
	str_free(&out);
	return good;
}

int
cmd_grade(const struct options *options)
{
	struct grading grading = {0};
	struct err e = {0};
	bool good;

	if (!options->n_args) {
		err_set(&e, "grade needs a lesson");
		err_hint(&e, "hecate --lesson lists them");
		return print_failure(&e);
	}
	grading.lesson = lesson_args_load(options, options->arg[0]);
	if (!grading.lesson)
		return 2;
	good = options->check ? check_lesson(options, grading.lesson) : grade_all(options, &grading);
	for (size_t i = 0; i < grading.n; i++)
		lesson_grade_clear(&grading.grade[i]);
	free(grading.grade);
	lesson_cases_free(grading.cases);
	lesson_free(grading.lesson);
	return good ? 0 : 2;
}
