#include "app/probe/probes.h"

#include <stdlib.h>

#include "app/files/files.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/import/curve_csv.h"
#include "core/curve/curve.h"
#include "core/probe/probe.h"

#define CURVE_MAX ((size_t)1 << 28) /* bytes of a file */
#define PROBE_MAX ((size_t)1 << 20) /* bytes of a file */

struct probe *
probe_load(const char *name, struct diags *diags, struct err *e)
{
	char *path = file_find(name, PROBE_FOLDERS, ".probe", e), *text;
	size_t n = 0;

	if (!path)
		return NULL;
	text = file_read(path, PROBE_MAX, &n, e);
	if (text)
		return probe_parse(path, text, n, diags);
	free(path);
	return NULL;
}

char **
probe_names(void)
{
	return file_names(PROBE_FOLDERS, ".probe");
}

bool
probe_imported(const char *path, struct curve *c, struct err *e)
{
	size_t n = 0;
	char *text = file_read(path, CURVE_MAX, &n, e);
	bool good = text && curve_csv_read(str_eq(path, "-") ? "stdin" : path, text, n, c, e);

	free(text);
	return good;
}
