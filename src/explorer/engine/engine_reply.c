/* The engine's answers: bytes of the socket become messages, messages become replies. Also what happens when the engine
 * dies:
 *
 *     died ──► engine_bury() ──► fewer than DEATHS_MAX deaths? ──yes──► engine_restart(), reply ENGINE_RESTARTED
 *                                         │no
 *                                         ▼
 *                                reply ENGINE_FAILED; the next request starts a process */
#include "explorer/engine/engine_state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/journal.h"
#include "base/mem.h"
#include "base/str.h"
#include "explorer/engine/engine.h"
#include "explorer/engine/message.h"
#include "shape/wire.h"
#include "work/analysis/geometry.h"
#include "work/analysis/loss.h"
#include "work/analysis/touch.h"
#include "work/search/search_graph.h"

#define DEATHS_MAX 3 /* deaths on one request before it is given up */

/* Reads a reply. False when the message is not one; w->bad when its contents are malformed. In either case *r owns what
 * was read. */
static bool
read_reply(const struct message_head *head, struct wire *w, struct engine_reply *r)
{
	char *stage = NULL;
	uint64_t search;

	r->request = head->request;
	switch ((enum message_kind)head->kind) {
	case MESSAGE_PROGRESS:
		r->kind = ENGINE_PROGRESS;
		wire_str(w, &stage);
		wire_size(w, &r->done);
		wire_size(w, &r->of);
		snprintf(r->stage, sizeof r->stage, "%s", stage ? stage : "");
		free(stage);
		return true;
	case MESSAGE_RESULT:
		r->kind = ENGINE_RESULT;
		r->result = mem_new(sizeof *r->result);
		result_wire(w, r->result);
		return true;
	case MESSAGE_NEIGHBOURS:
		r->kind = ENGINE_NEIGHBOURS;
		r->neighbours = mem_new(sizeof *r->neighbours);
		neighbours_wire(w, r->neighbours);
		return true;
	case MESSAGE_WITNESS:
		r->kind = ENGINE_WITNESS;
		wire_str(w, &r->text);
		return true;
	case MESSAGE_FLOW:
		r->kind = ENGINE_FLOW;
		wire_str(w, &r->text);
		return true;
	case MESSAGE_TOUCH:
		r->kind = ENGINE_TOUCH;
		r->touch = mem_new(sizeof *r->touch);
		touch_wire(w, r->touch);
		return true;
	case MESSAGE_LOSS:
		r->kind = ENGINE_LOSS;
		r->loss = mem_new(sizeof *r->loss);
		loss_wire(w, r->loss);
		return true;
	case MESSAGE_GEOMETRY:
		r->kind = ENGINE_GEOMETRY;
		r->geometry = mem_new(sizeof *r->geometry);
		geometry_wire(w, r->geometry);
		return true;
	case MESSAGE_SEARCH:
		r->kind = ENGINE_SEARCH;
		r->graph = search_graph_new();
		wire_u64(w, &search);
		search_graph_wire(w, r->graph);
		return true;
	case MESSAGE_FAILED:
		r->kind = ENGINE_FAILED;
		wire_str(w, &r->text);
		return true;
	case MESSAGE_LOAD:
	case MESSAGE_TABLE:
	case MESSAGE_ROWS:
	case MESSAGE_RUN:
		break;
	}
	return false;
}

void
engine_reply_clear(struct engine_reply *r)
{
	result_free(r->result);
	neighbours_free(r->neighbours);
	touch_free(r->touch);
	loss_free(r->loss);
	geometry_free(r->geometry);
	search_graph_free(r->graph);
	free(r->text);
	*r = (struct engine_reply){0};
}

static bool
engine_reply_give_up(struct engine *g, struct engine_reply *r, char *text)
{
	g->answered = g->request;
	r->kind = ENGINE_FAILED;
	r->request = g->request;
	r->text = text;
	return true;
}

