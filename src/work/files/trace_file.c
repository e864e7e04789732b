#include "work/files/trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/held_file.h"
#include "base/mem.h"
#include "base/str.h"
#include "sim/trace/op_trace.h"

#define WORKLOAD "trace"
#define FILE_IS "file="

/* Returns the path of FORMAT:FILE or FILE. */
static const char *
take_format(const char *text, int *format)
{
	const char *colon = strchr(text, ':');
	char *word = colon ? mem_strn(text, (size_t)(colon - text)) : NULL;
	enum sim_trace_format f;
	bool named = word && sim_trace_format_find(word, &f);

	free(word);
	*format = named ? (int)f : -1;
	return named ? colon + 1 : text;
}

bool
trace_file_open(const char *text, struct trace_file *file, struct err *e)
{
	const char *path;
	char *whole;

	*file = (struct trace_file){.fd = -1};
	path = take_format(text, &file->format);
	if (str_eq(path, "-")) {
		file->fd = STDIN_FILENO;
		return true;
	}
	file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (file->fd < 0) {
		err_set(e, "cannot open %s: %s", path, strerror(errno));
		return err_hint(e, "--trace takes FILE, - or FORMAT:FILE, and FORMAT is champsim, cbp or lackey");
	}
	whole = realpath(path, NULL);
	if (whole)
		file->name = str_format("%.*s%s", (int)(path - text), text, whole);
	free(whole);
	return true;
}

void
trace_file_close(struct trace_file *t)
{
	if (t->fd > STDIN_FILENO)
		held_file_close(t->fd);
	free(t->name);
	*t = (struct trace_file){.fd = -1};
}

char *
trace_file_workload(const struct trace_file *file, const char *workload)
{
	struct str out = {0};

	str_add(&out, workload);
	if (file->name) {
		str_add(&out, strchr(workload, ':') ? "," FILE_IS : ":" FILE_IS);
		for (const char *c = file->name; *c; c++) /* what separates words of the text, and %, as %XX */
			if (strchr("%:,{}", *c))
				str_addf(&out, "%%%02X", (unsigned)(unsigned char)*c);
			else
				str_addc(&out, *c);
	}
	return str_take(&out);
}

/* Undoes %XX. */
static char *
trace_file_name_of(const char *text)
{
	struct str out = {0};

	for (const char *c = text; *c; c++) {
		char two[3] = "", *end = two;
		unsigned long value;

		if (*c == '%')
			strncat(two, c + 1, 2);
		value = strtoul(two, &end, 16);
		str_addc(&out, end == two + 2 ? (char)value : *c);
		c += end == two + 2 ? 2 : 0;
	}
	return str_take(&out);
}

/* Returns what follows file= among the parameters, decoded; NULL: nothing. */
static char *
file_among(const char *parameters)
{
	char **word = str_split(parameters, ',', NULL), *name = NULL;

	for (char **w = word; *w && !name; w++)
		if (str_starts(*w, FILE_IS))
			name = trace_file_name_of(*w + strlen(FILE_IS));
	str_split_free(word);
	return name;
}

bool
trace_file_split(const char *simulation, char **without, char **name)
{
	char **word = str_split(simulation, ':', NULL);
	struct str rest = {0};
	bool found = false;

	*name = NULL;
	for (char **w = word; *w; w++)
		if (w - word > 1 && !found && (str_eq(*w, WORKLOAD) || str_starts(*w, WORKLOAD ","))) {
			found = true;
			*name = file_among(*w);
		} else {
			str_addf(&rest, "%s%s", w == word ? "" : ":", *w);
		}
	*without = found ? str_take(&rest) : NULL;
	str_free(&rest);
	str_split_free(word);
	return found;
}
