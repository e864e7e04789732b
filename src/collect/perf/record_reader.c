#include "collect/perf/record_reader.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "collect/perf/kernel_causes.h"
#include "collect/perf/record_bytes.h"

#define TAIL (3 * sizeof(uint64_t)) /* pid and tid, time, identifier: at the end of every record except samples */

/* The states of sched_switch (include/trace/events/sched.h); a task that leaves in state 0 or TASK_REPORT_MAX is
 * preempted. */
#define TASK_INTERRUPTIBLE 0x1
#define TASK_UNINTERRUPTIBLE 0x2
#define TASK_STOPPED 0x4
#define TASK_TRACED 0x8
#define EXIT_DEAD 0x10
#define EXIT_ZOMBIE 0x20
#define TASK_PARKED 0x40
#define TASK_IDLE 0x80

static enum tasktime_state
state_of(int64_t prev_state)
{
	if (prev_state & (EXIT_DEAD | EXIT_ZOMBIE))
		return TASKTIME_DEAD;
	if (prev_state & (TASK_STOPPED | TASK_TRACED))
		return TASKTIME_HALTED;
	if (prev_state & TASK_UNINTERRUPTIBLE)
		return TASKTIME_UNINTERRUPTIBLE;
	if (prev_state & (TASK_INTERRUPTIBLE | TASK_PARKED | TASK_IDLE))
		return TASKTIME_INTERRUPTIBLE;
	return TASKTIME_RUNNABLE;
}

/* Reads the call chain of a sample: a count, then addresses, some of which are marks for the addresses after them. */
static bool
take_cause(const struct record_reader *reader, struct bytes *bytes, enum tasktime_cause *cause)
{
	uint64_t n, ip = 0;

	*cause = TASKTIME_CAUSE_UNKNOWN;
	if (!bytes_take(bytes, &n, sizeof n) || n > (size_t)(bytes->end - bytes->at) / sizeof ip)
		return false;
	if (n > 1 && reader->causes)
		*cause = TASKTIME_CAUSE_OTHER;
	for (uint64_t i = 0; i < n; i++) {
		bytes_take(bytes, &ip, sizeof ip);
		if (*cause == TASKTIME_CAUSE_OTHER && ip < (uint64_t)PERF_CONTEXT_MAX)
			*cause = kernel_cause_of(reader->causes, ip);
	}
	return true;
}

static bool
raw_field(struct bytes raw, size_t offset, void *to, size_t size)
{
	uint32_t n;

	if (!bytes_take(&raw, &n, sizeof n) || n > (size_t)(raw.end - raw.at) || offset > n || n - offset < size)
		return false;
	memcpy(to, raw.at + offset, size);
	return true;
}

static bool
take_switch(struct record_reader *reader, struct bytes b, enum record_what what, int32_t tid)
{
	enum tasktime_cause cause = TASKTIME_CAUSE_UNKNOWN;
	int64_t state;

	if (what == RECORD_SWITCH_CAUSE && !take_cause(reader, &b, &cause))
		return false;
	if (!raw_field(b, reader->layout->prev_state, &state, sizeof state))
		return false;
	if (tid < 0)
		tid = reader->running;
	if (reader->leaving == tid && cause == TASKTIME_CAUSE_UNKNOWN)
		return true; /* both events are enabled for a moment, and the one with the cause came first */
	reader->stray += reader->leaving != 0 && reader->leaving != tid;
	reader->leaving = tid;
	reader->state = (uint8_t)state_of(state);
	reader->cause = (uint8_t)cause;
	return true;
}

static bool
named_in_raw(struct bytes b, size_t offset, struct tasktime_event *e)
{
	int32_t tid;

	if (!raw_field(b, offset, &tid, sizeof tid))
		return false;
	e->tid = e->pid = tid;
	return true;
}

/* Returns the event that a sample of this size belongs to. If another observer records page faults too, the identifier
 * may be the other's. So the number of bytes after the time identifies the event (records_open.c); raw data are longer.
 */
static int
fault_of_size(size_t rest)
{
	return rest == 0 ? RECORD_FAULT : rest == 8 ? RECORD_MINOR : rest == 16 ? RECORD_MAJOR : RECORD_WHATS;
}

static bool
read_sample(struct record_reader *reader, struct bytes b, struct tasktime_event *event, bool *fence)
{
	uint64_t id;
	int32_t pid, tid, other;
	int what = 0;

	if (!bytes_take(&b, &id, sizeof id) || !bytes_take(&b, &pid, sizeof pid) || !bytes_take(&b, &tid, sizeof tid) ||
		!bytes_take(&b, &event->ns, sizeof event->ns))
		goto foreign;
	while (what < RECORD_WHATS && (reader->id[what] != id || !id))
		what++;
	if (what == RECORD_WHATS)
		what = fault_of_size((size_t)(b.end - b.at));
	if (what == RECORD_WHATS || !reader->id[what])
		goto foreign;
	reader->seen[what]++;
	event->pid = pid;
	event->tid = tid;
	*fence = true;
	switch ((enum record_what)what) {
	case RECORD_SWITCH:
	case RECORD_SWITCH_CAUSE:
		if (!take_switch(reader, b, (enum record_what)what, tid))
			goto foreign;
		return false;
	case RECORD_WAKEUP:
		*fence = false;
		event->kind = TASKTIME_WAKE;
		if (!named_in_raw(b, reader->layout->wakeup_pid, event))
			goto foreign;
		return true;
	case RECORD_WAKEUP_NEW:
		event->kind = TASKTIME_WAKE;
		if (!named_in_raw(b, reader->layout->wakeup_new_pid, event))
			goto foreign;
		return true;
	case RECORD_FAULT:
		event->kind = TASKTIME_FAULT;
		return true;
	case RECORD_MINOR:
		event->kind = TASKTIME_MINOR;
		return true;
	case RECORD_MAJOR:
		event->kind = TASKTIME_MAJOR;
		return true;
	case RECORD_SIGNAL:
		*fence = false;
		event->kind = TASKTIME_FAILED;
		if (!raw_field(b, reader->layout->signal_pid, &other, sizeof other))
			goto foreign;
		return other == tid; /* a fault's signal is for the task itself */
	case RECORD_TASKS:
	case RECORD_WHATS:
		break;
	}
foreign:
	*fence = false;
	reader->foreign++;
	return false;
}

