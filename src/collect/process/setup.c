#include "collect/process/setup.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "core/spec/spec.h"

static int
open_as(const char *path, int flags, int as)
{
	int fd = open(path, flags | O_CLOEXEC, 0666);

	if (fd == as) /* hecate was started without this descriptor */
		return fcntl(fd, F_SETFD, 0) < 0 ? errno : 0;
	return fd < 0 || dup2(fd, as) < 0 ? errno : 0;
}

static int
apply_cores(const struct spec_numbers *numbers)
{
	size_t all = (size_t)numbers->at[numbers->n - 1] + 1, size = CPU_ALLOC_SIZE(all);
	cpu_set_t *set = CPU_ALLOC(all);
	int error;

	if (!set)
		return ENOMEM;
	CPU_ZERO_S(size, set);
	for (size_t i = 0; i < numbers->n; i++)
		CPU_SET_S((size_t)numbers->at[i], size, set);
	error = sched_setaffinity(0, size, set) == 0 ? 0 : errno;
	CPU_FREE(set);
	return error;
}

static int
policy_of(enum spec_memory m)
{
	switch (m) {
	case SPEC_MEMORY_ANY:
		return MPOL_DEFAULT;
	case SPEC_MEMORY_BIND:
		return MPOL_BIND;
	case SPEC_MEMORY_PREFER:
		return MPOL_PREFERRED;
	case SPEC_MEMORY_INTERLEAVE:
		return MPOL_INTERLEAVE;
	}
	return MPOL_DEFAULT;
}

static int
apply_memory(const struct spec_program *program)
{
	size_t bits = 8 * sizeof(unsigned long), words = (size_t)program->nodes.at[program->nodes.n - 1] / bits + 1;
	unsigned long *mask = mem_new_array(words, sizeof *mask);
	int error;

	for (size_t i = 0; i < program->nodes.n; i++)
		mask[(size_t)program->nodes.at[i] / bits] |= 1ul << ((size_t)program->nodes.at[i] % bits);
	/* the kernel reads one bit less than it is given */
	error = syscall(SYS_set_mempolicy, policy_of(program->memory), mask, words * bits + 1) == 0 ? 0 : errno;
	free(mask);
	return error;
}

int
setup_apply(const struct spec_program *program, enum setup_step *step)
{
	int error = 0;

	*step = SETUP_INPUT;
	if (program->input)
		error = open_as(program->input, O_RDONLY, STDIN_FILENO);
	if (!error && program->output) {
		*step = SETUP_OUTPUT;
		error = open_as(program->output, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
	}
	if (!error && program->errors) {
		*step = SETUP_ERRORS;
		error = open_as(program->errors, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
	}
	for (size_t i = 0; i < program->n_set && !error; i++) {
		*step = SETUP_ENVIRONMENT;
		error = setenv(program->set[i].name, program->set[i].value, 1) == 0 ? 0 : errno;
	}
	if (!error && program->cores.n) {
		*step = SETUP_CORES;
		error = apply_cores(&program->cores);
	}
	if (!error && program->nodes.n) {
		*step = SETUP_MEMORY;
		error = apply_memory(program);
	}
	if (!error && program->folder) {
		*step = SETUP_FOLDER;
		error = chdir(program->folder) == 0 ? 0 : errno;
	}
	return error;
}

bool
setup_explain(const struct spec_program *program, enum setup_step step, int error, struct err *e)
{
	const char *why = strerror(error);

	switch (step) {
	case SETUP_COMMAND:
		return err_set(e, "program %.60s cannot be started: %s", program->name, why);
	case SETUP_INPUT:
		return err_set(e, "program %.60s: its input %.200s: %s", program->name, program->input, why);
	case SETUP_OUTPUT:
		return err_set(e, "program %.60s: its output %.200s: %s", program->name, program->output, why);
	case SETUP_ERRORS:
		return err_set(e, "program %.60s: its errors %.200s: %s", program->name, program->errors, why);
	case SETUP_FOLDER:
		return err_set(e, "program %.60s: its folder %.200s: %s", program->name, program->folder, why);
	case SETUP_ENVIRONMENT:
		return err_set(e, "program %.60s: its environment: %s", program->name, why);
	case SETUP_CORES:
		err_set(e, "program %.60s cannot be put on its cores: %s", program->name, why);
		return err_hint(e,
			error == EINVAL
				? "a container or cpuset may leave out some that the machine has: taskset -pc $$"
				: "see sched_setaffinity(2)");
	case SETUP_MEMORY:
		err_set(e, "program %.60s cannot have its memory from its nodes: %s", program->name, why);
		return err_hint(e, error == ENOSYS  ? "this kernel knows no memory nodes"
		                   : error == EPERM ? "a container's seccomp filter may forbid set_mempolicy(2)"
			: "nodes with memory: cat /sys/devices/system/node/has_memory");
	}
	return false;
}
