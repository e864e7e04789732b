/* Instrumented counts: classes of instructions, what tools print, and programs of which every instruction is known. */
#include "collect/workload/instrument.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "collect/workload/instrument_lines.h"
#include "collect/workload/x86_code.h"
#include "made_program.h"
#include "test.h"

static void
classes_of_x86(void)
{
	enum { REP = 1, BRANCH = 2, CONDITIONAL = 4, SYSCALL = 8, TRAP = 16, BYTE = 32 };
	static const struct {
		const char *what;
		unsigned char byte[6];
		size_t n;
		unsigned wide, narrow; /* the class in 64-bit and in 32-bit mode */
	} row[] = {
		{"rep movsb", {0xf3, 0xa4}, 2, REP, REP},
		{"rep movsq", {0xf3, 0x48, 0xa5}, 3, REP, 0},
		{"movsb without a prefix", {0xa4}, 1, 0, 0},
		{"repne scasb", {0xf2, 0xae}, 2, REP, REP},
		{"addr32 rep stosw", {0x67, 0x66, 0xf3, 0xab}, 4, REP, REP},
		{"rep insb", {0xf3, 0x6c}, 2, REP, REP},
		{"test al, which lies between strings", {0xf3, 0xa8, 0x01}, 3, 0, 0},
		{"endbr64", {0xf3, 0x0f, 0x1e, 0xfa}, 4, 0, 0},
		{"pause", {0xf3, 0x90}, 2, 0, 0},
		{"rep ret", {0xf3, 0xc3}, 2, BRANCH, BRANCH},
		{"jne near", {0x0f, 0x85, 0, 0, 0, 0}, 6, BRANCH | CONDITIONAL, BRANCH | CONDITIONAL},
		{"jne short", {0x75, 0xfe}, 2, BRANCH | CONDITIONAL, BRANCH | CONDITIONAL},
		{"loop", {0xe2, 0xfe}, 2, BRANCH | CONDITIONAL, BRANCH | CONDITIONAL},
		{"jrcxz", {0xe3, 0xfe}, 2, BRANCH | CONDITIONAL, BRANCH | CONDITIONAL},
		{"sete, next to jne near", {0x0f, 0x94, 0xc0}, 3, 0, 0},
		{"call", {0xe8, 0, 0, 0, 0}, 5, BRANCH, BRANCH},
		{"notrack jmp *%rax", {0x3e, 0xff, 0xe0}, 3, BRANCH, BRANCH},
		{"call *(%rax)", {0xff, 0x10}, 2, BRANCH, BRANCH},
		{"push (%rax), of the same group", {0xff, 0x30}, 2, 0, 0},
		{"incl (%rax), of the same group", {0xff, 0x00}, 2, 0, 0},
		{"syscall", {0x0f, 0x05}, 2, SYSCALL, SYSCALL},
		{"int 0x80", {0xcd, 0x80}, 2, SYSCALL, SYSCALL},
		{"int3", {0xcc}, 1, TRAP, TRAP},
		{"cpuid", {0x0f, 0xa2}, 2, 2 * BYTE, 2 * BYTE},
		{"rdtsc", {0x0f, 0x31}, 2, 2 * BYTE, 2 * BYTE},
		{"rdpmc with a prefix", {0x66, 0x0f, 0x33}, 3, 3 * BYTE, 3 * BYTE},
		{"rdtscp", {0x0f, 0x01, 0xf9}, 3, 3 * BYTE, 3 * BYTE},
		{"xgetbv", {0x0f, 0x01, 0xd0}, 3, 3 * BYTE, 3 * BYTE},
		{"sgdt (%rax), next to rdtscp", {0x0f, 0x01, 0x00}, 3, 0, 0},
		{"a prefix and no more", {0xf3}, 1, 0, 0},
		{"nothing", {0}, 0, 0, 0},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		for (int wide = 0; wide < 2; wide++) {
			struct x86_code c = x86_code_of(row[i].byte, row[i].n, wide);
			unsigned got = (c.rep ? REP : 0) | (c.branch ? BRANCH : 0) | (c.conditional ? CONDITIONAL : 0) |
				(c.syscall ? SYSCALL : 0) | (c.trap ? TRAP : 0) | c.emulated * BYTE;

			test_label("%s, %d bits", row[i].what, wide ? 64 : 32);
			CHECK_INT(got, wide ? row[i].wide : row[i].narrow);
		}
}

static struct instrument_result
counted_lines(enum instrument_method m, enum instrument_code kind, const char *text)
{
	struct instrument_lines *l = instrument_lines_new(m, kind);
	struct instrument_result r = {0};

	for (const char *end; (end = strchr(text, '\n')); text = end + 1)
		instrument_lines_take(l, text, (size_t)(end - text));
	instrument_lines_result(l, &r);
	instrument_lines_free(l);
	return r;
}

static void
check_count(const struct instrument_result *r, enum instrument_event ev, uint64_t raw, uint64_t extra)
{
	test_label("%s", instrument_event_name(ev));
	CHECK(r->count[ev].known);
	CHECK_INT(r->count[ev].raw, raw);
	CHECK_INT(r->count[ev].extra, extra);
}

/* A rep of three iterations and its last check; a jump to itself, three times; inc (mem); the same load twice in a
 * loop of two instructions. */
static void
lines_of_valgrind(void)
{
	struct instrument_result r = counted_lines(INSTRUMENT_VALGRIND, INSTRUMENT_CODE_X86_64,
		"==7== Lackey, an example Valgrind tool\n"
		"I  00401000,2\n L 1000,1\n S 2000,1\nI  00401000,2\n L 1001,1\n S 2001,1\nI  00401000,2\n L 1002,1\n"
		" S 2002,1\nI  00401000,2\n"
		"I  00401002,2\nI  00401002,2\nI  00401002,2\n"
		"I  00401004,3\n M 3000,4\n"
		"I  00401007,3\n L 3000,8\nI  0040100a,2\nI  00401007,3\n L 3000,8\nI  0040100a,2\n==7== \n");

	check_count(&r, INSTRUMENT_INSTRUCTIONS, 12, 3);
	check_count(&r, INSTRUMENT_LOADS, 6, 2);
	check_count(&r, INSTRUMENT_STORES, 4, 2);
	CHECK_INT(r.reps, 1);
	CHECK(!r.count[INSTRUMENT_BRANCHES].known);
	r = counted_lines(INSTRUMENT_VALGRIND, INSTRUMENT_CODE_X86_64,
		"vex amd64->IR: unhandled instruction bytes: 0x62 0xF1 0x7C 0x48 0x28 0x0 0x0 0x0 0x0 0xF\n");
	CHECK(!r.count[INSTRUMENT_INSTRUCTIONS].known);
	CHECK(str_starts(r.unknown, "0x62 0xF1"));
}

#define BLOCK(pc) "Trace 0: 0x7f00 [0000000000000000/00000000004010" pc "/1040c0b3/00000201] \n"
#define OTHER_BLOCK(pc) "Trace 1: 0x7f00 [0000000000000000/00000000004010" pc "/1040c0b3/00000201] \n"

static void
lines_of_qemu(void)
{
	static const char code[] = "----------------\nIN: \n"
		"0x00401000:  f3 a4                    rep movsb\n\n"
		"0x00401002:  75 fc                    jne      0x401000\n"
		"0x00401004:  0f 05                    syscall  \n";
	char *text = str_format("%s" BLOCK("00") BLOCK("00") OTHER_BLOCK("00") BLOCK("00") BLOCK("02") BLOCK("00")
		BLOCK("02") BLOCK("04") "%s", code, "");
	struct instrument_result r = counted_lines(INSTRUMENT_QEMU, INSTRUMENT_CODE_X86_64, text);

	check_count(&r, INSTRUMENT_INSTRUCTIONS, 8, 2);
	check_count(&r, INSTRUMENT_BRANCHES, 2, 0);
	check_count(&r, INSTRUMENT_CONDITIONAL, 2, 0);
	CHECK_INT(r.reps, 3);
	CHECK_INT(r.threads, 1);
	CHECK(!r.count[INSTRUMENT_LOADS].known);
	free(text);
	/* a block that a signal kept from running is not counted */
	text = str_format("%s" BLOCK("00") BLOCK("02") "Stopped execution of TB chain before 0x7f00 [00] \n", code);
	r = counted_lines(INSTRUMENT_QEMU, INSTRUMENT_CODE_X86_64, text);
	check_count(&r, INSTRUMENT_INSTRUCTIONS, 1, 0);
	check_count(&r, INSTRUMENT_CONDITIONAL, 0, 0);
	/* of a foreign processor, or without the code, branches are not known */
	r = counted_lines(INSTRUMENT_QEMU, INSTRUMENT_CODE_OTHER, text);
	CHECK(r.count[INSTRUMENT_INSTRUCTIONS].known && !r.count[INSTRUMENT_BRANCHES].known);
	r = counted_lines(INSTRUMENT_QEMU, INSTRUMENT_CODE_X86_64, BLOCK("00"));
	CHECK(r.count[INSTRUMENT_INSTRUCTIONS].known && !r.count[INSTRUMENT_CONDITIONAL].known);
	free(text);
}

static bool
never(void)
{
	return false;
}

static bool
run_made(enum instrument_method m, char *program, bool (*interrupted)(void), struct instrument_result *r, struct err *e)
{
	char *argv[] = {program, NULL};
	struct instrument_conditions c;
	sigset_t none;
	bool good;

	sigemptyset(&none);
	instrument_conditions_begin(&c);
	good = instrument_run(m, &(struct instrument_request){.argv = argv, .during = &none,
		.interrupted = interrupted, .seconds = 60}, r, e);
	instrument_conditions_end(&c);
	return good;
}

static bool
is_installed(enum instrument_method m)
{
	static const char *const tool[] = {
		[INSTRUMENT_STEP] = "sh", [INSTRUMENT_VALGRIND] = "valgrind", [INSTRUMENT_QEMU] = "qemu-x86_64"};
	struct err e;
	char *path = instrument_find(tool[m], &e);
	bool is = path != NULL;

	free(path);
	if (!is)
		test_skip("%s is not installed", m == INSTRUMENT_QEMU ? "qemu-user" : tool[m]);
	return is;
}

/* Runs made_strings() with two lengths. Corrected counts are those of made_program.h whatever the length; raw counts
 * exceed them by the iterations that the method meets. */
static void
check_strings(enum instrument_method m, uint64_t last_check)
{
	static const struct {
		unsigned loop, bytes;
	} row[] = {{100, 777}, {7, 1}};
	char *folder, *text, *program;

	if (!is_installed(m))
		return;
	folder = made_folder();
	program = str_format("%s/strings", folder);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const unsigned loop = row[i].loop, bytes = row[i].bytes;
		/* movsb beyond its first iteration, 9 of scasb, which ends by what it finds */
		const uint64_t extra = bytes - 1 + 9 + last_check;
		struct instrument_result r;
		struct err e = {0};
		bool made;

		text = made_strings(loop, bytes);
		made = made_program(folder, "strings", text);
		free(text);
		if (!made)
			break;
		if (!CHECK(run_made(m, program, never, &r, &e)))
			printf("# %s\n", e.what);
		test_label("%u bytes", bytes);
		CHECK(r.ended && !r.cut && r.status == 0);
		check_count(&r, INSTRUMENT_INSTRUCTIONS, 2 * loop + 17 + extra, extra);
		if (instrument_knows(m, INSTRUMENT_BRANCHES)) {
			check_count(&r, INSTRUMENT_BRANCHES, loop + 3, 0);
			check_count(&r, INSTRUMENT_CONDITIONAL, loop, 0);
			CHECK_INT(r.reps, 3);
		}
		if (instrument_knows(m, INSTRUMENT_LOADS)) {
			check_count(&r, INSTRUMENT_LOADS, 3 + bytes - 1 + 9, bytes - 1 + 9);
			check_count(&r, INSTRUMENT_STORES, 2 + bytes - 1, bytes - 1);
		}
	}
	free(program);
	made_folder_remove(folder);
}

