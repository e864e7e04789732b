/* The cursor of a list stays on its queue, flow or event while others come, go and change places. For tasks see
 * hands.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/network/queues.h"
#include "core/trust/book.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_events.h"
#include "explorer/state/state_flows.h"
#include "explorer/state/state_follow.h"
#include "explorer/state/state_queues.h"
#include "explorer/state/state_timeline.h"
#include "explorer/state/state_views.h"
#include "test.h"
#include "text/diag.h"
#include "work/files/data.h"
#include "work/files/texts.h"
#include "work/timeline/timeline.h"
#include "work/timeline/timeline_flows.h"
#include "work/trust/events.h"
#include "work/trust/known.h"

enum { ROUNDS = 500, THINGS = 60 };

/* Puts some of 0 to n - 1 into `order`, at random. Returns how many. */
static size_t
some_of(uint64_t *random, size_t n, size_t *order)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (random_below(random, 4) > 0) {
			size_t at = random_below(random, ++kept);

			order[kept - 1] = order[at];
			order[at] = i;
		}
	return kept;
}

static bool
is_among(const size_t *order, size_t n, size_t what)
{
	size_t i = 0;

	while (i < n && order[i] != what)
		i++;
	return i < n;
}

/* As the loop does, before and after a drawing. */
static void
draw(struct state *s)
{
	state_shown_changed(s);
	state_follow(s);
	state_seen(s);
}

/* --- events ------------------------------------------------------------------------------------------------------- */

/* What is known of the events, on another page. */
static void
set_events(struct state *s, const size_t *order, size_t n)
{
	struct trust_page *p = mem_new(sizeof *p);

	p->cpu = (struct trust_cpu){.name = mem_str("made"), .family = -1};
	p->n = n;
	p->entry = mem_new_array(n, sizeof *p->entry);
	for (size_t i = 0; i < n; i++) {
		p->entry[i].event = mem_new(sizeof(char *));
		p->entry[i].event[0] = str_format("event-%zu", order[i]);
		p->entry[i].n_events = 1;
		p->entry[i].source = mem_str("made for a test");
	}
	state_give_trust(s, p);
}

static void
events_come_and_go(void)
{
	struct state s;
	uint64_t random = 4;
	size_t order[THINGS], chosen, n, there = 0;

	state_init(&s);
	state_set_known(&s, trust_known_of(mem_new(sizeof(struct trust_book)), NULL, NULL));
	state_show_view(&s, VIEW_EVENTS);
	s.view.focus = PANE_EVENTS;
	set_events(&s, order, some_of(&random, THINGS, order));
	draw(&s);
	for (int i = 0; i < 20; i++)
		state_act(&s, ACTION_down);
	if (!CHECK(state_event(&s) && sscanf(state_event(&s)->event, "event-%zu", &chosen) == 1))
		return;
	for (int round = 0; round < ROUNDS; round++) {
		n = some_of(&random, THINGS, order);
		set_events(&s, order, n);
		draw(&s);
		CHECK(state_event(&s) != NULL);
		if (is_among(order, n, chosen)) {
			char *name = str_format("event-%zu", chosen);

			there++;
			CHECK_STR(state_event(&s)->event, name);
			free(name);
		}
	}
	CHECK(there > ROUNDS / 2 && there < ROUNDS);
	state_free(&s);
}

/* --- queues and flows of a recorded network ----------------------------------------------------------------------- */

static void
open_network(struct state *s, enum view view, enum pane_id pane)
{
	struct text text = {0}, none = {0};
	struct diags d = {0};
	struct err e = {0};
	struct network *n = text_load("spr-cxl", TEXT_NETWORK, &text, &e) ? text_network(&text, &d) : NULL;
	char *path = str_format("%s/screens/expect/fotonik.csv", getenv("HECATE_TESTS"));

	CHECK(n != NULL);
	state_init(s);
	state_open_timeline(s, n, &text, NULL, &none);
	s->data.table = mem_new(sizeof *s->data.table);
	s->data.table[0] = data_read(path, false, &e);
	s->data.n_tables = 1;
	state_timeline_follow(s);
	state_show_view(s, view);
	s->view.focus = pane;
	state_timeline_show(s);
	free(path);
	diags_free(&d);
}

