#include "collect/workload/overflow_task.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "collect/perf/overflow.h"
#include "collect/source.h"
#include "collect/workload/code_place.h"
#include "collect/workload/traced.h"
#include "collect/workload/x86_code.h"

/* The place of registers in the array of PTRACE_GETREGSET, and the code of a SIGTRAP that the program raised itself. */
#if defined __x86_64__
enum { CAN_STEP = 1, PC = 16, OWN_TRAP = 0x80 /* SI_KERNEL */ };
#elif defined __aarch64__
enum { CAN_STEP = 1, PC = 32, OWN_TRAP = TRAP_BRKPT };
#else
enum { CAN_STEP = 0, PC = 0, OWN_TRAP = TRAP_BRKPT }; /* RISC-V, for one, has no PTRACE_SINGLESTEP */
#endif

struct overflow_task {
	struct overflow_task_spec how;
	struct event_code code;
	unsigned precise;
	double seconds;
	struct traced_wait wait;
	struct perf_overflow event;
	struct overflow_state state;
	pid_t pid;            /* 0: none runs */
	int signal;           /* to be handed over when it goes on */
	int status;
	bool refused;
	struct source_status why;
	uint64_t threads, processes;
};

struct overflow_task *
overflow_task_new(const struct overflow_task_spec *how, struct err *e)
{
	struct overflow_task *t = mem_new(sizeof *t);

	*t = (struct overflow_task){.how = *how, .event = {.fd = -1}, .status = -1};
	if (traced_wait_begin(&t->wait, how->during, how->interrupted, e))
		return t;
	free(t);
	return NULL;
}

static void
task_end(void *ctx)
{
	struct overflow_task *t = ctx;

	traced_kill(t->pid);
	t->pid = 0;
	perf_overflow_close(&t->event);
}

void
overflow_task_free(struct overflow_task *t)
{
	if (!t)
		return;
	task_end(t);
	traced_wait_end(&t->wait);
	free(t);
}

void
overflow_task_choose(struct overflow_task *t, const struct event_code *c, unsigned precise, double seconds)
{
	t->code = *c;
	t->precise = precise;
	t->seconds = seconds;
}

bool
overflow_task_refused(const struct overflow_task *t, struct source_status *s)
{
	*s = t->why;
	return t->refused;
}

int
overflow_task_status(const struct overflow_task *t)
{
	return t->status;
}

uint64_t
overflow_task_threads(const struct overflow_task *t)
{
	return t->threads;
}

uint64_t
overflow_task_processes(const struct overflow_task *t)
{
	return t->processes;
}

bool
overflow_task_steps(void)
{
	return CAN_STEP;
}

void
overflow_task_place(const struct overflow_task *t, uint64_t address, struct str *out)
{
	code_place(t->pid, address, out);
}

/* --- stops -------------------------------------------------------------------------------------------------------- */

/* Fetches the registers. This also waits until the thread has left its CPU, so that its counts are final. */
static void
fetch_state(struct overflow_task *task)
{
	struct iovec v = {task->state.word, sizeof task->state.word};

	task->state.n = 0;
	task->state.pc = PC;
	if (ptrace(PTRACE_GETREGSET, task->pid, (void *)NT_PRSTATUS, &v) == 0)
		task->state.n = v.iov_len / sizeof *task->state.word;
	/* Clears what depends on the way to the stop: TF, which a stepped system call leaves in r11; orig_rax; RF; on
	 * Arm PSTATE.SS. */
#if defined __x86_64__
	task->state.word[6] &= ~(uint64_t)0x100;
	task->state.word[15] = 0;
	task->state.word[18] &= ~(uint64_t)0x10000;
#elif defined __aarch64__
	task->state.word[33] &= ~((uint64_t)1 << 21);
#endif
}

/* A task that the kernel attached by itself: it is let go. */
static void
let_go(struct overflow_task *t, pid_t tid)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/task/%d", (int)t->pid, (int)tid);
	if (access(path, F_OK) == 0)
		t->threads++;
	else
		t->processes++;
	ptrace(PTRACE_DETACH, tid, NULL, NULL);
}