static void
strings_by_steps(void)
{
	check_strings(INSTRUMENT_STEP, 0);
}

static void
strings_by_valgrind(void)
{
	check_strings(INSTRUMENT_VALGRIND, 1);
}

static void
strings_by_qemu(void)
{
	check_strings(INSTRUMENT_QEMU, 0);
}

/* A handler of SIGUSR1 runs twice: 3 instructions each, with the restorer. Then a load from address 0 kills. */
static const char signals_text[] =
	"\t.globl _start\n_start:\n"
	"\tmov $13, %eax\n\tmov $10, %edi\n\tlea act(%rip), %rsi\n\txor %edx, %edx\n\tmov $8, %r10d\n\tsyscall\n"
	"\tmov $39, %eax\n\tsyscall\n\tmov %eax, %r12d\n\tmov $2, %ebx\n"
	"1:\tmov %r12d, %edi\n\tmov $10, %esi\n\tmov $62, %eax\n\tsyscall\n\tdec %ebx\n\tjnz 1b\n"
	"\tmov 0, %rax\n\tnop\n"
	"handler:\tret\nrestore:\tmov $15, %eax\n\tsyscall\n"
	"\t.data\nact:\t.quad handler, 0x04000000, restore, 0\n";

static void
signals_by_steps(void)
{
	char *folder = made_folder(), *program = str_format("%s/signals", folder);
	struct instrument_result r;
	struct err e = {0};

	if (made_program(folder, "signals", signals_text)) {
		CHECK(run_made(INSTRUMENT_STEP, program, never, &r, &e));
		/* 6 + 4, two rounds of 6 with 3 in the handler; the load does not retire */
		check_count(&r, INSTRUMENT_INSTRUCTIONS, 10 + 2 * (6 + 3), 0);
		check_count(&r, INSTRUMENT_BRANCHES, 2 + 2, 0);
		CHECK(r.ended && WIFSIGNALED(r.status) && WTERMSIG(r.status) == SIGSEGV);
	}
	free(program);
	made_folder_remove(folder);
}

