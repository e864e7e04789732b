/* Edits the text of a .machine file, or of changes to one, statement by statement. Comments and order stay. */
#ifndef WORK_CALIBRATE_MACHINE_TEXT_H
#define WORK_CALIBRATE_MACHINE_TEXT_H

struct str;

/* Replaces the first statement that begins with the words of `key` ("rob", "latency mul") by `with`, which has no ';'
 * at its end, and removes further ones. If there is none, appends `with`. An empty `with` removes all. `text` ends with
 * a ';' or a newline, or is empty. */
void machine_text_set(struct str *text, const char *key, const char *with);

#endif
