#include "work/files/reveal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/str.h"
#include "collect/store/session_file.h"
#include "collect/store/session_table.h"
#include "core/obs/obs.h"
#include "sim/event.h"
#include "work/files/recording.h"

#define SEAL_ROUNDS 1000 /* makes it slow to try all sets of features by hand */
#define SEALS_TOGETHER 8 /* a round waits for the one before, not for those of other sets */

/* Returns the next number of splitmix64 after `z`. */
static uint64_t
seal_mix(uint64_t z)
{
	return random_next(&z);
}

static uint64_t
seal_of(sim_plants p, uint64_t salt)
{
	uint64_t seal = salt;

	for (int i = 0; i < SEAL_ROUNDS; i++)
		seal = seal_mix(seal ^ p);
	return seal;
}

sim_plants
reveal_draw(sim_plants pool, uint64_t seed)
{
	return pool & (sim_plants)(seal_mix(seal_mix(seed)) >> 20);
}

uint64_t
reveal_chance(void)
{
	uint64_t seed;

	if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != (ssize_t)sizeof seed)
		seed = seal_mix(clock_ns());
	return seed;
}

/* --- writing ----------------------------------------------------------------------------------------------------- */

static void
add_truth(struct session_table *out, size_t observation, const char *key, char *value)
{
	char *at = str_format("%zu", observation);

	session_table_add(out, (const char *[]){at, key, value});
	free(at);
	free(value);
}

static void
write_truth(const struct simulated *got, const struct simulate *simulate, uint64_t salt, struct session_table *out)
{
	*out = (struct session_table){.n_columns = session_table_columns(SESSION_TABLE_TRUTH)};
	for (size_t i = 0; i < got->n; i++) {
		const uint64_t *truth = &got->truth[i * SIM_N_COUNTS];

		add_truth(out, i, "machine", mem_str(simulate->how->name));
		if (simulate->secret) {
			add_truth(out, i, "salt", str_format("%016" PRIx64, salt));
			add_truth(out, i, "seal", str_format("%016" PRIx64, seal_of(simulate->how->plants, salt)));
			continue;
		}
		add_truth(out, i, "features", sim_plants_text(simulate->how->plants));
		for (int k = 0; k < (int)SIM_N_COUNTS; k++)
			if (truth[k])
				add_truth(out, i, sim_event_name((enum sim_event)k), str_format("%" PRIu64, truth[k]));
	}
}

bool
reveal_keep(struct recording *r, const struct simulated *got, const struct simulate *s, uint64_t salt, struct err *e)
{
	struct session_table rows;
	bool good;

	write_truth(got, s, seal_mix(salt), &rows);
	good = recording_add_with_truth(r, got->table, &rows, e);
	session_table_clear(&rows);
	return good;
}

/* --- reading ----------------------------------------------------------------------------------------------------- */

struct sealed {
	const char *machine, *features, *salt, *seal;
};

static bool
take_hex(const char *text, uint64_t *out)
{
	char *end;

	*out = strtoull(text, &end, 16);
	return *text && !*end;
}

/* Reads features by name, of whatever machine. False when a name is unknown. */
static bool
read_features(const char *text, sim_plants *out)
{
	char **word = str_split(text, ',', NULL);
	bool good = true;

	*out = 0;
	for (size_t i = 0; word[i] && good && !str_eq(text, "none"); i++) {
		enum sim_plant p;

		good = sim_plant_find(word[i], &p);
		if (good)
			*out |= (sim_plants)1 << p;
	}
	str_split_free(word);
	return good;
}

