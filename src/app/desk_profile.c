#include "app/desk_profile.h"

#include <stdlib.h>
#include <unistd.h>

#include "app/desk.h"
#include "app/live.h"
#include "app/profile.h"
#include "app/recording.h"
#include "app/session_profile.h"
#include "base/err.h"
#include "base/mem.h"
#include "core/network/network.h"
#include "core/stack/stack.h"

/* The stack first: the text that came last is what the file brings. */
static bool
open_file(struct desk *d, struct err *e)
{
	struct session *s = d->s;
	const struct network *net = profile_network(s->run.data);
	const struct stack *stack = profile_stack(s->run.data);

	if (stack)
		d->recording = recording_open_text(d->record_in, SESSION_STACK, stack->name, &s->run.stack_text, s->argv, e);
	else
		d->recording = recording_open_text(d->record_in, SESSION_NETWORK, net->name, &s->run.network_text, s->argv, e);
	if (d->recording && stack && net && !recording_add_text(d->recording, SESSION_NETWORK, net->name, &s->run.network_text, e)) {
		recording_close(d->recording);
		d->recording = NULL;
	}
	return d->recording != NULL;
}

/* False and *e: it cannot be written. */
static bool
write_tables(struct desk *d, struct err *e)
{
	struct session *s = d->s;
	bool good = d->recording || open_file(d, e);

	for (size_t i = 0; good && d->record_all && i < s->n_tables; i++)
		good = recording_follow(d->recording, s->table[i], e);
	if (good && s->live)
		good = recording_follow(d->recording, live_table(s->live), e);
	if (good)
		s->kept_at = s->now > 0 ? s->now : 1e-9;
	return good;
}

static void
write_or_say(struct desk *d)
{
	struct session *s = d->s;
	struct err e = {0};
	bool failed = s->not_kept;

	if (!d->record_in)
		return;
	s->not_kept = !write_tables(d, &e);
	if (s->not_kept && !failed)
		session_say(s, true, "not saved: %s%s%s", e.what, *e.hint ? "; " : "", e.hint);
}

bool
desk_profile_keep(struct desk *d, const char *path, bool make, struct err *e)
{
	struct session *s = d->s;

	if (make && access(path, F_OK) == 0) {
		err_set(e, "%s is there already", path);
		return err_hint(e, "give another name; no file is overwritten");
	}
	desk_profile_close(d);
	d->record_in = mem_str(path);
	d->record_all = make;
	free(s->kept_in);
	s->kept_in = mem_str(path);
	s->not_kept = false;
	return !make || write_tables(d, e);
}

bool
desk_profile_follow(struct desk *d)
{
	if (!session_profile_follow(d->s))
		return false;
	write_or_say(d);
	return true;
}

void
desk_profile_close(struct desk *d)
{
	if (d->recording)
		write_or_say(d);
	recording_close(d->recording);
	free(d->record_in);
	d->recording = NULL;
	d->record_in = NULL;
}
