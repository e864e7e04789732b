/* The file: a line that says what was asked, with a checksum of the rest; the packed table (event/table.h). */
#include "collect/events/ask_perf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "base/checksum.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/events/cpu_id.h"
#include "collect/events/sysfs_events.h"
#include "collect/proc/cache_file.h"
#include "collect/proc/files.h"
#include "event/table.h"

#define CACHE_VERSION 3

/* Appends which perf is the first in PATH; false: none. */
static bool
find_perf(struct str *out)
{
	const char *path = getenv("PATH");
	char **folder = str_split(path ? path : "/usr/bin:/bin", ':', NULL);
	bool found = false;

	for (size_t i = 0; folder[i] && !found; i++) {
		char *file = str_format("%s/perf", *folder[i] ? folder[i] : ".");
		struct stat st;

		found = stat(file, &st) == 0 && S_ISREG(st.st_mode) && st.st_mode & 0111;
		if (found)
			str_addf(out, "%s %jd %jd.%09ld", file, (intmax_t)st.st_size, (intmax_t)st.st_mtim.tv_sec,
				st.st_mtim.tv_nsec);
		free(file);
	}
	str_split_free(folder);
	return found;
}

static uint64_t
checksum_of(const char *bytes, size_t n)
{
	struct checksum sum;

	checksum_begin(&sum);
	checksum_add(&sum, bytes, n);
	return checksum_value(&sum);
}

/* The line of an answer, without its checksum. */
static bool
describe_question(const struct perf_question *question, struct str *out)
{
	struct utsname kernel;
	struct str pmus = {0};

	sysfs_pmus(question->sysfs, &pmus);
	str_addf(out, "hecate events %d, cpu %s%s, kernel %s, %s with %016" PRIx64 ", perf ", CACHE_VERSION,
		question->cpu, question->elsewhere ? " elsewhere" : "", uname(&kernel) == 0 ? kernel.release : "",
		question->sysfs, checksum_of(str_text(&pmus), pmus.n));
	str_free(&pmus);
	return find_perf(out) && !strchr(str_text(out), '\n');
}

static bool
load_answer(const char *name, const char *line, struct event_table *table)
{
	char *path = cache_file_path(name, false), *begin = str_format("%s, sum ", line);
	size_t n = strlen(begin), head = n + 17; /* 16 digits and a newline */
	struct str text = {0};
	uint64_t sum = 0;
	bool good = path && proc_file_read(path, &text) && text.n > head && memcmp(text.s, begin, n) == 0 &&
		sscanf(text.s + n, "%16" SCNx64, &sum) == 1 && sum == checksum_of(text.s + head, text.n - head);

	free(path);
	free(begin);
	if (good) {
		size_t left = text.n - head;
		char *bytes = str_take(&text);

		memmove(bytes, bytes + head, left + 1);
		good = event_table_unpack(bytes, left, table);
		if (!good)
			free(bytes);
	}
	str_free(&text);
	return good;
}

static void
store_answer(const char *name, const char *line, const struct event_table *table)
{
	struct str packed = {0}, all = {0};

	event_table_pack(table, &packed);
	str_addf(&all, "%s, sum %016" PRIx64 "\n", line, checksum_of(packed.s, packed.n));
	str_addn(&all, packed.s, packed.n);
	cache_file_write(name, all.s, all.n);
	str_free(&all);
	str_free(&packed);
}

bool
perf_cache_ask(const struct perf_question *question, struct event_table *table, struct err *e)
{
	bool plain = cpu_id_is_plain(question->cpu), known;
	char *name = str_format(
		"events-%s%s", plain ? question->cpu : "unknown", question->elsewhere ? "-elsewhere" : "");
	struct str line = {0};
	bool good;

	known = describe_question(question, &line);
	good = known && load_answer(name, str_text(&line), table);
	if (!good) {
		good = perf_ask(question, table, e);
		if (good && known)
			store_answer(name, str_text(&line), table);
	}
	str_free(&line);
	free(name);
	return good;
}
