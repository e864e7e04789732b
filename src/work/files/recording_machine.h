/* The machine that an observation was counted on, as its session file keeps it (struct obs_origin). The text may come
 * from anybody, so only what hecate itself writes is read. */
#ifndef WORK_FILES_RECORDING_MACHINE_H
#define WORK_FILES_RECORDING_MACHINE_H

#include <stddef.h>

struct json_writer;
struct obs_table;
struct str;

/* Writes the object of hecate.export/1. What the text does not say is null. */
void recording_machine_json(struct json_writer *, const char *machine);

/* Appends a sentence without a full stop for each machine of the tables' observations, separated by "; ":
 * "KVM guest, AMD EPYC, microcode 0x1000065, 2 processors, Linux 6.18.5". Appends nothing if none is known. */
void recording_machine_text(struct obs_table *const *table, size_t n, struct str *out);

#endif
