/* Warnings and notes for people. They go to standard error, or into a text that the explorer shows. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

struct str;

/* Prints one line. With `to` NULL it writes "hecate: …" to standard error; otherwise it adds the line to the text. */
void log_line(struct str *to, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* "hecate 0.2.0", the version in configure.ac. A program built in a repository names the commit, too: "hecate
 * 0.2.0-gabc123def" (tools/version). Test programs leave the commit out, so that a new commit does not link them again.
 */
extern const char program_version[];

#endif
