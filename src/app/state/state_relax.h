/* What would relax the constraint that a pane tells about: the ranking that the engine gave, and its witnesses step by
 * step. */
#ifndef APP_STATE_STATE_RELAX_H
#define APP_STATE_STATE_RELAX_H

#include <stdbool.h>
#include <stddef.h>

struct constraint;
struct relaxer;
struct relaxers;
struct state;

/* The row of session.constraints that refutes the selected observation: its worst violated constraint, else its
 * certificate. CONSTRAINT_NONE: nothing refutes it, or marks leave it out. */
size_t state_why_row(const struct state *);

/* What is known of a row; NULL: nothing yet, or the engine gave up. */
const struct relaxers *state_relaxers(const struct state *, size_t row);

/* Does it relax the constraint? An equality may be broken on either side: of an observation's (`excess` tells its side;
 * NULL: any) only what breaks it there is of help. */
bool state_relaxes(const struct constraint *, const struct relaxer *);

/* Open the popup with the witness µpaths of what relaxes the row, for an observation's violation of it, or (NULL) for
 * all. False when there are none to be shown. */
bool state_show_relaxers(struct state *, size_t row, const struct constraint *);

/* Enter in the pane that says why: these, or where the numbers come from. */
void state_look_into_why(struct state *);

#endif
