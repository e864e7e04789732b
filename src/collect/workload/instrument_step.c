/* Counts by ptrace(2): each thread of the command executes one instruction at a time.
 *
 *     stop at an instruction ── its class is read from memory ── PTRACE_SINGLESTEP ── stop at the next: it has retired
 *
 * The processor stops after each iteration of a rep-prefixed instruction with its address unchanged, and moves on with
 * the last one (Intel SDM volume 3, 17.3.2). A stop for a signal comes before the instruction at which it happens, so
 * that instruction has not retired. A handler's entry is a stop of its own, without an instruction.
 *
 * Some hypervisors execute cpuid and its like in the processor's place and forget the stop. The step then ends after
 * the next instruction, as its address shows, and both have retired. */
#include "collect/workload/instrument.h"

#ifdef __x86_64__

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "collect/workload/traced.h"
#include "collect/workload/x86_code.h"

#define LOOK_EVERY 1024    /* steps between two looks at signals and at the time */
#define WIDE_SELECTOR 0x33 /* CS of 64-bit programs on Linux */

struct thread {
	pid_t tid;
	uint64_t at, selector; /* address of the instruction that is stepped over, and its code segment */
	struct x86_code code;  /* its class */
	bool pending;          /* it was started and has not retired */
	bool delivered;        /* a signal goes with the step */
	bool fresh;            /* its first SIGSTOP has not come */
};

struct stepper {
	const struct instrument_request *how;
	struct instrument_result *out;
	pid_t pid;
	struct thread *thread;
	size_t n, cap;
	bool running;          /* the command's own program has begun */
	double until;          /* 0: no limit */
	uint64_t steps;
};

static struct thread *
thread_of(struct stepper *s, pid_t tid)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->thread[i].tid == tid)
			return &s->thread[i];
	return NULL;
}

static struct thread *
add_thread(struct stepper *s, pid_t tid, bool fresh)
{
	mem_grow(&s->thread, &s->cap, s->n + 1, sizeof *s->thread);
	s->thread[s->n] = (struct thread){.tid = tid, .fresh = fresh};
	return &s->thread[s->n++];
}

static void
remove_thread(struct stepper *s, struct thread *t)
{
	*t = s->thread[--s->n];
}

/* Reads the class of the instruction at an address. */
static void
look_at_code(struct thread *thread, uint64_t at, uint64_t selector)
{
	unsigned char byte[X86_CODE_MAX];
	struct iovec here = {byte, sizeof byte}, there = {(void *)at, sizeof byte};
	ssize_t n = process_vm_readv(thread->tid, &here, 1, &there, 1, 0);

	if (n <= 0) { /* the page may end first */
		there.iov_len = 4096 - (at & 4095);
		if (there.iov_len < sizeof byte)
			n = process_vm_readv(thread->tid, &here, 1, &there, 1, 0);
	}
	thread->at = at;
	thread->selector = selector;
	thread->code = x86_code_of(byte, n > 0 ? (size_t)n : 0, selector == WIDE_SELECTOR);
}

static void
count_one(struct stepper *s, const struct thread *t, uint64_t now)
{
	struct instrument_count *c = s->out->count;
	bool again = t->code.rep && now == t->at;

	c[INSTRUMENT_INSTRUCTIONS].raw++;
	c[INSTRUMENT_INSTRUCTIONS].extra += again;
	c[INSTRUMENT_BRANCHES].raw += t->code.branch;
	c[INSTRUMENT_CONDITIONAL].raw += t->code.conditional;
	s->out->reps += t->code.rep && !again;
}

/* Counts the instruction that the last step began, of which the thread has left the address or not, and those after it
 * whose stop a hypervisor forgot. */
static void
retire(struct stepper *s, struct thread *t, uint64_t now)
{
	if (!t->pending)
		return;
	t->pending = false;
	for (; t->code.emulated && now != t->at + t->code.emulated; s->out->forgotten++) {
		count_one(s, t, now);
		look_at_code(t, t->at + t->code.emulated, t->selector);
	}
	count_one(s, t, now);
}

/* Lets the thread execute its next instruction, and hands it a signal (0: none). */
static void
instrument_step_step(struct stepper *s, struct thread *t, int sig)
{
	t->delivered = sig != 0;
	if (ptrace(PTRACE_SINGLESTEP, t->tid, NULL, (void *)(intptr_t)sig) == 0)
		s->steps++;
}

/* Returns true at the stop at the entry of a signal's handler: ptrace_notify() gives it the code SIGTRAP. */
static bool
is_handler_entry(const struct thread *t)
{
	siginfo_t info;

	return t->delivered && ptrace(PTRACE_GETSIGINFO, t->tid, NULL, &info) == 0 && info.si_code == SIGTRAP;
}

static void
take_step(struct stepper *stepper, struct thread *thread)
{
	struct user_regs_struct r;
	int sig = 0;

	if (ptrace(PTRACE_GETREGS, thread->tid, NULL, &r) != 0)
		return;
	if (is_handler_entry(thread))
		thread->pending = false;
	if (thread->pending && thread->code.trap)
		sig = SIGTRAP; /* the program's own */
	retire(stepper, thread, r.rip);
	if (stepper->running) {
		look_at_code(thread, r.rip, r.cs);
		thread->pending = true;
	}
	instrument_step_step(stepper, thread, sig);
}

