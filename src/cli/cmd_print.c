#include "cli/commands.h"

#include "app/files/files.h"
#include "base/err.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/work.h"
#include "core/lang/diag.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "draw/dag_svg.h"
#include "draw/theme.h"

#include <stdio.h>

static bool
draw_diagram(const struct options *o, const struct udd_model *m, struct str *out)
{
	struct diags d = {0};
	struct fset on;
	struct udd_diagram *g = NULL;
	struct theme theme;
	struct err e = {0};
	bool good;

	if (!work_choose(o, m, &on))
		return false;
	g = udd_expand(m, &on, &d);
	if (d.n) {
		struct str text = {0};

		diags_print(&d, "hecate: ", &text);
		fputs(str_text(&text), stderr);
		str_free(&text);
	}
	diags_free(&d);
	good = g != NULL;
	theme_default(&theme);
	if (g && o->dot)
		udd_dot(g, out);
	else if (g && !dag_svg(g, &theme, out, &e))
		good = work_fail(&e) == 0;
	udd_diagram_free(g);
	return good;
}

int
cmd_print(const struct options *o)
{
	struct bundle b = {0};
	struct udd_model *m = work_load(o, &b);
	struct str out = {0};
	bool good = m != NULL;

	if (good && (o->dot || o->svg))
		good = draw_diagram(o, m, &out);
	else if (good)
		udd_print(m, &out);
	good = good && work_write(o, &out);
	str_free(&out);
	udd_free(m);
	bundle_free(&b);
	return good ? 0 : 2;
}