static bool
break_seal(const struct sealed *sealed, sim_plants *out)
{
	uint64_t salt, seal;

	if (!sealed->salt || !take_hex(sealed->salt, &salt) || !take_hex(sealed->seal, &seal))
		return false;
	for (sim_plants p = 0; p < (sim_plants)1 << SIM_N_PLANTS; p += SEALS_TOGETHER) {
		uint64_t s[SEALS_TOGETHER];

		for (size_t k = 0; k < SEALS_TOGETHER; k++)
			s[k] = salt;
		for (int i = 0; i < SEAL_ROUNDS; i++)
			for (size_t k = 0; k < SEALS_TOGETHER; k++)
				s[k] = seal_mix(s[k] ^ (p + k));
		for (size_t k = 0; k < SEALS_TOGETHER; k++)
			if (s[k] == seal) {
				*out = p + (sim_plants)k;
				return true;
			}
	}
	return false;
}

/* Merges the truth of one observation into the machines. `last`: the last one unsealed, because a file has few
 * different seals. */
static bool
merge_truth(const char *path, const struct sealed *sealed, struct sealed *last, sim_plants *last_plants,
	struct reveal_truth **list, size_t *n, struct err *e)
{
	sim_plants plants = *last_plants;
	bool same = sealed->seal && last->seal && str_eq(sealed->seal, last->seal) && sealed->salt && last->salt &&
		str_eq(sealed->salt, last->salt);
	size_t i = 0;

	if (!sealed->machine || (!sealed->features && !sealed->seal))
		return err_set(e, "%s: the truth of an observation is damaged: it has no features", path);
	if (sealed->features ? !read_features(sealed->features, &plants) : !same && !break_seal(sealed, &plants)) {
		err_set(e, "%s: the truth of an observation is damaged: %s", path,
			sealed->features ? "it names features that no machine has"
					 : "no set of features has this seal");
		return err_hint(e, "simulate it again: hecate sim -o FILE");
	}
	*last = *sealed;
	*last_plants = plants;
	while (i < *n && ((*list)[i].plants != plants || !str_eq((*list)[i].machine, sealed->machine)))
		i++;
	if (i == *n) {
		*list = mem_resize(*list, *n + 1, sizeof **list);
		(*list)[(*n)++] = (struct reveal_truth){.machine = mem_str(sealed->machine), .plants = plants};
	}
	(*list)[i].sealed |= sealed->seal != NULL;
	(*list)[i].observations++;
	return true;
}

/* Merges the truths of all observations; rows are sorted by observation. False and *e on failure. */
static bool
reveal_take_rows(
	const char *path, const struct session_table *rows, struct reveal_truth **list, size_t *n, struct err *e)
{
	struct sealed last = {0};
	sim_plants plants = 0;
	bool good = true;

	for (size_t i = 0, next; i < rows->n_rows && good; i = next) {
		struct sealed t = {0};

		for (next = i; next < rows->n_rows &&
			str_eq(session_table_cell(rows, next, 0), session_table_cell(rows, i, 0));
			next++) {
			const char *key = session_table_cell(rows, next, 1), *value = session_table_cell(rows, next, 2);
			const char **to = str_eq(key, "machine") ? &t.machine
				: str_eq(key, "features")        ? &t.features
				: str_eq(key, "salt")            ? &t.salt
				: str_eq(key, "seal")            ? &t.seal
								 : NULL;

			if (to)
				*to = value;
		}
		good = merge_truth(path, &t, &last, &plants, list, n, e);
	}
	return good;
}

bool
reveal_read(const char *path, struct reveal_truth **list, size_t *n, struct err *e)
{
	struct session_file *file = session_file_open_to_read(path, e);
	struct session_table rows = {0};
	bool good = file && session_table_read(file, SESSION_TABLE_TRUTH, &rows, e);

	session_file_close(file);
	*list = NULL;
	*n = 0;
	good = good && reveal_take_rows(path, &rows, list, n, e);
	session_table_clear(&rows);
	if (good && !*n) {
		err_set(e, "%s has no truth: nothing in it was simulated", path);
		good = err_hint(e, "hecate sim --secret -o FILE makes such a file");
	}
	if (!good) {
		reveal_free(*list, *n);
		*list = NULL;
		*n = 0;
	}
	return good;
}

void
reveal_free(struct reveal_truth *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(list[i].machine);
	free(list);
}
