#include "lone_run.h"

#include <math.h>
#include <poll.h>

#include "work/run/run.h"

bool
lone_run_start(struct run *r, struct err *e)
{
	return run_open(r, e) && run_go(r, e);
}

bool
lone_run_poll(struct run *r, struct err *e)
{
	return run_poll(r, e) == RUN_ENDED;
}

void
lone_run_wait(const struct run *r, double most)
{
	struct pollfd p = {.fd = run_fd(r), .events = POLLIN};

	poll(&p, 1, (int)(fmin(run_patience(r), most) * 1e3) + 1);
}
