#include "core/stall/amounts.h"

#include <string.h>

static const struct {
	const char *name, *text;
} sum_words[STALL_AMOUNTS - STALL_CLASSES] = {
	[STALL_ELAPSED - STALL_CLASSES] = {"elapsed", "the time that passed"},
	[STALL_RUN - STALL_CLASSES] = {"run", "on a CPU, page faults and switches included"},
	[STALL_WAIT - STALL_CLASSES] = {"wait", "able to run, waiting for a CPU"},
	[STALL_OFF - STALL_CLASSES] = {"off", "asleep or blocked, for whatever reason"},
	[STALL_IO - STALL_CLASSES] = {"io", "blocked for I/O, inside page faults or not"},
	[STALL_SWITCH_COST - STALL_CLASSES] = {"switch-cost",
		"switching and waking, by the scheduler's run time beyond that of records"},
	[STALL_SCHED_RUN - STALL_CLASSES] = {"sched-run", "the scheduler's own run time, to compare with"},
	[STALL_SCHED_WAIT - STALL_CLASSES] = {"sched-wait", "the scheduler's own wait for a CPU, to compare with"},
};

const char *
stall_amount_name(int amount)
{
	return amount < STALL_CLASSES ? stall_class_name((enum stall_class)amount)
				      : sum_words[amount - STALL_CLASSES].name;
}

const char *
stall_amount_text(int amount)
{
	return amount < STALL_CLASSES ? stall_class_text((enum stall_class)amount)
				      : sum_words[amount - STALL_CLASSES].text;
}

int
stall_amount_find(const char *source)
{
	size_t n = strlen(STALL_PREFIX);

	if (strncmp(source, STALL_PREFIX, n) != 0)
		return -1;
	for (int i = 0; i < STALL_AMOUNTS; i++)
		if (strcmp(source + n, stall_amount_name(i)) == 0)
			return i;
	return -1;
}

/* Where the class belongs: STALL_RUN, STALL_WAIT, STALL_OFF, or STALL_UNKNOWN itself. */
static int
sum_of_class(enum stall_class c)
{
	if (c == STALL_ON_CPU || c == STALL_FAULT_CPU)
		return STALL_RUN;
	if (c == STALL_PREEMPTED || c == STALL_WOKEN)
		return STALL_WAIT;
	return stall_class_sleeps(c) ? STALL_OFF : STALL_UNKNOWN;
}

static bool
tells_class(const struct stall_telling *t, enum stall_class c)
{
	switch (c) {
	case STALL_ON_CPU:
	case STALL_PREEMPTED:
	case STALL_ASLEEP:
		return t->classes;
	case STALL_FAULT_CPU:
		return t->classes && t->faults;
	case STALL_FAULT_IO:
		return t->classes && t->faults && t->causes;
	case STALL_BLOCK_IO:
	case STALL_BLOCKED:
	case STALL_FUTEX:
	case STALL_SLEEP:
		return t->classes && t->causes;
	case STALL_FAULT_UNTOLD:
		return t->classes && t->faults && t->states;
	case STALL_BLOCKED_UNTOLD:
	case STALL_SLEEP_UNTOLD:
	case STALL_STOPPED:
		return t->classes && t->states;
	case STALL_WOKEN:
		return t->classes && t->wakeups;
	case STALL_UNKNOWN:
	case STALL_CLASSES:
		break;
	}
	return true;
}

bool
stall_tells(const struct stall_telling *t, int amount)
{
	if (amount < STALL_CLASSES)
		return tells_class(t, (enum stall_class)amount);
	switch ((enum stall_amount)amount) {
	case STALL_IO:
		return t->causes || t->io;
	case STALL_SWITCH_COST:
		return t->classes && t->books;
	case STALL_SCHED_RUN:
	case STALL_SCHED_WAIT:
		return t->books;
	case STALL_ELAPSED:
	case STALL_RUN:
	case STALL_WAIT:
	case STALL_OFF:
	case STALL_AMOUNTS:
		break;
	}
	return true;
}

void
stall_amounts_of_row(const struct stall_row *r, const struct stall_costed *c, struct stall_amounts *a)
{
	*a = (struct stall_amounts){.ns[STALL_SWITCH_COST] = c ? (int64_t)c->cost_ns : 0};
	for (int i = 0; i < STALL_CLASSES; i++) {
		int sum = sum_of_class((enum stall_class)i);

		a->ns[i] = (int64_t)(c ? c->ns[i] : r->ns[i]);
		if (sum != STALL_UNKNOWN)
			a->ns[sum] += a->ns[i];
	}
	a->ns[STALL_RUN] += a->ns[STALL_SWITCH_COST];
	a->ns[STALL_IO] = a->ns[STALL_FAULT_IO] + a->ns[STALL_BLOCK_IO];
	a->ns[STALL_ELAPSED] = a->ns[STALL_RUN] + a->ns[STALL_WAIT] + a->ns[STALL_OFF] + a->ns[STALL_UNKNOWN];
}

void
stall_amounts_coarse(uint64_t elapsed_ns, const struct stall_coarse *c, struct stall_amounts *a)
{
	*a = (struct stall_amounts){.ns[STALL_ELAPSED] = (int64_t)elapsed_ns};
	if (!c) {
		a->ns[STALL_UNKNOWN] = (int64_t)elapsed_ns;
		return;
	}
	a->ns[STALL_RUN] = (int64_t)c->run_ns;
	a->ns[STALL_WAIT] = (int64_t)c->wait_ns;
	a->ns[STALL_OFF] = (int64_t)(c->io_ns + c->sleep_ns);
	a->ns[STALL_IO] = (int64_t)c->io_ns;
}

void
stall_amounts_add(struct stall_amounts *sum, const struct stall_amounts *a)
{
	for (int i = 0; i < STALL_AMOUNTS; i++)
		sum->ns[i] += a->ns[i];
}

bool
stall_amounts_hold(const struct stall_amounts *a)
{
	int64_t parts[STALL_AMOUNTS] = {0};

	for (int i = 0; i < STALL_CLASSES; i++)
		parts[sum_of_class((enum stall_class)i)] += a->ns[i];
	return a->ns[STALL_RUN] + a->ns[STALL_WAIT] + a->ns[STALL_OFF] + a->ns[STALL_UNKNOWN] == a->ns[STALL_ELAPSED] &&
		parts[STALL_RUN] + a->ns[STALL_SWITCH_COST] <= a->ns[STALL_RUN] &&
		parts[STALL_WAIT] <= a->ns[STALL_WAIT] && parts[STALL_OFF] <= a->ns[STALL_OFF] &&
		a->ns[STALL_FAULT_IO] + a->ns[STALL_BLOCK_IO] <= a->ns[STALL_IO] && a->ns[STALL_IO] <= a->ns[STALL_OFF];
}
