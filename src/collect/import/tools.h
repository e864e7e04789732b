/* A table of other tools' files: the lines by which each is recognised, and its reader. A tool whose files hold no
 * counts has no reader, but a sentence that says what the file is and how to get counts. */
#ifndef COLLECT_IMPORT_TOOLS_H
#define COLLECT_IMPORT_TOOLS_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct obs_table;

/* Reads a whole text. Arguments and failure are as for csv_read(). */
typedef struct obs_table *tool_reader(const char *name, const char *text, size_t n, bool exact, struct err *e);

/* The patterns compare with whole lines, without regard to case: '*' stands for any text, '@' for one or more digits,
 * '?' for any one character, a blank for one or more blanks. Blanks at both ends of a line are ignored. */
struct tool {
	const char *first;   /* pattern of the first line that is not blank; NULL: any */
	const char *also[2]; /* patterns, each of which must match one of the first lines */
	tool_reader *read;   /* NULL: the file holds no counts */
	const char *what;    /* without a reader: "this is …" */
	const char *hint;    /* without a reader: how to get counts */
};

/* Returns the tool that wrote a text that begins with `head`; NULL: no known tool. */
const struct tool *tools_find(const char *head);

/* Readers, each in a source file of its own. */
tool_reader likwid_read, toplev_read, pcm_raw_read, simpleperf_read, uprof_read, papi_json_read, gem5_json_read,
	sniper_out_read;

#endif
