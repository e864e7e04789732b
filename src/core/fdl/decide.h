/* Lint of a flow's decisions. Private to core/fdl. */
#ifndef CORE_FDL_DECIDE_H
#define CORE_FDL_DECIDE_H

struct diags;
struct udd_diagram;

/* Warn of cases that no µpath takes, and of properties that some µpaths decide where others have decided them
 * before. The diagram is of one flow. */
void fdl_lint_decisions(const struct udd_diagram *, struct diags *);

#endif
