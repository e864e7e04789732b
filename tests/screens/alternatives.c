/* A folder of models is a list of alternatives: each has its verdict, one is shown, and Enter shows another. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "convert/fdl/fdl.h"
#include "core/udd/outline.h"
#include "draw/cell.h"
#include "draw/view/view.h"
#include "stage.h"
#include "test.h"
#include "text/diag.h"
#include "work/files/data.h"

/* large, large2 and small, without a choice, as the command line gives it. */
static void
open_family(struct state *s, bool data)
{
	struct bundle b = {0};
	struct udd_loader loader = bundle_disk_loader(&b);
	struct analysis_options how = analysis_options_default();
	struct diags d = {0};
	struct err e = {0};
	struct fset on;
	struct udd_model *m;

	CHECK(chdir(getenv("HECATE_TESTS")) == 0);
	m = model_read("fdl/family/", &loader, &d);
	state_init(s);
	stage_machine(&s->data.machine);
	s->view.frame.program = "hecate 0.0";
	CHECK(udd_choose(m, NULL, NULL, NULL, &on, &e));
	state_set_model(s, &b, m, &how, &on);
	if (data) {
		s->data.table = mem_new(sizeof *s->data.table);
		s->data.table[0] = data_read("fdl/family.csv", true, &e);
		s->data.n_tables = 1;
		s->data.name = mem_str("family.csv");
	}
	diags_free(&d);
	stage_compute(s);
}

static char *
drawn_text(struct state *s, int w, int h)
{
	struct grid *g = grid_new(w, h, false);
	struct drawn d;
	char *text;

	draw_screen(s, g, &d);
	text = stage_text(g);
	grid_free(g);
	return text;
}

static void
shows(struct state *s, const char *words, bool wanted)
{
	char *text = drawn_text(s, 120, 40);

	test_check((strstr(text, words) != NULL) == wanted, __FILE__, __LINE__, "'%s' %s", words,
		wanted ? "is missing" : "is there");
	free(text);
}

static void
each_with_its_verdict(void)
{
	struct state s;

	open_family(&s, true);
	CHECK_INT(fset_count(&s.question.on), 1); /* the first is shown at once */
	CHECK(!s.answers.result->error);
	shows(&s, "(x) large  More              4 ✗ 1 of 3", true);
	shows(&s, "( ) large2 More, Early       4 ✗ 1 of 3", true);
	shows(&s, "( ) small                    2 ✗ 2 of 3", true);
	shows(&s, "0 of 3 survive", true);
	shows(&s, "make no model", false);
	shows(&s, "none of them is chosen", false);
	shows(&s, "discover", false);
	stage_close(&s);
}

static void
one_is_shown(void)
{
	struct state s;

	open_family(&s, true);
	state_act(&s, ACTION_down);
	state_act(&s, ACTION_down);
	state_act(&s, ACTION_take); /* Enter */
	CHECK(fset_has(&s.question.on, 2) && fset_count(&s.question.on) == 1);
	CHECK(requests_find(&s.requests, REQUEST_RESULT));
	CHECK_STR(s.question.outline->row[0].text, "small when small"); /* the tree is that of the one shown */
	for (size_t i = 0; i < s.question.outline->n; i++)
		CHECK(!s.question.outline->row[i].off);
	stage_compute(&s);
	shows(&s, "(x) small                    2 ✗ 2 of 3", true);
	shows(&s, "allowed by large", true);
	requests_clear(&s.requests);
	state_act(&s, ACTION_toggle); /* the one that is shown cannot be switched off */
	CHECK(fset_has(&s.question.on, 2) && !requests_find(&s.requests, REQUEST_RESULT));
	CHECK(strstr(s.view.message.text, "small is the model that is shown"));
	state_act(&s, ACTION_auto);
	CHECK(strstr(s.view.message.text, "no features in common"));
	state_act(&s, ACTION_pin);
	CHECK(strstr(s.view.message.text, "alternatives"));
	stage_close(&s);
}

static void
without_data(void)
{
	struct state s;

	open_family(&s, false);
	shows(&s, "(x) large  More", true);
	shows(&s, "3 alternatives", true);
	shows(&s, "verdict", false);
	stage_close(&s);
}

TEST_MAIN(CASE(each_with_its_verdict), CASE(one_is_shown), CASE(without_data))
