/* What is known of the session in its file. Private to this folder. */
#ifndef EXPLORER_AUTOSAVE_AUTOSAVE_STATE_H
#define EXPLORER_AUTOSAVE_AUTOSAVE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "explorer/autosave/autosave.h"
#include "explorer/autosave/setting.h"
#include "work/files/stored.h"

struct err;
struct opening;
struct result;
struct session_file;
struct session_table;

struct autosave {
	struct session_file *file;     /* NULL: not open for writing */
	struct opening *opening;       /* the thread that opens it; NULL: none */
	struct stored_tables tables;   /* tables that grow while the explorer runs */
	struct snapshot_records *records; /* of the table that the run fills; NULL: not begun */
	int64_t model;                 /* row of the model in the file */
	/* The file opens with another model, network or stack. Its settings and graph are kept for it as soon as the
	 * user changes something; until then nothing is written. */
	bool foreign;
	int64_t own;                   /* foreign: row of what is open here; 0: the file does not have it */
	bool edited;                   /* foreign: because the model's text has changed; that is written at once */
	struct str chosen;             /* foreign: the settings but places, as they were at first */
	struct resume resume;
	struct str lost;               /* things that could not be restored */
	bool has_settings;
	struct str settings;           /* the settings as the file has them */
	/* State as last written; whatever differs is new. */
	const struct result *result;
	uint64_t request;
	size_t graph_size[6];
	bool graph_running;
	/* Times of writing. */
	bool pending, soon, said;
	size_t writes;
	double due;
	int shown_age;
};

/* Opens a file on a thread of its own, unless it does so already. False when that has ended, or there can be no thread:
 * then autosave_opened() does not wait long. */
bool autosave_opens(struct autosave *, const char *path);
/* Returns the file, waiting for the thread, or opened without one. On failure returns NULL and sets *e. `path` NULL:
 * the file is not wanted any more. */
struct session_file *autosave_opened(struct autosave *, const char *path, struct err *e);

/* The settings as text; `places`: also those that only say where the user is. In autosave_read.c. */
void autosave_settings_now(const struct autosave *, const struct state *, bool places, struct str *out);
void autosave_settings_text(const struct session_table *, struct str *out); /* the same of such a table */
/* Finds out whether the file opens with what is open here. On failure returns false and sets *e, as the next. */
bool autosave_find_own(struct autosave *, struct session_file *, const struct state *, struct err *e);
bool autosave_read_graph(struct autosave *, struct session_file *, struct state *, struct err *e);
/* Takes up the settings that waited for the first result. */
void autosave_read_late(struct autosave *, struct state *);

#endif
