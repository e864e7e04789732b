/* hecate report on networks and stacks. For cmd_report.c. */
#ifndef CLI_REPORT_REPORT_PROFILE_H
#define CLI_REPORT_REPORT_PROFILE_H

struct options;

int report_profile(const struct options *); /* the exit status */

#endif
