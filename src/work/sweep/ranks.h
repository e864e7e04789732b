/* The processes that mpirun started together, on one or several machines. Messages only go to rank 0 and come from it.
 * Open MPI is loaded when it is used, so that no other command starts later because of it. */
#ifndef WORK_SWEEP_RANKS_H
#define WORK_SWEEP_RANKS_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct ranks;
struct str;

/* Did mpirun start this process together with others? *rank is its number among them then, 0 otherwise. */
bool ranks_wanted(size_t *rank);

/* Joins the others: all must call it. NULL and *e: this program was built without MPI, or there is no Open MPI. */
struct ranks *ranks_join(struct err *e);
/* Waits until all ranks call it. */
void ranks_leave(struct ranks *);

size_t ranks_number(const struct ranks *);
size_t ranks_count(const struct ranks *);

void ranks_send(struct ranks *, size_t to, const void *bytes, size_t n);
/* Takes the next message into *message, without waiting. False: there is none. */
bool ranks_receive(struct ranks *, size_t *from, struct str *message);

#endif
