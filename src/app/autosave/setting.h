/* What the explorer remembers beside the samples: a table of settings, each written and read by one row
 * (docs/session-file.md lists the keys). Everything is called by its name, so that it can be taken up again by a model
 * or data that have changed meanwhile: what has gone is left out and named.
 *
 *   setting.c             writes and reads whatever the tables say
 *   setting_model.c       rows of a model: switches, options, lists, plot
 *   setting_timeline.c    rows of views 5 to 7: modules, kinds, owners and snapshots
 *   setting_view.c        rows of both: what is open, which view is shown, what was run
 */
#ifndef APP_AUTOSAVE_SETTING_H
#define APP_AUTOSAVE_SETTING_H

#include <stdbool.h>
#include <stddef.h>

struct sheet;
struct state;
struct str;

/* What must be open for a row to be written; and, to be read, of the same name as what the file was about. */
enum setting_when {
	WHEN_MODEL = 1,        /* a model */
	WHEN_SAME_MODEL = 2,   /* … this one */
	WHEN_SNAPSHOTS = 4,    /* no model: a network, or stacks */
	WHEN_NETWORK = 8,      /* a network */
	WHEN_SAME_NETWORK = 16, /* … this one; or there was none, and is none */
	WHEN_SAME_STACK = 32,  /* likewise */
};

/* When a row is read: as the session is opened, or as soon as a result shows which observations and constraints there
 * are. Until then the file's text stands for it. */
enum setting_stage { SETTING_EARLY, SETTING_LATE };

/* How a row is written and read: by its own functions, or as a field of struct state. */
enum setting_kind {
	SETTING_OWN,
	SETTING_FLAG, /* bool, as "0" or "1" */
	SETTING_WORD, /* an enum, or an int, by `words`; a word that is none of them changes nothing */
	SETTING_TEXT, /* char *, owned by the state; NULL where the file has none */
};

/* What a row is read from. */
struct setting_file {
	const struct sheet *sheet;
	struct str *lost; /* what is gone: setting_lost() adds to it */
};

struct setting {
	const char *key;     /* in the file */
	unsigned when;       /* enum setting_when; 0: always */
	unsigned given;      /* enum autosave_given: the command line has said it, and the file is not asked */
	enum setting_stage stage;
	bool resets;         /* it is read, too, where the file has no such key: from NULL */
	/* SETTING_OWN. write: the text to be kept, which the caller frees; NULL: the key is left out */
	char *(*write)(const struct state *);
	void (*read)(struct state *, const char *text, const struct setting_file *);
	/* the other kinds */
	enum setting_kind kind;
	size_t at;                  /* SETTING_AT(field) */
	const char *(*words)(int);  /* SETTING_WORD: by number */
	int n_words;
	const char *lost_as;        /* … what an unknown word is called when it is reported; NULL: it is not */
};
#define SETTING_AT(field) offsetof(struct state, field)

/* In the order in which they are read; the last row has no key. */
extern const struct setting settings_of_file[], settings_of_model[], settings_of_timeline[], settings_of_view[];

/* What waits until the first result is there. */
struct resume {
	struct sheet *late; /* keys and texts of the file, of rows that are SETTING_LATE; NULL: none */
	bool waits;
};
void resume_free(struct resume *);

/* All rows that apply, as keys and texts. */
void settings_write(const struct state *, const struct resume *, struct sheet *out);
/* The other way: early rows now, late ones into the resume; then these. */
void settings_read(struct state *, const struct sheet *, unsigned given, struct resume *, struct str *lost);
void settings_read_late(struct state *, struct resume *, struct str *lost);

/* For rows. */
void setting_lost(struct str *lost, const char *kind, const char *name); /* adds "feature pml4e", "observation gcc" */
const char *setting_value(const struct sheet *, const char *key);        /* NULL: there is none */
char *setting_list(char *const *item);     /* NULL-terminated; as a JSON array on one line */
/* texts of a JSON array, NULL-terminated; NULL when it is none. The caller frees with str_split_free() */
char **setting_items(const char *text);

#endif
