#include "stepper.h"

#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "test.h"

static bool
find_symbols(const char *elf, const Elf64_Shdr *symbols, const char *names, const char *prefix, size_t n,
	uint64_t *address)
{
	size_t found = 0;
	for (size_t k = 0; k < symbols->sh_size / sizeof(Elf64_Sym); k++) {
		Elf64_Sym s;
		memcpy(&s, elf + symbols->sh_offset + k * sizeof s, sizeof s);
		uint64_t number = 0;
		const char *name = names + s.st_name;
		bool numbered = str_starts(name, prefix) && str_to_u64(name + strlen(prefix), &number);
		if (!numbered || number < 1 || number > n)
			continue;
		address[number - 1] = s.st_value;
		found++;
	}
	return test_check(found == n, __FILE__, __LINE__, "%zu symbols %s1 …, found %zu", n, prefix, found);
}

bool
step_symbols(const char *path, const char *prefix, size_t n, uint64_t *address)
{
	char *elf = NULL;
	size_t size = 0;
	FILE *f = fopen(path, "rb");
	if (f == NULL || fseek(f, 0, SEEK_END) != 0)
		return test_check(false, __FILE__, __LINE__, "%s can be read", path);
	size = (size_t)ftell(f);
	rewind(f);
	elf = malloc(size);
	size_t got = elf != NULL ? fread(elf, 1, size, f) : 0;
	fclose(f);
	bool ok = test_check(got == size && size > sizeof(Elf64_Ehdr), __FILE__, __LINE__, "%s is whole", path);
	Elf64_Ehdr head = {.e_shnum = 0};
	if (ok)
		memcpy(&head, elf, sizeof head);
	for (size_t k = 0; ok && k < head.e_shnum; k++) {
		Elf64_Shdr s, names;
		memcpy(&s, elf + head.e_shoff + k * sizeof s, sizeof s);
		if (s.sh_type != SHT_SYMTAB)
			continue;
		memcpy(&names, elf + head.e_shoff + s.sh_link * sizeof names, sizeof names);
		ok = find_symbols(elf, &s, elf + names.sh_offset, prefix, n, address);
	}
	free(elf);
	return ok;
}

#if defined(__x86_64__)

enum flow { FLOW_ON, FLOW_JUMP, FLOW_CONDITIONAL, FLOW_SYSCALL, FLOW_REP };

/* What an instruction does to the flow of control, and the length of a conditional branch. Intel SDM volume 2,
 * appendix A. */
static enum flow
decode(const unsigned char *code, unsigned *length)
{
	unsigned k = 0;
	bool rep = false;
	while (k < 8) {
		unsigned char c = code[k];
		if (c == 0xf2 || c == 0xf3)
			rep = true;
		else if (c != 0x66 && c != 0x67 && c != 0xf0 && c != 0x2e && c != 0x3e && (c & 0xf0) != 0x40)
			break;
		k++;
	}
	unsigned char c = code[k];
	if (rep && ((c >= 0xa4 && c <= 0xa7) || (c >= 0xaa && c <= 0xaf)))
		return FLOW_REP;
	*length = k + 2;
	if ((c >= 0x70 && c <= 0x7f) || (c >= 0xe0 && c <= 0xe3))
		return FLOW_CONDITIONAL;
	if (c == 0xe8 || c == 0xe9 || c == 0xeb || c == 0xc3 || c == 0xc2)
		return FLOW_JUMP;
	if (c == 0xff && ((code[k + 1] >> 3 & 7) == 2 || (code[k + 1] >> 3 & 7) == 4))
		return FLOW_JUMP;
	*length = k + 6;
	if (c == 0x0f && code[k + 1] >= 0x80 && code[k + 1] <= 0x8f)
		return FLOW_CONDITIONAL;
	return c == 0x0f && code[k + 1] == 0x05 ? FLOW_SYSCALL : FLOW_ON;
}

static void
count_step(struct steps *s, const unsigned char *code, uint64_t from, uint64_t to)
{
	unsigned length = 0;
	enum flow flow = decode(code, &length);
	if (flow == FLOW_REP) {
		s->elements++; /* a step is one element, and the last one goes on */
		s->instructions += to != from;
		return;
	}
	s->instructions++;
	s->branches += flow != FLOW_ON;
	s->conditional += flow == FLOW_CONDITIONAL;
	s->taken += flow == FLOW_JUMP || (flow == FLOW_CONDITIONAL && to != from + length);
	s->syscalls += flow == FLOW_SYSCALL;
}

