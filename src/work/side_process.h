/* A process of its own that computes something, and sends results as it goes. The explorer reads them and never waits.
 * When the explorer's process ends, however it ends, the other one ends with it. */
#ifndef WORK_SIDE_PROCESS_H
#define WORK_SIDE_PROCESS_H

#include <stdbool.h>

struct err;
struct side_process;
struct side_sender;
struct wire;

/* What the process does. It has a copy of the memory of the process that started it, and neither its terminal nor its
 * files. */
typedef void side_work(struct side_sender *, void *ctx);

/* For the work: sends a message that was written. If nobody reads any more, the process ends here. */
void side_send(struct side_sender *, const struct wire *);
bool side_is_awaited(const struct side_sender *); /* does the process that started it still run? */
/* Waits for a message of side_process_ask(), and frees the one before. False: none comes any more. */
bool side_hear(struct side_sender *, struct wire *message);

/* Starts the process. ps(1) shows it as `name`, of at most 15 characters. NULL and *e: it could not be started. */
struct side_process *side_process_start(const char *name, side_work *, void *ctx, struct err *e);
/* Sends a message to the work, of a few bytes: it waits for none. False: the process has ended. */
bool side_process_ask(struct side_process *, const struct wire *);
int side_process_fd(const struct side_process *);  /* readable when there is news; -1 after SIDE_ENDED */
int side_process_pid(const struct side_process *); /* -1 after SIDE_ENDED */

enum side_news { SIDE_NOTHING, SIDE_MESSAGE, SIDE_ENDED };
/* Takes the next news, without blocking. SIDE_MESSAGE: *message reads it, until the next call. SIDE_ENDED, once: *died
 * says how the process died, or is NULL if its work was done or it was stopped; the caller frees it. */
enum side_news side_process_next(struct side_process *, struct wire *message, char **died);
/* Ends the process after a message that cannot be read: it is killed, and *died says so. */
void side_process_break(struct side_process *, char **died);
/* Takes all news: each message is passed to `take`, which returns false for one that cannot be read. SIDE_MESSAGE:
 * there were some. SIDE_ENDED and *died as above. */
enum side_news side_process_take(
	struct side_process *, bool (*take)(void *ctx, struct wire *message), void *ctx, char **died);
/* Kills the process. What it has sent is still news, then SIDE_ENDED. */
void side_process_stop(struct side_process *);
void side_process_free(struct side_process *);

#endif