static const char *mark;
static bool
when_marked(void)
{
	return access(mark, F_OK) == 0;
}

/* The program makes a file, then loops for ever. When the file is there, a signal comes: what was counted is kept.
 * valgrind, which is stopped as qemu is, takes a second to obey SIGTERM and is left out. */
static void
cut_midway(void)
{
	char *folder = made_folder(), *program = str_format("%s/endless", folder);
	char *file = str_format("%s/mark", folder);
	char *text = str_format("\t.globl _start\n_start:\n\tmov $2, %%eax\n\tlea name(%%rip), %%rdi\n"
		"\tmov $0x41, %%esi\n\tmov $0600, %%edx\n\tsyscall\n1:\tdec %%eax\n\tjmp 1b\n"
		"\t.data\nname:\t.asciz \"%s\"\n", file);

	mark = file;
	if (made_program(folder, "endless", text))
		for (int m = 0; m < INSTRUMENT_METHODS; m++) {
			struct instrument_result r;
			struct err e = {0};

			if (m == INSTRUMENT_VALGRIND)
				continue;
			test_label("%s", instrument_method_name((enum instrument_method)m));
			if (m != INSTRUMENT_STEP && !is_installed((enum instrument_method)m))
				break;
			if (!CHECK(run_made((enum instrument_method)m, program, when_marked, &r, &e)))
				printf("# %s\n", e.what);
			CHECK(r.cut);
			CHECK(r.count[INSTRUMENT_INSTRUCTIONS].known && r.count[INSTRUMENT_INSTRUCTIONS].raw >= 5);
			unlink(file);
		}
	free(text);
	free(file);
	free(program);
	made_folder_remove(folder);
}

