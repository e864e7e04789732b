/* An empty view never opens without the one key that fills it, and that key works there. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/stack/stack.h"
#include "draw/cell.h"
#include "draw/view/view.h"
#include "explorer/state/state_reason.h"
#include "explorer/state/state_timeline.h"
#include "explorer/state/state_views.h"
#include "stage.h"
#include "test.h"
#include "text/diag.h"
#include "work/files/texts.h"

static void
open_nothing(struct state *s)
{
	state_init(s);
	stage_machine(&s->data.machine);
	stage_models(s);
}

static void
open_model(struct state *s)
{
	stage_open(s, "linux-page-faults", NULL, NULL, false);
	stage_compute(s);
}

static void
open_model_without_features(struct state *s)
{
	stage_open(s, "x86-retired", NULL, NULL, false);
	stage_compute(s);
}

static void
open_network(struct state *s)
{
	stage_open_timeline(s, "linux-vm", NULL, NULL);
}

static void
open_stack(struct state *s)
{
	stage_open_timeline(s, NULL, "stall-sources", NULL);
}

static void
open_pmu_stack(struct state *s)
{
	stage_open_timeline(s, NULL, "topdown-l1-spr", NULL);
}

static const struct { const char *name; void (*open)(struct state *); } scenes[] = {
	{"nothing", open_nothing}, {"a model", open_model}, {"a model without features", open_model_without_features},
	{"a network", open_network}, {"a stack of tasks", open_stack}, {"a stack of counters", open_pmu_stack},
};

/* The body of the screen as one line: without title, tabs and footer. The caller frees. */
static char *
body_of(struct state *s, int w, int h)
{
	struct grid *g = grid_new(w, h, true);
	struct drawn drawn;
	struct str out = {0};
	char *text, *from, *to;
	int row = 0;

	draw_screen(s, g, &drawn);
	grid_text(g, &out);
	text = str_take(&out);
	grid_free(g);
	for (from = text; row < 2 && *from; from++)
		row += *from == '\n';
	for (to = from; row < h - 1 && *to; to++) {
		row += *to == '\n';
		*to = *to == '\n' ? ' ' : *to;
	}
	memmove(text, from, (size_t)(to - from));
	text[to - from] = '\0';
	return text;
}

/* Does the body name this key, as in "r runs" or "S lists"? */
static bool
names_key(const char *body, const char *key)
{
	size_t n = strlen(key);

	for (const char *at = body; (at = strstr(at, key)); at++)
		if ((at == body || at[-1] == ' ' || at[-1] == ',' || at[-1] == '(') && at[n] == ' ' &&
			islower((unsigned char)at[n + strspn(at + n, " ")]))
			return true;
	return false;
}

/* Does it name one that works here? */
static bool
names_a_key(const struct state *s, const char *body)
{
	static const char *const key[] = {"r", "R", "S", "o", "d", "Enter", "Tab", "Space", "D", "E", "3"};

	for (size_t i = 0; i < sizeof key / sizeof *key; i++) {
		enum action a = action_for_key(key[i], state_scope(s));

		if (names_key(body, key[i]) && a && !action_reason(s, a))
			return true;
	}
	return false;
}

static size_t
count_letters(const char *body)
{
	size_t n = 0;

	for (; *body; body++)
		n += isalnum((unsigned char)*body) != 0;
	return n;
}

#define FULL 900 /* letters and digits on a screen of 120 x 40 that is not empty */

/* Every view that opens without data is full, or names a key; a view without a tab does not open. */
static void
views_without_data(void)
{
	for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
		for (enum view v = VIEW_START + 1; v < VIEW_COUNT; v++) {
			struct state s;
			const char *lacks;
			char *body;

			scenes[i].open(&s);
			lacks = view_reason(&s, v);
			test_check((lacks == NULL) == (state_view_applies(&s, v) || view_needs_nothing(v)), __FILE__,
				__LINE__, "view %s of %s: tab and key differ", view_row(v)->name, scenes[i].name);
			if (!lacks) {
				stage_show(&s, 120, 40);
				state_show_view(&s, v);
				stage_answer(&s);
				CHECK_INT(s.view.current, v);
				body = body_of(&s, 120, 40);
				test_check(count_letters(body) > FULL || names_a_key(&s, body), __FILE__, __LINE__,
					"view %s of %s is empty, and names no key that works: %s", view_row(v)->name,
					scenes[i].name, body);
				free(body);
			}
			stage_close(&s);
		}
}

TEST_MAIN(CASE(views_without_data))
