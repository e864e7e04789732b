/* The setup of a specification's program before it starts: folder, files, environment, cores, memory nodes. */
#ifndef COLLECT_PROCESS_SETUP_H
#define COLLECT_PROCESS_SETUP_H

#include <stdbool.h>

struct err;
struct spec_program;

enum setup_step {
	SETUP_COMMAND, SETUP_INPUT, SETUP_OUTPUT, SETUP_ERRORS, SETUP_FOLDER, SETUP_ENVIRONMENT, SETUP_CORES,
	SETUP_MEMORY
};

/* Sets up this process, which is to become the program. Returns 0, or errno and the step that failed. Names of files
 * are relative to hecate's folder, but the program's name is relative to its own folder, so the folder is changed last.
 */
int setup_apply(const struct spec_program *, enum setup_step *);

/* Sets *e to a description of a failure of setup_apply(). Always returns false. */
bool setup_explain(const struct spec_program *, enum setup_step, int error, struct err *e);

#endif
