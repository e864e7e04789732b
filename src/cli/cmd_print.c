#include "cli/commands.h"

#include "base/err.h"
#include "base/log.h"
#include "base/str.h"
#include "cli/model_args.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/writing.h"
#include "convert/fdl/print.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "draw/dag_svg.h"
#include "draw/theme.h"
#include "text/diag.h"
#include "work/files/files.h"

#include <stdio.h>

static bool
draw_diagram(const struct options *o, const struct udd_model *m, struct str *out)
{
	const struct print_options *own = o->own;
	struct diags d = {0};
	struct fset on;
	struct udd_diagram *g = NULL;
	struct theme theme;
	struct err e = {0};
	bool good;

	if (!model_args_choose(o, m, &on))
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
	if (g && own->dot)
		udd_dot(g, out);
	else if (g && !dag_svg(g, &theme, out, &e))
		good = print_failed(&e);
	udd_diagram_free(g);
	return good;
}

/* Prints the diagram in FDL, and reports what FDL cannot express. */
static bool
write_fdl(const struct options *o, const struct udd_model *m, struct str *out)
{
	struct diags d = {0};
	struct fdl_lost lost = {0};
	struct fset on;
	struct udd_diagram *g;
	struct err e = {0};
	bool good;

	if (!model_args_choose(o, m, &on))
		return false;
	g = udd_expand(m, &on, &d);
	print_diagnostics(o, &d);
	diags_free(&d);
	good = g && (fdl_write_diagram(g, &lost, out, &e) || print_failed(&e));
	for (size_t i = 0; i < lost.n && good && !o->quiet; i++)
		log_line(NULL, "not in FDL: %s", lost.text[i]);
	fdl_lost_free(&lost);
	udd_diagram_free(g);
	return good;
}

static bool
print(const struct options *o, const struct udd_model *m, struct str *out)
{
	const struct print_options *own = o->own;
	struct err e = {0};

	if (own->dot + own->svg + own->fdl + own->udd > 1) {
		err_set(&e, "--dot, --svg, --fdl and --udd exclude each other: give one of them");
		return print_failed(&e);
	}
	if (own->dot || own->svg)
		return draw_diagram(o, m, out);
	if (own->fdl && m->form != UDD_FORM_FDL)
		return write_fdl(o, m, out);
	if (own->udd) {
		model_print_udd(m, out);
		return true;
	}
	return model_print(m, out, &e) || print_failed(&e);
}

int
cmd_print(const struct options *o)
{
	struct bundle b = {0};
	struct udd_model *m = model_args_load(o, &b);
	struct str out = {0};
	bool good = m && print(o, m, &out) && writing_text(o, &out);

	str_free(&out);
	udd_free(m);
	bundle_free(&b);
	return good ? 0 : 2;
}
