/* A journal of what the program does, for its developers: a line for each key, request, message, run and process, in
 * the file that HECATE_LOG names. All processes write into the same file; its first column orders their lines. If
 * HECATE_LOG is not set, nothing is written. */
#ifndef BASE_JOURNAL_H
#define BASE_JOURNAL_H

/* Appends "SECONDS PID WHO TEXT". Seconds are those of clock_seconds(). `who` is a word: "control", "engine". */
void journal_line(const char *who, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
