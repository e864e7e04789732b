/* hecate sim --list: what can be simulated. */
#include "cli/sim.h"

#include <stdlib.h>

#include "app/files.h"
#include "app/simulation.h"
#include "base/err.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/work.h"

static void
add_plants(const struct sim_machine *m, struct str *out)
{
	for (int i = 0; i < SIM_N_PLANTS; i++) {
		sim_plants bit = (sim_plants)1 << i;

		if (m->may & bit)
			str_addf(out, "    %-14s %s%s\n", sim_plant_name((enum sim_plant)i), m->has & bit ? "" : "(not usually) ", sim_plant_text((enum sim_plant)i));
	}
}

static void
add_machines(struct str *out)
{
	char **name = file_names(MACHINE_FOLDERS, ".machine");

	str_add(out, "machines (--machine), and features that they may have (--plant)\n");
	for (size_t i = 0; name[i]; i++) {
		struct simulation s;
		struct err e = {0};

		if (simulation_load(name[i], &s, &e)) {
			str_addf(out, "  %-16s %s\n", name[i], s.machine->text);
			add_plants(s.machine, out);
		} else {
			str_addf(out, "  %-16s cannot be read: %s\n", name[i], e.what);
		}
		simulation_free(&s);
	}
	str_split_free(name);
}

static void
add_workloads(struct str *out)
{
	size_t n;
	const struct sim_workload_kind *kind = sim_workload_kinds(&n);

	str_add(out, "\nworkloads (--workload NAME:PARAMETER=VALUE,...), and what their parameters are usually\n");
	for (size_t i = 0; i < n; i++) {
		str_addf(out, "  %-16s %s\n", kind[i].name, kind[i].text);
		for (const char *const *p = kind[i].parameter; *p; p += 2)
			str_addf(out, "    %-22s %s\n", p[0], p[1]);
	}
}

static void
add_suites(struct str *out)
{
	char **name = file_names(SUITE_FOLDERS, ".suite");

	str_add(out, "\nsuites (--suite)\n");
	for (size_t i = 0; name[i]; i++) {
		struct sim_suite s = {0};
		struct err e = {0};

		if (simulation_add_suite(&s, name[i], &e))
			str_addf(out, "  %-16s %zu workloads\n", name[i], s.n);
		else
			str_addf(out, "  %-16s cannot be read: %s\n", name[i], e.what);
		sim_suite_free(&s);
	}
	str_split_free(name);
}

int
sim_list(const struct options *o)
{
	struct str out = {0};
	bool good;

	add_machines(&out);
	add_workloads(&out);
	add_suites(&out);
	str_add(&out, "\nevents (-e, and those of models)\n");
	for (int i = 0; i < (int)SIM_N_EVENTS; i++)
		str_addf(&out, "  %s\n", sim_event_name((enum sim_event)i));
	good = work_write(o, &out);
	str_free(&out);
	return good ? 0 : 2;
}
