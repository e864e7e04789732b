/* Where the files of a report go. For cmd_report.c and print_profile.c. */
#ifndef CLI_PRINT_PRINT_FILES_H
#define CLI_PRINT_PRINT_FILES_H

#include <stdbool.h>

struct options;
struct report_files;
struct theme;

/* -o FOLDER: SUBJECT-report in there; -o FILE: that name, with or without ".md". The folder, with its slash, and the
 * name are the caller's. */
void print_place(const struct options *, const char *subject, char **folder, char **name);
void print_theme(struct theme *); /* paper is light */
/* All of them, the text last: when it is there, so is what it shows. Frees the files. False (said already) when one
 * cannot be written. */
bool print_write(const struct options *, struct report_files *, const char *folder);

#endif
