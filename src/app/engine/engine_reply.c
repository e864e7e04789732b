#include "app/engine/engine_reply.h"

#include <stdio.h>
#include <stdlib.h>

#include "app/analysis/geometry.h"
#include "app/analysis/loss.h"
#include "app/analysis/touch.h"
#include "app/engine/engine.h"
#include "app/engine/message.h"
#include "app/search/search_graph.h"
#include "app/wire.h"
#include "base/mem.h"

bool
engine_reply_read(const struct message_head *head, struct wire *w, struct engine_reply *r)
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
