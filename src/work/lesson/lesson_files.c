#include "work/lesson/lesson_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "text/diag.h"
#include "text/source.h"
#include "work/files/files.h"
#include "work/files/keep.h"

struct lesson *
lesson_load(const char *arg, struct diags *diags, struct err *e)
{
	char *path = file_find(arg, LESSON_FOLDERS, ".lesson", e);
	size_t n = 0;
	char *text = path ? file_read(path, LESSON_FILE_MAX, &n, e) : NULL;

	if (text)
		return lesson_parse(path, text, n, diags);
	free(path);
	return NULL;
}

char **
lesson_names(void)
{
	return file_names(LESSON_FOLDERS, ".lesson");
}

struct lesson_cases *
lesson_cases_load(const char *path, struct diags *diags, struct err *e)
{
	size_t n = 0;
	char *text = file_read(path, LESSON_FILE_MAX, &n, e);

	return text ? lesson_cases_parse(mem_str(path), text, n, diags) : NULL;
}

char *
lesson_beside(const struct source *source, const char *name)
{
	const char *slash = strrchr(source->name, '/');
	char *path = str_format("%.*s%s", slash ? (int)(slash - source->name) + 1 : 0, source->name, name);

	if (*name != '/' && access(path, F_OK) == 0)
		return path;
	free(path);
	return mem_str(name);
}

char *
lesson_answers_path(const char *lesson, bool make)
{
	char *folder = keep_folder("lessons", make), *path = folder ? str_format("%s/%s", folder, lesson) : NULL;

	free(folder);
	return path;
}

char *
lesson_model_path(const struct lesson *lesson, const char *file, bool make)
{
	char *beside = str_format("%s-%s", lesson->name, file), *path = lesson_answers_path(beside, make);

	free(beside);
	return path;
}

bool
lesson_is_written(const struct lesson *lesson, const char *file)
{
	for (size_t i = 0; i < lesson->n_steps; i++)
		for (size_t k = 0; k < lesson->step[i].n_tasks; k++)
			if (lesson->step[i].task[k].kind == LESSON_MODEL && str_eq(lesson->step[i].task[k].file, file))
				return true;
	return false;
}

bool
lesson_model_place(const struct lesson *lesson, struct err *e)
{
	bool good = true;

	for (size_t i = 0; i < lesson->n_open && good; i++) {
		char *to, *from;

		if (!lesson_is_written(lesson, lesson->open[i]))
			continue;
		to = lesson_model_path(lesson, lesson->open[i], true);
		from = lesson_beside(lesson->source, lesson->open[i]);
		if (!to)
			good = err_set(e, "the model has no place: neither XDG_STATE_HOME nor HOME is set");
		else if (access(to, F_OK) != 0)
			good = keep_copy(from, to, e);
		free(to);
		free(from);
	}
	return good;
}
