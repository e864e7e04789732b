/* No key is silent: it changes something, asks for something, or says why it does nothing here. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/stack/stack.h"
#include "draw/cell.h"
#include "draw/view/view.h"
#include "explorer/state/state_timeline.h"
#include "explorer/state/state_views.h"
#include "stage.h"
#include "test.h"
#include "text/diag.h"
#include "ui/input.h"
#include "ui/term.h"
#include "work/files/data.h"
#include "work/files/texts.h"

static void
open_start(struct state *s)
{
	state_init(s);
	stage_machine(&s->data.machine);
	stage_models(s);
}

static void
open_judged(struct state *s)
{
	stage_open(s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(s);
}

static void
open_model(struct state *s)
{
	stage_open(s, "haswell-mmu", NULL, NULL, false);
}

static void
open_network(struct state *s)
{
	stage_open_timeline(s, "spr-cxl", NULL, (const char *const[]){"screens/expect/fotonik.csv", NULL});
}

static void
open_empty_network(struct state *s)
{
	stage_open_timeline(s, "linux-vm", NULL, NULL);
}

static void
open_stack(struct state *s)
{
	stage_open_timeline(s, NULL, "topdown-l1-spr", (const char *const[]){"screens/expect/phased.csv", NULL});
}

static void
open_empty_stack(struct state *s)
{
	stage_open_timeline(s, NULL, "stall-sources", NULL);
}

static const struct { const char *name; void (*open)(struct state *); } scenes[] = {
	{"start", open_start}, {"judged", open_judged}, {"model", open_model}, {"network", open_network},
	{"empty network", open_empty_network}, {"stack", open_stack}, {"empty stack", open_empty_stack},
};

static const struct {
	const char *name;
	int key;
} named[] = {
	{"Space", ' '}, {"Enter", '\r'}, {"Esc", 0x1b}, {"Tab", '\t'}, {"S-Tab", TK_SHIFT_TAB}, {"Up", TK_UP},
	{"Down", TK_DOWN}, {"Left", TK_LEFT}, {"Right", TK_RIGHT}, {"Home", TK_HOME}, {"End", TK_END},
	{"PgUp", TK_PAGE_UP}, {"PgDn", TK_PAGE_DOWN}, {"F1", TK_F1}, {"F5", TK_F5}, {"F10", TK_F10},
	{"C-l", 'l' - 'a' + 1},
};

static int
key_code(const char *name)
{
	for (size_t i = 0; i < sizeof named / sizeof *named; i++)
		if (str_eq(named[i].name, name))
			return named[i].key;
	return (unsigned char)name[0];
}

static void
press(struct state *s, const char *name)
{
	struct drawn drawn = {0};
	struct term_event e = {.key = key_code(name)};

	input_take(s, &drawn, &e);
}

/* A move at the end of a list, and the key of the view that is shown, may be silent. */
static bool
may_be_silent(const struct state *s, const char *key)
{
	enum action a = action_for_key(key, state_scope(s));

	return a == ACTION_up || a == ACTION_down || a == ACTION_left || a == ACTION_right || a == ACTION_page_up ||
		a == ACTION_page_down || a == ACTION_first || a == ACTION_last ||
		(s->view.current != VIEW_START && str_eq(key, view_row(s->view.current)->key));
}

static char *
screen(struct state *s)
{
	struct grid *g = grid_new(200, 60, false);
	static struct drawn drawn;
	char *text;

	state_timeline_show(s);
	stage_look(s, g, &drawn);
	text = stage_text(g);
	grid_free(g);
	return text;
}

static void
back_to(struct state *s, enum view view, enum pane_id pane)
{
	state_close_popup(s);
	if (view == VIEW_START)
		s->view.current = VIEW_START;
	else
		state_show_view(s, view);
	if (view != VIEW_START && s->view.current == view)
		s->view.focus = pane;
	s->view.came_from = VIEW_START;
	requests_clear(&s->requests);
	state_say_nothing(s);
}

static void
press_all(struct state *s, const char *scene, enum view view, enum pane_id pane)
{
	for (int a = 1; a < ACTION_COUNT; a++) {
		char **key = str_split(action_row((enum action)a)->keys, ' ', NULL);

		for (size_t i = 0; key[i]; i++) {
			char *before, *after;

			back_to(s, view, pane);
			before = screen(s);
			requests_clear(&s->requests);
			if (!may_be_silent(s, key[i])) {
				size_t selected = s->view.selected; /* its picture may still be computed */

				press(s, key[i]);
				after = screen(s);
				test_check(strcmp(before, after) || s->view.selected != selected || s->requests.n ||
						*s->view.message.text, __FILE__, __LINE__,
					"%s, view %s, pane %s: key %s is silent", scene, view_row(view)->name,
					view ? pane_name(pane) : "", key[i]);
				free(after);
			}
			free(before);
		}
		str_split_free(key);
	}
}

