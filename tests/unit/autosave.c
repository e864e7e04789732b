/* The explorer's state in its session file: what is restored, what is reported when something cannot be, and that no
 * failure loses what is in the file. */
#include "explorer/autosave/autosave.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/search/search_graph.h"
#include "core/udd/model.h"
#include "draw/view/view_table.h"
#include "explorer/autosave/setting.h"
#include "explorer/state/state.h"
#include "explorer/state/state_catalogue.h"
#include "explorer/state/state_columns.h"
#include "explorer/state/state_cursor.h"
#include "explorer/state/state_leave.h"
#include "explorer/state/state_lists.h"
#include "explorer/state/state_notes.h"
#include "explorer/state/state_probes.h"
#include "explorer/state/state_search.h"
#include "explorer/state/state_views.h"
#include "explorer/state/undo_steps.h"
#include "killed.h"
#include "open_session.h"
#include "session_place.h"
#include "sql.h"
#include "test.h"
#include "text/diag.h"
#include "work/analysis/analysis.h"
#include "work/catalogue.h"
#include "work/files/data.h"
#include "work/files/recording.h"
#include "work/probe/probe_book.h"

/* A copy of the fixture, a file of version 1. It has two observations, "good" and "bad"; feature "slow" makes "bad"
 * feasible. */
static struct session_place
place_new(void)
{
	struct session_place p = session_place_new();
	unsigned long n;
	char *bytes = test_read("data/session/v1.hecate", &n);
	int fd = open(p.file, O_WRONLY | O_CREAT | O_EXCL, 0600);

	CHECK_INT(write(fd, bytes, n), n);
	close(fd);
	free(bytes);
	return p;
}

/* An explorer without screen and engine process. */
struct explorer {
	struct state s;
	struct autosave *autosave;
	uint64_t asked;
};

/* Computes and stores the result, as the engine does. Each has a new number, because a later one may lie at the same
 * address. */
static void
compute_result(struct explorer *x)
{
	struct analysis *a = analysis_new(x->s.question.model, &x->s.question.how);
	struct result *r;

	for (size_t i = 0; i < x->s.data.n_tables; i++)
		analysis_set_table(a, i, data_copy(x->s.data.table[i]));
	r = analysis_run(a, &x->s.question.on, NULL);
	r->request = ++x->asked;
	state_take_result(&x->s, r);
	analysis_free(a);
}

static void
start(struct explorer *x, const char *path)
{
	struct bundle b = {0};
	struct diags d = {0};
	struct err e = {0};
	struct udd_loader loader = bundle_loader(&b);
	struct analysis_options how = {.confidence = 0.99, .independent_rows = true};
	struct fset on = {0};

	*x = (struct explorer){.autosave = autosave_new()};
	state_init(&x->s);
	x->s.column = view_column;
	CHECK(recording_load_model(path, &b, &e));
	state_set_model(&x->s, &b, udd_parse(b.path, &loader, &d), &how, &on);
	x->s.data.table = mem_new_array(1, sizeof *x->s.data.table);
	x->s.data.table[0] = data_read(path, false, &e);
	CHECK(x->s.data.table[0] != NULL);
	x->s.data.n_tables = 1;
	x->s.view.frame.now = 100;
	autosave_restore(x->autosave, &x->s, path, 0);
	diags_free(&d);
}

/* Starts an explorer, and computes its first result. */
static void
open_explorer(struct explorer *x, const char *path)
{
	start(x, path);
	compute_result(x);
	session_tick(x->autosave, &x->s);
}

static void
close_explorer(struct explorer *x)
{
	autosave_free(x->autosave);
	state_free(&x->s);
}

static void
select_finding(struct state *s, const char *name)
{
	for (size_t i = 0; i < s->answers.result->n_findings; i++)
		if (str_eq(s->answers.result->finding[i].name, name))
			s->view.selected = i;
	state_sync_cursors(s);
}

static void
check_sql(const char *path, const char *sql, const char *want)
{
	char *got = sql_text(path, sql);

	test_label("%s", sql);
	CHECK_STR(got, want);
	free(got);
}

static void
save(struct explorer *x)
{
	struct err e = {0};

	if (!CHECK(autosave_now(x->autosave, &x->s, &e)))
		CHECK_STR(e.what, "");
}

