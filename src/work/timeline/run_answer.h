/* What a run answers in one sentence: how it ended, which program was busiest, and what that one did or waited for.
 *
 *     make ended, status 0, 4.2 s: cc1 (8 of them) waited 72 % of the time for a CPU and ran 27 %; 2 CPUs, 7.6 ready
 *
 * It is made of the time of tasks (core/tasktime/amounts.h), over all rows or those of a part of the run.
 *
 * A task's time is what it ran, and what it waited for: a CPU, the disk, pages (inside page faults), the kernel (other
 * uninterruptible sleep), a lock (a futex). That is its busy time. All the rest is sleep: timers, input, children, job
 * control. A futex is a lock only for tasks that also do something; a task that is busy otherwise for less than 1/200
 * of the time that it is in futexes is parked, like the idle threads of a pool, and that time is sleep, too.
 *
 * Tasks of the same name are a program. The busiest program is the one whose tasks have the largest sum of busy time.
 * What it did most is its largest class, and the share is that class's part of the program's busy time. A second
 * program is named with it if it has at least 4/5 of the busy time of the first, and the same largest class; the share
 * is then of both together. A run is idle if the busy time of all tasks together is less than 1/100 of the time that
 * passed. */
#ifndef WORK_TIMELINE_RUN_ANSWER_H
#define WORK_TIMELINE_RUN_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct obs_table;
struct source_end;
struct stack;
struct stack_counts;
struct str;

enum run_class {
	RUN_ON_CPU, RUN_FOR_CPU, RUN_FOR_DISK, RUN_FOR_PAGES, RUN_IN_KERNEL, RUN_FOR_LOCK, RUN_ASLEEP, RUN_CLASSES
};

/* What the sentence begins with. */
struct run_end {
	enum run_end_kind {
		RUN_PART,     /* a part of the run, as `name` says: "last 3 s", "snapshot 3 of 8" */
		RUN_RECORDED, /* how it ended is not known */
		RUN_EXITED,   /* with status `code` */
		RUN_KILLED,   /* by signal `code` */
		RUN_STOPPED,  /* by the user, or by a limit */
		RUN_WATCHED,  /* processes that ran already */
	} kind;
	int code;
	double seconds; /* 0: not known */
	unsigned cpus;  /* of the machine; 0: not known */
};
/* How a command, or the watch of tasks, ended; `itself`: neither the user nor a limit ended it. */
struct run_end run_end_of(const struct source_end *, bool command, bool itself);
unsigned run_end_cpus(void); /* CPUs of this machine */
/* As a text for session files, and back; false: it is none. */
void run_end_write(const struct run_end *, struct str *out);
bool run_end_read(const char *text, struct run_end *);

struct run_answer {
	struct run_end end;
	char *name;                  /* of the subject, or of the part */
	enum run_class what, second; /* RUN_ASLEEP: idle; `second` RUN_CLASSES: there is none of a tenth or more */
	double share, second_share;  /* of the busy time, 0 … 1 */
	char *who, *with;            /* the busiest program; the one named with it, or NULL */
	size_t n_who, n_with;        /* their tasks */
	size_t n_tasks;              /* all tasks */
	double busy_ns;              /* of all tasks */
	double ns[RUN_CLASSES];      /* the same by class, with sleep */
	bool by_task;                /* the table tells why tasks slept (run_answer_tells_tasks()) */
	double running, ready;       /* tasks on a CPU, and able to run, on average; NAN: not known */
};

/* The answer of a table with the time of tasks, over rows that end after from_s and not after to_s; NULL: it has no
 * such columns, or no such rows. A table that counts only ran and waited (linux-vm) has one program, and no sleep. */
struct run_answer *run_answer_new(
	const struct obs_table *, double from_s, double to_s, const struct run_end *, const char *name);
/* The program of a recorded run: the first word of its command line, without folders. The caller frees. */
char *run_answer_program(const struct obs_table *);
/* The answer of a session file's table, whose end the file may tell. */
struct run_answer *run_answer_recorded(const char *path, const struct obs_table *);
void run_answer_free(struct run_answer *);
/* Does the table have what is needed? */
bool run_answer_serves(const struct obs_table *);
bool run_answer_tells_tasks(const struct obs_table *); /* also why tasks slept, one observation a task */

/* The whole sentence; its part after the colon; a few words for a narrow place: "cc1 waits for a CPU 72 %". */
void run_answer_sentence(const struct run_answer *, bool ascii, struct str *out);
/* What stands before the colon. */
void run_answer_head(const struct run_answer *, bool ascii, struct str *out);
void run_answer_finding(const struct run_answer *, bool ascii, struct str *out);
void run_answer_brief(const struct run_answer *, struct str *out);

/* Busy time of the bar of a stack with the time of tasks, in ns, and the whole; false: the stack has no such counters.
 */
bool run_answer_bar(const struct stack *, const struct stack_counts *, double *busy, double *whole);
#define RUN_SLEEPER 0.01 /* a task whose busy time is a smaller part of its whole only slept */

#endif
