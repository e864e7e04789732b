#include "collect/workload/instrument.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"

static const struct {
	const char *name, *about;
	bool knows[INSTRUMENT_EVENTS]; /* instructions, branches, conditional branches, loads, stores */
} methods[INSTRUMENT_METHODS] = {
	[INSTRUMENT_STEP] = {"step", "single steps by ptrace(2): a step for each iteration of a rep, at least one",
		{1, 1, 1, 0, 0}},
	[INSTRUMENT_VALGRIND] = {"valgrind", "valgrind's lackey: an instruction for each iteration of a rep, and "
		"one for the check that ends it", {1, 0, 0, 1, 1}},
	[INSTRUMENT_QEMU] = {"qemu", "qemu-user, one instruction a block: a block for each iteration of a rep, at "
		"least one", {1, 1, 1, 0, 0}},
};

static const char *const event_names[INSTRUMENT_EVENTS] = {
	"instructions", "branches", "conditional-branches", "loads", "stores"};

const char *
instrument_method_name(enum instrument_method m)
{
	return methods[m].name;
}

const char *
instrument_method_about(enum instrument_method m)
{
	return methods[m].about;
}

const char *
instrument_event_name(enum instrument_event ev)
{
	return event_names[ev];
}

bool
instrument_knows(enum instrument_method m, enum instrument_event ev)
{
	return methods[m].knows[ev];
}

static bool
is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

char *
instrument_find(const char *program, struct err *e)
{
	const char *path = getenv("PATH");
	char **folder, *found = NULL;

	if (strchr(program, '/')) {
		if (is_program(program))
			return mem_str(program);
		err_set(e, "%s: %s", program, access(program, F_OK) == 0 ? "not a program" : strerror(errno));
		return NULL;
	}
	folder = str_split(path ? path : "/bin:/usr/bin", ':', NULL);
	for (size_t i = 0; folder[i] && !found; i++) {
		found = str_format("%s/%s", *folder[i] ? folder[i] : ".", program);
		if (!is_program(found)) {
			free(found);
			found = NULL;
		}
	}
	str_split_free(folder);
	if (!found) {
		err_set(e, "%s: command not found", program);
		err_hint(e, "it is in no directory of PATH; write ./%s for one in this folder", program);
	}
	return found;
}

/* elf(5): 4 bytes of magic number, the class, the order of bytes, and at 18 the machine. */
bool
instrument_look(const char *path, struct instrument_file *out, struct err *e)
{
	unsigned char head[20] = {0};
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	ssize_t n;

	*out = (struct instrument_file){0};
	if (fd < 0 || fstat(fd, &st) != 0) {
		err_set(e, "cannot read %s: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return err_hint(e, "instrumentation needs to read the program");
	}
	n = read(fd, head, sizeof head);
	out->privileged = (st.st_mode & S_ISUID) || ((st.st_mode & S_ISGID) && (st.st_mode & S_IXGRP)) ||
		fgetxattr(fd, "security.capability", NULL, 0) > 0;
	close(fd);
	out->elf = n == (ssize_t)sizeof head && memcmp(head, "\177ELF", 4) == 0;
	if (out->elf) {
		out->bits = head[4] == 1 ? 32 : 64;
		out->machine = head[5] == 2 ? (unsigned)head[18] << 8 | head[19] : (unsigned)head[19] << 8 | head[18];
	}
	return true;
}

bool
instrument_run(enum instrument_method m, const struct instrument_request *request, struct instrument_result *out,
	struct err *e)
{
	struct instrument_file file;
	char *path = instrument_find(request->argv[0], e);
	bool good = path && instrument_look(path, &file, e);

	*out = (struct instrument_result){0};
	if (good && file.privileged) {
		good = err_set(e, "%s runs with rights of its own (set-user-ID, or capabilities)", path);
		err_hint(e, "instrumented, it would lose them and do something else; copy it to lose them in all runs");
	}
	free(path);
	if (!good)
		return false;
	return m == INSTRUMENT_STEP ? instrument_step(request, out, e) : instrument_tool(m, request, out, e);
}

/* Variables without which commands are not found or do not start; all others are left out. */
static const char *const kept[] = {"PATH", "HOME", "LD_LIBRARY_PATH"};
#define N_KEPT (sizeof kept / sizeof *kept)

static char **
fixed_environment(void)
{
	char **env = mem_new_array(N_KEPT + 3, sizeof *env);
	size_t n = 0;

	for (size_t i = 0; i < N_KEPT; i++) {
		const char *value = getenv(kept[i]);

		if (value)
			env[n++] = str_format("%s=%s", kept[i], value);
	}
	env[n++] = mem_str("LC_ALL=C");
	env[n] = mem_str("TZ=UTC");
	return env;
}

/* Pins this process to the last CPU that it may use: the first one often serves interrupts. */
static void
pin(struct instrument_conditions *conditions)
{
	cpu_set_t one, *all = mem_new(sizeof *all);

	conditions->cpu = -1;
	conditions->affinity = all;
	if (sched_getaffinity(0, sizeof *all, all) != 0)
		return;
	for (unsigned i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, all))
			conditions->cpu = (int)i;
	CPU_ZERO(&one);
	if (conditions->cpu >= 0)
		CPU_SET((unsigned)conditions->cpu, &one);
	if (conditions->cpu < 0 || sched_setaffinity(0, sizeof one, &one) != 0)
		conditions->cpu = -1;
}

void
instrument_conditions_begin(struct instrument_conditions *c)
{
	int now = personality(0xffffffff);

	*c = (struct instrument_conditions){.personality = (unsigned long)now};
	c->fixed_addresses = now != -1 && personality((unsigned long)now | ADDR_NO_RANDOMIZE) != -1;
	pin(c);
	c->own = fixed_environment();
	c->environment = environ;
	environ = c->own;
}

void
instrument_conditions_end(struct instrument_conditions *conditions)
{
	if (conditions->fixed_addresses)
		personality(conditions->personality);
	if (conditions->cpu >= 0)
		sched_setaffinity(0, sizeof(cpu_set_t), conditions->affinity);
	if (conditions->own) {
		environ = conditions->environment;
		for (size_t i = 0; conditions->own[i]; i++)
			free(conditions->own[i]);
	}
	free(conditions->own);
	free(conditions->affinity);
	*conditions = (struct instrument_conditions){.cpu = -1};
}
