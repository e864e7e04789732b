/* Files that belong to hecate: where models and themes are looked up, and the loader that core is handed.
 *
 * A name is a file when it has a '/' or a known ending; otherwise it is looked up, without its ending, in
 * $HECATE_MODELS, $XDG_DATA_HOME/hecate, the installation and the build tree (docs/command-line.md, "Arguments"). */
#ifndef APP_FILES_FILES_H
#define APP_FILES_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/udd/model.h"

struct err;
struct str;

/* A whole file, NUL-terminated, at most `limit` bytes; the caller frees. `path` "-" is standard input.
 * NULL and *e (which file, why, what to do) on failure. */
char *file_read(const char *path, size_t limit, size_t *n, struct err *e);

/* A file to be read piece by piece; "-" is standard input. −1 and *e. */
int file_open(const char *path, struct err *e);
void file_close(int fd); /* standard input stays open */

/* One file, as it was read. */
struct text {
	char *path; /* where it came from; heap, as is the text */
	char *text;
	size_t n;
};

/* Where networks, stacks and simulated machines are kept in each of the places. */
#define NETWORK_FOLDERS "networks:models/networks"
#define STACK_FOLDERS "stacks:models/stacks"
#define MACHINE_FOLDERS "machines:models/machines"
#define MODEL_ENDINGS ".udd:.fdl:.fdlm4"

/* Where the installed thing `name` of `folder` ("models"; several joined by ':' are looked through in that order) with
 * `ending` (".net"; likewise) is: a path that the caller frees, or NULL and *e with the nearest installed name. A name
 * that is a file already is returned as it is. */
char *file_find(const char *name, const char *folder, const char *ending, struct err *e);

/* Names of what is installed, without the ending, sorted, each once, NULL-terminated. The caller frees with
 * str_split_free(). */
char **file_names(const char *folder, const char *ending);

/* Is this argument a file rather than a name (it has a '/' or one of hecate's endings)? */
bool file_is_path(const char *arg);

/* Does a path end in one of the endings, joined by ':'? */
bool file_has_ending(const char *path, const char *endings);

/* A folder is a model, too: the family of the FDL files in it (core/fdl/fdl.h). Its path ends in '/'. */
bool folder_is(const char *arg);

/* Where a model is: a file, an installed name, or a folder, in whichever way it was written. A path that the caller
 * frees; NULL and *e. */
char *model_find(const char *arg, struct err *e);

/* The names of the FDL files in a folder, one a line, m2 before m10. The caller frees. NULL and *e. */
char *folder_text(const char *path, size_t *n, struct err *e);

/* The files of one model, kept so that they can be sent to the engine and loaded again from memory. */
struct bundle {
	char *path; /* of the model itself */
	struct udd_file *file;
	size_t n, cap;
	char **include_dir; /* --include-dir: folders that includes may also reach */
	size_t n_include_dirs;
	struct udd_defines define; /* -D */
};

void bundle_free(struct bundle *);
/* Would includes of the model's own file lead to the same files from a file at `path`? From one in the same folder they
 * do, if they are still there. */
bool bundle_is_beside(const struct bundle *, const char *path);
/* Is `path` a file that the model includes? */
bool bundle_includes(const struct bundle *, const char *path);
/* A loader that reads from disk and keeps what it read in the bundle (ctx is the bundle). */
struct udd_loader bundle_disk_loader(struct bundle *);
/* A loader that only knows what the bundle holds. */
struct udd_loader bundle_loader(struct bundle *);

#endif
