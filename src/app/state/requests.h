/* What actions ask of the world outside the state: a queue, carried out in order by control (app/control/) and, what
 * concerns the terminal, by ui. A kind stands in it once: asked for again it moves to the end. */
#ifndef APP_STATE_REQUESTS_H
#define APP_STATE_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>

enum request_kind {
	/* for control */
	REQUEST_KEEP,    /* keep everything in the new session file `text` from now on */
	REQUEST_OPEN,    /* open `text`: a model, network, stack or session file; then `number`, an enum open_then */
	REQUEST_STOP,    /* stop what the engine does */
	REQUEST_END_RUN, /* end the run that goes on */
	REQUEST_LOAD,    /* give model and data to the engine anew */
	REQUEST_MOUNT,   /* mount tracefs, then run */
	REQUEST_RUN,     /* run the subject */
	REQUEST_RERUN,   /* end the run that goes on, then run the subject, which is another one now */
	REQUEST_RESULT,  /* a result for the features that are on */
	REQUEST_FLOW,    /* what went through feature `number`, for the selected observation */
	REQUEST_WITNESS, /* a µpath that raises counter `number` */
	REQUEST_SEARCH,  /* `number`, an enum search_task */
	/* for ui */
	REQUEST_THEME,   /* the next theme */
	REQUEST_REDRAW,  /* draw every cell anew */
	REQUEST_PICTURE, /* write the screen into files */
	REQUEST_REPORT,  /* write a report into files */
	REQUEST_QUIT,
	REQUEST_KINDS
};

#define REQUEST_OF_UI REQUEST_THEME /* this kind and those after it */

/* What follows when something has been opened. */
enum open_then { OPEN_ONLY, OPEN_ASK_COMMAND, OPEN_WATCH_SIMULATED };

struct request {
	enum request_kind kind;
	size_t number;
	char *text; /* owned; NULL */
};

struct requests {
	struct request item[REQUEST_KINDS]; /* oldest first */
	size_t n;
};

void requests_add(struct requests *, enum request_kind, size_t number, const char *text);
/* The request of this kind; NULL: there is none. Valid until the queue changes. */
const struct request *requests_find(const struct requests *, enum request_kind);
void requests_drop(struct requests *, enum request_kind);
/* Take the i-th out; the caller frees its text. */
struct request requests_take(struct requests *, size_t i);
void requests_clear(struct requests *);

#endif
