#include "app/session_start.h"

#include <stdlib.h>
#include <string.h>

#include "app/live.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/lang/diag.h"
#include "core/udd/model.h"

/* The title of each installed model; reading one takes well under a millisecond. */
static char **
describe_models(char *const *name)
{
	char **text;
	size_t n = 0;

	while (name[n])
		n++;
	text = mem_new_array(n + 1, sizeof *text);
	for (size_t i = 0; i < n; i++) {
		struct bundle b = {0};
		struct udd_loader loader = bundle_disk_loader(&b);
		struct diags d = {0};
		struct err e;
		char *path = file_find(name[i], "models", ".udd", &e);
		struct udd_model *m = path ? udd_parse(path, &loader, &d) : NULL;

		text[i] = mem_str(m ? m->text : "does not load; open it to see why");
		udd_free(m);
		diags_free(&d);
		bundle_free(&b);
		free(path);
	}
	return text;
}

void
session_list_models(struct session *s)
{
	s->known = file_names("models", ".udd");
	s->known_text = describe_models(s->known);
}

static void
want_model(struct session *s, const char *name)
{
	free(s->want.open);
	s->want.open = mem_str(name);
}

void
session_start_open(struct session *s)
{
	if (s->start_focus == START_MEASURE) {
		session_open_popup(s, POPUP_DOCTOR);
		return;
	}
	if (s->start_focus == START_MODELS) {
		if (s->known && s->known[0])
			want_model(s, s->known[s->start_cursor[START_MODELS]]);
		return;
	}
	switch ((enum start_item)s->start_cursor[START_MENU]) {
	case START_DEMO:
		s->want.demo = true;
		want_model(s, "linux-page-faults");
		break;
	case START_HASWELL:
		want_model(s, "haswell-mmu");
		break;
	case START_OPEN:
		session_open_prompt(s, PROMPT_OPEN, "");
		break;
	case START_DOCTOR:
		session_open_popup(s, POPUP_DOCTOR);
		break;
	case START_ITEMS:
		break;
	}
}

/* A line of the menu by its letter. */
void
session_start_item(struct session *s, enum start_item i)
{
	s->start_focus = START_MENU;
	s->start_cursor[START_MENU] = (int)i;
	session_start_open(s);
}

void
session_ask_for_command(struct session *s)
{
	struct str line = {0};

	for (size_t i = 0; s->argv && s->argv[i]; i++) {
		bool plain = *s->argv[i] && !strpbrk(s->argv[i], " \t\"'\\");

		str_addf(&line, "%s%s%s%s", i ? " " : "", plain ? "" : "'", s->argv[i], plain ? "" : "'");
	}
	if (!line.n) {
		char *demo = session_demo_command();

		str_add(&line, demo);
		free(demo);
	}
	session_open_prompt(s, PROMPT_COMMAND, str_text(&line));
	str_free(&line);
}

void
session_run_command(struct session *s)
{
	if (session_running(s))
		session_say(s, true, "%s still runs; Esc ends it", session_subject(s));
	else if (session_has_subject(s))
		s->want.command = true;
	else
		session_ask_for_command(s);
}
