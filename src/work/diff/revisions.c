#include "work/diff/measure.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/str.h"
#include "collect/source.h"
#include "core/spec/spec.h"

/* Runs a shell's line to its end, in a folder (NULL: hecate's own). Its output goes to standard error. */
static bool
run_line(const char *line, const char *folder, const sigset_t *during, bool (*interrupted)(void), struct err *e)
{
	char *argv[] = {mem_str("/bin/sh"), mem_str("-c"), mem_str(line), NULL};
	struct spec_program setup = {.name = "sh", .folder = folder};
	struct source_spec spec = {.argv = argv,
		.out_fd = STDERR_FILENO,
		.err_fd = -1,
		.no_input = true,
		.own_group = true,
		.setup = &setup,
		.may_count_nothing = true};
	struct source *source = source_all.open(&spec, e);
	struct source_end end = {0};
	bool good = source && source_all.start(source, e);

	while (good && !source_all.poll(source, &end)) {
		struct pollfd fd = {.fd = source_all.wait_fd(source), .events = POLLIN};

		if (interrupted && interrupted())
			good = err_set(e, "interrupted: %.200s", line);
		else
			ppoll(&fd, 1, &(struct timespec){.tv_nsec = 100000000}, during);
	}
	if (source)
		source_all.close(source);
	for (size_t i = 0; argv[i]; i++)
		free(argv[i]);
	if (good && end.signalled)
		return err_set(e, "ended by signal %d: %.200s", end.code, line);
	return good && (end.code == 0 || err_set(e, "ended with status %d: %.200s", end.code, line));
}

static bool
check_out(const char *revision, const char *folder, const sigset_t *during, bool (*interrupted)(void), struct err *e)
{
	struct str line = {0};
	bool good;

	str_add(&line, "git worktree add --quiet --detach ");
	shell_add_file(&line, folder);
	str_addc(&line, ' ');
	shell_add_word(&line, revision);
	good = run_line(str_text(&line), NULL, during, interrupted, e);
	str_free(&line);
	if (!good) {
		err_set(e, "git cannot check out %.200s", revision);
		err_hint(e, "run this in the repository, and name a branch, tag or commit: git log --oneline");
	}
	return good;
}

static bool
build_in(const char *build, const char *folder, const char *revision, const sigset_t *during, bool (*interrupted)(void),
	struct err *e)
{
	bool good = run_line(build, folder, during, interrupted, e);

	if (!good && !(interrupted && interrupted()))
		err_set(e, "--build failed for %.200s: %.200s", revision, build);
	return good;
}

bool
revisions_make(char *const revision[2], const char *build, const sigset_t *during, bool (*interrupted)(void),
	struct revisions *r, struct err *e)
{
	const char *tmp = getenv("TMPDIR");
	bool good = true;

	*r = (struct revisions){.root = str_format("%s/hecate-diff-XXXXXX", tmp && *tmp ? tmp : "/tmp")};
	if (!mkdtemp(r->root)) {
		err_set(e, "cannot make the folder %s: %s", r->root, strerror(errno));
		free(r->root);
		*r = (struct revisions){0};
		return err_hint(e, "TMPDIR names a folder for such files");
	}
	for (int side = 0; side < 2 && good; side++) {
		/* of equal length, so that the folder's name makes no difference */
		r->folder[side] = str_format("%s/%c", r->root, side ? 'b' : 'a');
		good = check_out(revision[side], r->folder[side], during, interrupted, e) &&
			(!build || build_in(build, r->folder[side], revision[side], during, interrupted, e));
	}
	if (!good)
		revisions_remove(r, during, NULL);
	return good;
}

void
revisions_remove(struct revisions *r, const sigset_t *during, bool (*interrupted)(void))
{
	struct err ignored = {0};

	for (int side = 0; side < 2; side++) {
		struct str line = {0};

		if (!r->folder[side])
			continue;
		str_add(&line, "git worktree remove --force ");
		shell_add_file(&line, r->folder[side]);
		run_line(str_text(&line), NULL, during, interrupted, &ignored);
		str_free(&line);
		free(r->folder[side]);
	}
	if (r->root)
		rmdir(r->root);
	free(r->root);
	*r = (struct revisions){0};
}
