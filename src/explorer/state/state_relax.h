/* The features that would relax the constraint that a pane shows: the engine's ranking, and their witness µpaths. */
#ifndef EXPLORER_STATE_STATE_RELAX_H
#define EXPLORER_STATE_STATE_RELAX_H

#include <stdbool.h>
#include <stddef.h>

#include "core/udd/fset.h"

struct constraint;
struct relaxer;
struct relaxers;
struct state;

/* The row of answers.constraints that refutes the selected observation: its worst violated constraint, else its
 * certificate. CONSTRAINT_NONE: nothing refutes it, or marks leave it out. */
size_t state_why_row(const struct state *);

/* The relaxers of a row; NULL: not known yet, or the engine gave up. */
const struct relaxers *state_relaxers(const struct state *, size_t row);

/* Does the relaxer help the violated constraint? An observation breaks an equality on one side (the sign of `excess`),
 * and only a relaxer on that side helps. Constraint NULL: either side. */
bool state_relaxes(const struct constraint *, const struct relaxer *);

/* Opens the popup with the witness µpaths of the row's relaxers: of those that help the observation's violation, or of
 * all (NULL). False: there are none. */
bool state_show_relaxers(struct state *, size_t row, const struct constraint *);

/* Enter in pane "Why": opens that popup, says that no feature relaxes it, or, while the ranking is unknown, shows the
 * origin of the numbers. */
void state_open_why(struct state *);

/* The features that, switched on, repair the selected refuted observation. */
struct repair {
	struct fset added;
	bool frees;          /* they make the observation feasible; else they only make others feasible */
	size_t freed, asked; /* observations that become feasible, of those that break the same constraint */
};

/* The best repair: of those that free the observation the first in the ranking, else the first that frees any. False:
 * nothing refutes it, no feature helps, or the ranking is not known yet. */
bool state_repair(const struct state *, struct repair *);
void state_act_repair(struct state *);

#endif
