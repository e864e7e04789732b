/* A hypervisor that executes cpuid or rdtsc may forget the stop of a single step over it; the step then ends one
 * instruction later. This program's ptrace() does that on every machine. What is counted must not change. */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/workload/expected.h"
#include "collect/workload/instrument.h"
#include "collect/workload/workload.h"
#include "made_program.h"
#include "stepper.h"
#include "test.h"

#ifdef __x86_64__
#include <sys/user.h>

static struct { size_t forgotten; } hypervisor;

static bool
place_of(pid_t pid, uint64_t *at)
{
	struct user_regs_struct r;
	*at = 0;
	if (syscall(SYS_ptrace, PTRACE_GETREGS, pid, NULL, &r) != 0)
		return false;
	*at = r.rip;
	return true;
}

/* The bytes of the cpuid, rdtsc or rdtscp at this address. 0: another instruction. */
static unsigned
emulated_at(pid_t pid, uint64_t at)
{
	unsigned char code[3] = {0};
	struct iovec here = {code, sizeof code}, there = {(void *)at, sizeof code};
	if (process_vm_readv(pid, &here, 1, &there, 1, 0) != (ssize_t)sizeof code || code[0] != 0x0f)
		return 0;
	return code[1] == 0xa2 || code[1] == 0x31 ? 2 : code[1] == 0x01 && code[2] == 0xf9 ? 3 : 0;
}

/* Takes the stop right after an emulated instruction away, and steps on. A real hypervisor that forgot it has left
 * nothing to take. */
static void
forget_stop(pid_t pid, uint64_t from, unsigned size)
{
	siginfo_t info;
	uint64_t at;
	int status;
	if (waitid(P_PID, (id_t)pid, &info, WSTOPPED | WEXITED | WNOWAIT | __WALL) != 0 || info.si_status != SIGTRAP ||
		!place_of(pid, &at) || at != from + size)
		return;
	hypervisor.forgotten++;
	waitpid(pid, &status, __WALL);
	size = emulated_at(pid, at);
	syscall(SYS_ptrace, PTRACE_SINGLESTEP, pid, NULL, NULL);
	if (size != 0)
		forget_stop(pid, at, size);
}

/* Takes the place of the C library's. No request here returns a word by its result. */
long
ptrace(enum __ptrace_request request, ...)
{
	va_list more;
	va_start(more, request);
	pid_t pid = va_arg(more, pid_t);
	void *address = va_arg(more, void *), *data = va_arg(more, void *);
	va_end(more);
	uint64_t at = 0;
	unsigned size = request == PTRACE_SINGLESTEP && place_of(pid, &at) ? emulated_at(pid, at) : 0;
	long result = syscall(SYS_ptrace, request, pid, address, data);
	if (result == 0 && size != 0)
		forget_stop(pid, at, size);
	return result;
}

static bool
can_step(void)
{
	const char *why = "";
	if (step_possible(&why))
		return true;
	test_skip("%s", why);
	return false;
}

/* The workload, as unit/workload steps it: each part's counts are those by inspection. */
static void
parts_of_the_workload(void)
{
	if (!can_step())
		return;
	const char *hecate = getenv("HECATE"), *slash = hecate != NULL ? strrchr(hecate, '/') : NULL;
	char *program = slash != NULL ? str_format("%.*s/hecate-workload", (int)(slash - hecate), hecate)
				      : str_format("./hecate-workload");
	uint64_t *address = mem_new_array(workload_n_parts + 1, sizeof *address);
	uint32_t *loops = mem_new_array(workload_n_parts, sizeof *loops);
	struct steps *steps = mem_new_array(workload_n_parts + 2, sizeof *steps);
	struct str argument = {0};
	static const char *const name[] = {"cpuid", "rdtsc"};
	for (size_t i = 0; i < 2; i++)
		loops[workload_find_part(name[i])] = 5;
	workload_argument(loops, &argument);
	if (step_symbols(program, "part_", workload_n_parts + 1, address)) {
		CHECK_INT(step_program(program, str_text(&argument), address, workload_n_parts + 1, steps), 0);
		for (size_t i = 0; i < 2; i++) {
			size_t k = workload_find_part(name[i]);
			struct workload_counts want = workload_expect_part(k, 5);
			test_label("%s", name[i]);
			CHECK_INT(steps[k + 1].instructions,
				want.n[WORKLOAD_INSTRUCTIONS] + workload_frame.part.n[WORKLOAD_INSTRUCTIONS]);
			CHECK_INT(steps[k + 1].branches,
				want.n[WORKLOAD_BRANCHES] + workload_frame.part.n[WORKLOAD_BRANCHES]);
			CHECK(steps[k + 1].forgotten >= 5);
		}
	}
	str_free(&argument);
	free(steps);
	free(loops);
	free(address);
	free(program);
}

static bool
never(void)
{
	return false;
}

/* 1 + 7 · 9 + 3 instructions: in each round rdtsc right after cpuid, and a jump right after rdtsc. */
static void
instrumented_command(void)
{
	char *folder, *program;
	struct instrument_result r = {0};
	struct err e = {0};
	sigset_t none;
	if (!can_step())
		return;
	folder = made_folder();
	program = str_format("%s/emulated", folder);
	char *argv[] = {program, NULL};
	sigemptyset(&none);
	if (made_program(folder, "emulated", ".globl _start\n_start:\tmov $7, %r8d\n1:\txor %eax, %eax\n\tcpuid\n"
			"\trdtsc\n\tmov $1, %ecx\n\tdec %r8d\n\trdtsc\n\tjmp 2f\n2:\ttest %r8d, %r8d\n\tjne 1b\n"
			"\txor %edi, %edi\n\tmov $60, %eax\n\tsyscall\n") &&
		CHECK(instrument_run(INSTRUMENT_STEP, &(struct instrument_request){.argv = argv, .during = &none,
			.interrupted = never, .seconds = 60}, &r, &e))) {
		CHECK_INT(r.count[INSTRUMENT_INSTRUCTIONS].raw, 1 + 7 * 9 + 3);
		CHECK_INT(r.count[INSTRUMENT_BRANCHES].raw, 7 * 2);
		CHECK_INT(r.count[INSTRUMENT_CONDITIONAL].raw, 7);
		CHECK_INT(r.forgotten, 7 * 3);
	}
	free(program);
	made_folder_remove(folder);
}

static void
stops_were_forgotten(void)
{
	if (can_step())
		CHECK(hypervisor.forgotten > 0);
}

TEST_MAIN(CASE(parts_of_the_workload), CASE(instrumented_command), CASE(stops_were_forgotten))

#else

static void
steps(void)
{
	test_skip("programs are stepped on x86-64 only");
}

TEST_MAIN(CASE(steps))

#endif
