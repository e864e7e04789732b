/* The parts of control that fill files of their own. */
#ifndef EXPLORER_CONTROL_CONTROL_PARTS_H
#define EXPLORER_CONTROL_CONTROL_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "explorer/state/state_leave.h"
#include "work/run/run.h"

struct control;
struct err;
struct run;
struct state;

/* What the screen says when a run has ended. Then leaving for another file, or for good (control_ending.c). */

/* Puts a sentence into the status line, and replaces the notes on the run by its remarks. */
void control_ending_say(struct state *, struct run *, const struct err *);

/* Ends the run if one goes on, unless the answer lets it run; saves all in the session's file, or in the new one that
 * the question names, and leaves. If it cannot be saved, the question says why. */
void control_save_and_leave(struct control *, enum leave_answer);
bool control_follow_leaving(struct control *); /* waits for the end of the run; true: there is something to show */

/* The engine (control_replies.c). */

bool control_take_replies(struct control *); /* true: there is something to show */
void control_stop_engine(struct control *);
/* Asks for details that the screen shows: one at a time, and only while they are shown. */
void control_ask_more(struct control *);

/* Runs of probes, slices of programs, and their instructions. Private to explorer/control/. */

/* Lists the probes, if they are not listed yet, and chooses the machines: that of the subject if it is a simulated one
 * with a pipeline, else this machine if probes run on it, else a simulated one. Puts the cursor on the probe `choose`,
 * unless that is NULL. */
void control_list_probes(struct control *, const char *choose);
/* Starts a probe, or with "" all that have no whole curve; `where`: a sum of enum probe_where. */
void control_probe(struct control *, const char *name, size_t where);
void control_end_probes(struct control *);
bool control_follow_probes(struct control *); /* takes what has been measured; true: there is news */

/* A and B (control_diff.c). */

void control_contest(struct control *);     /* measures them, pauses, or goes on */
void control_end_contest(struct control *); /* what was measured stands */
void control_pair(struct control *);        /* compares the samples of the first two marked observations */
void control_keep_contest(struct control *, const char *path); /* writes its runs into this new file */
bool control_follow_contest(struct control *); /* takes what has been measured; true: there is news */

/* Cuts the session's data into slices. Rows with slots are cut at once. Otherwise a process of its own simulates
 * programs of the machine of view 9, or of the simulated machine next to it. */
void control_slice(struct control *);
bool control_follow_slices(struct control *); /* takes news; ends a simulation that no view shows */

/* Simulates a program for the stacks of its instructions, in a process of its own, unless the latest stacks are its. */
void control_simulate_instructions(struct control *, const char *simulation);
bool control_follow_instructions(struct control *); /* does the same for instructions */

/* Loads all events that this machine's sources know, in a process of its own. */
void control_load_catalogue(struct control *);
bool control_follow_catalogue(struct control *); /* takes news; true: the events are there */

/* Runs of the subject. Private to explorer/control/. */

void control_start_command(struct control *); /* or starts to watch tasks that run already, or runs a specification */
void control_end_command(struct control *);

/* Asks whether the counters of the next run fit, in a process of its own. */
void control_ask_fit(struct control *);

/* Takes note of new rows, and of the end of a run; a runs_hear. */
void control_run_news(void *control, struct run *, enum run_step, const struct err *);

/* Sends all tables of runs that are judged, after the engine was loaded again. */
void control_send_tables(struct control *);
/* Sends the rows of the leader that the engine does not have. */
void control_send_rows(struct control *);

/* While the leader runs: sends its new rows when the engine is idle, or shows them. True when there is something to
 * show. */
bool control_follow_growth(struct control *);
/* Shows new rows of a network or stacks, and saves them soon. True when there are some. */
bool control_follow_timeline(struct control *);

/* The lesson's files: the student's answers, and the model that is written in it. */
void control_keep_lesson(struct control *);
void control_write_solution(struct control *);
/* Opens the student's model when a step asks for it. True: there is something to show. */
bool control_follow_lesson(struct control *);
double control_lesson_patience(const struct control *); /* s until it must be looked at again; INFINITY: never */
void control_forget_lesson(struct control *);

#endif
