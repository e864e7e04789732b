/* What a list of session files says about one of them, read without its samples. */
#ifndef COLLECT_STORE_SESSION_SUMMARY_H
#define COLLECT_STORE_SESSION_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/counters/text_kind.h"

struct err;

struct session_summary {
	char *command;       /* the program and its arguments that were counted last; NULL: none */
	char *name;          /* the model, network or stack that the file brings; NULL: none */
	enum text_kind kind; /* of it */
	size_t observations, curves;
	size_t others;       /* models, networks and stacks besides that one */
	/* the stored verdicts of the features that were on: how many, and how many of them refute, or say nothing */
	size_t judged, infeasible, undecided;
};

/* One of the models, networks and stacks of a session file. */
struct session_text {
	int64_t number;   /* its row */
	char *name, *added; /* added: UTC, as the file has it */
	enum text_kind kind;
	bool opens;       /* the file opens with it */
	bool shown;       /* for the caller: it is open now */
	size_t judged, infeasible, undecided; /* as in struct session_summary, of a model */
};

/* Lists the text that the file opens with, those with settings of their own, and of each other name the newest; the one
 * that it opens with first, then the newest first. Waits only briefly for a writer. Returns false and sets *e on
 * failure; then nothing is to be freed. */
bool session_texts_read(const char *path, struct session_text **, size_t *n, struct err *e);
void session_texts_free(struct session_text *, size_t n);

/* Waits only briefly for a writer. False and *e: the file is damaged, busy or no session file. Call
 * session_summary_clear() in either case. */
bool session_summary_read(const char *path, struct session_summary *, struct err *e);
void session_summary_clear(struct session_summary *);

#endif
