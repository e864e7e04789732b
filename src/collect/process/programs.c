#include "collect/process/programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/number_list.h"
#include "collect/proc/files.h"
#include "collect/source.h"
#include "core/spec/spec.h"

#define LIST_MAX 4096 /* bytes of a list of CPUs or nodes in sysfs */

struct programs {
	const struct profile_spec *spec;
	struct program *program;
	struct child **child;
	size_t n;
	uint64_t begun_ns; /* 0: not yet */
	bool stopped;
	programs_begins *begins;
	void *ctx;
};

/* Returns a list of numbers in sysfs; an empty one where the file is missing, as in a kernel without memory nodes. */
static struct spec_numbers
read_list(const struct proc_roots *roots, const char *below)
{
	struct spec_numbers n = {0};
	char path[640], text[LIST_MAX];

	snprintf(path, sizeof path, "%s/devices/system/%s", roots->sysfs, below);
	if (proc_text_read(path, text, sizeof text))
		number_list_parse(text, true, 0, SPEC_NUMBER_MAX, &n.at, &n.n, NULL);
	return n;
}

bool
programs_fit(const struct profile_spec *spec, struct err *e)
{
	struct proc_roots roots;
	struct spec_numbers cores, nodes;
	bool good;

	proc_roots_find(&roots);
	cores = read_list(&roots, "cpu/online");
	nodes = read_list(&roots, "node/has_memory");
	good = spec_fits(spec, &cores, &nodes, e);
	free(cores.at);
	free(nodes.at);
	return good;
}

static bool
hold_ready(struct programs *programs, const struct spec_program *program, unsigned which, int out_fd, int err_fd,
	struct err *e)
{
	char **argv = mem_new_array(program->n_args + 1, sizeof *argv);
	struct source_spec spec = {.argv = argv,
		.out_fd = out_fd,
		.err_fd = err_fd,
		.no_input = true,
		.own_group = true,
		.setup = program};
	struct child *child;

	for (size_t i = 0; i < program->n_args; i++)
		argv[i] = mem_str(program->argv[i]);
	child = child_new(&spec, e);
	if (!child) {
		str_split_free(argv);
		return false;
	}
	programs->child[programs->n] = child;
	programs->program[programs->n++] = (struct program){
		.of = program, .which = which, .argv = argv, .pid = child_pid(child)};
	return true;
}

struct programs *
programs_new(const struct profile_spec *spec, int out_fd, int err_fd, struct err *e)
{
	struct programs *programs;
	size_t all = 0;

	if (!programs_fit(spec, e))
		return NULL;
	for (size_t i = 0; i < spec->n_programs; i++)
		all += spec->program[i].times;
	programs = mem_new(sizeof *programs);
	programs->spec = spec;
	programs->program = mem_new_array(all, sizeof *programs->program);
	programs->child = mem_new_array(all, sizeof(struct child *));
	for (size_t i = 0; i < spec->n_programs; i++)
		for (unsigned k = 0; k < spec->program[i].times; k++)
			if (!hold_ready(programs, &spec->program[i], k, out_fd, err_fd, e)) {
				programs_free(programs);
				return NULL;
			}
	return programs;
}

void
programs_free(struct programs *programs)
{
	if (!programs)
		return;
	for (size_t i = 0; i < programs->n; i++)
		child_release(programs->child[i]);
	for (size_t i = 0; i < programs->n; i++)
		child_free(programs->child[i]);
	for (size_t i = 0; i < programs->n; i++)
		str_split_free(programs->program[i].argv);
	free(programs->child);
	free(programs->program);
	free(programs);
}

size_t
programs_n(const struct programs *p)
{
	return p->n;
}

const struct program *
programs_at(const struct programs *p, size_t i)
{
	return &p->program[i];
}

struct child *
programs_child(const struct programs *p, size_t i)
{
	return p->child[i];
}

void
programs_name(const struct programs *p, size_t i, struct str *out)
{
	const struct program *g = &p->program[i];

	str_add(out, g->of->name);
	if (g->which)
		str_addf(out, "-%u", g->which + 1);
}

void
programs_on_begin(struct programs *p, programs_begins *begins, void *ctx)
{
	p->begins = begins;
	p->ctx = ctx;
}

static uint64_t
due_ns(const struct programs *p, const struct program *g)
{
	return p->begun_ns + (uint64_t)(g->of->delay * 1e9);
}

bool
programs_begin(struct programs *p, struct err *e)
{
	p->begun_ns = clock_ns();
	return programs_tend(p, e);
}

bool
programs_tend(struct programs *programs, struct err *e)
{
	for (size_t i = 0; i < programs->n; i++) {
		struct program *program = &programs->program[i];

		if (program->state == PROGRAM_READY && !programs->stopped && clock_ns() >= due_ns(programs, program)) {
			if ((programs->begins && !programs->begins(programs->ctx, i, e)) ||
				!child_start(programs->child[i], &program->begun_ns, e))
				return false;
			program->state = PROGRAM_RUNNING;
		}
		if (program->state != PROGRAM_ENDED && child_poll(programs->child[i], &program->end))
			program->state = PROGRAM_ENDED;
	}
	return true;
}

int
programs_wait_ms(const struct programs *programs)
{
	uint64_t now = clock_ns(), next = UINT64_MAX;

	for (size_t i = 0; i < programs->n; i++)
		if (programs->program[i].state == PROGRAM_READY && !programs->stopped &&
			due_ns(programs, &programs->program[i]) < next)
			next = due_ns(programs, &programs->program[i]);
	if (next == UINT64_MAX)
		return -1;
	return next <= now                                   ? 0
		: next - now > (uint64_t)INT32_MAX * 1000000 ? INT32_MAX
			: (int)((next - now + 999999) / 1000000);
}

int
programs_fd(const struct programs *p, size_t i)
{
	return child_wait_fd(p->child[i]);
}

bool
programs_over(const struct programs *p)
{
	bool awaited = false, running = false;

	for (size_t i = 0; i < p->n; i++) {
		awaited |= !p->program[i].of->background;
		running |= !p->program[i].of->background && p->program[i].state != PROGRAM_ENDED;
	}
	if (awaited && !running)
		return true;
	return p->spec->duration > 0 && p->begun_ns && clock_ns() - p->begun_ns >= (uint64_t)(p->spec->duration * 1e9);
}

void
programs_stop(struct programs *p, int sig)
{
	p->stopped = true;
	for (size_t i = 0; i < p->n; i++)
		if (p->program[i].state == PROGRAM_RUNNING)
			child_signal(p->child[i], sig);
}

size_t
programs_left(const struct programs *p)
{
	size_t left = 0;

	for (size_t i = 0; i < p->n; i++)
		left += p->program[i].state == PROGRAM_RUNNING || (p->program[i].state == PROGRAM_READY && !p->stopped);
	return left;
}
