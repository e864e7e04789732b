/* perf is asked with `perf list`: --json where it knows that (6.2), --details otherwise. */
#include "collect/events/ask_perf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/err.h"
#include "base/str.h"
#include "collect/events/perf_codes.h"
#include "collect/events/perf_list.h"
#include "collect/process/capture.h"
#include "event/table.h"

#define LIMIT_MS 20000
#define MOST ((size_t)64 << 20)

static bool
run_perf(const char *const *argv, const struct perf_question *what, bool errors, struct str *out, int *status,
	struct err *e)
{
	char *sysfs = str_format("SYSFS_PATH=%s", what->sysfs), *cpu = str_format("PERF_CPUID=%s", what->cpu);
	bool made = !str_eq(what->sysfs, "/sys"), missing;
	/* COLUMNS: descriptions in one line */
	const char *const env[] = {"LC_ALL=C", "LANGUAGE=", "COLUMNS=100000", "PAGER=cat", "PERF_PAGER=cat",
		*what->cpu ? cpu : made ? sysfs : NULL, made ? sysfs : NULL, NULL};
	struct capture capture = {.argv = argv, .env = env, .errors = errors, .limit_ms = LIMIT_MS, .most = MOST};
	bool good = capture_run(&capture, out, status, &missing, e);

	if (missing && e)
		err_hint(e, "install perf (Debian: linux-perf; Fedora: perf; Ubuntu: linux-tools-generic)");
	free(cpu);
	free(sysfs);
	return good;
}

static bool
ask_list(const struct perf_question *what, struct event_table *table, struct err *e)
{
	static const char *const json[] = {"perf", "list", "--json", NULL};
	static const char *const details[] = {"perf", "list", "--details", NULL};
	struct str out = {0};
	int status;
	bool good = run_perf(json, what, false, &out, &status, e);

	if (good && (status || str_text(&out)[strspn(str_text(&out), " \t\r\n")] != '[')) {
		str_clear(&out);
		good = run_perf(details, what, false, &out, &status, e);
		if (good && WIFSIGNALED(status))
			good = err_set(e, "perf list was killed by signal %d", WTERMSIG(status));
		else if (good && status && !out.n)
			good = err_set(e, "perf list fails with exit status %d", WEXITSTATUS(status)) ||
				err_hint(e, "run it by hand: its own message says why");
	}
	good = good && perf_list_read(str_text(&out), out.n, table, e);
	str_free(&out);
	return good;
}

/* The events are opened disabled (--delay -1), for no program but true(1). */
static bool
ask_codes(void *ctx, const char *events, struct str *out)
{
	const char *const stat[] = {"perf", "stat", "-vv", "--delay", "-1", "-e", events, "true", NULL};
	int status;

	return run_perf(stat, ctx, true, out, &status, NULL);
}

bool
perf_ask(const struct perf_question *what, struct event_table *table, struct err *e)
{
	struct perf_question asked = *what;
	char *made = NULL;
	bool good;

	if (what->elsewhere) {
		made = made_sysfs_new(what->cpu, e);
		if (!made)
			return false;
		asked.sysfs = made;
	}
	good = ask_list(&asked, table, e);
	if (good)
		perf_codes_complete(table, asked.sysfs, ask_codes, &asked);
	made_sysfs_remove(made);
	return good;
}
