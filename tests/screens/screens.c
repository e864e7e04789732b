/* The explorer's screens, cell by cell, against the files beside this one: no terminal, no engine process, no clock.
 * HECATE_UPDATE=1 writes what is drawn instead of comparing; look at it before you commit it. */
#include "app/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/data.h"
#include "base/mem.h"
#include "core/lang/diag.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "draw/cell.h"
#include "draw/view.h"
#include "test.h"

/* A machine that is the same everywhere. */
static void
fake_machine(struct doctor *d)
{
	static const struct doctor_item item[] = {
		{DOCTOR_GOOD, "software events", "12 of 12", "exact, not multiplexed", ""},
		{DOCTOR_PARTLY, "tracepoints", "1 899", "user side only", ""},
		{DOCTOR_PARTLY, "kernel side", "", "uid 1000, paranoid 2", "sudo setcap cap_perfmon=ep $(which hecate)"},
		{DOCTOR_BAD, "core PMU", "", "hidden by the hypervisor", "KVM: -cpu host,pmu=on"},
	};

	*d = (struct doctor){.machine = "KVM guest · 4 CPUs · 3.8 GB · kernel 6.18 · uid 1000", .n = sizeof item / sizeof *item, .paranoid = 2};
	memcpy(d->item, item, sizeof item);
}

static void
fake_models(struct session *s)
{
	str_split_free(s->known);
	str_split_free(s->known_text);
	s->known = str_split("haswell-mmu,linux-page-faults", ',', NULL);
	s->known_text = str_split("Intel Haswell data-side MMU,page faults of Linux on x86", ',', NULL);
}

static void
open_session(struct session *s, const char *model, const char *features, const char *csv)
{
	struct bundle b = {0};
	struct udd_loader loader = bundle_disk_loader(&b);
	struct analysis_options how = {.confidence = 0.99};
	struct diags d = {0};
	struct err e = {0};
	struct fset on;
	char *path = file_find(model, "models", ".udd", &e);
	struct udd_model *m = udd_parse(path, &loader, &d);

	session_init(s);
	fake_machine(&s->doctor);
	s->program = "hecate 0.0";
	fake_models(s);
	CHECK(udd_choose(m, NULL, features, NULL, &on, &e));
	session_set_model(s, &b, m, &how, &on);
	memset(&s->want, 0, sizeof s->want);
	if (csv) {
		char *full = str_format("screens/expect/%s", csv);

		CHECK(chdir(getenv("HECATE_TESTS")) == 0);
		s->table = mem_new(sizeof *s->table);
		s->table[0] = data_read(full, true, &e);
		s->n_tables = 1;
		s->data_name = mem_str(csv);
		CHECK(s->table[0]);
		free(full);
	}
	diags_free(&d);
	free(path);
}

/* What the engine process would say. */
static void
compute(struct session *s)
{
	struct bundle *b = &s->bundle;
	struct udd_loader loader = bundle_loader(b);
	struct diags d = {0};
	struct udd_model *m = udd_parse(b->path, &loader, &d);
	struct analysis *a = analysis_new(m, &s->how);
	struct result *r;

	for (size_t i = 0; i < s->n_tables; i++)
		analysis_set_table(a, i, data_copy(s->table[i]));
	r = analysis_run(a, &s->on, NULL);
	r->seconds = 0.0021;
	session_take_result(s, r);
	session_take_neighbours(s, analysis_neighbours(a, r, NULL));
	analysis_free(a);
	udd_free(m);
	diags_free(&d);
}

static void
compare(const struct session *s, const char *name, int w, int h, bool ascii)
{
	struct grid *g = grid_new(w, h, ascii);
	struct drawn drawn;
	struct str text = {0}, trimmed = {0};
	char path[128];
	char **line;

	draw_session(s, g, &drawn);
	grid_text(g, &text);
	line = str_split(str_text(&text), '\n', NULL);
	for (size_t i = 0; line[i] && (*line[i] || line[i + 1]); i++) {
		size_t n = strlen(line[i]);

		while (n && line[i][n - 1] == ' ')
			n--;
		str_addf(&trimmed, "%.*s|\n", (int)n, line[i]);
	}
	str_split_free(line);
	snprintf(path, sizeof path, "screens/expect/%s-%dx%d%s.txt", name, w, h, ascii ? "-ascii" : "");
	test_label("%s", path);
	if (getenv("HECATE_UPDATE")) {
		char *full = str_format("%s/%s", getenv("HECATE_TESTS"), path);
		FILE *f = fopen(full, "w");

		fputs(str_text(&trimmed), f);
		fclose(f);
		free(full);
	} else {
		char *want = test_read(path, NULL);

		if (want && !CHECK(str_eq(want, str_text(&trimmed)))) {
			char **got = str_split(str_text(&trimmed), '\n', NULL), **old = str_split(want, '\n', NULL);

			for (size_t i = 0; got[i] && old[i]; i++)
				if (!str_eq(got[i], old[i]))
					printf("# row %zu\n# want %s\n# got  %s\n", i, old[i], got[i]);
			str_split_free(got);
			str_split_free(old);
		}
		free(want);
	}
	str_free(&text);
	str_free(&trimmed);
	grid_free(g);
}

