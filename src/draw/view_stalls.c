#include "draw/view_parts.h"

static void
title(const struct session *s, struct str *out, struct str *info)
{
	(void)s;
	(void)out;
	(void)info;
}

static void
draw(const struct session *s, struct grid *g, struct rect r, bool focus, struct drawn *d)
{
	(void)s;
	(void)g;
	(void)r;
	(void)focus;
	(void)d;
}

void
draw_stalls_view(const struct session *s, struct grid *g, struct rect body, struct drawn *d)
{
	static const struct pane_spec layout[] = {{.id = PANE_BARS, .min_w = 20, .min_h = 5, .weight_w = 1, .weight_h = 1}};
	static const struct view_pane pane[] = {{title, draw}};

	draw_view_panes(s, g, body, &(struct view_panes){layout, 1, PANE_BARS, 1, pane}, d);
}

int
draw_bar_popup(const struct session *s, struct grid *g, struct rect screen)
{
	(void)s;
	(void)g;
	(void)screen;
	return 1;
}

bool
stalls_sentence(const struct session *s, struct line *l)
{
	(void)s;
	(void)l;
	return false;
}
