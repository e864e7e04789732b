/* Key T: the list of themes, in which the screen is drawn as the cursor moves. */
#include "explorer/state/state.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "work/files/files.h"

void
state_set_theme(struct state *s, const char *name)
{
	snprintf(s->view.popup.theme, sizeof s->view.popup.theme, "%s", name);
}

int
state_count_themes(const struct state *s)
{
	int n = 0;

	for (const char *c = str_text(&s->view.popup.text); *c; c++)
		n += *c == '\n';
	return n;
}

void
state_theme(const struct state *s, char out[THEME_NAME])
{
	const char *name = *s->view.popup.theme ? s->view.popup.theme : s->view.frame.usual_theme, *end;

	if (s->view.popup.kind == POPUP_THEMES) {
		name = str_text(&s->view.popup.text);
		for (int i = 0; i < s->view.popup.cursor; i++)
			name = strchr(name, '\n') + 1;
	}
	end = strchrnul(name, '\n');
	snprintf(out, THEME_NAME, "%.*s", (int)(end - name), name);
}

void
state_offer_themes(struct state *s)
{
	char **name = file_names("themes", ".theme"), now[THEME_NAME];
	size_t chosen = SIZE_MAX, n = 0;

	state_theme(s, now);
	str_clear(&s->view.popup.text);
	for (; name[n]; n++) {
		if (str_eq(name[n], now))
			chosen = n;
		str_addf(&s->view.popup.text, "%s\n", name[n]);
	}
	if (chosen == SIZE_MAX) { /* a file of the user's, or nothing is installed */
		str_addf(&s->view.popup.text, "%s\n", now);
		chosen = n;
	}
	str_split_free(name);
	state_open_popup(s, POPUP_THEMES);
	s->view.popup.cursor = (int)chosen;
}

void
state_keep_theme(struct state *s)
{
	char name[THEME_NAME];

	state_theme(s, name);
	state_set_theme(s, name);
	state_close_popup(s);
	state_say(s, false, "theme %s; theme = %s in ~/.config/hecate/config is for every start", name, name);
}
