#include "explorer/state/state_texts.h"

#include <stdlib.h>

#include "collect/store/session_summary.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "explorer/state/state.h"
#include "work/timeline/fitting.h"

void
state_set_texts(struct state *s, struct session_text *list, size_t n)
{
	session_texts_free(s->data.saved.text, s->data.saved.n_texts);
	s->data.saved.text = list;
	s->data.saved.n_texts = n;
}

size_t
state_variants(const struct state *s)
{
	return s->question.model ? s->question.model->n_variants : 0;
}

size_t
state_choices(const struct state *s)
{
	size_t n = s->data.saved.in ? s->data.saved.n_texts : 0;

	return state_variants(s) + (n > 1 || (n == 1 && !s->data.saved.text[0].shown) ? n : 0);
}

static const struct session_text *
text_of_row(const struct state *s, size_t row)
{
	size_t variants = state_variants(s);

	return row < variants || row >= state_choices(s) ? NULL : &s->data.saved.text[row - variants];
}

bool
state_choice(const struct state *s, size_t row, struct session_choice *out)
{
	const struct session_text *text = text_of_row(s, row);

	if (text)
		*out = (struct session_choice){.name = text->name, .added = text->added, .kind = text->kind,
			.shown = text->shown, .judged = text->judged, .infeasible = text->infeasible,
			.undecided = text->undecided};
	return text != NULL;
}

/* The file may hold more than is known here, so control lists it first. */
void
state_offer_variants(struct state *s)
{
	if (s->data.saved.in)
		state_request(s, REQUEST_LIST_TEXTS);
	else
		state_show_choices(s);
}

void
state_show_choices(struct state *s)
{
	size_t n = state_choices(s), at = 0;

	if (!n) {
		state_say(s, false, "no variants, and no other model in the session");
		return;
	}
	state_open_popup(s, POPUP_VARIANT);
	if (!state_variants(s) && n > 1 && s->data.saved.text[0].shown)
		at = 1;
	s->view.popup.cursor = (int)at;
}

void
state_take_choice(struct state *s)
{
	size_t row = (size_t)s->view.popup.cursor;
	const struct session_text *text = text_of_row(s, row);

	state_close_popup(s);
	if (row < state_variants(s))
		state_switch_to(s, &s->question.model->variant[row].on);
	else if (text && text->shown)
		state_say(s, false, "%s is what is open", text->name);
	else if (text && state_running(s))
		state_say(s, false, "%s still runs; Esc ends it, then another model can be opened", state_subject(s));
	else if (text)
		requests_add(&s->requests, REQUEST_OPEN_TEXT, (size_t)text->number, NULL);
}

/* --- data that wait for a model ----------------------------------------------------------------------------------- */

void
state_forget_waiting(struct state *s)
{
	obs_table_free(s->data.home.waiting.table);
	free(s->data.home.waiting.path);
	openables_free(&s->data.home.waiting.models);
	s->data.home.waiting = (struct waiting){0};
}

void
state_ask_for_model(struct state *s, struct obs_table *table, char *path)
{
	state_forget_waiting(s);
	s->data.home.waiting.table = table;
	s->data.home.waiting.path = path;
	openable_add_typed(&s->data.home.of, path); /* models beside the data */
	fitting_models(&s->data.home.of, table, &s->data.home.waiting.models);
	if (s->data.home.waiting.models.n) {
		state_open_prompt(s, PROMPT_JUDGE, "");
		return;
	}
	state_say(s, true, "%s has no counter of any model, network or stack installed or beside it", path);
	state_forget_waiting(s);
}

struct openables *
state_offered(struct state *s)
{
	return s->view.prompt.kind == PROMPT_JUDGE ? &s->data.home.waiting.models : &s->data.home.of;
}