static void
a_session_comes_back(void)
{
	struct session_place p = place_new();
	struct explorer x;
	struct state *s = &x.s;

	open_explorer(&x, p.file);
	state_act(s, ACTION_toggle); /* feature slow on */
	compute_result(&x);
	state_act(s, ACTION_toggle); /* and back: both verdicts are known now */
	state_act(s, ACTION_toggle);
	compute_result(&x);
	state_act(s, ACTION_find_next);
	CHECK_INT(s->view.popup.kind, POPUP_PROMPT);
	answer_prompt(s, "slow is needed: \"cold\" & <hot>");
	state_act(s, ACTION_observations);
	state_act(s, ACTION_sort);
	select_finding(s, "good");
	state_act(s, ACTION_mark);
	state_act(s, ACTION_find_next);
	answer_prompt(s, "on good");
	state_open_prompt(s, PROMPT_FILTER, "");
	answer_prompt(s, "oo");
	state_act(s, ACTION_columns);
	state_point_popup(s, 3);
	state_act(s, ACTION_column_hide);
	state_act(s, ACTION_column_left);
	state_close_popup(s);
	s->view.panes.share[PANE_TREE] = (struct pane_share){300, 500, 0};
	state_sort_by(s, OBSERVATIONS_BY_NAME);
	state_act(s, ACTION_constraints);
	state_choose(s, PANE_CONSTRAINTS, 1);
	state_open_prompt(s, PROMPT_FIND, "");
	answer_prompt(s, "f");
	s->view.sort.quantities = DIFF_BY_ANSWER;
	s->view.filter[VIEW_DIFF] = mem_str("faults");
	s->view.plot.chosen = true;
	s->view.plot.axis[0] = 1;
	s->view.plot.axis[1] = 0;
	s->view.plot.zoom = ZOOM_REGION;
	s->question.how.confidence = 0.95;
	{
		char *constraint = mem_str(state_constraint(s)->c->text);

		save(&x);
		close_explorer(&x);
		check_sql(p.file, "PRAGMA user_version", "11");
		check_sql(p.file, "PRAGMA integrity_check", "ok");
		check_sql(
			p.file, "SELECT count(*) FROM verdict WHERE features='[\"slow\"]' AND verdict='feasible'", "2");
		start(&x, p.file);
		CHECK(fset_has(&s->question.on, 0) && requests_find(&s->requests, REQUEST_RESULT));
		compute_result(&x);
		CHECK(session_tick(x.autosave, s));
		CHECK_STR(s->view.message.text, "");
		CHECK_INT(s->view.current, VIEW_CONSTRAINTS);
		CHECK_INT(s->view.focus, PANE_CONSTRAINTS);
		CHECK_INT(s->view.sort.observations, OBSERVATIONS_BY_NAME);
		CHECK_INT(s->view.sort.quantities, DIFF_BY_ANSWER);
		CHECK_STR(s->view.filter[VIEW_DIFF], "faults");
		CHECK_INT(s->view.columns.reversed, 1 << VIEW_OBSERVATIONS);
		CHECK_INT(s->view.panes.share[PANE_TREE].width, 300);
		CHECK_INT(s->view.panes.share[PANE_TREE].band, 500);
		check_sql(p.file, "SELECT value FROM setting WHERE key='columns'",
			"[\"list name distance -p excess samples over-time correlation worst relaxed\"]");
		CHECK(s->view.columns.of[PANE_LIST].n && !s->view.columns.of[PANE_CONSTRAINTS].n);
		CHECK(state_column_is_hidden(s, PANE_LIST, s->view.columns.of[PANE_LIST].order[3]));
		CHECK_STR(s->view.filter[VIEW_OBSERVATIONS], "oo");
		CHECK(s->view.filter[VIEW_CONSTRAINTS] == NULL);
		CHECK(s->view.find == NULL); /* n writes notes again, because nothing is searched for */
		CHECK_STR(state_finding(s)->name, "good");
		CHECK_INT(state_count_marked(s), 1);
		CHECK(s->view.marks.on[s->view.selected]);
		if (CHECK(state_constraint(s) != NULL))
			CHECK_STR(state_constraint(s)->c->text, constraint);
		free(constraint);
	}
	CHECK(s->view.plot.chosen && s->view.plot.axis[0] == 1 && s->view.plot.axis[1] == 0 &&
		s->view.plot.zoom == ZOOM_REGION);
	CHECK_NEAR(s->question.how.confidence, 0.95, 0);
	CHECK_INT(s->question.remarks.n, 2);
	CHECK_STR(s->question.remarks.remark[0].text, "slow is needed: \"cold\" & <hot>");
	CHECK_STR(s->question.remarks.remark[0].what, "[\"slow\"]");
	CHECK(state_note_on(s, REMARK_OBSERVATION, "good") != NULL);
	close_explorer(&x);
	session_place_free(&p);
}

/* The command line takes precedence over the file. */
static void
the_command_line_wins(void)
{
	struct session_place p = place_new();
	struct explorer x;

	open_explorer(&x, p.file);
	state_act(&x.s, ACTION_toggle);
	x.s.question.how.confidence = 0.9;
	x.s.question.how.decides = REGION_BOX;
	compute_result(&x);
	save(&x);
	autosave_restore(x.autosave, &x.s, p.file, 0); /* restoring twice changes nothing */
	close_explorer(&x);
	start(&x, p.file);
	CHECK(fset_has(&x.s.question.on, 0));
	CHECK_INT(x.s.question.how.decides, REGION_BOX);
	autosave_free(x.autosave);
	x.autosave = autosave_new();
	x.s.question.on = (struct fset){0};
	x.s.question.how.confidence = 0.99;
	x.s.question.how.decides = REGION_ELLIPSOID;
	autosave_restore(x.autosave, &x.s, p.file, AUTOSAVE_FEATURES | AUTOSAVE_CONFIDENCE | AUTOSAVE_REGION);
	CHECK(!fset_has(&x.s.question.on, 0));
	CHECK_NEAR(x.s.question.how.confidence, 0.99, 0);
	CHECK_INT(x.s.question.how.decides, REGION_ELLIPSOID);
	close_explorer(&x);
	session_place_free(&p);
}