static bool
is_queue(const struct net_queue *a, const struct net_queue *b)
{
	return a && a->module == b->module && a->kind == b->kind && a->owner == b->owner;
}

static void
queues_come_and_go(void)
{
	struct state s;
	uint64_t random = 7;
	struct net_queue *all, chosen;
	struct net_queues *queues;
	size_t n, there = 0, order[1000];

	open_network(&s, VIEW_QUEUES, PANE_QUEUES);
	queues = s.answers.timeline.analysis->queues;
	for (size_t i = 0; i < timeline_network(s.data.timeline)->n_modules; i++)
		s.view.timeline.unfolded[i] = true; /* each owner on a line of its own */
	n = queues->known;
	if (!CHECK(n > 10 && n < 1000))
		return;
	all = mem_new_array(n, sizeof *all);
	memcpy(all, queues->queue, n * sizeof *all);
	for (size_t i = 0; i < n; i++)
		all[i].length = 100; /* none is too short to be shown */
	memcpy(queues->queue, all, n * sizeof *all);
	draw(&s);
	for (int i = 0; i < 5; i++)
		state_act(&s, ACTION_down);
	chosen = *state_queue(&s);
	for (int round = 0; round < ROUNDS; round++) {
		bool among = false;

		queues->known = some_of(&random, n, order);
		for (size_t i = 0; i < queues->known; i++) {
			queues->queue[i] = all[order[i]];
			among |= is_queue(&all[order[i]], &chosen);
		}
		state_shown_changed(&s);
		state_follow_queue(&s); /* as when a snapshot is taken */
		draw(&s);
		CHECK(state_queue(&s) != NULL || queues->known == 0);
		if (among) {
			there++;
			CHECK(is_queue(state_queue(&s), &chosen));
		}
	}
	CHECK(there > ROUNDS / 2 && there < ROUNDS);
	memcpy(queues->queue, all, n * sizeof *all);
	queues->known = n;
	free(all);
	state_free(&s);
}

static void
flows_come_and_go(void)
{
	struct state s;
	struct timeline_flows flows = {0};
	uint64_t random = 9;
	char *name[THINGS];
	size_t order[THINGS], there = 0;

	open_network(&s, VIEW_PATHS, PANE_FLOWS);
	flows.line = mem_new_array(THINGS, sizeof *flows.line);
	for (size_t i = 0; i < THINGS; i++) {
		name[i] = str_format("task-%zu", i);
		order[i] = i;
	}
	flows.n = THINGS;
	for (size_t i = 0; i < THINGS; i++)
		flows.line[i].name = (struct flow_name){.task = name[i], .life = i};
	s.answers.timeline.flows = &flows;
	draw(&s);
	s.view.cursor[PANE_FLOWS] = 31; /* the first line is all flows */
	state_want(&s, PANE_FLOWS);
	for (int round = 0; round < ROUNDS; round++) {
		flows.n = some_of(&random, THINGS, order);
		for (size_t i = 0; i < flows.n; i++)
			flows.line[i].name = (struct flow_name){.task = name[order[i]], .life = order[i]};
		draw(&s);
		if (is_among(order, flows.n, 30)) {
			int at = s.view.cursor[PANE_FLOWS];

			there++;
			if (CHECK(at > 0 && at <= (int)flows.n))
				CHECK_STR(flows.line[at - 1].name.task, "task-30");
		}
	}
	CHECK(there > ROUNDS / 2 && there < ROUNDS);
	s.answers.timeline.flows = NULL;
	for (size_t i = 0; i < THINGS; i++)
		free(name[i]);
	free(flows.line);
	state_free(&s);
}

TEST_MAIN(CASE(events_come_and_go), CASE(queues_come_and_go), CASE(flows_come_and_go))
