/* Files that belong to hecate: where models and themes are looked up, and the loader through which core reads files.
 *
 * A name is a file when it has a '/' or a known ending; otherwise it is looked up, without its ending, in
 * $HECATE_MODELS, $XDG_DATA_HOME/hecate, the installation and the build tree (docs/command-line.md, "Arguments"). */
#ifndef WORK_FILES_FILES_H
#define WORK_FILES_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/udd/model.h"

struct doctor;
struct err;
struct stat;
struct str;

/* Reads a whole file of at most `limit` bytes; the caller frees the text, which is NUL-terminated. "-" is standard
 * input. On failure returns NULL, and *e says which file, why, and what to do. */
char *file_read(const char *path, size_t limit, size_t *n, struct err *e);

/* The same for a file on disk; *st becomes its stat(2) at the time of reading. */
char *file_read_stat(const char *path, size_t limit, size_t *n, struct stat *st, struct err *e);

/* Opens a file to be read piece by piece; "-" is standard input. −1 and *e on failure. */
int file_open(const char *path, struct err *e);
void file_close(int fd); /* standard input stays open */

/* The text of one file. */
struct text {
	char *path; /* where the text came from; on the heap, like the text */
	char *text;
	size_t n;
};

/* Folders of networks, stacks and simulated machines in each of these places. */
#define NETWORK_FOLDERS "networks:models/networks"
#define STACK_FOLDERS "stacks:models/stacks"
#define MACHINE_FOLDERS "machines:models/machines"
#define PROBE_FOLDERS "probes:models/probes"
#define LESSON_FOLDERS "lessons:models/lessons"
#define DEMO_TOTALS "page-faults" /* exact totals in RUNS_FOLDERS that refute linux-page-faults on any machine */
#define RUNS_FOLDERS "models/demo" /* tables of runs, NAME.csv, with NAME-expected.csv */
#define MODEL_ENDINGS ".udd:.fdl:.fdlm4"

/* Finds the installed file `name` in `folder` ("models") with `ending` (".net"). Both may be several, joined by ':',
 * which are tried in that order. Returns a path that the caller frees, or NULL and *e with the nearest installed name.
 * A name that is a file is returned unchanged. */
char *file_find(const char *name, const char *folder, const char *ending, struct err *e);

/* Returns the names of installed files, without the ending, sorted, without duplicates, NULL-terminated. The caller
 * frees them with str_split_free(). */
char **file_names(const char *folder, const char *ending);
/* Returns the file of the same folder that was probably meant by a name that does not exist; the caller frees. NULL:
 * none. */
char *file_near(const char *name);

/* True when the argument is a file rather than a name: it has a '/', and is no group of metrics such as
 * "cpu_atom/TopdownL2/", or has one of hecate's endings. */
bool file_is_path(const char *arg);

/* Returns a name for a new file in this folder, from what it is of (a command, a model; NULL: hecate) and the time:
 * "make-20260131-120000.hct", or with "-2" if that is there. The caller frees. */
char *file_new_name(const char *of, const char *ending);

/* True when the path has one of the endings, joined by ':'. */
bool file_has_ending(const char *path, const char *endings);

/* True when the file at `path` came with hecate or must not be written: who wants to change it needs a copy. */
bool file_is_installed(const char *path);

/* True when the argument is a folder. A folder is a model, too: the family of the FDL files in it (convert/fdl/fdl.h).
 * Its path ends in '/'. */
bool file_is_folder(const char *arg);

/* Finds a model: a file, an installed name, or a folder. Returns a path that the caller frees; NULL and *e on failure.
 */
char *file_find_model(const char *arg, struct err *e);

/* Returns the names of the FDL files in a folder, one per line, m2 before m10. The caller frees the text. NULL and *e
 * on failure. */
char *file_folder_text(const char *path, size_t *n, struct err *e);

/* The files of one model, kept so that they can be sent to the engine and read again from memory. */
struct bundle {
	char *path; /* path of the model itself */
	struct udd_file *file;
	size_t n, cap;
	char **include_dir; /* --include-dir: folders that includes may also reach */
	size_t n_include_dirs;
	struct udd_defines define; /* definitions of -D */
};

void bundle_free(struct bundle *);
/* Returns a bundle without files that looks for includes and defines names as `b` does. */
struct bundle bundle_like(const struct bundle *b);
/* True when both have the same files with the same texts. */
bool bundle_equal(const struct bundle *, const struct bundle *);
/* True when a file at `path` could replace the model's own file and its includes would find the same files: `path` is
 * in the same folder, and the included files still exist. */
bool bundle_is_beside(const struct bundle *, const char *path);
/* True when the model includes the file at `path`. */
bool bundle_includes(const struct bundle *, const char *path);
/* Returns a loader that reads from disk and keeps what it read in the bundle. */
struct udd_loader bundle_disk_loader(struct bundle *);
/* Returns a loader that reads from the bundle only. */
struct udd_loader bundle_loader(struct bundle *);

/* If the first example cannot be tested here, makes its remedy the command that judges the recorded example. */
void file_offer_demo(struct doctor *);

#endif
