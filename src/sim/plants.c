/* Features by name, and sets of features as users write them. */
#include "sim/machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "sim/features.h"
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

/* Names of a set, joined by commas; "none". The caller frees it. */
static char *
features_text(const struct sim_features *of, uint32_t set)
{
	struct str t = {0};

	for (size_t i = 0; i < of->n; i++)
		if (set >> i & 1)
			str_addf(&t, "%s%s", t.n ? "," : "", of->name[i]);
	if (!t.n)
		str_add(&t, "none");
	return str_take(&t);
}

static bool
refuse_unknown(const struct sim_features *of, const char *name, struct err *e)
{
	char *hint = near_hint(name, of->name, of->n);

	err_set(e, "there is no feature '%.60s' to plant", name);
	err_hint(e, "%s; or none, all, or a change of what the machine has: -%s, +%s",
		hint ? hint : "name a feature of the machine", of->name[0], of->name[of->n - 1]);
	free(hint);
	return false;
}

static bool
refuse_impossible(const struct sim_features *of, const char *name, struct err *e)
{
	char *may = features_text(of, of->may);

	err_set(e, "the machine %.60s cannot have %s: its file does not list it under may", of->machine, name);
	err_hint(e, "it may have %s", may);
	free(may);
	return false;
}

/* Takes one piece between commas, after removing blanks around it. */
static bool
take_piece(const struct sim_features *of, char *piece, bool first, uint32_t *set, uint32_t *said, struct err *e)
{
	char sign, *end;
	size_t p = 0;

	piece += strspn(piece, " \t");
	end = piece + strlen(piece);
	while (end > piece && strchr(" \t", end[-1]))
		*--end = '\0';
	sign = *piece == '+' || *piece == '-' ? *piece : '\0';
	if (first)
		*set = sign ? of->has : 0;
	if (str_eq(piece, "all") || str_eq(piece, "none")) {
		if (!first) {
			err_set(e, "'%s' among the features to plant is not the first", piece);
			return err_hint(e, "write it first: all,-%s", of->name[0]);
		}
		*set = *piece == 'a' ? of->may : 0;
		return true;
	}
	piece += sign != '\0';
	if (!*piece) {
		err_set(e, "among the features to plant one name is empty");
		return err_hint(
			e, "write 'none' for no feature, or join names by ',': %s,%s", of->name[0], of->name[1]);
	}
	while (p < of->n && !str_eq(piece, of->name[p]))
		p++;
	if (p == of->n)
		return refuse_unknown(of, piece, e);
	if (*said >> p & 1) {
		err_set(e, "the feature %s is named twice", piece);
		return err_hint(e, "name it once");
	}
	*said |= 1u << p;
	if (sign == '-') {
		*set &= ~(1u << p);
		return true;
	}
	if (!(of->may >> p & 1))
		return refuse_impossible(of, piece, e);
	*set |= 1u << p;
	return true;
}

bool
sim_features_parse(const struct sim_features *of, const char *text, uint32_t *out, struct err *e)
{
	struct word_list list = word_list_of(text, ',');
	uint32_t set = 0, said = 0;
	bool good = true;

	while (good && word_list_next(&list))
		good = take_piece(of, list.word, !list.at, &set, &said, e);
	if (good)
		*out = set;
	return word_list_end(&list, good, e);
}

static struct sim_features
features_of(const struct sim_machine *m, const char *name[SIM_N_PLANTS])
{
	for (int i = 0; i < SIM_N_PLANTS; i++)
		name[i] = plant[i].name;
	return (struct sim_features){m ? m->name : NULL, name, SIM_N_PLANTS, m ? m->has : 0, m ? m->may : 0};
}

char *
sim_plants_text(sim_plants set)
{
	const char *name[SIM_N_PLANTS];
	struct sim_features of = features_of(NULL, name);

	return features_text(&of, set);
}

bool
sim_plants_parse(const struct sim_machine *machine, const char *text, sim_plants *out, struct err *e)
{
	const char *name[SIM_N_PLANTS];
	struct sim_features of = features_of(machine, name);

	return sim_features_parse(&of, text, out, e);
}
