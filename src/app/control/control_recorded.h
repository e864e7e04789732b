/* A session file opened while the explorer runs, as `hecate FILE` opens it. */
#ifndef APP_CONTROL_CONTROL_RECORDED_H
#define APP_CONTROL_CONTROL_RECORDED_H

struct control;

/* Its model, or network and stacks, its data, and all that was kept with them; the session goes on in the file. What
 * was open is left, and stays where the file cannot be read: the status line, or a popup, says why. `path` is a session
 * file by its content. */
void control_recorded_open(struct control *, const char *path);

#endif