static bool
died(struct engine *g, struct engine_reply *r)
{
	struct err e = {0};

	engine_bury(g);
	if (++g->deaths >= DEATHS_MAX)
		return engine_reply_give_up(g, r,
			str_format("the engine died %d times on this request (%s); try another choice "
				   "of features",
				g->deaths, g->why));
	if (!engine_restart(g, &e))
		return engine_reply_give_up(g, r, str_format("the engine died (%s): %s", g->why, e.what));
	r->kind = ENGINE_RESTARTED;
	r->request = g->request;
	r->text = str_format("engine restarted (%s)", g->why);
	return true;
}

/* Sends and receives as much as possible without waiting. False when the stream ended or broke. */
static bool
transfer(struct engine *g)
{
	while (g->sent < g->out.n) {
		ssize_t n = send(g->fd, g->out.data + g->sent, g->out.n - g->sent, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			break;
		if (n < 0)
			return false;
		g->sent += (size_t)n;
	}
	if (g->sent == g->out.n)
		g->sent = g->out.n = 0;
	for (;;) {
		ssize_t n;

		mem_grow(&g->in, &g->in_cap, g->n_in + 65536, 1);
		n = recv(g->fd, g->in + g->n_in, 65536, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN;
		if (n == 0)
			return false;
		g->n_in += (size_t)n;
	}
}

/* True for graphs that the current search sent before it was stopped: what it found is not lost. */
static bool
is_late_search(const struct engine *g, const struct message_head *head, struct wire w)
{
	uint64_t search = 0;

	if (head->kind != MESSAGE_SEARCH)
		return false;
	wire_u64(&w, &search);
	return !w.bad && search >= g->search_from;
}

/* Takes one whole message off the input. Replies to superseded requests are dropped. */
static bool
engine_reply_take(struct engine *g, struct engine_reply *r, bool *broken)
{
	struct message_head head;

	while (g->n_in >= sizeof head) {
		struct wire w = {.reading = true};
		bool good, current;
		size_t whole;

		memcpy(&head, g->in, sizeof head);
		if (head.size > MESSAGE_MAX) {
			*broken = true;
			return false;
		}
		whole = sizeof head + (size_t)head.size;
		if (g->n_in < whole)
			return false;
		w.data = g->in + sizeof head;
		w.n = (size_t)head.size;
		journal_line("explorer", "gets %s %llu, %zu bytes", message_name(head.kind),
			(unsigned long long)head.request, whole);
		current = head.request == g->request || is_late_search(g, &head, w);
		good = !current || read_reply(&head, &w, r);
		if (current && good && (r->kind == ENGINE_NEIGHBOURS || r->kind == ENGINE_FAILED)) {
			g->answered = head.request;
			g->deaths = 0;
		}
		memmove(g->in, g->in + whole, g->n_in - whole);
		g->n_in -= whole;
		if (!good || w.bad) {
			engine_reply_clear(r);
			*broken = true;
			return false;
		}
		if (current)
			return true;
	}
	return false;
}

bool
engine_next(struct engine *g, struct engine_reply *r)
{
	bool broken = false, alive;

	*r = (struct engine_reply){0};
	if (g->fd < 0 && *g->unheard.what) {
		engine_reply_give_up(g, r, mem_str(g->unheard.what));
		g->unheard = (struct err){0};
		return true;
	}
	if (g->fd < 0)
		return false;
	if (engine_reply_take(g, r, &broken))
		return true;
	alive = transfer(g) && !broken;
	if (engine_reply_take(g, r, &broken))
		return true;
	if (!alive || broken)
		return died(g, r);
	/* True when the engine has not noticed the current request for so long that it must be stuck in older work. */
	if (engine_busy(g) && g->out.n == 0 && clock_seconds() - g->asked_at > g->patience &&
		atomic_load(g->generation + 1) < g->request)
		return died(g, r);
	return false;
}
