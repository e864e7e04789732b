/* Opens a session file while the explorer runs, as `hecate FILE` does. */
#ifndef APP_CONTROL_CONTROL_RECORDED_H
#define APP_CONTROL_CONTROL_RECORDED_H

struct control;

/* Opens the file's model or network and stacks, its data and settings; further changes are saved in it. If the file
 * cannot be read, what was open stays, and the status line or a popup says why. `path` is known to be a session file.
 * */
void control_recorded_open(struct control *, const char *path);

#endif
