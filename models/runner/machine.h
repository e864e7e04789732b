/* What differs between machines: counters, and how to write, end and get memory. There is no C library: a program runs
 * on Linux, in gem5's syscall emulation and on spike's proxy kernel alike, and with -DBARE without any system. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdint.h>

#if defined BARE && !defined __riscv && !defined __aarch64__
#error "BARE is for RISC-V and AArch64"
#endif

enum counter { COUNTER_CYCLES, COUNTER_TIME };

#if defined __riscv

#define CYCLES_NAME "rdcycle"
#define TIME_NAME "rdtime"
#define CYCLES_ARE_CYCLES 1

static inline uint64_t
counter_read(enum counter which)
{
	uint64_t v;

	if (which == COUNTER_CYCLES)
		__asm__ volatile("fence\n\trdcycle %0" : "=r"(v) : : "memory");
	else
		__asm__ volatile("fence\n\trdtime %0" : "=r"(v) : : "memory");
	return v;
}

#define ADD_ONE "addi %0, %0, 1\n\t"
enum { SYS_WRITE = 64, SYS_EXIT = 93, SYS_CLONE = 220, SYS_MMAP = 222, SYS_MADVISE = 233, SYS_WAIT4 = 260,
	SYS_PRCTL = 167 };

static inline long
system_call(long n, long a, long b, long c, long d, long e, long f)
{
	register long a7 __asm__("a7") = n, a0 __asm__("a0") = a, a1 __asm__("a1") = b, a2 __asm__("a2") = c,
		a3 __asm__("a3") = d, a4 __asm__("a4") = e, a5 __asm__("a5") = f;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5) : "memory");
	return a0;
}

#ifndef BARE
__asm__(".globl _start\n_start:\n\t.option push\n\t.option norelax\n\tla gp, __global_pointer$\n\t.option pop\n"
	"\tmv a0, sp\n\tandi sp, sp, -16\n\tcall runner_start\n");
#endif

#elif defined __aarch64__

#define CYCLES_NAME "PMCCNTR_EL0"
#define TIME_NAME "CNTVCT_EL0"
#define CYCLES_ARE_CYCLES 1

static inline uint64_t
counter_read(enum counter which)
{
	uint64_t v;

	if (which == COUNTER_CYCLES)
		__asm__ volatile("isb\n\tmrs %0, pmccntr_el0" : "=r"(v) : : "memory");
	else
		__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(v) : : "memory");
	return v;
}

#define ADD_ONE "add %0, %0, #1\n\t"
enum { SYS_WRITE = 64, SYS_EXIT = 93, SYS_CLONE = 220, SYS_MMAP = 222, SYS_MADVISE = 233, SYS_WAIT4 = 260,
	SYS_PRCTL = 167 };

static inline long
system_call(long n, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = n, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c,
		x3 __asm__("x3") = d, x4 __asm__("x4") = e, x5 __asm__("x5") = f;

	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
	return x0;
}

#ifndef BARE
__asm__(".globl _start\n_start:\n\tmov x0, sp\n\tbl runner_start\n");
#endif

#elif defined __x86_64__

#define CYCLES_NAME "rdtsc"
#define TIME_NAME "rdtsc"
#define CYCLES_ARE_CYCLES 0 /* the time stamp counter runs at a rate of its own */

static inline uint64_t
counter_read(enum counter which)
{
	uint32_t low, high;

	(void)which;
	__asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

#define ADD_ONE "add $1, %0\n\t"
enum { SYS_WRITE = 1, SYS_EXIT = 60, SYS_CLONE = 56, SYS_MMAP = 9, SYS_MADVISE = 28, SYS_WAIT4 = 61, SYS_PRCTL = 157 };

static inline long
system_call(long n, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;

	__asm__ volatile("syscall" : "+a"(n) : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) :
		"rcx", "r11", "memory");
	return n;
}

__asm__(".globl _start\n_start:\n\tmov %rsp, %rdi\n\tand $-16, %rsp\n\tcall runner_start\n");

#else
#error "no instruction set that hecate exports probes for"
#endif

#ifndef BARE

static inline void
machine_write(int fd, const char *text, uint64_t n)
{
	while (n) {
		long some = system_call(SYS_WRITE, fd, (long)text, (long)n, 0, 0, 0);

		if (some <= 0)
			system_call(SYS_EXIT, 2, 0, 0, 0, 0, 0);
		text += some;
		n -= (uint64_t)some;
	}
}

static inline void __attribute__((noreturn))
machine_end(int status)
{
	for (;;)
		system_call(SYS_EXIT, status, 0, 0, 0, 0, 0);
}

