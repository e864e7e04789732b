/* What the watched processes read and wrote, from the kernel's I/O accounts (proc(5), /proc/PID/io). */
#ifndef COLLECT_PROC_TREE_IO_H
#define COLLECT_PROC_TREE_IO_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/proc/tree.h"

#define PROC_IO_FIELDS 7 /* fields of the file, in its order */

struct proc_io;

struct proc_io *proc_io_new(const struct proc_subject *);
void proc_io_free(struct proc_io *);

/* Tries whether the accounts can be read. False and errno otherwise: EACCES, or ENOENT where the kernel keeps none. */
bool proc_io_try(struct proc_io *);

void proc_io_begin(struct proc_io *); /* begins: totals count from this call */

enum proc_io_news {
	PROC_IO_READ, /* totals since the beginning are filled in */
	PROC_IO_BUSY, /* processes ended faster than they could be read; the next reading includes everything */
	PROC_IO_LOST, /* an account is lost, so totals are too small from now on */
};

enum proc_io_news proc_io_read(struct proc_io *, uint64_t total[PROC_IO_FIELDS]);

#endif
