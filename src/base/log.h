/* Warnings and notes for people: to standard error, or into a text that the explorer shows. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

struct str;

/* Say something now. `to` NULL writes "hecate: …" to standard error, else a line is added to the text. */
void log_line(struct str *to, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
