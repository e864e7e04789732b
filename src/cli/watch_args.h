/* Options of what is observed here and now: tasks or CPUs, samples, and where the command runs. */
#ifndef CLI_WATCH_ARGS_H
#define CLI_WATCH_ARGS_H

#include <stdbool.h>

#include "core/obs/source_data.h"
#include "core/spec/spec.h"
#include "work/run/run_sampling.h"

struct err;
struct options;

struct watch_args {
	bool has_target;             /* -p, -t, -a or -C is given */
	struct source_target target;
	int *id;                     /* of the target; owned */
	struct sampling sampling;
	bool placed;                 /* --pin or --memory is given */
	struct spec_program place;   /* cores and memory of the command, and nothing else; its numbers are owned */
};

/* False, and a message, when options do not fit together or name what does not exist. Free with watch_args_free() in
 * either case. */
bool watch_args_take(const struct options *, struct watch_args *);
void watch_args_free(struct watch_args *);

/* Reads the CPUs of --pin. False and *e: they are no list of numbers. The caller frees the numbers. */
bool pin_take(const struct options *, struct spec_numbers *, struct err *e);

#endif
