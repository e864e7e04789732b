/* What a list of session files says about one of them, read without its samples. */
#ifndef COLLECT_STORE_SESSION_SUMMARY_H
#define COLLECT_STORE_SESSION_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/counters/text_kind.h"

struct err;

struct session_summary {
	char *name;          /* the model, network or stack that the file brings; NULL: none */
	enum text_kind kind; /* of it */
	size_t observations, curves;
	/* the stored verdicts of the features that were on: how many, and how many of them refute, or say nothing */
	size_t judged, infeasible, undecided;
};

/* Waits only briefly for a writer. False and *e: the file is damaged, busy or no session file. Call
 * session_summary_clear() in either case. */
bool session_summary_read(const char *path, struct session_summary *, struct err *e);
void session_summary_clear(struct session_summary *);

#endif
