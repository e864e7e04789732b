/* Settings: everything besides samples that the explorer remembers. One table row writes and reads each of them;
 * docs/session-file.md lists the keys. Values are names, never numbers, because model and data may have changed when
 * the file is opened again. What no longer exists is left out and reported.
 *
 *   setting.c             writes and reads what the tables list
 *   setting_model.c       rows of a model: switches, options, lists, plot
 *   setting_timeline.c    rows of views 5 to 7: modules, kinds, owners and snapshots
 *   setting_view.c        rows of both: what is open, which view is shown, what was run
 */
#ifndef EXPLORER_AUTOSAVE_SETTING_H
#define EXPLORER_AUTOSAVE_SETTING_H

#include <stdbool.h>
#include <stddef.h>

struct session_table;
struct state;
struct str;

/* Conditions of a row. A row is written if it holds for the state, and read if it holds for state and file. */
enum setting_when {
	WHEN_MODEL = 1,        /* a model */
	WHEN_SAME_MODEL = 2,   /* a model with the file's name */
	WHEN_SNAPSHOTS = 4,    /* a network or stacks, and no model */
	WHEN_NETWORK = 8,      /* a network */
	WHEN_SAME_NETWORK = 16, /* a network with the file's name, or none in both */
	WHEN_SAME_STACK = 32,  /* in the foreground a stack with the file's name, or none in both */
};

/* When a row is read: when the session is opened, or when the first result shows which observations and constraints
 * exist. Until then, writing a late row repeats the file's text. */
enum setting_stage { SETTING_EARLY, SETTING_LATE };

/* How a row is written and read: by functions of its own, or as a field of struct state. */
enum setting_kind {
	SETTING_OWN,
	SETTING_FLAG, /* bool, as "0" or "1" */
	SETTING_WORD, /* an enum or int, by `words`; an unknown word changes nothing */
	SETTING_TEXT, /* char *, owned by the state; NULL if the file has no such key */
};

/* Input and output of a row's read(), besides its text. */
struct setting_file {
	const struct session_table *table;
	struct str *lost; /* names of what no longer exists; see setting_lost() */
};

struct setting {
	const char *key;     /* name in the file */
	unsigned when;       /* enum setting_when; 0: always */
	unsigned given;      /* enum autosave_given: options of the command line that override the file */
	enum setting_stage stage;
	bool place;          /* says only where the user looks */
	bool resets;         /* read() is also called if the file has no such key, with NULL */
	/* SETTING_OWN. write() returns the text, which the caller frees; NULL: the key is left out */
	char *(*write)(const struct state *);
	void (*read)(struct state *, const char *text, const struct setting_file *);
	/* the other kinds: the field, and words for numbers */
	enum setting_kind kind;
	size_t at;           /* SETTING_AT(field) */
	const char *(*words)(int); /* SETTING_WORD: the word for a number */
	int n_words;
	const char *lost_as; /* name of an unknown word in the report; NULL: it is ignored */
};
#define SETTING_AT(field) offsetof(struct state, field)

/* The tables, in the order in which they are read. Each ends with a row that has no key. */
extern const struct setting settings_of_file[], settings_of_model[], settings_of_timeline[], settings_of_view[];

/* Settings that wait for the first result. */
struct resume {
	struct session_table *late; /* keys and texts of late rows; NULL: none */
	bool waits;
};
void resume_free(struct resume *);

/* Writes all rows that apply as keys and texts; without `places` not those that say only where the user looks. The
 * caller clears `out`. */
void settings_write(const struct state *, const struct resume *, bool places, struct session_table *out);
/* Reads the early rows that apply, and keeps the texts of the late ones. settings_read_late() reads those. Both add to
 * `lost` what no longer exists. */
void settings_read(struct state *, const struct session_table *, unsigned given, struct resume *, struct str *lost);
void settings_read_late(struct state *, struct resume *, struct str *lost);

/* Helpers for rows. */
/* Adds "feature pml4e", "observation gcc" to `lost`. */
void setting_lost(struct str *lost, const char *kind, const char *name);
const char *setting_value(const struct session_table *, const char *key);        /* NULL: the file has no such key */
char *setting_list(const char *const *item); /* a NULL-terminated list as a JSON array on one line; the caller frees */
/* Returns the texts of a JSON array, NULL-terminated; NULL if the text is none. Free with str_split_free(). */
char **setting_items(const char *text);

#endif