static void
no_key_is_silent(void)
{
	for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
		struct state s;

		scenes[i].open(&s);
		for (enum view v = VIEW_START; v < VIEW_COUNT; v++) {
			enum pane_id first = view_row(v)->first, end = v == VIEW_START ? first + 1 : view_row(v)->end;
			uint64_t shown;

			back_to(&s, v, first);
			if (s.view.current != v)
				continue;
			free(screen(&s));
			shown = s.layout->visible | PANE_BIT(first);
			for (enum pane_id p = first; p < end; p++)
				if (shown & PANE_BIT(p))
					press_all(&s, scenes[i].name, v, p);
		}
		stage_close(&s);
	}
}

static const struct {
	void (*open)(struct state *);
	enum view view;
	enum pane_id pane;
	const char *key, *says;
} reasons[] = {
	{open_start, VIEW_START, 0, "2", "no model is open yet; choose one here"},
	{open_start, VIEW_START, 0, "Space", "Space works in views 5, 6 and 7: stay at this snapshot"},
	{open_start, VIEW_START, 0, "/", "/ works in views 1, 2, 3, 8, 9, 0 and p: find a row"},
	{open_start, VIEW_START, 0, "y", "y works in views 1, 2, 3 and 4: why, in words"},
	{open_start, VIEW_START, 0, "L", "L works in views 1,"},
	{open_start, VIEW_START, 0, "Y", "Y has no meaning; ? lists the keys"},
	{open_model, VIEW_MODELS, PANE_FEATURES, "\\", "\\ works in views 2, 3, 6, 7, 0 and p"},
	{open_model, VIEW_MODELS, PANE_FEATURES, "u", "u works in view"},
	{open_model, VIEW_MODELS, PANE_FEATURES, "y", "y works in pane why (Tab goes there): why, in words"},
	{open_model, VIEW_MODELS, PANE_FEATURES, "s", "s works in views 2, 3, 6, 7, 0 and p: sort"},
	{open_model, VIEW_MODELS, PANE_FEATURES, "C", "C works in views 2, 3, 7, 8, 9, 0 and p: the columns"},
	{open_model, VIEW_MODELS, PANE_FEATURES, "x", "x works in view"},
	{open_model, VIEW_MODELS, PANE_FEATURES, "g", NULL},
	{open_model, VIEW_MODELS, PANE_FEATURES, "J", "J works in the list of columns: move this column to the right"},
	{open_model, VIEW_MODELS, PANE_FEATURES, "*", "* works in pane tree (Tab goes there): unfold all"},
	{open_model, VIEW_MODELS, PANE_FEATURES, "^", "^ has no meaning"},
	{open_model, VIEW_MODELS, PANE_TREE, "y", "y works in pane why (Tab goes there)"},
	{open_model, VIEW_MODELS, PANE_TREE, "!", "! works in pane features (Tab goes there): pin"},
	{open_model, VIEW_MODELS, PANE_OBSERVATIONS, "Enter", "there is no result yet; r runs a command"},
	{open_model, VIEW_MODELS, PANE_WHY, "y", "there is no result yet; r runs a command"},
	{open_model, VIEW_MODELS, PANE_WHY, "Space", "Space works in pane features (Tab goes there)"},
	{open_model, VIEW_MODELS, PANE_SEARCH, "Enter", "no model has been judged yet"},
	{open_model, VIEW_MODELS, PANE_FEATURES, "]", "there is no result yet"},
	{open_model, VIEW_MODELS, PANE_FEATURES, "L", "there are no notes yet; n writes one"},
	{open_model, VIEW_MODELS, PANE_FEATURES, "Esc", "nothing runs that Esc could stop; q leaves"},
	{open_model, VIEW_CONSTRAINTS, PANE_CONSTRAINTS, "Enter", "there is no result yet"},
	{open_model, VIEW_CONSTRAINTS, PANE_CONSTRAINTS, "Space", "there is no result yet"},
	{open_model, VIEW_CONSTRAINTS, PANE_CONSTRAINTS, "x", "there is no result yet"},
	{open_model, VIEW_CONSTRAINTS, PANE_CONSTRAINTS, "m", "there is no result yet"},
	{open_model, VIEW_CONSTRAINTS, PANE_CONSTRAINTS, "M", "nothing is marked; m in views 2 and 3"},
	{open_model, VIEW_OBSERVATIONS, PANE_LIST, "c", "there is no result yet"},
	{open_model, VIEW_OBSERVATIONS, PANE_LIST, "Enter", "there is no result yet"},
	{open_model, VIEW_OBSERVATIONS, PANE_LIST, "u", "there is no result yet"},
	{open_model, VIEW_GEOMETRY, PANE_PLOT, "f", "there is no result yet"},
	{open_model, VIEW_GEOMETRY, PANE_PLOT, "Right", "there is no result yet"},
	{open_model, VIEW_GEOMETRY, PANE_PLOT, "s", "s works in views 2, 3, 6, 7, 0 and p"},
	{open_model, VIEW_GEOMETRY, PANE_PLOT, "C", "C works in views"},
	{open_judged, VIEW_MODELS, PANE_FEATURES, "M", "M works in views 2 and 3"},
	{open_model, VIEW_MODELS, PANE_FEATURES, "5", "paths are a network's, and none is open; S opens one"},
	{open_model, VIEW_MODELS, PANE_FEATURES, "6", "stalls are a network's or a stack's, and neither is open"},
	{open_model, VIEW_MODELS, PANE_FEATURES, "7", "queues are a network's, and none is open"},
	{open_empty_stack, VIEW_STALLS, PANE_BARS, "7", "queues are a network's, and none is open"},
	{open_empty_network, VIEW_PATHS, PANE_NETWORK, "1", "no model is open, only a network"},
	{open_empty_network, VIEW_PATHS, PANE_NETWORK, "Enter", "there is no snapshot of the network yet"},
	{open_empty_network, VIEW_PATHS, PANE_NETWORK, "[", "there is no snapshot yet"},
	{open_empty_network, VIEW_PATHS, PANE_NETWORK, "c", "there is no snapshot yet"},
	{open_empty_network, VIEW_PATHS, PANE_NETWORK, "\\", "\\ works in views"},
	{open_empty_network, VIEW_QUEUES, PANE_QUEUES, "Enter", "there is no snapshot of the network yet"},
	{open_empty_network, VIEW_QUEUES, PANE_QUEUES, "i", "there is no snapshot of the network yet"},
	{open_empty_stack, VIEW_STALLS, PANE_BARS, "Enter", "there is no bar yet; R runs a command"},
	{open_empty_stack, VIEW_STALLS, PANE_BARS, "A", "there is no bar yet"},
	{open_empty_stack, VIEW_STALLS, PANE_BARS, "2", "no model is open, only a stack"},
	{open_start, VIEW_EVENTS, PANE_EVENTS, "Enter", NULL},
	{open_start, VIEW_PROBES, PANE_PROBES, "Enter", "no probe is listed"},
	{open_start, VIEW_PROBES, PANE_PROBES, "R", "no model is open that could judge a command"},
};

