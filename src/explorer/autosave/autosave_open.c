/* Opening a session file for writing waits for the disk six times, 10 to 60 ms in all. Meanwhile keys go on, because a
 * thread opens it. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/store/session_file.h"
#include "explorer/autosave/autosave_state.h"

#define LOCKED_MS 100 /* no key waits longer for a file that another program has locked */

struct opening {
	pthread_t thread;
	char *path;
	struct session_file *file; /* NULL: it failed, as `why` says */
	struct err why;
	atomic_bool done;
};

static void *
open_it(void *ctx)
{
	struct opening *opening = ctx;

	opening->file = session_file_open_to_keep(opening->path, LOCKED_MS, &opening->why);
	atomic_store(&opening->done, true);
	return NULL;
}

/* Starts the thread. False if there can be none. */
static bool
autosave_open_start(struct autosave *autosave, const char *path)
{
	struct opening *opening = autosave->opening = mem_new(sizeof *opening);
	sigset_t all, before;
	bool started;

	opening->path = mem_str(path);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are handled by the loop's thread */
	started = pthread_create(&opening->thread, NULL, open_it, opening) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (started)
		return true;
	free(opening->path);
	free(opening);
	autosave->opening = NULL;
	return false;
}

bool
autosave_opens(struct autosave *autosave, const char *path)
{
	if (!autosave->opening && !autosave_open_start(autosave, path))
		return false;
	return !atomic_load(&autosave->opening->done);
}

struct session_file *
autosave_opened(struct autosave *autosave, const char *path, struct err *e)
{
	struct opening *opening = autosave->opening;
	struct session_file *file = NULL;
	bool same;

	if (!opening)
		return path ? session_file_open_to_keep(path, LOCKED_MS, e) : NULL;
	pthread_join(opening->thread, NULL);
	same = path && str_eq(opening->path, path);
	if (same && opening->file)
		file = opening->file;
	else
		session_file_close(opening->file);
	if (same && !file)
		*e = opening->why;
	free(opening->path);
	free(opening);
	autosave->opening = NULL;
	return same || !path ? file : session_file_open_to_keep(path, LOCKED_MS, e);
}
