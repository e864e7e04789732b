/* What a command of a specification finds when it begins: its folder, files, environment, the cores that it may run on,
 * the nodes that its memory comes from. */
#ifndef COLLECT_PROCESS_SETUP_H
#define COLLECT_PROCESS_SETUP_H

#include <stdbool.h>

struct err;
struct spec_program;

enum setup_step {
	SETUP_COMMAND, SETUP_INPUT, SETUP_OUTPUT, SETUP_ERRORS, SETUP_FOLDER, SETUP_ENVIRONMENT, SETUP_CORES,
	SETUP_MEMORY
};

/* Of this process, which is to become the program. 0, or errno, with the step that failed. Files stand where hecate
 * does, and the program is looked for in its own folder: the folder is changed last. */
int setup_apply(const struct spec_program *, enum setup_step *);

/* What that failure means. Always false. */
bool setup_explain(const struct spec_program *, enum setup_step, int error, struct err *e);

#endif