/* A stop of the first thread. */
enum stop { STOP_OVERFLOW, STOP_STEP, STOP_OTHER, STOP_END, STOP_CUT };

/* Returns true if the program raised this SIGTRAP, by an instruction or a system call. A step over a system call may
 * have the code SI_USER, with no sender. */
static bool
is_own_trap(const siginfo_t *info)
{
	return info->si_code == OWN_TRAP || info->si_code < 0 || (info->si_code == SI_USER && info->si_pid != 0);
}

static enum stop
overflow_task_kind_of(struct overflow_task *task, int status)
{
	int sig = WSTOPSIG(status);
	siginfo_t info;

	if (status >> 16 || ptrace(PTRACE_GETSIGINFO, task->pid, NULL, &info) != 0)
		return STOP_OTHER; /* an event of ptrace, or a stop of the whole process */
	if (perf_overflow_sent(&task->event, sig, info.si_code, info.si_fd))
		return STOP_OVERFLOW;
	if (sig == SIGTRAP && !is_own_trap(&info))
		return info.si_code == SIGTRAP ? STOP_OTHER : STOP_STEP; /* SIGTRAP: the entry of a handler */
	if (sig != SIGSTOP) /* with this one the command's other threads would stay stopped */
		task->signal = sig;
	return STOP_OTHER;
}

static enum stop
next_stop(struct overflow_task *task)
{
	int status;

	for (;;) {
		pid_t tid = traced_next(&task->wait, &status);

		if (tid == 0)
			return STOP_CUT;
		if (tid < 0)
			return STOP_END;
		if (tid != task->pid) {
			if (WIFSTOPPED(status))
				let_go(task, tid);
			continue;
		}
		if (WIFSTOPPED(status))
			return overflow_task_kind_of(task, status);
		task->status = status;
		kill(-task->pid, SIGKILL); /* what it left running would disturb the next run */
		task->pid = 0;
		return STOP_END;
	}
}

static void
go(struct overflow_task *t, bool one_step)
{
	int sig = t->signal;

	t->signal = 0;
	ptrace(one_step ? PTRACE_SINGLESTEP : PTRACE_CONT, t->pid, NULL, (void *)(intptr_t)sig);
}

static bool
overflow_task_report(struct overflow_task *task, enum overflow_why why, struct overflow_stop *stop, struct err *e)
{
	struct perf_overflow_records r = {0};

	*stop = (struct overflow_stop){.why = why, .retired = true};
	if (why == OVERFLOW_STOPPED)
		fetch_state(task);
	if (!perf_overflow_read(&task->event, &stop->count)) {
		err_set(e, "%s cannot be read: %s", task->code.name,
			errno == EIO ? "other events have taken its counter" : strerror(errno));
		return err_hint(e, errno == EIO ? "end other programs that count, such as perf, or the NMI watchdog "
			"(sysctl kernel.nmi_watchdog=0)" : "this should not happen: please report it");
	}
	perf_overflow_take(&task->event, &r);
	stop->throttled = r.throttled;
	stop->lost = r.lost;
	return true;
}

static enum overflow_why
why_of(enum stop s)
{
	return s == STOP_END ? OVERFLOW_ENDED : s == STOP_CUT ? OVERFLOW_CUT : OVERFLOW_STOPPED;
}

/* --- the operations ----------------------------------------------------------------------------------------------- */

static bool
arm(struct overflow_task *t, uint64_t period, struct err *e)
{
	return perf_overflow_arm(&t->event, period) ||
		err_set(e, "%s: the kernel does not take the period %llu: %s", t->code.name,
			(unsigned long long)period, strerror(errno));
}

