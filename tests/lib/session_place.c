#include "session_place.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/str.h"
#include "explorer/autosave/autosave_state.h"
#include "explorer/state/state.h"
#include "test.h"

struct session_place
session_place_new(void)
{
	struct session_place p = {.dir = "/tmp/hecate-session-XXXXXX"};

	CHECK(mkdtemp(p.dir) != NULL);
	p.file = str_format("%s/s.hecate", p.dir);
	return p;
}

void
session_place_free(struct session_place *p)
{
	static const char *const ending[] = {"", "-wal", "-shm", "-journal"};

	for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
		char *path = str_format("%s%s", p->file, ending[i]);

		unlink(path);
		free(path);
	}
	CHECK_INT(rmdir(p->dir), 0);
	free(p->file);
}

bool
session_tick(struct autosave *autosave, struct state *s)
{
	bool show = autosave_tick(autosave, s);

	for (int left = 20000; autosave->opening && CHECK(left > 0); left--) {
		poll(NULL, 0, 1);
		autosave->due = s->view.frame.now;
		show |= autosave_tick(autosave, s);
	}
	return show;
}
