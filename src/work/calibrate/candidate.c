#include "work/calibrate/candidate.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "text/diag.h"
#include "work/calibrate/knob_machine.h"
#include "work/calibrate/machine_text.h"
#include "work/files/files.h"
#include "work/files/simulation.h"
#include "work/probe/probe_machine.h"

static const char simulated[] = "sim:";

struct candidate {
	char *name;              /* of the machine, or its file */
	char *on, *changes;
	struct simulation sim;
	struct knob_machine now; /* a view of sim */
	struct probe_machine *machine;
	const struct probe_list *list;
	struct known_answer *answer; /* list->n */
};

/* Changes as a machine takes them: without what ends the last one. */
static char *
without_end(const char *changes)
{
	size_t n = strlen(changes);

	while (n && strchr("; \t\n", changes[n - 1]))
		n--;
	return mem_strn(changes, n);
}

static struct candidate *
make(const char *name, const char *plants, const char *changes, const struct probe_list *list, struct err *e)
{
	struct candidate *candidate = mem_new(sizeof *candidate);
	bool good;

	candidate->name = mem_str(name);
	candidate->on = plants ? str_format("%s%s:%s", simulated, name, plants) : str_format("%s%s", simulated, name);
	candidate->changes = without_end(changes ? changes : "");
	candidate->list = list;
	candidate->answer = mem_new_array(list->n + 1, sizeof *candidate->answer);
	candidate->machine = probe_machine_new(candidate->on, candidate->changes, e);
	good = candidate->machine && simulation_load(name, candidate->changes, &candidate->sim, e) &&
		(!plants || sim_plants_parse(candidate->sim.machine, plants, &candidate->sim.plants, e));
	if (good) {
		candidate->now = (struct knob_machine){*candidate->sim.machine, candidate->sim.plants};
		return candidate;
	}
	candidate_free(candidate);
	return NULL;
}

struct candidate *
candidate_new(const char *on, const char *changes, const struct probe_list *list, struct err *e)
{
	const char *machine = on + sizeof simulated - 1, *colon;
	struct candidate *candidate;
	char *name;

	if (!str_starts(on, simulated)) {
		err_set(e, "'%s' is no simulated machine, so it cannot be calibrated", on);
		err_hint(e, "the first machine is the simulated one, as sim:core; the second one is the truth");
		return NULL;
	}
	colon = strchr(machine, ':');
	name = mem_strn(machine, colon ? (size_t)(colon - machine) : strlen(machine));
	candidate = make(name, colon ? colon + 1 : NULL, changes, list, e);
	free(name);
	return candidate;
}

struct candidate *
candidate_turn(const struct candidate *candidate, const struct knob *knob, double value, struct err *e)
{
	struct knob_machine m = candidate->now;
	struct candidate *turned = NULL;
	struct str changes = {0};
	char *plants;

	if (!knob_set(knob, &m, value)) {
		err_set(e, "%s cannot be %g", knob_name(knob), value);
		return NULL;
	}
	str_add(&changes, candidate->changes);
	if (changes.n)
		str_add(&changes, ";\n");
	knob_write(knob, &m, &changes);
	plants = sim_plants_text(m.plants);
	turned = make(candidate->name, plants, str_text(&changes), candidate->list, e);
	for (size_t i = 0; i < candidate->list->n && turned; i++) /* what the knob cannot change is known already */
		if (!knob_may_show(knob, candidate->list->probe[i]))
			turned->answer[i] = candidate->answer[i];
	free(plants);
	str_free(&changes);
	return turned;
}

/* Changes with one item more. The caller frees them. */
static char *
with_item(const char *changes, const char *item)
{
	struct str s = {0};

	str_addf(&s, "%s%s%s", changes, *changes ? ";\n" : "", item);
	return str_take(&s);
}

