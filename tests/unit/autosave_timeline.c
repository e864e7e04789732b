/* Sessions of networks and stacks in their file: what is restored, under which names, and what is reported when
 * something cannot be. */
#include "explorer/autosave/autosave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "explorer/state/state.h"
#include "explorer/state/state_paths.h"
#include "explorer/state/state_stalls.h"
#include "explorer/state/state_timeline.h"
#include "killed.h"
#include "open_session.h"
#include "session_place.h"
#include "sql.h"
#include "test.h"
#include "text/diag.h"
#include "work/files/data.h"
#include "work/files/files.h"
#include "work/files/recording.h"
#include "work/files/texts.h"
#include "work/timeline/timeline.h"
#include "work/timeline/timeline_names.h"

#define FILE_MOST ((size_t)1 << 24)

/* The same network with one more stage in front, so that its modules have other numbers. */
#define NET_HEAD \
	"network n; kind read; kind write; counter l2 = \"L2\" per core unit requests; counter mem = \"MEM\" per " \
	"socket unit requests;\n" \
	"counter clk = \"CLK\" per core unit cycles;\n"
#define NET_TAIL \
	"stage a { module L2 per core { clock = clk; read { hit = l2; delay = 10 cycles; } write { hit = l2; delay = " \
	"20 cycles; } } }\n" \
	"stage b { module M per socket { read { hit = mem; } write { hit = mem; } } } link L2 -> M;"
static const char net_text[] = NET_HEAD NET_TAIL;
static const char other_net_text[] = NET_HEAD "stage z { module Z per core { clock = clk; read { hit = l2; } write { "
					      "hit = l2; } } } link Z -> L2;\n" NET_TAIL;
static const char stack_text[] = "stack s per task; counter e = source \"all\" per task unit ns; counter r = source "
				 "\"run\" per task unit ns; whole w = e; part run key \"r\" = r; rest other key \"o\";";

struct explorer {
	struct state s;
	struct autosave *autosave;
};

static struct text
text_from(const char *name, const char *text)
{
	return (struct text){mem_str(name), mem_str(text), strlen(text)};
}

static void
begin(struct explorer *x, struct text *net_file, struct text *stack_file, struct obs_table *t)
{
	struct diags d = {0};
	struct network *net = net_file->text ? text_network(net_file, &d) : NULL;
	struct stack *stack = stack_file->text ? text_stack(stack_file, &d) : NULL;

	test_check(d.n == 0, __FILE__, __LINE__, "%s", d.n ? d.item[0].text : "");
	diags_free(&d);
	*x = (struct explorer){.autosave = autosave_new()};
	state_init(&x->s);
	state_open_timeline(&x->s, net, net_file, stack, stack_file);
	x->s.data.table = mem_new_array(1, sizeof *x->s.data.table);
	x->s.data.table[0] = t;
	x->s.data.n_tables = 1;
	x->s.view.frame.now = 100;
	state_timeline_follow(&x->s);
}

/* Two observations, of three snapshots and of two, on two cores; and a task's time. */
static struct obs_table *
make_table(void)
{
	static const char *const column[] = {"L2@S0-C0", "L2@S0-C1", "MEM@S0", "CLK@S0-C0", "CLK@S0-C1", "all", "run"};
	struct obs_table *t = obs_table_new(column, 7);
	struct obs *o = obs_table_add(t, "one", "test"), *u = obs_table_add(t, "two", "test");

	for (int i = 1; i <= 3; i++)
		obs_add_row(o, (int64_t[]){10 * i, 20 * i, 5, 1000, 2000, 100, 60}, NULL, i);
	for (int i = 1; i <= 2; i++)
		obs_add_row(u, (int64_t[]){5, 50 * i, 7, 1000, 2000, 100, 20 * i}, NULL, i);
	return t;
}

static void
make(struct explorer *x, const char *path)
{
	struct text net = text_from("n.net", net_text), stack = text_from("s.stack", stack_text);
	struct err e = {0};

	begin(x, &net, &stack, make_table());
	if (!CHECK(autosave_make(x->autosave, &x->s, path, &e)))
		CHECK_STR(e.what, "");
}

