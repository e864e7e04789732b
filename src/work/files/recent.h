/* The files that were opened last, in $XDG_STATE_HOME/hecate/recent, or else $HOME/.local/state/hecate/recent: a path a
 * line, the latest first. Without a folder that can be written there is silently no list. */
#ifndef WORK_FILES_RECENT_H
#define WORK_FILES_RECENT_H

#define RECENT_MOST 50

/* Returns the paths of those that still exist, NULL-terminated; free with str_split_free(). */
char **recent_read(void);

/* Puts a file first. The list is replaced as a whole, so that it is never half written. */
void recent_add(const char *path);

#endif