static void
keys_give_reasons(void)
{
	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
		struct state s;
		const char *says = reasons[i].says;

		test_label("view %s, key %s", view_row(reasons[i].view)->name, reasons[i].key);
		reasons[i].open(&s);
		back_to(&s, reasons[i].view, reasons[i].pane);
		free(screen(&s));
		requests_clear(&s.requests);
		state_say_nothing(&s);
		press(&s, reasons[i].key);
		if (says)
			test_check(strncmp(s.view.message.text, says, strlen(says)) == 0, __FILE__, __LINE__,
				"it says \"%s\", expected \"%s…\"", s.view.message.text, says);
		CHECK(s.requests.n == 0);
		CHECK(s.view.popup.kind == POPUP_NONE);
		stage_close(&s);
	}
}

/* A key of another window than the one that is open. */
static void
keys_in_popups(void)
{
	static const char *const key[] = {"e", "d", "J", "R", "1", "Y", "f", "w", "Space"};
	struct state s;

	open_judged(&s);
	for (size_t i = 0; i < sizeof key / sizeof *key; i++) {
		back_to(&s, VIEW_MODELS, PANE_FEATURES);
		state_open_popup(&s, POPUP_DOCTOR);
		press(&s, key[i]);
		test_label("%s", key[i]);
		CHECK(strstr(s.view.message.text, "does nothing in this window; Esc closes it") != NULL);
		CHECK_INT(s.view.popup.kind, POPUP_DOCTOR);
	}
	stage_close(&s);
}

static void
type(struct state *s, const char *text)
{
	for (; *text; text++)
		press(s, (char[2]){*text, 0});
}

/* The letters of a name, the rows that fit, and a click on one. */
static void
the_palette(void)
{
	struct state s;
	struct drawn drawn = {0};
	struct grid *g = grid_new(80, 24, false);

	open_judged(&s);
	press(&s, ":");
	stage_compare(&s, "palette", 80, 24, false);
	stage_compare(&s, "palette", 40, 10, false);
	type(&s, "so");
	stage_compare(&s, "palette-so", 80, 24, false);
	stage_compare(&s, "palette-so", 80, 24, true);
	stage_compare(&s, "palette-so", 120, 40, false);
	type(&s, "q!");
	stage_compare(&s, "palette-nothing", 80, 24, false);
	press(&s, "Esc");
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	press(&s, ":");
	type(&s, "!ls -l");
	stage_compare(&s, "palette-runs", 80, 24, false);
	press(&s, "Esc");
	press(&s, ":");
	type(&s, "view ");
	stage_look(&s, g, &drawn);
	for (int i = 0; i < drawn.n_hits; i++)
		if (drawn.hit[i].kind == HIT_ROW && drawn.hit[i].pane == -1 && drawn.hit[i].row == 2) {
			struct term_event e = {.key = TK_MOUSE, .button = MOUSE_DOUBLE, .x = drawn.hit[i].r.x + 2,
				.y = drawn.hit[i].r.y};

			input_take(&s, &drawn, &e);
			break;
		}
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	CHECK_INT(s.view.current, VIEW_OBSERVATIONS);
	grid_free(g);
	stage_close(&s);
}

TEST_MAIN(CASE(the_palette), CASE(no_key_is_silent), CASE(keys_give_reasons), CASE(keys_in_popups))