static void
every_size(const struct session *s, const char *name)
{
	static const struct { int w, h; } size[] = {{200, 60}, {120, 40}, {80, 24}, {60, 20}, {40, 10}, {38, 5}, {19, 2}};

	for (size_t i = 0; i < sizeof size / sizeof *size; i++)
		compare(s, name, size[i].w, size[i].h, false);
	compare(s, name, 80, 24, true);
}

static void
start_screen(void)
{
	struct session s;

	session_init(&s);
	fake_machine(&s.doctor);
	s.program = "hecate 0.0";
	fake_models(&s);
	every_size(&s, "start");
	session_act(&s, ACTION_help);
	compare(&s, "start-help", 80, 24, false);
	session_free(&s);
}

static void
refuted_and_freed(void)
{
	struct session s;

	open_session(&s, "linux-page-faults", NULL, "programs.csv");
	compute(&s);
	every_size(&s, "refuted");
	session_act(&s, ACTION_down);
	session_act(&s, ACTION_down);
	session_act(&s, ACTION_down);
	session_act(&s, ACTION_toggle);
	CHECK(s.want.engine);
	compare(&s, "toggled", 80, 24, false); /* the old answer, dim, until the new one is here */
	compute(&s);
	compare(&s, "freed", 80, 24, false);
	compare(&s, "freed", 120, 40, false);
	session_act(&s, ACTION_pane_next);
	session_act(&s, ACTION_fold_all);
	compare(&s, "tree-folded", 80, 24, false);
	session_free(&s);
}

static void
popups_lie_over_the_view(void)
{
	struct session s;

	open_session(&s, "linux-page-faults", NULL, "programs.csv");
	compute(&s);
	session_act(&s, ACTION_help);
	compare(&s, "help", 80, 24, false);
	compare(&s, "help", 120, 40, false);
	session_act(&s, ACTION_quit);
	CHECK(!s.want.quit);
	session_act(&s, ACTION_doctor);
	compare(&s, "doctor", 80, 24, false);
	session_act(&s, ACTION_back);
	s.argv = str_split("gcc,-O2,-c,my file.c", ',', NULL);
	session_act(&s, ACTION_command);
	compare(&s, "prompt", 80, 24, false);
	session_prompt_key(&s, PROMPT_ESCAPE);
	s.shown = s.focus = PANE_OBSERVATIONS;
	session_act(&s, ACTION_whence);
	compare(&s, "whence", 120, 40, false);
	session_free(&s);
}

/* Text scrolls until its end is in sight, and no further. */
static void
text_scrolls_to_its_end(void)
{
	struct session s;
	struct grid *g = grid_new(80, 24, false);
	struct drawn d;
	int at;

	open_session(&s, "linux-page-faults", NULL, "programs.csv");
	compute(&s);
	session_act(&s, ACTION_help);
	for (int i = 0; i < 200; i++) {
		draw_session(&s, g, &d);
		s.popup_rows = d.popup_rows;
		session_act(&s, ACTION_down);
	}
	at = s.popup_cursor;
	CHECK(at > 0 && at < 40);
	compare(&s, "help-end", 80, 24, false);
	session_act(&s, ACTION_page_up);
	CHECK(s.popup_cursor < at);
	session_act(&s, ACTION_back);
	s.focus = s.shown = PANE_WHY;
	for (int i = 0; i < 200; i++) {
		draw_session(&s, g, &d);
		s.why_rows = d.why_rows;
		session_act(&s, ACTION_down);
	}
	CHECK(s.cursor[PANE_WHY] < 20);
	grid_free(g);
	session_free(&s);
}

static void
a_model_without_data(void)
{
	struct session s;

	open_session(&s, "haswell-mmu", NULL, NULL);
	compute(&s);
	every_size(&s, "haswell");
	session_act(&s, ACTION_variant);
	compare(&s, "variants", 80, 24, false);
	for (int i = 0; i < 4; i++)
		session_act(&s, ACTION_down);
	session_prompt_key(&s, PROMPT_ENTER);
	CHECK_INT(fset_count(&s.on), 5);
	compute(&s);
	compare(&s, "haswell-m4", 80, 24, false);
	session_free(&s);
}

static void
colours_say_what_shapes_say(void)
{
	struct session s;
	struct grid *g = grid_new(80, 24, false);
	struct drawn d;
	const struct cell *c;

	open_session(&s, "linux-page-faults", NULL, "programs.csv");
	compute(&s);
	draw_session(&s, g, &d);
	c = grid_at(g, 78, 0);
	CHECK_INT(c->fg, ROLE_INFEASIBLE);
	c = grid_at(g, 0, 3);
	CHECK_INT(c->bg, ROLE_SELECT);
	CHECK_INT(c->cp, 0x25b8);
	fset_put(&s.on, 0, true); /* switched, not answered yet */
	draw_session(&s, g, &d);
	CHECK_INT(grid_at(g, 78, 0)->fg, ROLE_DIM);
	grid_free(g);
	session_free(&s);
}

TEST_MAIN(CASE(start_screen), CASE(refuted_and_freed), CASE(popups_lie_over_the_view), CASE(text_scrolls_to_its_end), CASE(a_model_without_data), CASE(colours_say_what_shapes_say))
