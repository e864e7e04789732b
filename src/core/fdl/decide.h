/* Checks a flow's decisions. Private to core/fdl. */
#ifndef CORE_FDL_DECIDE_H
#define CORE_FDL_DECIDE_H

struct diags;
struct udd_diagram;

/* Warns about cases that no µpath takes, and about properties that some µpaths decide where others have decided them
 * already. The diagram is that of one flow. */
void fdl_lint_decisions(const struct udd_diagram *, struct diags *);

#endif