static void
read_switch(struct record_reader *reader, struct bytes body, unsigned misc, struct tasktime_event *event)
{
	int32_t next[2]; /* pid, tid: only of whole CPUs */

	event->kind = misc & PERF_RECORD_MISC_SWITCH_OUT ? TASKTIME_OUT : TASKTIME_IN;
	if (event->kind == TASKTIME_IN) {
		reader->seen[RECORD_TASKS]++;
		reader->running = event->tid;
		reader->running_pid = event->pid;
		return;
	}
	if (event->tid < 0) {
		event->tid = reader->leaving > 0 ? reader->leaving : reader->running;
		event->pid = reader->running_pid;
	}
	event->preempted = misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
	event->to_idle = bytes_take(&body, next, sizeof next) && next[1] == 0;
	event->state = TASKTIME_STATE_UNKNOWN;
	if (reader->leaving && reader->leaving == event->tid) {
		event->state = reader->state;
		event->cause = reader->cause;
	} else if (reader->rest_sleeps) {
		event->state = TASKTIME_INTERRUPTIBLE;
	} else {
		reader->stray += reader->leaving != 0;
		reader->stateless += reader->states && event->tid != 0 && !event->preempted;
	}
	reader->leaving = 0;
}

static bool
read_task(struct bytes body, unsigned type, struct tasktime_event *e)
{
	int32_t v[4]; /* pid, ppid, tid, ptid */

	if (!bytes_take(&body, v, sizeof v))
		return false;
	e->kind = type == PERF_RECORD_FORK ? TASKTIME_FORK : TASKTIME_EXIT;
	e->pid = v[0];
	e->tid = v[2];
	e->other = v[3];
	return true;
}

static bool
record_reader_read_name(struct bytes body, unsigned misc, struct tasktime_event *e)
{
	int32_t v[2];

	if (!bytes_take(&body, v, sizeof v))
		return false;
	e->kind = misc & PERF_RECORD_MISC_COMM_EXEC ? TASKTIME_EXEC : TASKTIME_NAME;
	e->pid = v[0];
	e->tid = v[1];
	bytes_copy_name(body, e->name, sizeof e->name);
	return true;
}

static bool
read_loss(struct record_reader *reader, struct bytes body, unsigned type, struct tasktime_event *event)
{
	uint64_t id = 0, n;

	if ((type == PERF_RECORD_LOST && !bytes_take(&body, &id, sizeof id)) || !bytes_take(&body, &n, sizeof n))
		return false;
	reader->lost += n;
	for (int what = 0; what < RECORD_WHATS; what++)
		if (id && reader->id[what] == id)
			reader->lost_of[what] += n;
	reader->leaving = 0;
	event->kind = TASKTIME_LOST;
	event->tid = event->pid = 0;
	event->n = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
	return true;
}

bool
record_read(struct record_reader *reader, const void *record, size_t size, struct tasktime_event *event, bool *fence)
{
	struct perf_event_header h;
	struct bytes body = {(const unsigned char *)record, (const unsigned char *)record + size}, tail;

	*fence = false;
	*event = (struct tasktime_event){.cpu = reader->cpu};
	if (!bytes_take(&body, &h, sizeof h) || h.size != size) {
		reader->foreign++;
		return false;
	}
	if (h.type == PERF_RECORD_SAMPLE)
		return read_sample(reader, body, event, fence);
	if (size < sizeof h + TAIL) {
		reader->foreign++;
		return false;
	}
	body.end -= TAIL;
	tail = (struct bytes){body.end, body.end + TAIL};
	bytes_take(&tail, &event->pid, sizeof event->pid);
	bytes_take(&tail, &event->tid, sizeof event->tid);
	bytes_take(&tail, &event->ns, sizeof event->ns);
	*fence = true;
	switch (h.type) {
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		read_switch(reader, body, h.misc, event);
		return true;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		if (read_task(body, h.type, event))
			return true;
		break;
	case PERF_RECORD_COMM:
		if (record_reader_read_name(body, h.misc, event))
			return true;
		break;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		*fence =
			false; /* written with the next record that had room; that may be an interrupt's */
		if (read_loss(reader, body, h.type, event))
			return true;
		break;
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		reader->throttled += h.type == PERF_RECORD_THROTTLE;
		*fence = false;
		return false;
	}
	*fence = false;
	reader->foreign++;
	return false;
}

bool
record_field(const char *format, const char *field, size_t size, size_t *offset)
{
	char sought[64];
	const char *at;
	size_t off, n;

	snprintf(sought, sizeof sought, " %s;\toffset:", field);
	at = strstr(format, sought);
	if (!at || sscanf(at + strlen(sought), "%zu;\tsize:%zu;", &off, &n) != 2 || n != size)
		return false;
	*offset = off;
	return true;
}
