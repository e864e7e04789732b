/* Files that other code of this process has locked by record locks, as SQLite locks a database. Closing any descriptor
 * of a file drops every record lock that the process has on it, through whichever descriptor it was taken (fcntl(2),
 * "Advisory record locking"; sqlite.org, "How To Corrupt An SQLite Database File", 2.2). Another process that then
 * closes the database takes itself for the last one, removes the write-ahead log, and all that this process writes
 * later is lost. So whoever reads a file that may be such a one closes it here. Any thread may call these. */
#ifndef BASE_HELD_FILE_H
#define BASE_HELD_FILE_H

#include <stdbool.h>
#include <sys/types.h>

/* From now until held_file_release() has been called as often, descriptors of this file stay open. */
void held_file_hold(dev_t, ino_t);
/* Closes the descriptors that waited for this. */
void held_file_release(dev_t, ino_t);
bool held_file_is(dev_t, ino_t);
/* Closes a descriptor; that of a held file, when the file is released. */
void held_file_close(int fd);

#endif
