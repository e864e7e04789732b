#include "explorer/state/requests.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

const char *
request_name(enum request_kind kind)
{
	static const char *const name[REQUEST_KINDS] = {
		[REQUEST_KEEP] = "keep", [REQUEST_OPEN] = "open", [REQUEST_LEAVE] = "leave",
		[REQUEST_STOP] = "stop",
		[REQUEST_JUDGE] = "judge", [REQUEST_LIST_TEXTS] = "list texts", [REQUEST_OPEN_TEXT] = "open text",
		[REQUEST_END_RUN] = "end run", [REQUEST_LOAD] = "load", [REQUEST_MOUNT] = "mount",
		[REQUEST_RUN] = "run", [REQUEST_RERUN] = "rerun", [REQUEST_RESULT] = "result", [REQUEST_FLOW] = "flow",
		[REQUEST_WITNESS] = "witness", [REQUEST_SEARCH] = "search", [REQUEST_LIST_PROBES] = "list probes",
		[REQUEST_PROBE] = "probe", [REQUEST_END_PROBES] = "end probes", [REQUEST_SLICES] = "slices",
		[REQUEST_INSTRUCTIONS] = "instructions", [REQUEST_CATALOGUE] = "catalogue",
		[REQUEST_FIT] = "fit", [REQUEST_KEEP_LESSON] = "keep lesson", [REQUEST_SOLUTION] = "solution",
		[REQUEST_CONTEST] = "contest", [REQUEST_END_CONTEST] = "end contest", [REQUEST_PAIR] = "pair",
		[REQUEST_KEEP_CONTEST] = "keep contest",
		[REQUEST_REDRAW] = "redraw", [REQUEST_LESSON] = "lesson",
		[REQUEST_PICTURE] = "picture", [REQUEST_REPORT] = "report", [REQUEST_EDIT] = "edit",
		[REQUEST_QUIT] = "quit",
	};

	return name[kind];
}

struct request
requests_take(struct requests *q, size_t i)
{
	struct request r = q->item[i];

	q->n--;
	memmove(q->item + i, q->item + i + 1, (q->n - i) * sizeof *q->item);
	return r;
}

void
requests_drop(struct requests *q, enum request_kind kind)
{
	for (size_t i = 0; i < q->n; i++)
		if (q->item[i].kind == kind) {
			free(requests_take(q, i).text);
			return;
		}
}

void
requests_add(struct requests *q, enum request_kind kind, size_t number, const char *text)
{
	requests_drop(q, kind);
	q->item[q->n++] = (struct request){.kind = kind, .number = number, .text = text ? mem_str(text) : NULL};
}

const struct request *
requests_find(const struct requests *q, enum request_kind kind)
{
	for (size_t i = 0; i < q->n; i++)
		if (q->item[i].kind == kind)
			return &q->item[i];
	return NULL;
}

void
requests_clear(struct requests *q)
{
	while (q->n)
		free(requests_take(q, 0).text);
}
