/* A queue of what actions ask of the world outside the state. Control (explorer/control/) carries the requests out in
 * order; ui carries out those about the terminal. Each kind is in the queue at most once: a second one replaces the
 * first, at the end. */
#ifndef EXPLORER_STATE_REQUESTS_H
#define EXPLORER_STATE_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>

enum request_kind {
	/* for control */
	REQUEST_KEEP,    /* save everything in the new session file `text` from now on */
	REQUEST_OPEN,    /* open `text`: a model, network, stack or session file; then `number`, an enum open_then */
	REQUEST_LEAVE,   /* save, then leave for what view.leaving says; `number` is an enum leave_answer */
	REQUEST_JUDGE,   /* judge the data that wait by the model `text` */
	REQUEST_LIST_TEXTS, /* list the models, networks and stacks of the session file, to choose from */
	REQUEST_OPEN_TEXT,  /* open the model, network or stack `number` of the session file */
	REQUEST_STOP,    /* stop the engine's work */
	REQUEST_END_RUN, /* end the run */
	REQUEST_LOAD,    /* send model and data to the engine again */
	REQUEST_MOUNT,   /* mount tracefs, then run */
	REQUEST_RUN,     /* run the subject */
	REQUEST_RERUN,   /* end the run, then run the new subject */
	REQUEST_RESULT,  /* compute a result for the features that are on */
	REQUEST_FLOW,    /* find the flow through feature `number` in the selected observation */
	REQUEST_WITNESS, /* find a µpath that raises counter `number` */
	REQUEST_SEARCH,  /* search; `number` is an enum search_task */
	REQUEST_LIST_PROBES, /* list the probes, choose the machines that they run on, and the probe `text` */
	/* run the probe `text`, or if it is empty all probes without a whole curve; `number` is a sum of enum
	 * probe_where */
	REQUEST_PROBE,
	REQUEST_END_PROBES, /* end the run of probes, and keep what it has measured */
	REQUEST_SLICES, /* cut the recorded rows, or programs of the simulated machine of view 9, into slices */
	REQUEST_INSTRUCTIONS, /* simulate `text`, "sim:…", for the stacks of its instructions */
	REQUEST_CONTEST, /* measure A and B, or pause if they are measured */
	REQUEST_END_CONTEST, /* end that, and keep what was measured */
	REQUEST_PAIR,   /* compare the samples of the two marked observations */
	REQUEST_KEEP_CONTEST, /* write what was measured into the new file `text` */
	REQUEST_CATALOGUE,   /* load all events that this machine's sources know */
	REQUEST_FIT,         /* ask whether the counters of the next run fit */
	REQUEST_KEEP_LESSON, /* write the answers of the lesson */
	REQUEST_SOLUTION,    /* write the lesson's own model into the student's file */
	/* for ui */
	REQUEST_REDRAW,  /* draw every cell again */
	REQUEST_PICTURE, /* write the screen into files */
	REQUEST_REPORT,  /* write a report into files; with `number` 1 as one HTML page */
	REQUEST_LESSON,  /* leave, and open the lesson `text` */
	REQUEST_EDIT,    /* leave the screen to an editor of the model */
	REQUEST_QUIT,
	REQUEST_KINDS
};

#define REQUEST_OF_UI REQUEST_REDRAW /* this kind and those after it are ui's */

/* The step that follows when something has been opened. OPEN_WATCH_SIMULATED runs a model on the default machine. With
 * OPEN_WATCH_MACHINE the name is a machine's, and its stacks are opened. With OPEN_RUNS the name is that of an
 * installed table of runs, with a table of expected counts next to it. OPEN_RECORDED judges the installed totals of the
 * page-fault example by a model. With OPEN_LESSON the name is a lesson's, of a REQUEST_LESSON. */
enum open_then { OPEN_ONLY, OPEN_ASK_COMMAND, OPEN_WATCH_SIMULATED, OPEN_WATCH_MACHINE, OPEN_RUNS, OPEN_RECORDED,
	OPEN_LESSON };

/* The machines that a probe runs on: the book's machine, and the one that it is compared with. */
enum probe_where { PROBE_HERE = 1, PROBE_BESIDE = 2 };

struct request {
	enum request_kind kind;
	size_t number;
	char *text; /* owned; may be NULL */
};

const char *request_name(enum request_kind); /* "run"; for the journal */

struct requests {
	struct request item[REQUEST_KINDS]; /* oldest first */
	size_t n;
};

void requests_add(struct requests *, enum request_kind, size_t number, const char *text);
/* The request of this kind; NULL: there is none. Valid until the queue changes. */
const struct request *requests_find(const struct requests *, enum request_kind);
void requests_drop(struct requests *, enum request_kind);
/* Removes and returns the i-th request; the caller frees its text. */
struct request requests_take(struct requests *, size_t i);
void requests_clear(struct requests *);

#endif
