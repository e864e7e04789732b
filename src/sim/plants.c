/* Features by name, and sets of features as users write them. */
#include "sim/machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "text/word_list.h"

static const struct {
	const char *name, *text;
} plant[SIM_N_PLANTS] = {
#define X(id, name, text) [SIM_PLANT_##id] = {name, text},
	SIM_PLANTS(X)
#undef X
};

const char *
sim_plant_name(enum sim_plant p)
{
	return plant[p].name;
}

const char *
sim_plant_text(enum sim_plant p)
{
	return plant[p].text;
}

bool
sim_plant_find(const char *name, enum sim_plant *out)
{
	for (int i = 0; i < SIM_N_PLANTS; i++)
		if (str_eq(plant[i].name, name)) {
			*out = (enum sim_plant)i;
			return true;
		}
	return false;
}

char *
sim_plants_text(sim_plants set)
{
	struct str t = {0};

	for (int i = 0; i < SIM_N_PLANTS; i++)
		if (set >> i & 1)
			str_addf(&t, "%s%s", t.n ? "," : "", plant[i].name);
	if (!t.n)
		str_add(&t, "none");
	return str_take(&t);
}

static bool
refuse_unknown(const char *name, struct err *e)
{
	const char *known[SIM_N_PLANTS];
	char *hint;

	for (int i = 0; i < SIM_N_PLANTS; i++)
		known[i] = plant[i].name;
	hint = near_hint(name, known, SIM_N_PLANTS);
	err_set(e, "there is no feature '%.60s' to plant", name);
	err_hint(e, "%s; or none, all, or a change of what the machine has: -bypass, +ab_walk",
		hint ? hint : "name a feature of the machine");
	free(hint);
	return false;
}

static bool
refuse_impossible(const struct sim_machine *m, const char *name, struct err *e)
{
	char *may = sim_plants_text(m->may);

	err_set(e, "the machine %.60s cannot have %s: its file does not list it under may", m->name, name);
	err_hint(e, "it may have %s", may);
	free(may);
	return false;
}

/* Takes one piece between commas, after removing blanks around it. */
static bool
take_piece(const struct sim_machine *machine, char *piece, bool first, sim_plants *set, sim_plants *said, struct err *e)
{
	enum sim_plant p;
	char sign, *end;

	piece += strspn(piece, " \t");
	end = piece + strlen(piece);
	while (end > piece && strchr(" \t", end[-1]))
		*--end = '\0';
	sign = *piece == '+' || *piece == '-' ? *piece : '\0';
	if (first)
		*set = sign ? machine->has : 0;
	if (str_eq(piece, "all") || str_eq(piece, "none")) {
		if (!first) {
			err_set(e, "'%s' among the features to plant is not the first", piece);
			return err_hint(e, "write it first: all,-bypass");
		}
		*set = *piece == 'a' ? machine->may : 0;
		return true;
	}
	piece += sign != '\0';
	if (!*piece) {
		err_set(e, "among the features to plant one name is empty");
		return err_hint(e, "write 'none' for no feature, or join names by ',': early_psc,merging");
	}
	if (!sim_plant_find(piece, &p))
		return refuse_unknown(piece, e);
	if (*said >> p & 1) {
		err_set(e, "the feature %s is named twice", piece);
		return err_hint(e, "name it once");
	}
	*said |= 1u << p;
	if (sign == '-') {
		*set &= ~(1u << p);
		return true;
	}
	if (!(machine->may >> p & 1))
		return refuse_impossible(machine, piece, e);
	*set |= 1u << p;
	return true;
}

bool
sim_plants_parse(const struct sim_machine *machine, const char *text, sim_plants *out, struct err *e)
{
	struct word_list list = word_list_of(text, ',');
	sim_plants set = 0, said = 0;
	bool good = true;

	while (good && word_list_next(&list))
		good = take_piece(machine, list.word, !list.at, &set, &said, e);
	if (good)
		*out = set;
	return word_list_end(&list, good, e);
}
