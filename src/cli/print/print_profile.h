/* hecate report on networks and stacks. For cmd_report.c. */
#ifndef CLI_PRINT_PRINT_PROFILE_H
#define CLI_PRINT_PRINT_PROFILE_H

struct options;

int print_profile(const struct options *); /* returns the exit status */

#endif
