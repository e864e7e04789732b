/* hecate probe: curves that isolate one feature of a machine, and where they change. */
#include "cli/commands.h"

#include <string.h>

#include "app/probe/imported.h"
#include "base/err.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_probe.h"
#include "cli/writing.h"
#include "core/curve/curve.h"
#include "core/curve/knee.h"

static const char import[] = "import:";

static int
probe_imported_curve(const struct options *o, const char *path)
{
	struct curve c = {0};
	struct knees *k;
	struct str notes = {0};
	struct writing out;
	struct err e = {0};
	bool good;

	if (!probe_imported(path, &c, &e)) {
		curve_free(&c);
		return print_failure(&e);
	}
	for (size_t i = 0; i < c.n_notes; i++)
		str_addf(&notes, "%s: %s\n", c.name, c.note[i]);
	print_remarks(o, &notes);
	k = knees_find(&c);
	writing_begin(&out, o);
	if (o->json)
		print_probe_json(&c, k, &out.json);
	else
		print_probe_text(o, &c, k, &out.text);
	good = writing_end(&out, true);
	knees_free(k);
	curve_free(&c);
	return good ? 0 : 2;
}

int
cmd_probe(const struct options *o)
{
	struct err e = {0};

	if (o->on && strncmp(o->on, import, sizeof import - 1) == 0)
		return probe_imported_curve(o, o->on + sizeof import - 1);
	if (o->on)
		err_set(&e, "probes do not run on '%s'", o->on);
	else
		err_set(&e, "probe needs a curve");
	err_hint(&e, "name a file of points: --on import:FILE");
	return print_failure(&e);
}
