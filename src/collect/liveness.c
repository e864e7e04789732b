#include "collect/liveness.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "collect/source.h"

struct life {
	enum source_zero zero;
	bool open, risen;
	size_t rows;  /* rows in which it ran */
	size_t busy;  /* rows in which it ran while another counter rose */
	size_t blind; /* busy rows in which it did not run */
};

struct liveness {
	struct life *life;
	size_t n;
	size_t hardware, hardware_risen;
	size_t hardware_busy; /* busy rows in which some hardware event ran */
};

static bool
is_hardware(const struct life *l)
{
	return l->open && (l->zero == SOURCE_ZERO_SUSPECT || l->zero == SOURCE_ZERO_IMPOSSIBLE);
}

struct liveness *
liveness_new(const struct source_status *s, size_t n)
{
	struct liveness *v = mem_new(sizeof *v);

	v->n = n;
	v->life = mem_new_array(n, sizeof *v->life);
	for (size_t i = 0; i < n; i++) {
		v->life[i] = (struct life){.zero = s[i].zero, .open = s[i].health != OBS_UNSUPPORTED};
		v->hardware += is_hardware(&v->life[i]);
	}
	return v;
}

void
liveness_free(struct liveness *v)
{
	if (v)
		free(v->life);
	free(v);
}

void
liveness_row(struct liveness *liveness, const struct source_row *row)
{
	size_t rose = 0;
	bool ran = false;

	for (size_t i = 0; i < liveness->n; i++)
		rose += row->counted[i] && row->count[i] > 0;
	for (size_t i = 0; i < liveness->n; i++) {
		struct life *life = &liveness->life[i];
		bool up = row->counted[i] && row->count[i] > 0, busy = rose > (size_t)up;

		life->rows += row->counted[i];
		life->busy += row->counted[i] && busy;
		life->blind += !row->counted[i] && busy;
		if (up && !life->risen) {
			life->risen = true;
			liveness->hardware_risen += is_hardware(life);
		}
		ran |= row->counted[i] && busy && is_hardware(life);
	}
	liveness->hardware_busy += ran;
}

/* Returns the health of a hardware event that never rose. */
static enum obs_health
health_of_zero(const struct liveness *v, const struct life *l)
{
	if (l->rows == 0)
		return l->blind >= LIVENESS_ROWS ? OBS_DEAD : OBS_ABSENT;
	if (l->busy < LIVENESS_ROWS)
		return OBS_LIVE;
	if (l->zero == SOURCE_ZERO_IMPOSSIBLE)
		return OBS_DEAD;
	if (v->hardware >= LIVENESS_CROWD && v->hardware_risen == 0 && v->hardware_busy >= LIVENESS_SURE)
		return OBS_DEAD;
	return OBS_ZERO_SUSPECT;
}

enum obs_health
liveness_health(const struct liveness *liveness, size_t counter)
{
	const struct life *life = &liveness->life[counter];

	if (!life->open)
		return OBS_UNSUPPORTED;
	if (life->zero == SOURCE_ZERO_ALWAYS)
		return OBS_DEAD;
	if (life->risen)
		return OBS_LIVE;
	switch (life->zero) {
	case SOURCE_ZERO_HONEST:
		return life->rows ? OBS_LIVE : OBS_ABSENT;
	case SOURCE_ZERO_SUSPECT:
	case SOURCE_ZERO_IMPOSSIBLE:
	case SOURCE_ZERO_ALWAYS:
		break;
	}
	return health_of_zero(liveness, life);
}