static void
what_cannot_be_run(void)
{
	char *folder = made_folder(), *program = str_format("%s/special", folder);
	struct instrument_result r;
	struct err e = {0};
	char *text = made_strings(1, 1), missing[] = "/no/such/program";

	for (int m = 0; m < INSTRUMENT_METHODS; m++) {
		CHECK(!run_made((enum instrument_method)m, missing, never, &r, &e));
		CHECK(strstr(e.what, missing) != NULL);
	}
	if (made_program(folder, "special", text)) {
		CHECK_INT(chmod(program, 04755), 0);
		for (int m = 0; m < INSTRUMENT_METHODS; m++) {
			CHECK(!run_made((enum instrument_method)m, program, never, &r, &e));
			CHECK(strstr(e.what, "set-user-ID") != NULL);
		}
		CHECK_INT(chmod(program, 0644), 0);
		CHECK(!run_made(INSTRUMENT_STEP, program, never, &r, &e));
	}
	free(text);
	free(program);
	made_folder_remove(folder);
}

static void
conditions_are_restored(void)
{
	struct instrument_conditions c;

	setenv("HECATE_TEST_STRANGER", "1", 1);
	instrument_conditions_begin(&c);
	CHECK(getenv("HECATE_TEST_STRANGER") == NULL);
	CHECK_STR(getenv("LC_ALL"), "C");
	CHECK(getenv("PATH") != NULL);
	instrument_conditions_end(&c);
	CHECK_STR(getenv("HECATE_TEST_STRANGER"), "1");
	unsetenv("HECATE_TEST_STRANGER");
}

TEST_MAIN(CASE(classes_of_x86), CASE(lines_of_valgrind), CASE(lines_of_qemu), CASE(strings_by_steps),
	CASE(strings_by_valgrind), CASE(strings_by_qemu), CASE(signals_by_steps), CASE(cut_midway),
	CASE(what_cannot_be_run), CASE(conditions_are_restored))
