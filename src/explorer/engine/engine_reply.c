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
#include "core/search/search_graph.h"
#include "explorer/engine/engine.h"
#include "explorer/engine/message.h"
#include "shape/wire.h"
#include "work/analysis/geometry.h"
#include "work/analysis/loss.h"
#include "work/analysis/touch.h"

#define DEATHS_MAX 3 /* deaths on one request before it is given up */
#define BUFFER_KEPT ((size_t)128 * 1024) /* bytes that an empty buffer may keep */

/* Reads a reply. False when the message is not one; w->bad when its contents are malformed. In either case *r owns what
 * was read. */
static bool
read_reply(const struct message_head *head, struct wire *wire, struct engine_reply *reply)
{
	char *stage = NULL;
	uint64_t search;

	reply->request = head->request;
	switch ((enum message_kind)head->kind) {
	case MESSAGE_PROGRESS:
		reply->kind = ENGINE_PROGRESS;
		wire_name(wire, &stage);
		wire_size(wire, &reply->done);
		wire_size(wire, &reply->of);
		snprintf(reply->stage, sizeof reply->stage, "%s", stage);
		free(stage);
		return true;
	case MESSAGE_RESULT:
		reply->kind = ENGINE_RESULT;
		reply->result = mem_new(sizeof *reply->result);
		result_wire(wire, reply->result);
		return true;
	case MESSAGE_NEIGHBOURS:
		reply->kind = ENGINE_NEIGHBOURS;
		reply->neighbours = mem_new(sizeof *reply->neighbours);
		neighbours_wire(wire, reply->neighbours);
		return true;
	case MESSAGE_WITNESS:
		reply->kind = ENGINE_WITNESS;
		wire_name(wire, &reply->text);
		return true;
	case MESSAGE_FLOW:
		reply->kind = ENGINE_FLOW;
		wire_name(wire, &reply->text);
		return true;
	case MESSAGE_TOUCH:
		reply->kind = ENGINE_TOUCH;
		reply->touch = mem_new(sizeof *reply->touch);
		touch_wire(wire, reply->touch);
		return true;
	case MESSAGE_LOSS:
		reply->kind = ENGINE_LOSS;
		reply->loss = mem_new(sizeof *reply->loss);
		loss_wire(wire, reply->loss);
		return true;
	case MESSAGE_GEOMETRY:
		reply->kind = ENGINE_GEOMETRY;
		reply->geometry = mem_new(sizeof *reply->geometry);
		geometry_wire(wire, reply->geometry);
		return true;
	case MESSAGE_SEARCH:
		reply->kind = ENGINE_SEARCH;
		reply->graph = search_graph_new();
		wire_u64(wire, &search);
		search_graph_wire(wire, reply->graph);
		return true;
	case MESSAGE_FAILED:
		reply->kind = ENGINE_FAILED;
		wire_name(wire, &reply->text);
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
died(struct engine *engine, struct engine_reply *reply)
{
	struct err e = {0};

	engine_bury(engine);
	if (++engine->deaths >= DEATHS_MAX)
		return engine_reply_give_up(engine, reply,
			str_format("the engine died %d times on this request (%s); try another choice "
				   "of features",
				engine->deaths, engine->why));
	if (!engine_restart(engine, &e))
		return engine_reply_give_up(engine, reply, str_format("the engine died (%s): %s", engine->why, e.what));
	reply->kind = ENGINE_RESTARTED;
	reply->request = engine->request;
	reply->text = str_format("engine restarted (%s)", engine->why);
	return true;
}

/* Frees an empty buffer that a large message made grow. */
static void
shrink(unsigned char **data, size_t *cap)
{
	if (*cap <= BUFFER_KEPT)
		return;
	free(*data);
	*data = NULL;
	*cap = 0;
}

/* Sends and receives as much as possible without waiting. False when the stream ended or broke. */
static bool
transfer(struct engine *engine)
{
	while (engine->sent < engine->out.n) {
		ssize_t n = send(
			engine->fd, engine->out.data + engine->sent, engine->out.n - engine->sent, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			break;
		if (n < 0)
			return false;
		engine->sent += (size_t)n;
	}
	if (engine->sent == engine->out.n) {
		engine->sent = engine->out.n = 0;
		shrink(&engine->out.data, &engine->out.cap);
	}
	for (;;) {
		ssize_t n;

		mem_grow(&engine->in, &engine->in_cap, engine->n_in + 65536, 1);
		n = recv(engine->fd, engine->in + engine->n_in, 65536, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN;
		if (n == 0)
			return false;
		engine->n_in += (size_t)n;
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
engine_reply_take(struct engine *engine, struct engine_reply *reply, bool *broken)
{
	struct message_head head;

	while (engine->n_in >= sizeof head) {
		struct wire w = {.reading = true};
		bool good, current;
		size_t whole;

		memcpy(&head, engine->in, sizeof head);
		if (head.size > MESSAGE_MAX) {
			*broken = true;
			return false;
		}
		whole = sizeof head + (size_t)head.size;
		if (engine->n_in < whole)
			return false;
		w.data = engine->in + sizeof head;
		w.n = (size_t)head.size;
		journal_line("explorer", "gets %s %llu, %zu bytes", message_name(head.kind),
			(unsigned long long)head.request, whole);
		current = head.request == engine->request || is_late_search(engine, &head, w);
		good = !current || read_reply(&head, &w, reply);
		if (current && good && (reply->kind == ENGINE_NEIGHBOURS || reply->kind == ENGINE_FAILED)) {
			engine->answered = head.request;
			engine->deaths = 0;
		}
		memmove(engine->in, engine->in + whole, engine->n_in - whole);
		engine->n_in -= whole;
		if (engine->n_in == 0)
			shrink(&engine->in, &engine->in_cap);
		if (!good || w.bad) {
			engine_reply_clear(reply);
			*broken = true;
			return false;
		}
		if (current)
			return true;
	}
	return false;
}

bool
engine_next(struct engine *engine, struct engine_reply *reply)
{
	bool broken = false, alive;

	*reply = (struct engine_reply){0};
	if (engine->fd < 0 && *engine->unheard.what) {
		engine_reply_give_up(engine, reply, mem_str(engine->unheard.what));
		engine->unheard = (struct err){0};
		return true;
	}
	if (engine->fd < 0)
		return false;
	if (engine_reply_take(engine, reply, &broken))
		return true;
	alive = transfer(engine) && !broken;
	if (engine_reply_take(engine, reply, &broken))
		return true;
	if (!alive || broken)
		return died(engine, reply);
	/* True when the engine has not noticed the current request for so long that it must be stuck in older work. */
	if (engine_busy(engine) && engine->out.n == 0 && clock_seconds() - engine->asked_at > engine->patience &&
		atomic_load(engine->generation + 1) < engine->request)
		return died(engine, reply);
	return false;
}
