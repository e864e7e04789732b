#include "cli/print/print_files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/files/files.h"
#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/work.h"
#include "draw/report_files.h"
#include "draw/theme.h"

#define THEME_BYTES ((size_t)64 * 1024)

void
print_place(const struct options *o, const char *subject, char **folder, char **name)
{
	const char *out = o->output, *slash = strrchr(out, '/');
	struct stat st;

	if (stat(out, &st) == 0 && S_ISDIR(st.st_mode)) {
		*folder = str_format("%s%s", out, str_ends(out, "/") ? "" : "/");
		*name = str_format("%s-report", subject);
		return;
	}
	*folder = slash ? mem_strn(out, (size_t)(slash - out) + 1) : mem_str("");
	*name = mem_str(slash ? slash + 1 : out);
	if (str_ends(*name, ".md"))
		(*name)[strlen(*name) - 3] = '\0';
}

void
print_theme(struct theme *theme)
{
	char *path = file_find("light", "themes", ".theme", NULL), *text = NULL;
	size_t n;

	if (path)
		text = file_read(path, THEME_BYTES, &n, NULL);
	if (!text || !theme_parse(path, text, theme, NULL))
		theme_default(theme);
	free(text);
	free(path);
}

bool
print_write(const struct options *o, struct report_files *f, const char *folder)
{
	struct err e = {0};
	bool good = true;

	for (int i = REPORT_FILES; i-- > 0 && good;) {
		char *path = str_format("%s%s", folder, f->name[i] ? f->name[i] : "");

		good = !f->name[i] || work_write_file(path, &f->text[i], &e) || work_fail(&e) == 0;
		if (good && f->name[i] && !o->quiet)
			log_line(NULL, "written: %s", path);
		free(path);
	}
	report_files_free(f);
	return good;
}
