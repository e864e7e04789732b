#include "collect/perf/sampler.h"

#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/int128.h"

static bool
sampler_scale(uint64_t value, uint64_t enabled, uint64_t running, uint64_t *out)
{
	u128 full = (u128)value * enabled + running / 2;

	full /= running;
	*out = (uint64_t)full;
	return full <= INT64_MAX;
}

void
increment_add(struct increment *sum, const struct perf_reading *now, struct perf_reading *last)
{
	uint64_t value, enabled, running;

	if (now->value < last->value || now->enabled_ns < last->enabled_ns || now->running_ns < last->running_ns)
		return;
	value = now->value - last->value;
	enabled = now->enabled_ns - last->enabled_ns;
	running = now->running_ns - last->running_ns;
	*last = *now;
	sum->enabled_ns += enabled;
	sum->running_ns += running;
	if (running == 0 && enabled > 0) {
		sum->blind = true;
		return;
	}
	if (running < enabled) {
		double share = (double)running / (double)enabled;

		sum->share = share < sum->share ? share : sum->share;
		sum->overflow |= !sampler_scale(value, enabled, running, &value);
	}
	sum->overflow |= value > INT64_MAX || __builtin_add_overflow(sum->count, (int64_t)value, &sum->count);
}

int
ticker_new(unsigned ms)
{
	uint64_t at = clock_ns() + (uint64_t)ms * 1000000;
	struct itimerspec t = {
		.it_value = {.tv_sec = (time_t)(at / 1000000000), .tv_nsec = (long)(at % 1000000000)},
		.it_interval = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000},
	};
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);

	if (fd >= 0 && timerfd_settime(fd, TFD_TIMER_ABSTIME, &t, NULL) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

uint64_t
ticker_take(int fd)
{
	uint64_t ticks;

	return fd >= 0 && read(fd, &ticks, sizeof ticks) == (ssize_t)sizeof ticks ? ticks : 0;
}
