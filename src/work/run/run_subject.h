/* The subject of a run: a command, or tasks that run already. It is a copy, so that the run can outlive its options,
 * and has the names that observations get. */
#ifndef WORK_RUN_RUN_SUBJECT_H
#define WORK_RUN_RUN_SUBJECT_H

#include "collect/process/target.h"

struct run_subject {
	char **argv;                  /* NULL-terminated; NULL: no command */
	struct source_target *target; /* NULL: none */
	char *name;                   /* "gcc", "java-4711"; "" without command and target */
	char *asked;                  /* "gcc -c x.c", "-p 4711", "gcc -c x.c with -C 0" */
};

/* `name` replaces the name made from the command or the target; NULL: keep that. */
struct run_subject run_subject_of(char *const *argv, const struct source_target *, const char *name);
void run_subject_free(struct run_subject *);

#endif
