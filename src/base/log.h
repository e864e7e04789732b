/* Warnings and notes for people. They go to standard error, or into a text that the explorer shows. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

struct str;

/* Prints one line. With `to` NULL it writes "hecate: …" to standard error; otherwise it adds the line to the text. */
void log_line(struct str *to, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
