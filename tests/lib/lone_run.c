#include "lone_run.h"

#include <math.h>
#include <poll.h>

#include "base/err.h"
#include "work/run/run.h"

bool
lone_run_start(struct run *r, struct err *e)
{
	return (!r->ops->open || r->ops->open(r, e)) && r->ops->go(r, e);
}

bool
lone_run_poll(struct run *r, struct err *e)
{
	*e = (struct err){0};
	return r->ops->running(r) && r->ops->poll(r, e) == RUN_ENDED;
}

void
lone_run_wait(const struct run *r, double most)
{
	struct pollfd p = {.fd = r->ops->fd(r), .events = POLLIN};

	poll(&p, 1, (int)(fmin(lone_run_patience(r), most) * 1e3) + 1);
}

double
lone_run_patience(const struct run *r)
{
	return r->ops->patience(r);
}

void
lone_run_finish(struct run *r)
{
	r->ops->finish(r);
}
