/* How the HTML report looks, and the script that sorts its tables. Private to explorer/report/. */
#ifndef EXPLORER_REPORT_REPORT_LOOK_H
#define EXPLORER_REPORT_REPORT_LOOK_H

/* Lines, ended by NULL. The style uses the roles' colours: var(--text), var(--infeasible) … */
extern const char *const report_style[], *const report_script[];
/* Of the script, each line with its newline, as a Content-Security-Policy has it; tests/cli/report_html.sh computes it
 * again. */
extern const char report_script_hash[];

#endif
