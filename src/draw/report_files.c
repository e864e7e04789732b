#include "draw/report_files.h"

#include <stdlib.h>

#include "app/result.h"
#include "base/err.h"
#include "core/lang/diag.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "draw/dag_svg.h"
#include "draw/graph_svg.h"

/* The diagram of the features that are on; nothing and *e where it is too large for a picture. */
static void
draw_model(const struct report *r, const struct theme *theme, struct str *out, struct err *e)
{
	struct diags d = {0};
	struct udd_diagram *g = udd_expand(r->model, &r->result->on, &d);

	if (g)
		dag_svg(g, theme, out, e);
	else
		err_set(e, "these features make no diagram");
	udd_diagram_free(g);
	diags_free(&d);
}

/* Names of pictures stand in links: letters, digits and little else. */
static char *
file_name(const char *name, const char *ending)
{
	return str_format("%s%s", name, ending);
}

void
report_files_make(struct report_files *f, struct report *r, const struct theme *theme, const char *name)
{
	struct err e = {0};

	*f = (struct report_files){0};
	draw_model(r, theme, &f->text[REPORT_MODEL], &e);
	if (f->text[REPORT_MODEL].n)
		r->model_picture = f->name[REPORT_MODEL] = file_name(name, "-model.svg");
	else
		r->no_model_picture = e.what;
	if (r->graph) {
		graph_svg(r->graph, r->model, theme, &f->text[REPORT_SEARCH]);
		r->search_picture = f->name[REPORT_SEARCH] = file_name(name, "-search.svg");
	}
	f->name[REPORT_TEXT] = file_name(name, ".md");
	report_markdown(r, &f->text[REPORT_TEXT]);
	r->model_picture = r->search_picture = r->no_model_picture = NULL; /* they go with the files */
}

void
report_files_free(struct report_files *f)
{
	for (int i = 0; i < REPORT_FILES; i++) {
		free(f->name[i]);
		str_free(&f->text[i]);
	}
}
