/* hecate trace: records what a command executes and accesses, by valgrind's tool lackey. */
#include "cli/commands.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/err.h"
#include "base/log.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/output_file.h"
#include "cli/print/print.h"
#include "cli/signals.h"
#include "work/files/tracing.h"

static bool
is_whole_request(const struct options *o, struct err *e)
{
	if (o->output && o->argv)
		return true;
	if (!o->output)
		err_set(e, "trace needs -o FILE, into which it writes");
	else
		err_set(e, "trace needs a command after --");
	return err_hint(e, "for instance: hecate trace -o ls.trace.gz -- ls");
}

/* Says how the command ended, whose exit status is not that of hecate. */
static void
say_end(const struct options *options, const struct traced *traced)
{
	const char *name = options->argv[0];

	if (!traced->ended)
		log_line(NULL, "%s did not end, and was killed; the trace ends there", name);
	else if (WIFSIGNALED(traced->status))
		log_line(NULL, "%s was ended by signal %d (%s)%s", name, WTERMSIG(traced->status),
			strsignal(WTERMSIG(traced->status)), traced->cut ? "; the trace ends there" : "");
	else
		log_line(NULL, "%s ended with exit status %d%s", name, WEXITSTATUS(traced->status),
			traced->cut ? "; the trace ends there" : "");
}

static void
say_trace(const struct options *o, const struct traced *t, uint64_t size)
{
	if (o->quiet)
		return;
	say_end(o, t);
	log_line(NULL, "%s: instructions: %" PRIu64 ", taken transfers of control: %" PRIu64 ", bytes: %" PRIu64
		", uncompressed: %" PRIu64, o->output, t->instructions, t->taken, size, t->bytes);
	log_line(NULL,
		"lackey does not see registers, so no instruction waits for another's result; nor the kernel; nor "
		"wrong paths. Branches are reconstructed: they count from when they are first taken. Programs that "
		"the command starts are not traced");
}

int
cmd_trace(const struct options *options)
{
	struct err e = {0};
	struct output_file file = {.fd = -1};
	struct signals signals;
	struct traced traced = {0};
	struct stat st = {0};
	bool good;

	if (!is_whole_request(options, &e)) {
		print_failure(&e);
		return 2;
	}
	signals_block(&signals);
	good = output_file_open(&file, options->output);
	if (!good) {
		err_set(&e, "cannot write %s: %s", options->output, strerror(errno));
	} else {
		const struct tracing how = {.argv = options->argv,
			.fd = file.fd,
			.gzip = str_ends(options->output, ".gz"),
			.during = &signals.during,
			.interrupted = signals_interrupted};

		good = tracing_run(&how, &traced, &e);
		fstat(file.fd, &st);
	}
	if (!output_file_close(&file, good))
		good = err_set(&e, "cannot write %s: %s", options->output, strerror(errno));
	signals_release(&signals);
	if (good)
		say_trace(options, &traced, (uint64_t)st.st_size);
	else
		print_failure(&e);
	signals_obey();
	return good ? 0 : 2;
}
