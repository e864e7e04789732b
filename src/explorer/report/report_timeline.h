/* The report on a session of a network, a stack, or both, as Markdown: what was watched, the path map, queues and
 * culprit, stalls and bars, laws, unknown counters, notes, and how to see it again. */
#ifndef EXPLORER_REPORT_REPORT_TIMELINE_H
#define EXPLORER_REPORT_REPORT_TIMELINE_H

#include <stddef.h>

struct run_answer;
struct state;
struct str;

enum report_picture_kind { PICTURE_PATHS, PICTURE_STALLS, PICTURE_QUEUES, PROFILE_PICTURES };

struct timeline_report {
	const struct state *session;   /* the state: its data and its current view */
	const struct run_answer *answer; /* of a recorded run; NULL: that of the session's view */
	/* from a command line: text and files, or a session file; none: the session is in no file */
	char *const *args;
	size_t n_args;
	const char *machine;           /* "KVM guest, 2 vCPUs"; NULL */
	const char *program, *when;    /* as in struct report */
	const char *picture[PROFILE_PICTURES]; /* file names next to the report; NULL: no such picture */
	const char *no_picture;        /* why there is no picture; NULL: there is nothing to show */
};

void timeline_report_markdown(const struct timeline_report *, struct str *out);

#endif
