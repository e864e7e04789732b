#include "fake_sim.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "sim/workload.h"

enum { END, FAIL, WRONG, FETCH, TOUCH, KEYS };
static const char *const key[KEYS] = {"end", "fail", "wrong", "fetch", "touch"};

struct sim_workload {
	char *text;
	uint64_t value[KEYS], done, random;
	struct sim_memory memory;
};

static bool
take_parameters(struct sim_workload *w, const char *text, struct err *e)
{
	char **word = str_split(text, ',', NULL);
	bool good = true;

	for (size_t i = 0; word[i] && good; i++) {
		size_t k = 0, n = strcspn(word[i], "=");

		while (k < KEYS && (strlen(key[k]) != n || strncmp(key[k], word[i], n) != 0))
			k++;
		good = k < KEYS && word[i][n] && str_to_u64(word[i] + n + 1, &w->value[k]);
		if (!good)
			err_set(e, "the workload fake has no parameter %s", word[i]);
	}
	str_split_free(word);
	return good;
}

struct sim_workload *
sim_workload_new(const char *text, uint64_t seed, struct err *e)
{
	struct sim_workload *w = mem_new(sizeof *w);
	size_t n = strcspn(text, ":");
	bool good = (n == 4 && strncmp(text, "fake", n) == 0) || (n == 5 && strncmp(text, "other", n) == 0);

	w->text = mem_str(text);
	w->random = seed;
	w->memory = (struct sim_memory){.base = 1 << 30, .bytes = 1 << 30, .page = SIM_4K, .touched = true};
	if (!good)
		err_set(e, "there is no workload %.*s", (int)n, text);
	if (good && (!text[n] || take_parameters(w, text + n + 1, e)))
		return w;
	sim_workload_free(w);
	return NULL;
}

struct sim_workload *
sim_workload_trace(int fd, const char *parameters, struct err *e)
{
	struct sim_workload *w = sim_workload_new(parameters ? parameters : "fake:end=1000", (uint64_t)fd, e);

	if (w)
		w->text[0] = 't';
	return w;
}

void
sim_workload_free(struct sim_workload *w)
{
	if (w)
		free(w->text);
	free(w);
}

const struct sim_memory *
sim_workload_memory(const struct sim_workload *w)
{
	return &w->memory;
}

const char *
sim_workload_text(const struct sim_workload *w)
{
	return w->text;
}

static bool
is_each(uint64_t each, uint64_t at)
{
	return each && at % each == 0;
}

size_t
sim_workload_fill(struct sim_workload *w, struct sim_uop *u, size_t n, struct err *e)
{
	size_t at = 0;

	while (at + 3 <= n && (!w->value[END] || w->done < w->value[END]) &&
		(!w->value[FAIL] || w->done < w->value[FAIL])) {
		w->random = w->random * 6364136223846793005u + 1442695040888963407u;
		u[at++] = (struct sim_uop){
			.at = w->memory.base + (w->random >> 44 << 12), .other = (uint16_t)(w->random >> 40 & 3),
			.kind = w->done & 1 ? SIM_STORE : SIM_LOAD,
			.flags = is_each(w->value[WRONG], w->done + 1) ? SIM_MISPREDICT : 0,
			.size = w->done < w->value[TOUCH] ? 4096 : 8,
		};
		w->done++;
		if (is_each(w->value[WRONG], w->done))
			u[at++] =
				(struct sim_uop){.at = w->memory.base, .kind = SIM_LOAD, .flags = SIM_WRONG, .size = 8};
		if (is_each(w->value[FETCH], w->done))
			u[at++] = (struct sim_uop){.at = w->memory.base, .kind = SIM_FETCH, .size = 8};
	}
	if (at == 0 && w->value[FAIL] && w->done >= w->value[FAIL]) {
		err_set(e, "record %llu cannot be read", (unsigned long long)w->done);
		return SIZE_MAX;
	}
	return at;
}

size_t
sim_workload_kinds(void)
{
	return 2;
}

const char *
sim_workload_kind_name(size_t kind)
{
	return kind ? "other" : "fake";
}

const char *
sim_workload_kind_text(size_t kind)
{
	return kind ? "the same" : "loads and stores in turn";
}

bool
sim_workload_parameter(size_t kind, size_t i, struct sim_parameter *out)
{
	(void)kind;
	*out = (struct sim_parameter){i < KEYS ? key[i] : "", "", false};
	return i < KEYS;
}

bool
sim_workload_by_clock(const struct sim_workload *w)
{
	(void)w;
	return false;
}

void
sim_workload_clock(struct sim_workload *w, uint64_t now_ns)
{
	(void)w;
	(void)now_ns;
}
