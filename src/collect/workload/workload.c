#include "collect/workload/workload.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

const char *
workload_kind_word(enum workload_kind k)
{
	static const char *const words[] = {
#define X(id, word) [WORKLOAD_##id] = (word),
		WORKLOAD_KINDS(X)
#undef X
	};
	return words[k];
}

size_t
workload_find_part(const char *name)
{
	size_t k = 0;
	while (k < workload_n_parts && !str_eq(workload_parts[k].name, name))
		k++;
	return k;
}

#if defined(__x86_64__)
/* __builtin_cpu_supports() asks for the operating system's support, too, and takes literals only. */
static bool
cpu_has(const char *feature)
{
	__builtin_cpu_init();
#define ROW(name) {name, __builtin_cpu_supports(name) != 0}
	const struct {
		const char *name;
		bool has;
	} features[] = {ROW("sse3"), ROW("ssse3"), ROW("sse4.1"), ROW("sse4.2"), ROW("popcnt"), ROW("avx"), ROW("avx2"),
		ROW("fma"), ROW("bmi"), ROW("bmi2")};
#undef ROW
	for (size_t k = 0; k < sizeof features / sizeof features[0]; k++)
		if (str_eq(features[k].name, feature))
			return features[k].has;
	return false;
}
#else
static bool
cpu_has(const char *feature)
{
	(void)feature;
	return false;
}
#endif

static bool
in_list(const char *list, const char *word, char separator)
{
	size_t n = 0;
	char **piece = str_split(list, separator, &n);
	bool found = false;
	for (size_t k = 0; k < n; k++)
		found = found || str_eq(piece[k], word);
	str_split_free(piece);
	return found;
}

bool
workload_cpu_has(const char *needs, struct str *missing)
{
	const char *lacks = getenv("HECATE_CPU_LACKS");
	size_t n = 0;
	bool all = true;
	char **need = str_split(needs, ' ', &n);
	for (size_t k = 0; k < n; k++) {
		if (need[k][0] == '\0' || (cpu_has(need[k]) && (lacks == NULL || !in_list(lacks, need[k], ','))))
			continue;
		if (missing != NULL)
			str_addf(missing, "%s%s", all ? "" : ", ", need[k]);
		all = false;
	}
	str_split_free(need);
	return all;
}

void
workload_argument(const uint32_t *loops, struct str *out)
{
	/* a character's low four bits are the digit */
	static const char digit[] = "0123456789jklmno";
	for (size_t k = 0; k < workload_n_parts; k++)
		for (int shift = 28; shift >= 0; shift -= 4)
			str_addc(out, digit[loops[k] >> shift & 15]);
}

char *
workload_path(struct err *e)
{
	const char *given = getenv("HECATE_WORKLOAD");
	if (given != NULL && given[0] != '\0') {
		if (access(given, X_OK) == 0)
			return str_format("%s", given);
		err_set(e, "cannot run %s: %s", given, strerror(errno));
		err_hint(e, "HECATE_WORKLOAD names the program; leave it unset");
		return NULL;
	}
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n > 0) {
		self[n] = '\0';
		char *slash = strrchr(self, '/');
		if (slash != NULL)
			*slash = '\0';
		char *path = str_format("%s/hecate-workload", self);
		if (access(path, X_OK) == 0)
			return path;
		free(path);
	}
	if (access(workload_installed, X_OK) == 0)
		return str_format("%s", workload_installed);
	if (workload_n_parts == 0) {
		err_set(e, "there is no workload for this architecture");
		err_hint(e, "judge recorded runs: hecate determinism DATA");
		return NULL;
	}
	err_set(e, "cannot find the program hecate-workload, neither next to hecate nor as %s",
		workload_installed);
	err_hint(e, "install hecate whole (make install), or set HECATE_WORKLOAD to the program");
	return NULL;
}
