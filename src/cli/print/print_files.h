/* Where the files of a report go. For cmd_report.c and print_profile.c. */
#ifndef CLI_PRINT_PRINT_FILES_H
#define CLI_PRINT_PRINT_FILES_H

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

#endif
