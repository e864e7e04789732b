#include "work/probe/probes.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/import/curve_csv.h"
#include "core/curve/curve.h"
#include "core/probe/probe.h"
#include "text/diag.h"
#include "work/files/files.h"

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

struct probe *
probe_load_installed(const char *name, struct err *e)
{
	char **known = probe_names();
	struct diags d = {0};
	struct probe *probe = NULL;

	for (size_t i = 0; known[i] && !probe; i++)
		if (str_eq(known[i], name))
			probe = probe_load(name, &d, e);
	if (!probe && d.n && !*e->what)
		err_set(e, "%s", d.item[0].text);
	diags_free(&d);
	str_split_free(known);
	return probe;
}

char **
probe_names(void)
{
	return file_names(PROBE_FOLDERS, ".probe");
}

/* The name in a line "# probe: NAME", as the runner of exported probes writes it; NULL: there is none. Only comments
 * before the header are looked at. The caller frees it. */
static char *
named_probe(const char *text)
{
	static const char key[] = "# probe: ";

	while (*text == '#') {
		size_t n = strcspn(text, "\r\n");

		if (strncmp(text, key, sizeof key - 1) == 0)
			return mem_strn(text + sizeof key - 1, n - (sizeof key - 1));
		text += n;
		text += strspn(text, "\r\n");
	}
	return NULL;
}

bool
probe_imported(const char *path, struct curve *curve, struct err *e)
{
	size_t n = 0;
	char *text = file_read(path, CURVE_MAX, &n, e);
	bool good = text && curve_csv_read(str_eq(path, "-") ? "stdin" : path, text, n, curve, e);

	if (good) {
		curve->of = named_probe(text);
		curve->means_of_all = true;
	}
	free(text);
	return good;
}