/* Memory of zeros, in huge pages where the system has them and they are wanted. 0: there is not so much. */
static inline void *
machine_memory(uint64_t bytes, int huge)
{
	enum { READ_WRITE = 3, PRIVATE_ANONYMOUS = 0x22, HUGE = 14, NO_HUGE = 15, HUGE_PAGE = 1 << 21 };
	long at = system_call(SYS_MMAP, 0, (long)(bytes + HUGE_PAGE), READ_WRITE, PRIVATE_ANONYMOUS, -1, 0);

	if (at <= 0 && at > -4096)
		return 0;
	at = (at + HUGE_PAGE - 1) & -(long)HUGE_PAGE;
	system_call(SYS_MADVISE, at, (long)bytes, huge ? HUGE : NO_HUGE, 0, 0, 0);
	return (void *)at;
}

static inline int
counter_moves(enum counter which)
{
	uint64_t before = counter_read(which);

	for (volatile int i = 0; i < 10000; i++)
		;
	return counter_read(which) != before;
}

/* Whether a program may read the counter: where it may not, a child process gets a signal. */
static inline int
machine_counts(enum counter which)
{
	enum { SIGCHLD = 17, SET_DUMPABLE = 4 };
	int status = 0;
	long child = system_call(SYS_CLONE, SIGCHLD, 0, 0, 0, 0, 0);

	if (child < 0)
		return counter_moves(which); /* a simulator without processes */
	if (child == 0) {
		system_call(SYS_PRCTL, SET_DUMPABLE, 0, 0, 0, 0, 0); /* no core file */
		machine_end(!counter_moves(which));
	}
	return system_call(SYS_WAIT4, child, (long)&status, 0, 0, 0, 0) == child && status == 0;
}

#else

/* Without a system: bare.s has where a program begins. */
extern char memory_begin[], memory_end[];

#ifdef __riscv

/* The host interface (HTIF) of spike, of Verilator and FireSim with Rocket or BOOM, and of qemu-system-riscv64
 * -M spike. */
extern volatile uint64_t tohost, fromhost;

static inline void
machine_write(int fd, const char *text, uint64_t n)
{
	(void)fd;
	for (uint64_t i = 0; i < n; i++) {
		while (tohost)
			fromhost = 0;
		tohost = UINT64_C(0x0101) << 48 | (unsigned char)text[i];
	}
}

static inline void __attribute__((noreturn))
machine_end(int status)
{
	while (tohost)
		fromhost = 0;
	for (;;)
		tohost = (uint64_t)status << 1 | 1;
}

static inline int
machine_counts(enum counter which)
{
	(void)which;
	return 1;
}

#else

/* Semihosting of Arm: of qemu-system-aarch64, Arm's models, gem5, and debuggers. */
static inline uint64_t
semihosting(uint64_t n, const uint64_t *what)
{
	register uint64_t x0 __asm__("x0") = n;
	register const uint64_t *x1 __asm__("x1") = what;

	__asm__ volatile("hlt #0xf000" : "+r"(x0) : "r"(x1) : "memory");
	return x0;
}

static inline void __attribute__((noreturn))
machine_end(int status)
{
	enum { EXIT = 0x18, APPLICATION_EXIT = 0x20026 };
	const uint64_t why[] = {APPLICATION_EXIT, (uint64_t)status};

	for (;;)
		semihosting(EXIT, why);
}

static inline void
machine_write(int fd, const char *text, uint64_t n)
{
	enum { OPEN = 1, WRITE = 5, STANDARD_OUTPUT = 4, STANDARD_ERROR = 8, NONE = -1 };
	static uint64_t handle[3]; /* 0: not open so far */
	const uint64_t terminal[] = {(uint64_t)":tt", fd == 1 ? STANDARD_OUTPUT : STANDARD_ERROR, 3};

	if (!handle[fd])
		handle[fd] = semihosting(OPEN, terminal);
	if ((int)handle[fd] == NONE || semihosting(WRITE, (const uint64_t[]){handle[fd], (uint64_t)text, n}))
		machine_end(2);
}

/* The cycle counter runs if the core has one; the other one always does. */
static inline int
machine_counts(enum counter which)
{
	uint64_t features, version;

	__asm__ volatile("mrs %0, id_aa64dfr0_el1" : "=r"(features));
	version = features >> 8 & 15;
	return which == COUNTER_TIME || (version != 0 && version != 15);
}

#endif

static inline void *
machine_memory(uint64_t bytes, int huge)
{
	static char *next = memory_begin;
	char *at = next;

	(void)huge;
	if (bytes > (uint64_t)(memory_end - next))
		return 0;
	next += (bytes + 4095) & ~UINT64_C(4095);
	return at;
}

#endif

#endif
