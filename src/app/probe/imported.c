#include "app/probe/imported.h"

#include <stdlib.h>

#include "app/files/files.h"
#include "base/str.h"
#include "collect/import/curve_csv.h"
#include "core/curve/curve.h"

#define CURVE_MAX ((size_t)1 << 28) /* bytes of a file */

bool
probe_imported(const char *path, struct curve *c, struct err *e)
{
	size_t n = 0;
	char *text = file_read(path, CURVE_MAX, &n, e);
	bool good = text && curve_csv_read(str_eq(path, "-") ? "stdin" : path, text, n, c, e);

	free(text);
	return good;
}
