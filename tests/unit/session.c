/* The session: what actions do to it, without a screen. */
#include "app/session.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/lang/diag.h"
#include "core/udd/model.h"
#include "core/udd/outline.h"
#include "test.h"

static const char model_text[] =
	"model m; feature a \"first: of two\"; feature b \"second\" requires a; feature c \"third\" excludes a;\n"
	"variant two { a, b }; variant none { };\n"
	"path p { count x; switch (K) { case One: count one; case Two: switch (L) { case Deep: count deep; case Shallow: } } }\n"
	"path q when b { count y; }\n";

static bool
load_text(void *ctx, const char *from, const char *path, struct udd_file *out, struct err *e)
{
	(void)ctx;
	(void)from;
	(void)e;
	*out = (struct udd_file){.name = mem_str(path), .text = mem_str(model_text), .n = strlen(model_text), .ino = 1};
	return true;
}

static void
open_session(struct session *s)
{
	struct udd_loader loader = {.load = load_text};
	struct analysis_options how = {.confidence = 0.99};
	struct bundle b = {0};
	struct diags d = {0};
	struct fset on = {0};
	struct udd_model *m = udd_parse("m.udd", &loader, &d);

	session_init(s);
	CHECK(m);
	session_set_model(s, &b, m, &how, &on);
	CHECK(s->want.load && s->want.engine);
	memset(&s->want, 0, sizeof s->want);
	diags_free(&d);
}

static void
a_toggle_keeps_the_rules(void)
{
	struct session s;

	open_session(&s);
	session_act(&s, ACTION_down);
	session_act(&s, ACTION_toggle); /* b without a */
	CHECK(!fset_has(&s.on, 1));
	CHECK(!s.want.engine);
	CHECK(s.message_bad && strstr(s.message, "requires"));
	session_act(&s, ACTION_up);
	session_act(&s, ACTION_toggle);
	CHECK(fset_has(&s.on, 0));
	CHECK(s.want.engine);
	CHECK_STR(s.message, "");
	session_act(&s, ACTION_last);
	CHECK_INT(s.cursor[PANE_FEATURES], 2);
	session_act(&s, ACTION_toggle); /* c excludes a */
	CHECK(!fset_has(&s.on, 2));
	CHECK(s.message_bad);
	session_act(&s, ACTION_down);
	CHECK_INT(s.cursor[PANE_FEATURES], 2);
	session_free(&s);
}

static void
a_variant_is_chosen(void)
{
	struct session s;

	open_session(&s);
	session_act(&s, ACTION_variant);
	CHECK_INT(s.popup, POPUP_VARIANT);
	CHECK_INT(session_scope(&s), IN_POPUP);
	session_prompt_key(&s, PROMPT_ENTER);
	CHECK_INT(s.popup, POPUP_NONE);
	CHECK(fset_has(&s.on, 0) && fset_has(&s.on, 1));
	CHECK(s.want.engine);
	session_free(&s);
}

static void
the_tree_folds_and_is_searched(void)
{
	struct session s;
	size_t n, all, *rows;

	open_session(&s);
	s.focus = s.shown = PANE_TREE;
	free(session_tree_rows(&s, &all));
	CHECK_INT(all, s.outline->n);
	session_act(&s, ACTION_fold); /* the root */
	free(session_tree_rows(&s, &n));
	CHECK(n < all);
	session_act(&s, ACTION_find);
	CHECK_INT(session_scope(&s), 0);
	for (const char *p = "DEEP"; *p; p++)
		session_input(&s, (unsigned)*p);
	session_prompt_key(&s, PROMPT_ENTER);
	rows = session_tree_rows(&s, &n);
	if (CHECK(s.cursor[PANE_TREE] < (int)n))
		CHECK_STR(s.outline->row[rows[s.cursor[PANE_TREE]]].text, "Deep");
	free(rows);
	session_act(&s, ACTION_left); /* a leaf: to the row above it */
	rows = session_tree_rows(&s, &n);
	CHECK(s.outline->row[rows[s.cursor[PANE_TREE]]].below > 0);
	free(rows);
	session_act(&s, ACTION_find);
	session_input(&s, 'z');
	session_prompt_key(&s, PROMPT_ENTER);
	CHECK(s.message_bad && strstr(s.message, "nothing here holds"));
	session_act(&s, ACTION_fold_all);
	free(session_tree_rows(&s, &n));
	CHECK(n < all);
	session_act(&s, ACTION_fold_all);
	free(session_tree_rows(&s, &n));
	CHECK_INT(n, all);
	session_free(&s);
}

