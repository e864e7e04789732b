#include "event/modifiers.h"

#include <string.h>

#include "base/str.h"

/* The one list of perf's modifiers. Case matters, except where no other letter is meant: `also`. */
static const struct row {
	char letter, also;
	enum event_modifier is;
	const char *meaning;
} rows[] = {
	{'u', 'U', EVENT_MOD_USER, "user mode"},
	{'k', 'K', EVENT_MOD_KERNEL, "kernel mode"},
	{'h', 0, EVENT_MOD_HYPERVISOR, "hypervisor"},
	{'I', 0, EVENT_MOD_NO_IDLE, "not while idle"},
	{'G', 0, EVENT_MOD_GUEST, "guests"},
	{'H', 0, EVENT_MOD_HOST, "host"},
	{'p', 0, EVENT_MOD_PRECISE, "precise"},
	{'P', 0, EVENT_MOD_MOST_PRECISE, "as precise as possible"},
	{'S', 0, EVENT_MOD_SAMPLE_READ, "read with samples"},
	{'D', 0, EVENT_MOD_PINNED, "pinned"},
	{'W', 0, EVENT_MOD_WEAK, "weak group"},
	{'e', 0, EVENT_MOD_EXCLUSIVE, "exclusive"},
	{'b', 0, EVENT_MOD_BPF, "counted by BPF"},
	{'R', 0, EVENT_MOD_LATENCY, "latency of retirement"},
	{'X', 0, EVENT_MOD_ALONE, "not regrouped"},
};

#define N_ROWS (sizeof rows / sizeof *rows)
#define SIDES (EVENT_MOD_USER | EVENT_MOD_KERNEL | EVENT_MOD_HYPERVISOR)
#define PLACES (EVENT_MOD_GUEST | EVENT_MOD_HOST)

static const struct row *
find_letter(char letter)
{
	for (size_t i = 0; i < N_ROWS; i++)
		if (letter && (rows[i].letter == letter || rows[i].also == letter))
			return &rows[i];
	return NULL;
}

bool
event_modifiers_read(const char *letters, size_t n, struct event_modifiers *out)
{
	struct event_modifiers m = *out;

	for (size_t i = 0; i < n; i++) {
		const struct row *row = find_letter(letters[i]);

		if (!row)
			return false;
		if (row->is == EVENT_MOD_PRECISE ? m.precise == EVENT_PRECISE_MAX : (m.set & row->is) != 0)
			m.twice |= row->is;
		else
			m.precise += row->is == EVENT_MOD_PRECISE;
		m.set |= row->is;
	}
	*out = m;
	return true;
}

void
event_modifiers_print(const struct event_modifiers *m, struct str *out)
{
	for (size_t i = 0; i < N_ROWS; i++)
		for (unsigned k = 0; m->set & rows[i].is && k < (rows[i].is == EVENT_MOD_PRECISE ? m->precise : 1); k++)
			str_addc(out, rows[i].letter);
}

unsigned
event_mode(const struct event_modifiers *m)
{
	unsigned sides = m->set & SIDES, places = m->set & PLACES;
	unsigned both = EVENT_MOD_USER | EVENT_MOD_KERNEL;

	/* Without a hypervisor below the counters, which is rare, its side is empty. */
	if ((sides & both) == both)
		sides = 0;
	if (places == PLACES)
		places = 0;
	return sides | places | (m->set & EVENT_MOD_NO_IDLE);
}

void
event_mode_words(unsigned mode, struct str *out)
{
	bool some = false;

	for (size_t i = 0; i < N_ROWS; i++)
		if (mode & rows[i].is) {
			str_addf(out, "%s%s", some ? ", " : "", rows[i].meaning);
			some = true;
		}
	if (!some)
		str_add(out, "every mode");
}

void
event_modifiers_list(struct str *out)
{
	for (size_t i = 0; i < N_ROWS; i++)
		if (rows[i].is < EVENT_MOD_PRECISE)
			str_addf(out, "%s%c (%s)", i ? ", " : "", rows[i].letter, rows[i].meaning);
		else
			str_addf(out, "%s%c", rows[i].is == EVENT_MOD_PRECISE ? ", and of how it is measured " : " ",
				rows[i].letter);
}
