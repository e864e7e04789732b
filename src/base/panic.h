/* The end of a broken program: no memory, or a violated invariant. Bad input never ends here. */
#ifndef BASE_PANIC_H
#define BASE_PANIC_H

_Noreturn void panic(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* panic() calls the hook once before it writes its message. ui sets a hook that leaves the terminal; a child process
 * clears it. */
void panic_set_hook(void (*hook)(void));

#endif