/* Goes from the fork to the command's first instruction. False and *e: it cannot be executed, or hecate is to end. */
static bool
reach_entry(struct overflow_task *task, struct traced_child *child, struct err *e)
{
	const long options = PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
		PTRACE_O_EXITKILL;
	enum stop s = STOP_OTHER;
	int error;

	if (ptrace(PTRACE_SETOPTIONS, task->pid, NULL, (void *)options) == 0) {
		go(task, false);
		s = next_stop(task);
	}
	error = traced_error(child);
	if (error)
		return traced_explain(task->how.argv[0], error, e);
	if (s == STOP_OTHER && CAN_STEP) { /* in the middle of execve(2) */
		go(task, true);
		s = next_stop(task);
	}
	if (s == STOP_CUT)
		return err_set(e, "%s was ended before its first instruction", task->how.argv[0]);
	return s != STOP_END || err_set(e, "%s ended before its first instruction", task->how.argv[0]);
}

static bool
task_start(void *ctx, struct err *e)
{
	struct overflow_task *task = ctx;
	struct traced_child child;

	task_end(task);
	task->signal = 0;
	task->status = -1;
	task->refused = false;
	task->threads = task->processes = 0;
	task->wait.until = task->seconds > 0 ? clock_seconds() + task->seconds : 0;
	if (!traced_fork(task->how.argv, task->how.during, &child, e))
		return false;
	task->pid = child.pid;
	if (!reach_entry(task, &child, e))
		return false;
	task->why = (struct source_status){0};
	task->refused = !perf_overflow_open(
		&task->event, &task->code, task->pid, task->precise, task->how.world, &task->why);
	if (task->refused) {
		err_set(e, "%s", task->why.why);
		return err_hint(e, "%s", task->why.remedy);
	}
	fetch_state(task);
	return true;
}

static bool
task_run(void *ctx, uint64_t period, struct overflow_stop *stop, struct err *e)
{
	struct overflow_task *task = ctx;
	enum stop s;

	if (!arm(task, period, e))
		return false;
	do {
		go(task, false);
		s = next_stop(task);
	} while (s == STOP_OTHER || s == STOP_STEP);
	if (!overflow_task_report(task, why_of(s), stop, e))
		return false;
	return s != STOP_OVERFLOW || arm(task, 0, e);
}

/* Returns true if the instruction at which the thread stands is a string instruction with a rep prefix. */
static bool
stands_at_rep(const struct overflow_task *task)
{
#ifdef __x86_64__
	enum { CS = 17, WIDE_SELECTOR = 0x33 };
	unsigned char byte[X86_CODE_MAX];
	uint64_t at = task->state.word[PC];
	struct iovec here = {byte, sizeof byte}, there = {(void *)at, sizeof byte};
	ssize_t n = process_vm_readv(task->pid, &here, 1, &there, 1, 0);

	if (n <= 0) { /* the page may end first */
		there.iov_len = 4096 - (at & 4095);
		if (there.iov_len < sizeof byte)
			n = process_vm_readv(task->pid, &here, 1, &there, 1, 0);
	}
	return n > 0 && x86_code_of(byte, (size_t)n, task->state.word[CS] == WIDE_SELECTOR).rep;
#else
	(void)task;
	return false;
#endif
}

static bool
task_step(void *ctx, struct overflow_stop *stop, struct err *e)
{
	struct overflow_task *task = ctx;
	uint64_t from = task->state.word[PC];
	enum stop s;

	do {
		go(task, true);
		s = next_stop(task);
	} while (s == STOP_OVERFLOW);
	if (!overflow_task_report(task, why_of(s), stop, e))
		return false;
	stop->retired = s == STOP_STEP || s == STOP_END;
	stop->iteration = s == STOP_STEP && task->state.word[PC] == from && stands_at_rep(task);
	return true;
}

static void
task_look(void *ctx, struct overflow_state *out)
{
	const struct overflow_task *t = ctx;

	*out = t->state;
}

struct overflow_subject
overflow_task_subject(struct overflow_task *t)
{
	static const struct overflow_ops ops = {task_start, task_run, task_step, task_look, task_end};

	return (struct overflow_subject){&ops, t};
}
