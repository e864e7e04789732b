#include "explorer/state/view_state.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/udd/model.h"
#include "explorer/state/screen_layout.h"
#include "explorer/state/state.h"

void
state_say(struct state *s, bool bad, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->view.message.text, sizeof s->view.message.text, fmt, ap);
	va_end(ap);
	s->view.message.bad = bad;
}

void
state_say_nothing(struct state *s)
{
	s->view.message.text[0] = '\0';
}

void
state_set_time(struct state *s, double seconds)
{
	s->view.frame.now = seconds;
}

void
state_set_motion(struct state *s, bool motion)
{
	s->view.frame.motion = motion;
}

void
state_open_popup(struct state *s, enum popup p)
{
	s->view.popup.kind = p;
	s->view.popup.cursor = 0;
}

void
state_close_popup(struct state *s)
{
	s->view.popup.kind = POPUP_NONE;
}

void
state_show_text(struct state *s, enum popup p, const char *title, const char *lines)
{
	str_clear(&s->view.popup.text);
	str_add(&s->view.popup.text, lines);
	snprintf(s->view.popup.title, sizeof s->view.popup.title, "%s", title);
	state_open_popup(s, p);
}

void
state_ask_for_tracefs(struct state *s)
{
	s->view.leaving.asked_tracefs = true;
	state_open_popup(s, POPUP_TRACEFS);
}

void
state_open_prompt(struct state *s, enum prompt p, const char *text)
{
	s->view.popup.kind = POPUP_PROMPT;
	s->view.prompt.kind = p;
	s->view.prompt.choice = 0;
	str_clear(&s->view.prompt.input);
	str_add(&s->view.prompt.input, text);
	s->view.prompt.at = s->view.prompt.input.n;
	s->view.prompt.proposed = *text && p != PROMPT_NOTE; /* a note that is there is changed, not replaced */
	s->view.prompt.past_at = 0;
	if (p == PROMPT_COMMAND)
		state_request(s, REQUEST_FIT);
}

void
state_prompt_forget(struct state *s)
{
	struct prompt_before *b = &s->view.prompt.before;

	free(b->filter);
	free(b->folded);
	*b = (struct prompt_before){0};
}

void
state_open_about(struct state *s, enum popup p, bool something)
{
	if (something)
		state_open_popup(s, p);
	else
		state_say(s, false, "there is nothing to show yet");
}

const struct layout layout_initial = {
	.visible = UINT64_MAX, .page = 10,
};

enum pane_id
state_pane(const struct state *s)
{
	const struct layout *l = s->layout;

	return l->view == s->view.current && l->chosen == s->view.focus ? l->focus : s->view.focus;
}

bool
state_shows_pane(const struct state *s, enum pane_id pane)
{
	return s->layout->view != s->view.current || s->layout->visible & PANE_BIT(pane);
}

enum start_pane
state_start_pane(const struct state *s)
{
	bool room = s->view.start.focus != START_MODELS || s->layout->start_models || s->layout->view != VIEW_START;

	return room ? s->view.start.focus : START_MENU;
}

const char *
queue_sort_name(enum queue_sort q)
{
	switch (q) {
	case QUEUE_BY_LENGTH:
		return "longest first";
	case QUEUE_BY_TREND:
		return "by trend";
	case QUEUE_BY_PLACE:
		return "by place";
	case QUEUE_SORTS:
		break;
	}
	return "";
}

const char *
diff_sort_name(enum diff_sort d)
{
	switch (d) {
	case DIFF_AS_MEASURED:
		return "as measured";
	case DIFF_BY_NAME:
		return "by name";
	case DIFF_BY_CHANGE:
		return "largest change first";
	case DIFF_BY_ANSWER:
		return "differences first";
	case DIFF_SORTS:
		break;
	}
	return "";
}

const char *
event_sort_name(enum event_sort e)
{
	switch (e) {
	case EVENT_AS_READ:
		return "as read";
	case EVENT_BY_NAME:
		return "by name";
	case EVENT_BY_VERDICT:
		return "worst verdict first";
	case EVENT_BY_OFFSET:
		return "by offset";
	case EVENT_BY_RANGE:
		return "by range";
	case EVENT_SORTS:
		break;
	}
	return "";
}

const char *
bar_sort_name(enum bar_sort b)
{
	switch (b) {
	case BAR_BY_WHOLE:
		return "largest first";
	case BAR_BY_NAME:
		return "by name";
	case BAR_BY_PART:
		return "by the part under the cursor";
	case BAR_SORTS:
		break;
	}
	return "";
}