/* The bytes of an instruction that a hypervisor may emulate: cpuid, rdtsc, rdtscp. 0: none of these. */
static unsigned
emulated_size(const unsigned char *code)
{
	if (code[0] != 0x0f)
		return 0;
	return code[1] == 0xa2 || code[1] == 0x31 ? 2 : code[1] == 0x01 && code[2] == 0xf9 ? 3 : 0;
}

/* Counts what one step executed: an instruction, or several where a hypervisor forgot the stop after an emulated one.
 * The address at which the step ended shows that. Returns how many stops were forgotten. */
static size_t
count_steps(struct steps *s, int memory, unsigned char *code, uint64_t from, uint64_t to)
{
	size_t forgotten = 0;
	for (unsigned size; (size = emulated_size(code)) != 0 && to != from + size; forgotten++) {
		count_step(s, code, from, from + size);
		from += size;
		if (pread(memory, code, 16, (off_t)from) <= 0)
			memset(code, 0x90, 16);
	}
	count_step(s, code, from, to);
	return forgotten;
}

static int64_t
faults_of(pid_t pid)
{
	char path[64], text[1024];
	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	FILE *f = fopen(path, "r");
	size_t n = f != NULL ? fread(text, 1, sizeof text - 1, f) : 0;
	if (f != NULL)
		fclose(f);
	text[n] = '\0';
	/* field 10 of proc(5), counted from the end of the name, which may have spaces */
	const char *s = strrchr(text, ')');
	for (int field = 2; s != NULL && field < 10; field++)
		s = strchr(s + 1, ' ');
	return s != NULL ? strtoll(s, NULL, 10) : 0;
}

static pid_t
start_traced(const char *path, const char *argument)
{
	pid_t pid = fork();
	if (pid == 0) {
		personality(ADDR_NO_RANDOMIZE);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execl(path, path, argument, (char *)NULL);
		_exit(127);
	}
	int status = 0;
	bool stopped = pid > 0 && waitpid(pid, &status, 0) == pid && WIFSTOPPED(status);
	return test_check(stopped, __FILE__, __LINE__, "%s is traced", path) ? pid : -1;
}

static uint64_t
place_of(pid_t pid)
{
	struct user_regs_struct r;
	return ptrace(PTRACE_GETREGS, pid, NULL, &r) == 0 ? r.rip : 0;
}

int
step_program(const char *path, const char *argument, const uint64_t *address, size_t n, struct steps *steps)
{
	memset(steps, 0, (n + 1) * sizeof *steps);
	pid_t pid = start_traced(path, argument);
	if (pid < 0)
		return -1;
	char memory[64];
	snprintf(memory, sizeof memory, "/proc/%d/mem", (int)pid);
	int fd = open(memory, O_RDONLY | O_CLOEXEC);
	uint64_t at = place_of(pid);
	size_t k = 0;
	int status = 0, sig = 0;
	int64_t faults = faults_of(pid);
	for (;;) {
		if (k < n && at == address[k]) {
			int64_t now = faults_of(pid);
			steps[k++].faults = now - faults;
			faults = now;
		}
		unsigned char code[16] = {0};
		/* a signal is delivered first: that step ends before the handler's first instruction */
		bool entering = sig != 0;
		ssize_t got = pread(fd, code, sizeof code, (off_t)at);
		if (got <= 0 || ptrace(PTRACE_SINGLESTEP, pid, NULL, sig) != 0 || waitpid(pid, &status, 0) != pid)
			break;
		if (!WIFSTOPPED(status)) {
			count_step(&steps[k], code, at, at + 2); /* the system call that ends it */
			break;
		}
		sig = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
		uint64_t to = place_of(pid);
		if (sig != 0)
			steps[k].exceptions++;
		else if (!entering)
			steps[k].forgotten += (int64_t)count_steps(&steps[k], fd, code, at, to);
		at = to;
	}
	close(fd);
	bool ended = WIFEXITED(status);
	if (!ended) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	test_check(ended, __FILE__, __LINE__, "%s ends (wait status %#x, at %#llx)", path, (unsigned)status,
		(unsigned long long)at);
	return ended ? WEXITSTATUS(status) : -1;
}

bool
step_possible(const char **why)
{
	pid_t pid = fork();
	if (pid == 0)
		_exit(ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 ? 0 : 1);
	int status = 1;
	bool can = pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
	*why = can ? "" : "ptrace is not permitted here";
	return can;
}

#else

int
step_program(const char *path, const char *argument, const uint64_t *address, size_t n, struct steps *steps)
{
	(void)path;
	(void)argument;
	(void)address;
	memset(steps, 0, (n + 1) * sizeof *steps);
	return -1;
}

bool
step_possible(const char **why)
{
	*why = "programs are stepped on x86-64 only";
	return false;
}

#endif