static void
a_prompt_takes_characters(void)
{
	struct session s;

	open_session(&s);
	session_act(&s, ACTION_command);
	session_prompt_key(&s, PROMPT_CLEAR);
	session_input(&s, 'a');
	session_input(&s, 0xb5);
	session_input(&s, 0x1b); /* control characters are no text */
	CHECK_STR(str_text(&s.input), "aµ");
	session_prompt_key(&s, PROMPT_ERASE);
	CHECK_STR(str_text(&s.input), "a");
	session_prompt_key(&s, PROMPT_ERASE);
	session_prompt_key(&s, PROMPT_ERASE);
	CHECK_STR(str_text(&s.input), "");
	session_prompt_key(&s, PROMPT_ENTER);
	CHECK(!s.want.command);
	CHECK(s.message_bad);
	session_act(&s, ACTION_command);
	session_prompt_key(&s, PROMPT_CLEAR);
	session_input(&s, 'l');
	session_input(&s, 's');
	session_prompt_key(&s, PROMPT_ENTER);
	CHECK(s.want.command);
	CHECK_STR(s.argv[0], "ls");
	session_act(&s, ACTION_command);
	session_prompt_key(&s, PROMPT_ESCAPE);
	CHECK_INT(s.popup, POPUP_NONE);
	session_free(&s);
}

/* q goes back before it leaves; Tab walks through what is shown. */
static void
back_before_leaving(void)
{
	struct session s;

	open_session(&s);
	session_act(&s, ACTION_doctor);
	session_act(&s, ACTION_quit);
	CHECK(!s.want.quit);
	CHECK_INT(s.popup, POPUP_NONE);
	s.visible = 1 << PANE_FEATURES | 1 << PANE_WHY;
	session_act(&s, ACTION_pane_next);
	CHECK_INT(s.shown, PANE_WHY);
	session_act(&s, ACTION_pane_next);
	CHECK_INT(s.shown, PANE_FEATURES);
	s.visible = 1 << PANE_FEATURES; /* a small screen: through all panes */
	session_act(&s, ACTION_pane_next);
	CHECK_INT(s.shown, PANE_TREE);
	session_act(&s, ACTION_quit);
	CHECK(s.want.quit);
	session_free(&s);
}

static void
the_start_screen_opens_things(void)
{
	struct session s;

	session_init(&s);
	CHECK_INT(session_scope(&s), IN_START);
	session_act(&s, ACTION_models);
	CHECK(*s.message);
	session_act(&s, ACTION_demo);
	CHECK(s.want.open && str_eq(s.want.open, "linux-page-faults") && s.want.demo);
	session_act(&s, ACTION_haswell);
	CHECK(s.want.open && str_eq(s.want.open, "haswell-mmu"));
	session_act(&s, ACTION_open_file);
	CHECK_INT(s.popup, POPUP_PROMPT);
	session_free(&s);
}

/* A week of verdicts has room, evenly spread, with the first and the newest of them. */
static void
the_history_is_bounded_and_even(void)
{
	struct session s;
	double widest = 0, narrowest = 1e9;
	const size_t points = 50000;

	open_session(&s);
	for (size_t i = 0; i < points; i++) {
		session_add_point(&s, &(struct live_point){.seconds = (double)i * 0.25, .samples = i + 1});
		CHECK(s.n_history <= HISTORY_MOST);
		CHECK_INT(s.history[s.n_history - 1].samples, i + 1);
	}
	CHECK(s.n_history > HISTORY_MOST / 4);
	CHECK_INT(s.history[0].samples, 1);
	for (size_t i = 1; i + 1 < s.n_history; i++) {
		double gap = s.history[i].seconds - s.history[i - 1].seconds;

		widest = gap > widest ? gap : widest;
		narrowest = gap < narrowest ? gap : narrowest;
	}
	CHECK(narrowest > 0);
	CHECK(widest <= 4 * narrowest);
	session_forget_history(&s);
	CHECK_INT(s.n_history, 0);
	session_free(&s);
}

TEST_MAIN(CASE(a_toggle_keeps_the_rules), CASE(a_variant_is_chosen), CASE(the_tree_folds_and_is_searched), CASE(a_prompt_takes_characters),
	  CASE(back_before_leaving), CASE(the_start_screen_opens_things),
	  CASE(the_history_is_bounded_and_even))
