#include "open_session.h"

#include <stdlib.h>
#include <string.h>

#include "app/state/state.h"
#include "base/mem.h"
#include "core/lang/diag.h"
#include "core/udd/model.h"
#include "test.h"

static bool
load_text(void *ctx, const char *from, const char *path, struct udd_file *out, struct err *e)
{
	const char *text = ctx;

	(void)from;
	(void)e;
	*out = (struct udd_file){.name = mem_str(path), .text = mem_str(text), .n = strlen(text), .ino = 1};
	return true;
}

void
open_session_with(struct state *s, const char *model_text)
{
	char *text = mem_str(model_text);
	struct udd_loader loader = {.load = load_text, .ctx = text};
	struct analysis_options how = {.confidence = 0.99};
	struct bundle b = {0};
	struct diags d = {0};
	struct fset on = {0};
	struct udd_model *m = udd_parse("m.udd", &loader, &d);

	state_init(s);
	CHECK(m);
	state_set_model(s, &b, m, &how, &on);
	CHECK(requests_find(&s->requests, REQUEST_LOAD) && requests_find(&s->requests, REQUEST_RESULT));
	requests_clear(&s->requests);
	diags_free(&d);
	free(text);
}

struct layout *
shown_layout(struct state *s)
{
	static struct layout layout;

	layout = *s->layout;
	layout.view = s->view.current;
	layout.chosen = layout.focus = s->view.focus;
	s->layout = &layout;
	return &layout;
}