/* Opens the file with its own texts, or with another text of the network. */
static void
reopen(struct explorer *x, const char *path, const char *other, unsigned given)
{
	struct text net = {0}, stack = {0};
	struct err e = {0};
	struct obs_table *t = data_read(path, false, &e);

	CHECK(t != NULL);
	CHECK(recording_holds(path, TEXT_STACK) && !recording_holds(path, TEXT_MODEL));
	CHECK(recording_load_text(path, TEXT_NETWORK, &net, &e));
	CHECK(recording_load_text(path, TEXT_STACK, &stack, &e));
	if (other) {
		text_free(&net);
		net = text_from("n.net", other);
	}
	begin(x, &net, &stack, t);
	autosave_restore(x->autosave, &x->s, path, given);
}

static void
end(struct explorer *x)
{
	struct err e = {0};

	if (!CHECK(autosave_now(x->autosave, &x->s, &e)))
		CHECK_STR(e.what, "");
	autosave_free(x->autosave);
	state_free(&x->s);
}

static void
focus(struct state *s, enum action view, enum pane_id pane)
{
	state_act(s, view);
	s->view.focus = pane;
}

/* Changes every choice from its default. */
static void
choose_all(struct state *s)
{
	state_act(s, ACTION_snapshot_back);
	state_act(s, ACTION_set_against); /* snapshot 1 of two */
	state_act(s, ACTION_snapshot_back); /* snapshot 3 of one */
	state_act(s, ACTION_snapshot_back);
	focus(s, ACTION_paths, PANE_NETWORK);
	state_act(s, ACTION_turn);
	state_paths_choose(s, 0, 1);
	s->view.timeline.kind = 1;
	state_act(s, ACTION_unfold_node);
	state_act(s, ACTION_find_next);
	answer_prompt(s, "on <L2>");
	focus(s, ACTION_paths, PANE_SNAPSHOTS);
	s->view.cursor[PANE_SNAPSHOTS] = 4;
	state_act(s, ACTION_find_next);
	answer_prompt(s, "on the last");
	focus(s, ACTION_stalls, PANE_COMPONENTS);
	state_act(s, ACTION_group);
	state_act(s, ACTION_normalise);
	state_act(s, ACTION_rates);
	state_act(s, ACTION_sort);
	s->view.cursor[PANE_COMPONENTS] = 1;
	state_open_prompt(s, PROMPT_FILTER, "");
	answer_prompt(s, "S0");
	state_act(s, ACTION_note_session);
	answer_prompt(s, "on all");
	focus(s, ACTION_queues, PANE_LENGTHS);
	state_act(s, ACTION_sort);
	state_open_prompt(s, PROMPT_FILTER, "");
	answer_prompt(s, "L");
	state_timeline_choose_queue(s, 0, 0, 1);
}

