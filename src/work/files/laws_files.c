#include "work/files/laws_files.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/laws/laws.h"
#include "text/diag.h"
#include "work/files/files.h"

#define LAWS_FOLDERS "laws:models/laws"
#define LAWS_FILE_MAX ((size_t)1 << 20)

static struct laws *
load_one(const char *name, struct diags *diags, struct err *e)
{
	char *path = file_find(name, LAWS_FOLDERS, ".laws", e), *text;
	size_t n;

	if (!path)
		return NULL;
	text = file_read(path, LAWS_FILE_MAX, &n, e);
	if (!text) {
		free(path);
		return NULL;
	}
	return laws_parse(path, text, n, diags);
}

struct laws **
laws_files_load(const char *name, size_t *n, struct diags *diags, struct err *e)
{
	char **installed = name ? NULL : file_names(LAWS_FOLDERS, ".laws");
	struct laws **out;
	size_t files = 1;
	bool good = true;

	*n = 0;
	for (files = 0; installed && installed[files]; files++)
		;
	out = mem_new_array(files + 1, sizeof *out);
	for (size_t i = 0; i < (name ? 1 : files) && good; i++) {
		out[*n] = load_one(name ? name : installed[i], diags, e);
		good = out[*n] != NULL;
		*n += good;
	}
	if (good && !*n) {
		err_set(e, "no file of laws is installed");
		good = err_hint(e,
			"hecate looks for laws/*.laws in $HECATE_MODELS, $XDG_DATA_HOME/hecate and the installation");
	}
	str_split_free(installed);
	if (good)
		return out;
	laws_files_free(out, *n);
	*n = 0;
	return NULL;
}

void
laws_files_free(struct laws **laws, size_t n)
{
	for (size_t i = 0; laws && i < n; i++)
		laws_free(laws[i]);
	free(laws);
}
