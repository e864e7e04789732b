/* The programs that sim_program_new() knows by name. */
#ifndef SIM_PROGRAM_CATALOGUE_H
#define SIM_PROGRAM_CATALOGUE_H

#include "sim/program/parameters.h"

struct sim_program_row {
	const char *name, *about;
	const char *preset;      /* parameters that differ from the defaults, as a user would write them */
	int lesson;              /* number of a lesson, or -1 */
	sim_parameter_set takes; /* parameters that it has */
};

/* Returns row i; NULL beyond the last. */
const struct sim_program_row *sim_program_row(size_t i);
/* Parses "NAME:PARAM=VALUE,…". NULL and *e: the program is unknown, or sim_parameters_parse() or sim_parameters_check()
 * refuses the parameters. */
const struct sim_program_row *sim_program_parse(const char *text, struct sim_parameters *, struct err *e);

#endif