static void
a_session_comes_back(void)
{
	struct session_place p = session_place_new();
	struct explorer x;
	struct state *s = &x.s;
	struct str key = {0};

	make(&x, p.file);
	choose_all(s);
	end(&x);
	reopen(&x, p.file, NULL, 0);
	CHECK_STR(s->view.message.text, "");
	CHECK_INT(s->view.current, VIEW_QUEUES);
	CHECK_INT(state_pane(s), PANE_LENGTHS);
	timeline_snapshot_key(s->data.timeline, s->view.timeline.snapshot, &key);
	CHECK_STR(str_text(&key), "[\"one\",\"2\"]");
	CHECK_INT(s->view.timeline.snapshot, 1);
	CHECK_INT(s->view.timeline.compared, 3);
	CHECK(s->view.timeline.frozen && s->answers.timeline.other);
	CHECK(s->view.timeline.turned);
	CHECK(s->view.timeline.grouped);
	CHECK(s->view.timeline.rates);
	CHECK(s->view.timeline.normalised); /* off by default */
	CHECK(!s->view.timeline.whole);
	CHECK(s->view.timeline.chose_node && s->view.timeline.module == 0 && s->view.timeline.owner == 1 &&
		s->view.timeline.kind == 1);
	CHECK(s->view.timeline.unfolded[0] && !s->view.timeline.unfolded[1]);
	CHECK(s->view.timeline.chose_queue &&
		s->view.timeline.queue_cell == timeline_cell(s->answers.timeline.history, 0, 0, 1));
	CHECK_INT(s->view.timeline.bar_sort, BAR_BY_NAME);
	CHECK_INT(s->view.timeline.queue_sort, QUEUE_BY_TREND);
	CHECK_STR(s->view.filter[VIEW_STALLS], "S0");
	CHECK_STR(s->view.filter[VIEW_QUEUES], "L");
	CHECK_INT(s->question.remarks.n, 3);
	CHECK_STR(state_note_on(s, REMARK_MODULE, "L2")->text, "on <L2>");
	CHECK_STR(state_note_on(s, REMARK_SNAPSHOT, "[\"two\",\"2\"]")->text, "on the last");
	CHECK_STR(state_note_on(s, REMARK_SESSION, "")->text, "on all");
	str_free(&key);
	end(&x);
	session_place_free(&p);
}

/* With another text modules have other numbers and the same names. */
static void
names_not_numbers(void)
{
	struct session_place p = session_place_new();
	struct explorer x;
	struct state *s = &x.s;

	make(&x, p.file);
	choose_all(s);
	end(&x);
	reopen(&x, p.file, other_net_text, 0);
	CHECK_STR(s->view.message.text, "");
	CHECK_INT(s->view.timeline.module, 1);
	CHECK(!s->view.timeline.unfolded[0] && s->view.timeline.unfolded[1] && !s->view.timeline.unfolded[2]);
	CHECK(s->view.timeline.queue_cell == timeline_cell(s->answers.timeline.history, 1, 0, 1));
	state_act(s, ACTION_turn); /* a change, so that the text is written, too */
	end(&x);
	reopen(&x, p.file, NULL, 0);
	CHECK_INT(timeline_network(s->data.timeline)->n_modules, 3);
	CHECK_INT(s->view.timeline.module, 1);
	end(&x);
	session_place_free(&p);
}

