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
draw_diagram(const struct options *options, const struct udd_model *model, struct str *out)
{
	const struct print_options *own = options->own;
	struct diags d = {0};
	struct fset on;
	struct udd_diagram *diagram = NULL;
	struct theme theme;
	struct err e = {0};
	bool good;

	if (!model_args_choose(options, model, &on))
		return false;
	diagram = udd_expand(model, &on, &d);
	if (d.n) {
		struct str text = {0};

		diags_print(&d, "hecate: ", &text);
		fputs(str_text(&text), stderr);
		str_free(&text);
	}
	diags_free(&d);
	good = diagram != NULL;
	theme_default(&theme);
	if (diagram && own->dot)
		udd_dot(diagram, out);
	else if (diagram && !dag_svg(diagram, &theme, out, &e))
		good = print_failed(&e);
	udd_diagram_free(diagram);
	return good;
}

/* Prints the diagram in FDL, and reports what FDL cannot express. */
static bool
write_fdl(const struct options *options, const struct udd_model *model, struct str *out)
{
	struct diags d = {0};
	struct fdl_lost lost = {0};
	struct fset on;
	struct udd_diagram *diagram;
	struct err e = {0};
	bool good;

	if (!model_args_choose(options, model, &on))
		return false;
	diagram = udd_expand(model, &on, &d);
	print_diagnostics(options, &d);
	diags_free(&d);
	good = diagram && (fdl_write_diagram(diagram, &lost, out, &e) || print_failed(&e));
	for (size_t i = 0; i < lost.n && good && !options->quiet; i++)
		log_line(NULL, "not in FDL: %s", lost.text[i]);
	fdl_lost_free(&lost);
	udd_diagram_free(diagram);
	return good;
}

static bool
print(const struct options *options, const struct udd_model *model, struct str *out)
{
	const struct print_options *own = options->own;
	struct err e = {0};

	if (own->dot + own->svg + own->fdl + own->udd > 1) {
		err_set(&e, "--dot, --svg, --fdl and --udd exclude each other: give one of them");
		return print_failed(&e);
	}
	if (own->dot || own->svg)
		return draw_diagram(options, model, out);
	if (own->fdl && model->form != UDD_FORM_FDL)
		return write_fdl(options, model, out);
	if (own->udd) {
		model_print_udd(model, out);
		return true;
	}
	return model_print(model, out, &e) || print_failed(&e);
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