struct candidate *
candidate_with(const struct candidate *candidate, const char *item, bool on, struct err *e)
{
	sim_plants plants = candidate->now.plants;
	enum sim_plant plant;
	struct candidate *with;
	char *changes, *names;

	if (!sim_plant_find(item, &plant)) {
		changes = on && *item ? with_item(candidate->changes, item) : mem_str(candidate->changes);
		names = sim_plants_text(plants);
	} else {
		sim_plants bit = (sim_plants)1 << plant;
		struct str may = {0};

		plants = on ? plants | bit : plants & ~bit;
		names = sim_plants_text(candidate->now.m.may | bit);
		str_addf(&may, "may %s", names);
		changes = with_item(candidate->changes, str_text(&may));
		str_free(&may);
		free(names);
		names = sim_plants_text(plants);
	}
	with = make(candidate->name, names, changes, candidate->list, e);
	free(changes);
	free(names);
	return with;
}

const struct simulation *
candidate_simulation(const struct candidate *c)
{
	return &c->sim;
}

void
candidate_free(struct candidate *c)
{
	if (!c)
		return;
	probe_machine_free(c->machine);
	simulation_free(&c->sim);
	free(c->answer);
	free(c->name);
	free(c->on);
	free(c->changes);
	free(c);
}

bool
candidate_answer(struct candidate *c, size_t i, const struct patience *p, struct probe_answer *out, struct err *e)
{
	struct known_answer *a = &c->answer[i];

	if (!a->known)
		a->known = patience_goes_on(p) && answer_of_machine(c->machine, c->list->probe[i], p, &a->answer, e);
	*out = a->answer;
	return a->known;
}

const struct knob_machine *
candidate_machine(const struct candidate *c)
{
	return &c->now;
}

const char *
candidate_on(const struct candidate *c)
{
	return c->on;
}

const char *
candidate_changes(const struct candidate *c)
{
	return c->changes;
}

/* Takes over the statements of `changes`, by their first word, or two for latencies. */
static void
merge(struct str *file, const char *changes)
{
	char **item = str_split(changes, ';', NULL);
	struct str ports = {0};

	for (size_t i = 0; item[i]; i++) {
		const char *s = item[i] + strspn(item[i], " \t\n");
		size_t n = strcspn(s, " \t\n");
		char *key;

		if (!*s)
			continue;
		if (str_starts(s, "latency ") || str_starts(s, "dtlb "))
			n += 1 + strcspn(s + n + 1, " \t\n");
		key = mem_strn(s, n);
		if (str_eq(key, "ports"))
			str_addf(&ports, "%s%s", ports.n ? ";\n" : "", s);
		else
			machine_text_set(file, key, s);
		free(key);
	}
	if (ports.n)
		machine_text_set(file, "ports", str_text(&ports));
	str_free(&ports);
	str_split_free(item);
}

/* The features as a file has them: those that the machine has, and those that it may have besides. */
static void
write_plants(const struct candidate *c, struct str *file)
{
	for (size_t i = 0; i < knob_count(); i++)
		if (knob_kind_of(knob_at(i)) == KNOB_FEATURE) {
			knob_write(knob_at(i), &c->now, file);
			return;
		}
}

char *
candidate_file(const struct candidate *candidate, const char *heading, struct err *e)
{
	char *path = file_find(candidate->name, MACHINE_FOLDERS, ".machine", e), *text = NULL;
	struct diags d = {0};
	struct str file = {0};
	struct sim_machine *machine = NULL;
	size_t n = 0;

	if (path)
		text = file_read(path, SIM_MACHINE_FILE_MAX, &n, e);
	if (text) {
		str_addf(&file, "%s%s%s", heading, text, n && text[n - 1] != '\n' ? "\n" : "");
		merge(&file, candidate->changes);
		write_plants(candidate, &file);
		machine = sim_machine_parse("the calibrated machine", str_text(&file), file.n, NULL, &d);
	}
	if (text && !machine)
		err_set(e, "the calibrated machine cannot be read again: %s", d.n ? d.item[0].text : "no reason given");
	if (!machine)
		str_free(&file);
	sim_machine_free(machine);
	diags_free(&d);
	free(text);
	free(path);
	return file.n ? str_take(&file) : NULL;
}