/* What no longer exists is left out and reported; the rest is restored. */
static void
what_no_longer_exists_is_left_out(void)
{
	static const struct { const char *sql, *says; } row[] = {
		{"UPDATE setting SET value='[\"gone\",\"2\"]' WHERE key='snapshot'",
			"no longer exists: snapshot 2 of gone"},
		{"UPDATE setting SET value='[\"one\",\"4\"]' WHERE key='snapshot'",
			"no longer exists: snapshot 4 of one"},
		{"UPDATE setting SET value='[\"\",\"4.5\"]' WHERE key='compared'",
			"no longer exists: the snapshot that ended at 4.5 s"},
		{"UPDATE setting SET value='nonsense' WHERE key='compared'",
			"no longer exists: nonsense"},
		{"UPDATE setting SET value='[\"X\",\"\",\"read\"]' WHERE key='node'",
			"no longer exists: module X"},
		{"UPDATE setting SET value='[\"L2\",\"S9-C9\",\"read\"]' WHERE key='node'",
			"no longer exists: core S9-C9"},
		{"UPDATE setting SET value='[\"L2\",\"S0-C1\",\"fetch\"]' WHERE key='node'",
			"no longer exists: kind fetch"},
		{"UPDATE setting SET value='[\"M\",\"X\"]' WHERE key='unfolded'",
			"no longer exists: module X"},
		{"INSERT INTO setting VALUES('flow','gcc-1 CPU 0')", "no longer exists: flow gcc-1 CPU 0"},
		{"UPDATE setting SET value='X' WHERE key='component'",
			"no longer exists: component X"},
		{"UPDATE setting SET value='m' WHERE key='network'",
			"no longer exists: what belongs to network m"},
		{"UPDATE setting SET value='m' WHERE key='stack'",
			"no longer exists: what belongs to stack m"},
		{"INSERT INTO setting VALUES('model','m')", "no longer exists: what belongs to model m"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct session_place p = session_place_new();
		struct explorer x;

		make(&x, p.file);
		choose_all(&x.s);
		end(&x);
		run_sql(p.file, row[i].sql);
		reopen(&x, p.file, NULL, 0);
		test_label("%s", row[i].sql);
		CHECK(x.s.view.message.bad && strstr(x.s.view.message.text, row[i].says));
		if (!strstr(x.s.view.message.text, row[i].says))
			CHECK_STR(x.s.view.message.text, row[i].says);
		CHECK_INT(x.s.view.current, VIEW_QUEUES);
		CHECK_STR(x.s.view.filter[VIEW_QUEUES], "L");
		CHECK_INT(x.s.question.remarks.n, 3);
		CHECK(x.s.view.timeline.snapshot < timeline_snapshots(x.s.data.timeline));
		end(&x);
		session_place_free(&p);
	}
}

/* A command of the command line is run. A file that is only read stays unchanged. */
static void
the_command_line_wins_and_reading_changes_nothing(void)
{
	struct session_place p = session_place_new();
	struct explorer x;
	size_t before = 0, after = 0;
	char *was, *is;

	make(&x, p.file);
	choose_all(&x.s);
	x.s.question.subject.argv = mem_new_array(3, sizeof *x.s.question.subject.argv);
	x.s.question.subject.argv[0] = mem_str("sleep");
	x.s.question.subject.argv[1] = mem_str("1");
	end(&x);
	was = file_read(p.file, FILE_MOST, &before, NULL);
	reopen(&x, p.file, NULL, AUTOSAVE_COMMAND);
	CHECK(!x.s.view.timeline.frozen && !x.s.question.subject.argv);
	CHECK_INT(x.s.view.timeline.snapshot, 4);
	autosave_free(x.autosave);
	state_free(&x.s);
	reopen(&x, p.file, NULL, 0);
	CHECK(x.s.question.subject.argv && str_eq(x.s.question.subject.argv[0], "sleep") &&
		!requests_find(&x.s.requests, REQUEST_RUN));
	x.s.view.frame.now += 60;
	session_tick(x.autosave, &x.s);
	end(&x);
	is = file_read(p.file, FILE_MOST, &after, NULL);
	CHECK(before == after && memcmp(was, is, before) == 0);
	free(was);
	free(is);
	session_place_free(&p);
}

/* The same observation in two tables: in the file the later one is called "one#2". */
static void
names_of_snapshots(void)
{
	struct text net = text_from("n.net", net_text), stack = {0};
	struct explorer x;
	struct str key = {0};

	begin(&x, &net, &stack, make_table());
	x.s.data.table = mem_resize(x.s.data.table, 2, sizeof *x.s.data.table);
	x.s.data.table[1] = make_table();
	x.s.data.n_tables = 2;
	state_timeline_follow(&x.s);
	CHECK_INT(timeline_snapshots(x.s.data.timeline), 10);
	for (size_t i = 0; i < 10; i++) {
		str_clear(&key);
		timeline_snapshot_key(x.s.data.timeline, i, &key);
		test_label("%zu: %s", i, str_text(&key));
		CHECK_INT(timeline_snapshot_of(x.s.data.timeline, str_text(&key)), i);
	}
	CHECK_STR(str_text(&key), "[\"two#2\",\"2\"]");
	autosave_free(x.autosave);
	state_free(&x.s);
	str_free(&key);
}

/* Old rows are folded in memory, and stay single in the file. Snapshots are numbered as in the file, and a sum of
 * rows is named by its end. */
static void
snapshots_taken_together(void)
{
	struct text net = text_from("n.net", net_text), stack = {0};
	struct obs_table *t = make_table();
	struct explorer x;
	struct str key = {0}, words = {0};

	obs_fold(t->obs[0], (double[]){2}, 1);
	begin(&x, &net, &stack, t);
	CHECK_INT(timeline_snapshots(x.s.data.timeline), 4);
	timeline_snapshot_key(x.s.data.timeline, 0, &key);
	CHECK_STR(str_text(&key), "[\"one\",\"2 s\"]");
	timeline_snapshot_words(str_text(&key), &words);
	CHECK_STR(str_text(&words), "the snapshot of one that ended at 2 s");
	CHECK_INT(timeline_snapshot_of(x.s.data.timeline, str_text(&key)), 0);
	CHECK_INT(timeline_snapshot_of(x.s.data.timeline, "[\"one\",\"3\"]"), 1);
	CHECK_INT(timeline_snapshot_of(x.s.data.timeline, "[\"one\",\"1\"]"), TIMELINE_NONE);
	autosave_free(x.autosave);
	state_free(&x.s);
	net = text_from("n.net", net_text);
	begin(&x, &net, &stack, make_table());
	/* the second of the three snapshots in the file */
	CHECK_INT(timeline_snapshot_of(x.s.data.timeline, str_text(&key)), 1);
	autosave_free(x.autosave);
	state_free(&x.s);
	str_free(&key);
	str_free(&words);
}

/* Snapshots of stacks without a network are named by their time. */
static void
stacks_without_a_network(void)
{
	struct text net = {0}, stack = text_from("s.stack", stack_text);
	struct explorer x;
	struct str key = {0}, words = {0};

	begin(&x, &net, &stack, make_table());
	CHECK_INT(timeline_snapshots(x.s.data.timeline), 3);
	state_act(&x.s, ACTION_snapshot_back);
	timeline_snapshot_key(x.s.data.timeline, x.s.view.timeline.snapshot, &key);
	CHECK_STR(str_text(&key), "[\"\",\"2\"]");
	CHECK_INT(timeline_snapshot_of(x.s.data.timeline, str_text(&key)), 1);
	timeline_snapshot_words(str_text(&key), &words);
	CHECK_STR(str_text(&words), "the snapshot that ended at 2 s");
	state_act(&x.s, ACTION_find_next); /* view 6 uses n itself, and there is nothing under the cursor */
	CHECK_INT(x.s.view.popup.kind, POPUP_NONE);
	autosave_free(x.autosave);
	state_free(&x.s);
	str_free(&key);
	str_free(&words);
}

/* Opens with stacks of these names, from the file or others, with or without a network. */
static void
begin_with(struct explorer *x, bool network, const char *names, struct obs_table *t)
{
	struct text net = network ? text_from("n.net", net_text) : (struct text){0}, none = {0};
	char **name = str_split(names, ' ', NULL);
	struct diags d = {0};

	if (network) {
		begin(x, &net, &none, t);
	} else {
		char *text = str_format("stack %s%s", name[0], stack_text + strlen("stack s"));
		struct text stack = text_from(name[0], text);

		begin(x, &net, &stack, t);
		free(text);
	}
	for (size_t i = network ? 0 : 1; name[i]; i++) {
		char *text = str_format("stack %s%s", name[i], stack_text + strlen("stack s"));
		struct text stack = text_from(name[i], text);

		state_add_stack(&x->s, text_stack(&stack, &d), &stack);
		free(text);
	}
	state_timeline_follow(&x->s);
	diags_free(&d);
	str_split_free(name);
}

static void
check_stacks(const char *path, const char *want)
{
	struct text *text = NULL;
	struct str got = {0};
	struct err e = {0};
	size_t n = 0;

	CHECK(recording_load_texts(path, TEXT_STACK, &text, &n, &e));
	for (size_t i = 0; i < n; i++) {
		str_addf(&got, "%s%s", i ? " " : "", text[i].path);
		text_free(&text[i]);
	}
	CHECK_STR(str_text(&got), want);
	free(text);
	str_free(&got);
}

/* All stacks are restored in their order, and stored once, however often the file is opened. After they were given
 * in another order, that order is restored. */
static void
several_stacks(void)
{
	for (int network = 0; network < 2; network++) {
		struct session_place p = session_place_new();
		char *rows = str_format(
			"CREATE TEMP TABLE c(x CHECK(x=%d)); INSERT INTO c SELECT count(*) FROM model", 3 + network);
		enum text_kind kind;
		struct explorer x;
		struct err e = {0};

		test_label("%s network", network ? "with a" : "without");
		begin_with(&x, network, "s t u", make_table());
		CHECK(autosave_make(x.autosave, &x.s, p.file, &e));
		focus(&x.s, ACTION_stalls, PANE_BARS);
		state_timeline_choose_method(&x.s, 1);
		end(&x);
		check_stacks(p.file, "s t u");
		run_sql(p.file, rows);
		for (int round = 0; round < 3; round++) {
			begin_with(&x, network, "s t u", data_read(p.file, false, &e));
			autosave_restore(x.autosave, &x.s, p.file, 0);
			/* the method that was shown last */
			CHECK_STR(timeline_stack(x.s.data.timeline)->name, round ? "u" : "t");
			focus(&x.s, ACTION_stalls, PANE_BARS);
			state_timeline_choose_method(&x.s, 2);
			state_act(&x.s, ACTION_note_session);
			answer_prompt(&x.s, "a note, which is written");
			end(&x);
			run_sql(p.file, rows);
		}
		check_stacks(p.file, "s t u");
		begin_with(&x, network, "t s", data_read(p.file, false, &e));
		autosave_restore(x.autosave, &x.s, p.file, AUTOSAVE_FEATURES);
		state_act(&x.s, ACTION_note_session);
		answer_prompt(&x.s, "another");
		end(&x);
		check_stacks(p.file, "t s u");
		CHECK(recording_brings(p.file, &kind, &e));
		CHECK_INT(kind, network ? TEXT_NETWORK : TEXT_STACK);
		free(rows);
		session_place_free(&p);
	}
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

	reopen(&x, w->path, NULL, 0);
	for (unsigned i = w->last + 1;; i++) {
		char *words = str_format("%u", i);

		state_timeline_show_snapshots(&x.s, i % 5, TIMELINE_NONE);
		x.s.view.timeline.frozen = true;
		remarks_put(&x.s.question.remarks, REMARK_MODULE, "M", words);
		free(words);
		if (!autosave_now(x.autosave, &x.s, &e) || !killed_report(out, i))
			return;
	}
}

/* The explorer is killed again and again while it writes notes and steps. Each time the file is sound, and holds
 * everything that was reported as written. */
static void
nothing_reported_is_lost_by_a_kill(void)
{
	struct session_place p = session_place_new();
	struct writing w = {.path = p.file};
	struct explorer x;

	make(&x, p.file);
	end(&x);
	for (unsigned round = 0; round < test_rounds(8, 100); round++) {
		unsigned seen = (unsigned)killed_run(write_for_ever, &w, round % 5 + 1).reported;

		test_label("round %u", round);
		CHECK(seen > w.last);
		reopen(&x, p.file, NULL, 0);
		CHECK_STR(x.s.view.message.text, "");
		if (CHECK(state_note_on(&x.s, REMARK_MODULE, "M") != NULL)) {
			w.last = (unsigned)strtoul(state_note_on(&x.s, REMARK_MODULE, "M")->text, NULL, 10);
			CHECK(w.last >= seen && w.last <= seen + 1);
			CHECK_INT(x.s.view.timeline.snapshot, w.last % 5); /* written in the same transaction */
		}
		end(&x);
	}
	session_place_free(&p);
}

TEST_MAIN(CASE(a_session_comes_back), CASE(names_not_numbers), CASE(what_no_longer_exists_is_left_out),
	CASE(the_command_line_wins_and_reading_changes_nothing), CASE(names_of_snapshots),
	CASE(snapshots_taken_together), CASE(stacks_without_a_network), CASE(several_stacks),
	CASE(nothing_reported_is_lost_by_a_kill))
