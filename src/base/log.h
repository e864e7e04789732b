/* Warnings and notes for people. They go to standard error, or into a text that the explorer shows. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

struct str;

/* Prints one line. With `to` NULL it writes "hecate: …" to standard error; otherwise it adds the line to the text. */
void log_line(struct str *to, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* "hecate 0.2.0", of configure.ac. In a program that was built in a repository it names the commit, too: "hecate
 * 0.2.0-gabc123def" (tools/version). Programs of tests have the former, so that a commit does not link them again. */
extern const char program_version[];

#endif