static void
an_older_file_is_only_read_until_something_is_written(void)
{
	struct session_place p = place_new();
	struct explorer x;
	unsigned long n, m;
	char *before = test_read("data/session/v1.hecate", &n), *path = str_format("%s", p.file),
	     *after = mem_new(1 << 20);
	int fd;

	start(&x, p.file);
	CHECK_STR(x.s.view.message.text, "");
	close_explorer(&x);
	fd = open(path, O_RDONLY);
	m = (unsigned long)read(fd, after, 1 << 20);
	close(fd);
	CHECK(n == m && memcmp(before, after, n) == 0);
	open_explorer(&x, p.file); /* computes a result, which is written */
	close_explorer(&x);
	check_sql(p.file, "PRAGMA user_version", "11");
	check_sql(p.file, "SELECT count(*) FROM sample", "7");
	check_sql(p.file, "SELECT count(*) FROM verdict", "2");
	check_sql(p.file, "SELECT worst FROM verdict WHERE observation='bad'", "f = m");
	free(before);
	free(after);
	free(path);
	session_place_free(&p);
}

static void
what_is_gone_is_left_out_and_reported(void)
{
	static const struct { const char *sql, *word; } row[] = {
		{"UPDATE setting SET value='[\"slow\",\"gone\"]' WHERE key='features'", "feature gone"},
		{"UPDATE setting SET value='[\"twice\"]' WHERE key='features'", "does not allow together"},
		{"UPDATE setting SET value='rubbish' WHERE key='features'", "the features"},
		{"UPDATE setting SET value='[\"good\",\"lost\"]' WHERE key='marked'", "the mark on lost"},
		{"UPDATE setting SET value='away' WHERE key='observation'", "observation away"},
		{"INSERT INTO setting VALUES('constraint','f <= z')", "constraint f <= z"},
		{"UPDATE setting SET value='sphere' WHERE key='region'", "region sphere"},
		{"UPDATE setting SET value='7' WHERE key='confidence'", "confidence 7"},
		{"INSERT INTO setting VALUES('plot_x','zz')", "counter zz"},
		{"INSERT INTO setting VALUES('counters','[\"f\",\"zz\"]')", "counter zz"},
		{"INSERT INTO setting VALUES('columns','[\"list -p sighs\"]')", "column sighs"},
		{"INSERT INTO setting VALUES('columns','[\"heap p\"]')", "column heap"},
		{"INSERT INTO setting VALUES('reversed','[\"events\",\"dreams\"]')", "view dreams"},
		{"INSERT INTO setting VALUES('sizes','[\"tree 1 2 3\",\"dreams 1 2 3\"]')", "pane dreams 1 2 3"},
		{"UPDATE setting SET value='other' WHERE key='model'", "what belongs to model other"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct session_place p = place_new();
		struct explorer x;

		test_label("%s", row[i].sql);
		open_explorer(&x, p.file);
		state_act(&x.s, ACTION_observations);
		save(&x);
		close_explorer(&x);
		run_sql(p.file, row[i].sql);
		open_explorer(&x, p.file);
		CHECK(x.s.view.message.bad);
		if (!CHECK(strstr(x.s.view.message.text, row[i].word) != NULL))
			CHECK_STR(x.s.view.message.text, row[i].word);
		CHECK_INT(x.s.view.current, VIEW_OBSERVATIONS); /* everything else was restored */
		close_explorer(&x);
		session_place_free(&p);
	}
}

static struct search_graph *
small_graph(void)
{
	struct search_graph *g = search_graph_new();
	struct fset slow = {0};

	fset_put(&slow, 0, true);
	g->task = SEARCH_AUTO;
	g->complete = true;
	g->says = mem_str("slow is needed");
	g->n_observations = 2;
	g->observation = mem_new_array(2, sizeof *g->observation);
	g->observation[0] = mem_str("good");
	g->observation[1] = mem_str("bad");
	g->n_models = 2;
	g->model = mem_new_array(2, sizeof *g->model);
	for (size_t i = 0; i < 2; i++) {
		g->model[i] = (struct search_graph_model){.cone = UINT64_MAX - i,
			.usable = true,
			.survives = i == 1,
			.infeasible = i == 0,
			.n_words = 1,
			.step = (int)i};
		g->model[i].refuted = mem_new(sizeof *g->model[i].refuted);
	}
	g->model[0].refuted[0] = 2;
	g->model[0].worst = mem_str("f = m");
	g->model[0].worst_by = mem_str("bad");
	g->model[1].on = g->needs.required = slow;
	fset_put(&g->needs.optional, 1, true);
	g->n_edges = 1;
	g->edge = mem_new(sizeof *g->edge);
	g->edge[0] = (struct search_graph_edge){.from = 0, .to = 1, .changed = slow, .step = GRAPH_DISCOVERY};
	g->needs.n_minimal = 1;
	g->needs.minimal = mem_new(sizeof *g->needs.minimal);
	g->needs.minimal[0] = 1;
	g->n_repairs = 1;
	g->repair = mem_new(sizeof *g->repair);
	g->repair[0] = (struct search_graph_repair){.feature = 0, .frees = 1};
	g->n_alike = 1;
	g->alike = mem_new(sizeof *g->alike);
	g->alike[0] =
		(struct search_graph_alike){.kind = GRAPH_NOTHING, .one = slow, .why = mem_str("no counter sees it")};
	g->suspects = mem_str("perhaps f counts 1.2 times what it should");
	g->needs.useless_in = mem_str("in some");
	g->sets = 3;
	g->tested = 2;
	g->seconds = 0.25;
	return g;
}

static void
check_graph(const struct search_graph *g)
{
	if (!CHECK(g != NULL) || !CHECK_INT(g->n_models, 2) || !CHECK_INT(g->n_edges, 1) || !CHECK_INT(g->n_alike, 1) ||
		!CHECK_INT(g->n_repairs, 1))
		return;
	CHECK(g->complete && !g->running && g->task == SEARCH_AUTO && g->sets == 3 && g->tested == 2 &&
		g->seconds == 0.25);
	CHECK_STR(g->says, "slow is needed");
	CHECK_STR(g->suspects, "perhaps f counts 1.2 times what it should");
	CHECK_STR(g->needs.useless_in, "in some");
	CHECK(g->reason == NULL);
	CHECK_STR(g->observation[1], "bad");
	CHECK(g->model[1].cone == UINT64_MAX - 1); /* model 0 is the open model, which was tested again */
	CHECK(g->model[0].refuted[0] == 2 && g->model[0].infeasible == 1 && !g->model[0].survives &&
		g->model[1].survives);
	CHECK_STR(g->model[0].worst, "f = m");
	CHECK_STR(g->model[0].worst_by, "bad");
	CHECK(g->model[1].worst == NULL);
	CHECK(fset_has(&g->model[1].on, 0) && fset_has(&g->needs.required, 0) && fset_has(&g->needs.optional, 1) &&
		fset_count(&g->needs.useless) == 0);
	CHECK(g->edge[0].from == 0 && g->edge[0].to == 1 && g->edge[0].step == GRAPH_DISCOVERY &&
		fset_has(&g->edge[0].changed, 0));
	CHECK(g->needs.n_minimal == 1 && g->needs.minimal[0] == 1 && g->repair[0].frees == 1);
	CHECK(g->alike[0].kind == GRAPH_NOTHING);
	CHECK(fset_has(&g->alike[0].one, 0) && fset_count(&g->alike[0].other) == 0);
	CHECK_STR(g->alike[0].why, "no counter sees it");
}

static void
a_graph_comes_back(void)
{
	struct session_place p = place_new();
	struct explorer x;

	/* "bad" has four rows, whose refutation does not stand among two observations */
	open_explorer(&x, p.file);
	x.s.question.how.one_by_one = true;
	search_graph_free(x.s.answers.search.graph);
	x.s.answers.search.graph = small_graph();
	x.s.answers.search.graph->running = true;
	session_tick(x.autosave, &x.s);
	CHECK(!x.s.data.saved.failed);
	/* the search ends, so the graph is written at once, whatever the time */
	x.s.answers.search.graph->running = false;
	CHECK(session_tick(x.autosave, &x.s));
	close_explorer(&x);
	check_sql(p.file, "SELECT refuted_by FROM graph_model WHERE features='[]'", "[\"bad\"]");
	check_sql(p.file, "SELECT group_concat(key||'='||value, '; ') FROM graph",
		"alike=nothing; complete=1; fixed=[]; model=1; observations=[\"good\",\"bad\"]; optional=[\"twice\"]; "
		"proposed=[]; required=[\"slow\"]; says=slow is needed; seconds=0.25; sets=3; suspects=perhaps f "
		"counts 1.2 times what it should; task=auto; tested=2; undecided=0; useless=[]; useless_in=in some");
	check_sql(p.file,
		"SELECT group_concat(printf('%s %s %s %s %s %s %s %s %s %s %s', id, features, step, usable, survives, "
		"infeasible, refuted_by, cone, minimal, worst, worst_by), '; ') FROM graph_model",
		"0 [] start 1 0 1 [\"bad\"] cffffffffffffffff 0 f = m bad; "
		"1 [\"slow\"] discovery 1 1 0 [] cfffffffffffffffe 1  ");
	check_sql(p.file, "SELECT printf('%s %s %s %s', from_model, to_model, changed, step) FROM graph_edge",
		"0 1 [\"slow\"] discovery");
	check_sql(p.file, "SELECT printf('%s %s %s %s', id, one, other, why) FROM graph_alike",
		"0 [\"slow\"] [] no counter sees it");
	check_sql(p.file, "SELECT printf('%s %s %s', id, feature, frees) FROM graph_repair", "0 slow 1");
	open_explorer(&x, p.file);
	CHECK_STR(x.s.view.message.text, "");
	check_graph(x.s.answers.search.graph);
	close_explorer(&x);
	/* A graph of other observations is shown as old, and stays in the file. */
	run_sql(p.file, "UPDATE observation SET name='better' WHERE name='good'");
	open_explorer(&x, p.file);
	CHECK(x.s.answers.search.graph != NULL && state_search_old(&x.s));
	close_explorer(&x);
	check_sql(p.file, "SELECT count(*) FROM graph_model", "2");
	run_sql(p.file,
		"UPDATE observation SET name='good' WHERE name='better'; UPDATE graph_model SET features='[\"gone\"]' "
		"WHERE id=1");
	open_explorer(&x, p.file);
	CHECK(strstr(x.s.view.message.text, "models of the search graph: 1") != NULL);
	if (CHECK(x.s.answers.search.graph != NULL))
		CHECK(x.s.answers.search.graph->n_models == 1 && x.s.answers.search.graph->n_edges == 0 &&
			x.s.answers.search.graph->needs.n_minimal == 0 && !x.s.answers.search.graph->complete);
	close_explorer(&x);
	/* So is a graph of another text of the model. */
	run_sql(p.file,
		"INSERT INTO model(name,path,added) SELECT name,path,added FROM model; INSERT INTO model_file SELECT "
		"2,at,name,same,text||char(10) FROM model_file");
	open_explorer(&x, p.file);
	/* the graph holds only the open model */
	CHECK(x.s.answers.search.graph && x.s.answers.search.graph->n_models == 1 &&
		x.s.answers.search.graph->task == SEARCH_NONE);
	CHECK(strstr(x.s.view.message.text, "another text of the model") != NULL);
	close_explorer(&x);
	session_place_free(&p);
}

static void
damage_outside_the_samples(void)
{
	static const char *const sql[] = {
		"DROP TABLE setting",
		"DROP TABLE remark",
		"DROP TABLE graph",
		"UPDATE graph SET value='x' WHERE key='observations'",
	};

	for (size_t i = 0; i < sizeof sql / sizeof *sql; i++) {
		struct session_place p = place_new();
		struct explorer x;

		test_label("%s", sql[i]);
		open_explorer(&x, p.file);
		search_graph_free(x.s.answers.search.graph);
		x.s.answers.search.graph = small_graph();
		save(&x);
		close_explorer(&x);
		run_sql(p.file, sql[i]);
		open_explorer(&x, p.file);
		CHECK(x.s.view.message.bad && *x.s.view.message.text);
		CHECK_INT(x.s.answers.result->n_findings, 2); /* the samples are still read */
		close_explorer(&x);
		check_sql(p.file, "SELECT count(*) FROM sample", "7");
		session_place_free(&p);
	}
}

/* What was undone stays undone when the file is opened again. */
static void
what_was_undone_is_kept_undone(void)
{
	struct session_place p = place_new();
	struct explorer x;
	struct state *s = &x.s;

	open_explorer(&x, p.file);
	state_act(s, ACTION_toggle); /* feature slow on */
	compute_result(&x);
	state_act(s, ACTION_pin);
	state_search_began(s, SEARCH_AUTO);
	state_take_search(s, small_graph());
	state_act(s, ACTION_observations);
	state_act(s, ACTION_mark);
	state_act(s, ACTION_filter);
	answer_prompt(s, "oo");
	state_act(s, ACTION_note_session);
	answer_prompt(s, "a note");
	save(&x);
	check_sql(p.file, "SELECT count(*) FROM remark", "1");
	check_sql(p.file, "SELECT count(*) FROM graph WHERE key='says'", "1");
	check_sql(p.file, "SELECT count(*) FROM graph_model", "2");
	while (!state_undo_reason(s)) {
		state_act(s, ACTION_undo);
		if (requests_find(&s->requests, REQUEST_RESULT))
			compute_result(&x);
		requests_clear(&s->requests);
	}
	save(&x);
	close_explorer(&x);
	check_sql(p.file, "SELECT count(*) FROM remark", "0");
	check_sql(p.file, "SELECT count(*) FROM graph WHERE key='says'", "0");
	check_sql(p.file, "SELECT count(*) FROM graph_model", "1");
	open_explorer(&x, p.file);
	CHECK(fset_is_empty(s->question.on) && fset_is_empty(s->question.pinned));
	CHECK(!s->view.filter[VIEW_OBSERVATIONS]);
	CHECK_INT(state_count_marked(s), 0);
	CHECK_INT(s->question.remarks.n, 0);
	if (CHECK(s->answers.search.graph != NULL))
		CHECK(!s->answers.search.graph->complete && s->answers.search.graph->n_models == 1);
	CHECK(state_undo_reason(s) && state_redo_reason(s));
	close_explorer(&x);
	session_place_free(&p);
}

/* Events that Space added in view 0 come back with the session, and can be undone. */
static void
added_events_come_back(void)
{
	static const struct event_row row[] = {
		{.name = "walks.all", .pmu = "cpu", .topic = "t", .code = "event=0x12,umask=0xe"},
		{.name = "more.walks.all", .pmu = "cpu", .topic = "t", .code = "event=0x13"},
	};
	struct session_place p = place_new();
	struct event_table table = {0};
	struct explorer x;
	struct state *s = &x.s;

	event_table_add(&table, &row[0]);
	event_table_add(&table, &row[1]);
	open_explorer(&x, p.file);
	state_act(s, ACTION_events);
	state_act(s, ACTION_all_events);
	state_set_catalogue(s, catalogue_of(&table));
	state_act(s, ACTION_fold_all);
	for (int i = 0; i < 2; i++) {
		state_act(s, ACTION_observe_next);
		state_act(s, ACTION_add_event);
	}
	CHECK_INT(s->view.events.n_added, 2);
	state_act(s, ACTION_undo);
	CHECK_INT(s->view.events.n_added, 1);
	CHECK(strstr(s->view.message.text, "undone: the next run no longer counts ") != NULL);
	state_act(s, ACTION_redo);
	CHECK(strstr(s->view.message.text, "walks.all, too (") != NULL);
	save(&x);
	close_explorer(&x);
	check_sql(p.file, "SELECT value FROM setting WHERE key='added_events'",
		"[\"more.walks.all\",\"cpu/event=0x13/\",\"walks.all\",\"cpu/event=0x12,umask=0xe/\"]");
	start(&x, p.file);
	CHECK(requests_find(&s->requests, REQUEST_FIT));
	if (CHECK_INT(s->view.events.n_added, 2))
		CHECK_STR(s->view.events.added[1].event, "cpu/event=0x12,umask=0xe/");
	state_added_put(s, &(const struct str){0});
	save(&x);
	close_explorer(&x);
	check_sql(p.file, "SELECT count(*) FROM setting WHERE key='added_events'", "0");
	session_place_free(&p);
}

static void
notes_are_changed_and_deleted(void)
{
	struct session_place p = place_new();
	struct explorer x;
	struct state *s = &x.s;

	open_explorer(&x, p.file);
	state_act(s, ACTION_notes);
	CHECK_INT(s->view.popup.kind, POPUP_NONE); /* no notes yet */
	state_act(s, ACTION_find_next);
	answer_prompt(s, "one");
	state_act(s, ACTION_observations);
	state_act(s, ACTION_find_next);
	answer_prompt(s, "two");
	CHECK(session_tick(x.autosave, s)); /* notes are written at once */
	check_sql(p.file, "SELECT group_concat(text) FROM (SELECT text FROM remark ORDER BY id)", "one,two");
	state_act(s, ACTION_find_next); /* on the same object: its note is changed */
	CHECK_STR(str_text(&s->view.prompt.input), "two");
	answer_prompt(s, "two, again");
	CHECK_INT(s->question.remarks.n, 2);
	state_act(s, ACTION_notes);
	CHECK_INT(s->view.popup.kind, POPUP_NOTES);
	state_act(s, ACTION_note_delete);
	CHECK_INT(s->question.remarks.n, 1);
	state_prompt_key(s, PROMPT_ENTER);
	CHECK_INT(s->view.popup.kind, POPUP_PROMPT);
	CHECK_STR(str_text(&s->view.prompt.input), "two, again");
	state_prompt_key(s, PROMPT_ESCAPE);
	session_tick(x.autosave, s);
	check_sql(p.file, "SELECT group_concat(text) FROM remark", "two, again");
	/* While a search text is set, n goes to the next hit. Esc clears the text. */
	state_open_prompt(s, PROMPT_FIND, "");
	answer_prompt(s, "bad");
	state_act(s, ACTION_find_next);
	CHECK_INT(s->view.popup.kind, POPUP_NONE);
	state_act(s, ACTION_stop);
	state_act(s, ACTION_find_next);
	CHECK_INT(s->view.popup.kind, POPUP_PROMPT);
	answer_prompt(s, ""); /* an empty text deletes the note */
	close_explorer(&x);
	session_place_free(&p);
}

/* Two explorers open one file. The second one keeps in memory what it cannot write, reports this once, and writes it
 * when the first one leaves. */
static void
opened_twice(void)
{
	struct session_place p = place_new();
	struct explorer a, b;

	open_explorer(&a, p.file);
	state_act(&a.s, ACTION_find_next);
	answer_prompt(&a.s, "from a");
	session_tick(a.autosave, &a.s);
	CHECK(!a.s.data.saved.failed);
	open_explorer(&b, p.file);
	CHECK(b.s.data.saved.failed && strstr(b.s.view.message.text, "kept in memory") &&
		strstr(b.s.view.message.text, "another hecate"));
	state_act(&b.s, ACTION_observations);
	state_act(&b.s, ACTION_find_next);
	answer_prompt(&b.s, "from b");
	session_tick(b.autosave, &b.s);
	state_say(&b.s, false, "%s", "");
	b.s.view.frame.now += 60;
	session_tick(b.autosave, &b.s);
	CHECK(b.s.data.saved.failed);
	CHECK_STR(b.s.view.message.text, ""); /* reported once only */
	state_act(&a.s, ACTION_constraints);
	state_choose(&a.s, PANE_CONSTRAINTS, 1);
	state_act(&a.s, ACTION_find_next);
	answer_prompt(&a.s, "again from a");
	save(&a);
	close_explorer(&a);
	CHECK(autosave_patience(b.autosave, &b.s) <= AUTOSAVE_RETRY);
	b.s.view.frame.now += 60;
	CHECK(session_tick(b.autosave, &b.s));
	CHECK(!b.s.data.saved.failed);
	CHECK_INT(b.s.question.remarks.n, 3);
	close_explorer(&b);
	check_sql(p.file, "SELECT group_concat(text) FROM (SELECT text FROM remark ORDER BY text)",
		"again from a,from a,from b");
	session_place_free(&p);
}

/* No file may grow larger than this one is, as on a full disk; then there is room again. */
static void
a_full_disk_takes_nothing_away(void)
{
	struct session_place p = place_new();
	struct explorer x;
	struct rlimit was, limit;
	struct stat st;
	char *text = mem_new(200001);

	open_explorer(&x, p.file);
	save(&x);
	memset(text, 'x', 200000);
	signal(SIGXFSZ, SIG_IGN);
	CHECK_INT(stat(p.file, &st), 0);
	getrlimit(RLIMIT_FSIZE, &was);
	limit = (struct rlimit){(rlim_t)st.st_size, was.rlim_max};
	CHECK_INT(setrlimit(RLIMIT_FSIZE, &limit), 0);
	state_act(&x.s, ACTION_find_next);
	answer_prompt(&x.s, text);
	session_tick(x.autosave, &x.s);
	CHECK(x.s.data.saved.failed && x.s.view.message.bad && strstr(x.s.view.message.text, "not saved"));
	CHECK_INT(x.s.question.remarks.n, 1);
	CHECK_INT(setrlimit(RLIMIT_FSIZE, &was), 0);
	x.s.view.frame.now += AUTOSAVE_RETRY + 1;
	session_tick(x.autosave, &x.s);
	CHECK(!x.s.data.saved.failed);
	close_explorer(&x);
	check_sql(p.file, "SELECT length(text) FROM remark", "200000");
	check_sql(p.file, "SELECT count(*) FROM sample", "7");
	check_sql(p.file, "PRAGMA integrity_check", "ok");
	free(text);
	session_place_free(&p);
}

static void
a_file_that_has_gone_is_not_made_anew(void)
{
	struct session_place p = place_new();
	struct explorer x;

	start(&x, p.file);
	CHECK_INT(unlink(p.file), 0);
	compute_result(&x);
	session_tick(x.autosave, &x.s);
	CHECK(x.s.data.saved.failed && strstr(x.s.view.message.text, "has gone"));
	CHECK(access(p.file, F_OK) != 0);
	close_explorer(&x);
	session_place_free(&p);
}

/* A session without a file is saved into a new one with everything it has, and is written there from then on. */
static void
kept_in_a_new_file(void)
{
	struct session_place p = place_new();
	char *path = str_format("%s2", p.file), *name;
	struct explorer x;
	struct err e = {0};

	open_explorer(&x, p.file);
	autosave_free(x.autosave);
	x.autosave = autosave_new();
	free(x.s.data.saved.in);
	x.s.data.saved.in = NULL;
	state_act(&x.s, ACTION_find_next);
	answer_prompt(&x.s, "a first note");
	state_act(&x.s, ACTION_quit);
	CHECK(!requests_find(&x.s.requests, REQUEST_QUIT));
	CHECK_INT(x.s.view.popup.kind, POPUP_LEAVE);
	state_act(&x.s, ACTION_quit);
	CHECK(!requests_find(&x.s.requests, REQUEST_QUIT));
	CHECK_INT(x.s.view.popup.kind, POPUP_NONE);
	state_act(&x.s, ACTION_quit);
	CHECK(state_leave_key(&x.s, "x"));
	CHECK(requests_find(&x.s.requests, REQUEST_QUIT));
	requests_drop(&x.s.requests, REQUEST_QUIT);
	CHECK(!autosave_make(x.autosave, &x.s, p.file, &e));
	CHECK(strstr(e.what, "there already") != NULL);
	state_act(&x.s, ACTION_find_next);
	state_prompt_key(&x.s, PROMPT_CLEAR);
	answer_prompt(&x.s, "a note");
	name = state_file_name(&x.s);
	CHECK(str_starts(name, "kept-20") && str_ends(name, ".hct"));
	CHECK(autosave_make(x.autosave, &x.s, path, &e));
	CHECK_STR(x.s.data.saved.in, path);
	close_explorer(&x);
	check_sql(path, "SELECT count(*) FROM sample", "7");
	check_sql(path, "SELECT text FROM remark", "a note");
	check_sql(path, "SELECT name FROM model", "kept");
	check_sql(path, "SELECT count(*) FROM verdict", "2");
	open_explorer(&x, path);
	CHECK_INT(x.s.question.remarks.n, 1);
	state_act(&x.s, ACTION_quit);
	CHECK_INT(x.s.view.popup.kind, POPUP_NONE);
	CHECK(requests_find(&x.s.requests, REQUEST_LEAVE));
	close_explorer(&x);
	unlink(path);
	free(path);
	free(name);
	session_place_free(&p);
}

struct writing {
	const char *path;
	unsigned last; /* last number that is in the file */
};

static void
write_for_ever(void *ctx, int out)
{
	const struct writing *w = ctx;
	struct explorer x;
	struct err e;

	open_explorer(&x, w->path);
	for (unsigned i = w->last + 1;; i++) {
		char *words = str_format("%u", i);

		state_act(&x.s, ACTION_toggle);
		compute_result(&x);
		remarks_put(&x.s.question.remarks, REMARK_OBSERVATION, "bad", words);
		if (!x.s.answers.search.graph)
			x.s.answers.search.graph = small_graph();
		x.s.answers.search.graph->seconds = i;
		free(words);
		if (!autosave_now(x.autosave, &x.s, &e) || !killed_report(out, i))
			return;
	}
}

/* The explorer is killed again and again while it writes toggles, notes and searches. Each time the file is sound,
 * and holds everything that was reported as written. */
static void
nothing_reported_is_lost_by_a_kill(void)
{
	struct session_place p = place_new();
	struct writing w = {.path = p.file};

	for (unsigned round = 0; round < test_rounds(12, 200); round++) {
		unsigned seen = (unsigned)killed_run(write_for_ever, &w, round % 5 + 1).reported;
		char *count, *text;

		CHECK(seen > w.last);
		check_sql(p.file, "PRAGMA integrity_check", "ok");
		check_sql(p.file, "SELECT count(*) FROM sample", "7");
		check_sql(p.file, "SELECT count(*) FROM graph_model", "2");
		text = sql_text(p.file, "SELECT text FROM remark");
		count = sql_text(p.file, "SELECT value FROM graph WHERE key='seconds'");
		test_label("round %u", round);
		CHECK_STR(count, text); /* written in the same transaction */
		CHECK(strtoul(text, NULL, 10) >= seen && strtoul(text, NULL, 10) <= seen + 1);
		w.last = (unsigned)strtoul(text, NULL, 10);
		free(text);
		free(count);
	}
	session_place_free(&p);
}

/* Each setting has one row, and docs/session-file.md lists its key. */
static void
settings_are_listed(void)
{
	const struct setting *const table[] = {
		settings_of_file, settings_of_model, settings_of_timeline, settings_of_view};
	const size_t n = sizeof table / sizeof *table;
	char *page = test_read("../docs/session-file.md", NULL);
	size_t rows = 0;

	for (size_t t = 0; page && t < n; t++)
		for (const struct setting *row = table[t]; row->key; row++) {
			char *word = str_format("`%s`", row->key);
			size_t same = 0;

			for (size_t u = 0; u < n; u++)
				for (const struct setting *other = table[u]; other->key; other++)
					same += str_eq(other->key, row->key);
			test_label("%s", row->key);
			CHECK(same == 1);
			CHECK(strstr(page, word) != NULL);
			CHECK(row->kind != SETTING_OWN || (row->write && row->read));
			CHECK(row->kind != SETTING_WORD || (row->words && row->n_words > 0));
			free(word);
			rows++;
		}
	CHECK(rows > 30);
	free(page);
}

/* --- curves ------------------------------------------------------------------------------------------------------ */

static void
grow_curve(struct probe_measured *m, size_t points)
{
	while (m->curve.n < points) {
		double x = (double)m->curve.n;

		probe_book_point(m, m->curve.n, &(struct curve_point){.x = x, .min = x, .mean = 2 * x, .max = 3 * x});
	}
}

/* A curve that still grows is in the file after each tick: a kill costs the points since then. */
static void
curves_are_kept_as_they_grow(void)
{
	struct session_place p = session_place_new();
	struct explorer x = {.autosave = autosave_new()}, y = {.autosave = autosave_new()};
	struct probe_measured *m;
	struct err e = {0};

	state_init(&x.s);
	state_set_probes(&x.s, probe_book_new());
	x.s.view.frame.now = 100;
	m = probe_book_begin(x.s.data.probes, "sim:core", "rob");
	grow_curve(m, 5);
	CHECK_INT(state_unsaved_curves(&x.s), 1);
	CHECK(autosave_make(x.autosave, &x.s, p.file, &e));
	CHECK_INT(state_unsaved_curves(&x.s), 0);
	grow_curve(m, 12);
	x.s.view.frame.now += 10 * AUTOSAVE_SECONDS;
	session_tick(x.autosave, &x.s);
	grow_curve(m, 15); /* after the last tick */
	autosave_free(x.autosave); /* without a last write, as after a kill */

	state_init(&y.s);
	autosave_restore(y.autosave, &y.s, p.file, 0);
	m = y.s.data.probes ? probe_book_curve(y.s.data.probes, "sim:core", "rob") : NULL;
	if (CHECK(m != NULL)) {
		CHECK_INT(m->curve.n, 12);
		CHECK(m->curve.point[11].mean == 22 && m->curve.point[11].max == 33);
		CHECK(!m->whole);
	}
	close_explorer(&y);
	state_free(&x.s);
	session_place_free(&p);
}

/* Without a file, q asks, and w saves them. */
static void
curves_in_no_file(void)
{
	struct state s;
	struct str words = {0};
	char *name;

	state_init(&s);
	state_set_probes(&s, probe_book_new());
	grow_curve(probe_book_begin(s.data.probes, "sim:core", "rob"), 5);
	grow_curve(probe_book_begin(s.data.probes, "native", "rob"), 5);
	state_act(&s, ACTION_quit);
	CHECK(!requests_find(&s.requests, REQUEST_QUIT));
	CHECK_INT(s.view.popup.kind, POPUP_LEAVE);
	state_leave_words(&s, &words);
	CHECK_STR(str_text(&words), "In no file:\n  2 curves\n");
	str_free(&words);
	CHECK(state_leave_key(&s, "x"));
	CHECK(requests_find(&s.requests, REQUEST_QUIT) != NULL);
	state_open_popup(&s, POPUP_WRITE);
	state_act(&s, ACTION_write_session);
	CHECK_INT(s.view.popup.kind, POPUP_PROMPT);
	name = state_file_name(&s);
	CHECK(str_starts(name, "probes-"));
	free(name);
	state_free(&s);
}

TEST_MAIN(CASE(a_session_comes_back), CASE(the_command_line_wins),
	CASE(an_older_file_is_only_read_until_something_is_written), CASE(what_is_gone_is_left_out_and_reported),
	CASE(a_graph_comes_back), CASE(damage_outside_the_samples), CASE(what_was_undone_is_kept_undone),
	CASE(added_events_come_back),
	CASE(notes_are_changed_and_deleted), CASE(opened_twice), CASE(a_full_disk_takes_nothing_away),
	CASE(a_file_that_has_gone_is_not_made_anew), CASE(kept_in_a_new_file), CASE(nothing_reported_is_lost_by_a_kill),
	CASE(settings_are_listed), CASE(curves_are_kept_as_they_grow), CASE(curves_in_no_file))