static bool
is_own_thread(const struct stepper *s, pid_t tid)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/task/%d", (int)s->pid, (int)tid);
	return access(path, F_OK) == 0;
}

/* A stop in the middle of a system call. Of a program that replaces another, counting goes on. */
static void
instrument_step_take_event(struct stepper *s, struct thread *t, int event)
{
	if (event == PTRACE_EVENT_EXEC) {
		if (s->running)
			retire(s, t, 0);
		t->pending = false;
		s->running = true;
	}
	instrument_step_step(s, t, 0);
}

/* A task that the kernel attached by itself: a thread is stepped, too; another process is let go. */
static struct thread *
welcome(struct stepper *s, pid_t tid)
{
	if (is_own_thread(s, tid)) {
		s->out->threads++;
		return add_thread(s, tid, true);
	}
	s->out->programs++;
	ptrace(PTRACE_DETACH, tid, NULL, NULL);
	return NULL;
}

static void
take_stop(struct stepper *stepper, pid_t tid, int status)
{
	struct thread *thread = thread_of(stepper, tid);
	int sig = WSTOPSIG(status), event = status >> 16;

	if (!thread && !(thread = welcome(stepper, tid)))
		return;
	thread->fresh &= sig != SIGSTOP;
	if (event)
		instrument_step_take_event(stepper, thread, event);
	else
		take_step(stepper, thread);
}

/* As take_stop() for a signal: the instruction has not retired and is begun again with the signal. */
static void
take_signal(struct stepper *s, struct thread *t, int sig)
{
	instrument_step_step(s, t, sig);
}

static bool
wants_end(struct stepper *s)
{
	return s->how->interrupted() || (s->until > 0 && clock_seconds() > s->until);
}

/* An instruction that ends the thread, exit(2), has no stop after it. */
static void
instrument_step_take_end(struct stepper *stepper, pid_t tid, int status)
{
	struct thread *thread = thread_of(stepper, tid);

	if (thread && thread->pending && thread->code.syscall && WIFEXITED(status))
		retire(stepper, thread, 0);
	if (thread)
		remove_thread(stepper, thread);
	if (tid == stepper->pid) {
		stepper->out->ended = true;
		stepper->out->status = status;
	}
}

/* Steps until all threads have ended. */
static void
step_all(struct stepper *stepper)
{
	uint64_t looked = 0;

	while (stepper->n > 0) {
		int status;
		pid_t tid;
		struct thread *thread;

		if (!stepper->out->cut && stepper->steps - looked >= LOOK_EVERY) {
			looked = stepper->steps;
			stepper->out->cut = wants_end(stepper);
			if (stepper->out->cut)
				kill(stepper->pid, SIGKILL);
		}
		tid = waitpid(-1, &status, __WALL);
		if (tid < 0 && errno == EINTR) {
			if (!stepper->out->cut && wants_end(stepper)) {
				stepper->out->cut = true;
				kill(stepper->pid, SIGKILL);
			}
			continue;
		}
		if (tid < 0)
			break;
		thread = thread_of(stepper, tid);
		if (!WIFSTOPPED(status))
			instrument_step_take_end(stepper, tid, status);
		else if (thread && !thread->fresh && !(status >> 16) && WSTOPSIG(status) != SIGTRAP)
			take_signal(stepper, thread, WSTOPSIG(status));
		else
			take_stop(stepper, tid, status);
	}
}

bool
instrument_step(const struct instrument_request *how, struct instrument_result *out, struct err *e)
{
	const long options = PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
		PTRACE_O_EXITKILL;
	struct stepper s = {.how = how, .out = out};
	struct traced_child child;
	int error;
	sigset_t old;

	if (!traced_fork(how->argv, how->during, &child, e))
		return false;
	s.pid = child.pid;
	s.until = how->seconds > 0 ? clock_seconds() + how->seconds : 0;
	add_thread(&s, s.pid, false);
	sigprocmask(SIG_SETMASK, how->during, &old); /* waitpid(2) is to see signals */
	if (ptrace(PTRACE_SETOPTIONS, s.pid, NULL, (void *)options) == 0 &&
		ptrace(PTRACE_CONT, s.pid, NULL, NULL) == 0)
		step_all(&s);
	sigprocmask(SIG_SETMASK, &old, NULL);
	error = traced_error(&child);
	free(s.thread);
	for (int i = 0; i < INSTRUMENT_EVENTS; i++)
		out->count[i].known = out->count[INSTRUMENT_INSTRUCTIONS].raw > 0 &&
			instrument_knows(INSTRUMENT_STEP, (enum instrument_event)i);
	if (error)
		return traced_explain(how->argv[0], error, e);
	return out->count[INSTRUMENT_INSTRUCTIONS].raw > 0 ||
		err_set(e, "%s executed no instruction that could be stepped", how->argv[0]);
}

#else

bool
instrument_step(const struct instrument_request *how, struct instrument_result *out, struct err *e)
{
	(void)how;
	(void)out;
	err_set(e, "single steps are counted on x86-64 only");
	return err_hint(e, "elsewhere, a step may break pairs of load-exclusive and store-exclusive");
}

#endif
