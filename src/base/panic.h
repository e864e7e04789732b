/* The end of a broken program: no memory, a violated invariant. Bad input never comes here. */
#ifndef BASE_PANIC_H
#define BASE_PANIC_H

_Noreturn void panic(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Called once before the message is written: ui sets it to leave the terminal, a child clears it. */
void panic_set_hook(void (*hook)(void));

#endif
