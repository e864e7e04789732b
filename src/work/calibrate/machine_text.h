/* Edits the text of a .machine file, or of changes to one, statement by statement: comments and order stay. */
#ifndef WORK_CALIBRATE_MACHINE_TEXT_H
#define WORK_CALIBRATE_MACHINE_TEXT_H

struct str;

/* Replaces the statements that begin with the words of `key` ("rob", "latency mul") by `with`, which has no ';' at its
 * end; of several the first, and the others go. If there is none, it is appended. "" removes them. `text` ends with a
 * ';' or a newline, or is empty. */
void machine_text_set(struct str *text, const char *key, const char *with);

#endif
