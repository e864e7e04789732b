#include "open_session.h"

#include "explorer/state/state.h"
#include "parsed.h"
#include "test.h"

void
open_session_with(struct state *s, const char *model_text)
{
	struct analysis_options how = {.confidence = 0.99};
	struct bundle b = {0};
	struct fset on = {0};
	struct udd_model *m = parsed_model(model_text);

	state_init(s);
	state_set_model(s, &b, m, &how, &on);
	CHECK(requests_find(&s->requests, REQUEST_LOAD) && requests_find(&s->requests, REQUEST_RESULT));
	requests_clear(&s->requests);
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

void
answer_prompt(struct state *s, const char *text)
{
	CHECK_INT(s->view.popup.kind, POPUP_PROMPT);
	state_prompt_key(s, PROMPT_CLEAR);
	for (; *text; text++)
		state_input(s, (unsigned char)*text);
	state_prompt_key(s, PROMPT_ENTER);
}
