/* hecate report: where its files go, and the report on networks and stacks. For cmd_report.c. */
#ifndef CLI_PRINT_PRINT_REPORT_H
#define CLI_PRINT_PRINT_REPORT_H

#include <stdbool.h>

struct options;
struct report_files;
struct theme;

/* Splits the place that -o names. -o FOLDER: SUBJECT-report in that folder; -o FILE: that name, with or without ".md".
 * The caller frees the folder, with its slash, and the name. */
void print_place(const struct options *, const char *subject, char **folder, char **name);
void print_theme(struct theme *); /* a theme for paper: light */
/* Writes all files, the text last, so that a text never refers to missing pictures. Frees the files. False when one
 * cannot be written, after a message. */
bool print_write(const struct options *, struct report_files *, const char *folder);

/* The report on networks and stacks. Returns the exit status. */
int print_profile(const struct options *);

#endif
