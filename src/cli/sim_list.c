/* hecate sim --list: what can be simulated. */
#include "cli/sim_parts.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/writing.h"
#include "work/files/files.h"
#include "work/files/server.h"
#include "work/files/simulation.h"

static void
add_plants(const struct sim_machine *m, struct str *out)
{
	for (int i = 0; i < SIM_N_PLANTS; i++) {
		sim_plants bit = (sim_plants)1 << i;

		if (m->may & bit)
			str_addf(out, "    %-14s %s%s\n", sim_plant_name((enum sim_plant)i),
				m->has & bit ? "" : "(not usually) ", sim_plant_text((enum sim_plant)i));
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

		if (simulation_load(name[i], NULL, &s, &e)) {
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
	struct sim_parameter p;

	str_add(out,
		"\nworkloads (--workload NAME:PARAMETER=VALUE,...), their defaults, and their "
		"own parameters\n");
	for (size_t i = 0; i < sim_workload_kinds(); i++) {
		struct sim_workload *workload = sim_workload_new(sim_workload_kind_name(i), 1, NULL);

		str_addf(out, "  %-16s %s\n    %s\n", sim_workload_kind_name(i), sim_workload_kind_text(i),
			workload ? sim_workload_text(workload) : "");
		for (size_t k = 0; sim_workload_parameter(i, k, &p) && !p.common; k++)
			str_addf(out, "    %-14s %s\n", p.name, p.text);
		sim_workload_free(workload);
	}
	str_add(out, "  parameters that all have\n");
	for (size_t k = 0; sim_workload_parameter(0, k, &p); k++)
		if (p.common)
			str_addf(out, "    %-14s %s\n", p.name, p.text);
}

static void
add_program_parameters(sim_parameter_set set, struct str *out)
{
	struct sim_parameters preset;

	sim_parameters_preset(&preset);
	for (int i = 0; i < SIM_N_PROGRAM_PARAMETERS; i++)
		if (set >> i & 1) {
			struct str value = {0};

			sim_parameters_print(&preset, (sim_parameter_set)1 << i, &value);
			str_addf(out, "    %-16s %s\n", str_text(&value),
				sim_parameter_about((enum sim_program_parameter)i));
			str_free(&value);
		}
}

static void
add_programs(struct str *out)
{
	str_add(out, "\nprograms (--program NAME:PARAMETER=VALUE,...), for machines with a pipeline\n");
	for (size_t i = 0; sim_program_name(i); i++)
		str_addf(out, "  %-16s %s\n", sim_program_name(i), sim_program_about(i));
	str_add(out, "  parameters of programs, and their defaults where the program has no other value\n");
	add_program_parameters(SIM_P_PROGRAMS, out);
	str_add(out, "  parameters of lessons\n");
	add_program_parameters(SIM_P_LESSONS, out);
}

static void
add_suites(struct str *out)
{
	char **name = file_names(SUITE_FOLDERS, ".suite");

	str_add(out, "\nsuites (--suite)\n");
	for (size_t i = 0; name[i]; i++) {
		struct sim_suite s = {0};
		struct err e = {0};

		if (simulation_add_suite(&s, NULL, name[i], &e))
			str_addf(out, "  %-16s %zu workloads\n", name[i], s.n);
		else
			str_addf(out, "  %-16s cannot be read: %s\n", name[i], e.what);
		sim_suite_free(&s);
	}
	str_split_free(name);
}

int
sim_list(const struct options *options)
{
	struct str out = {0}, lines = {0};
	bool good;

	add_machines(&out);
	add_workloads(&out);
	add_programs(&out);
	add_suites(&out);
	server_simulation_list(&out);
	str_add(&out, "\nevents (-e, and those of models)\n");
	for (int i = 0; i < (int)SIM_N_EVENTS; i++)
		str_addf(&out, "  %s\n", sim_event_name((enum sim_event)i));
	print_lines(&lines, str_text(&out), print_ascii(options));
	good = writing_text(options, &lines);
	str_free(&out);
	str_free(&lines);
	return good ? 0 : 2;
}

char *
sim_changes(const struct text_list *l)
{
	struct str all = {0};

	for (size_t i = 0; i < l->n; i++)
		str_addf(&all, "%s%s", i ? "; " : "", l->item[i]);
	return l->n ? str_take(&all) : NULL;
}
