/* Static x86-64 programs of which every instruction is known, assembled by the test. */
#ifndef TESTS_LIB_MADE_PROGRAM_H
#define TESTS_LIB_MADE_PROGRAM_H

#include <stdbool.h>

/* Assembles the text with `cc -nostdlib -static` into folder/name. False, and the case is skipped: not x86-64, or no C
 * compiler is installed. */
bool made_program(const char *folder, const char *name, const char *text);

/* A folder for the test's programs; made_folder_remove() removes it with them. The caller frees its name. */
char *made_folder(void);
void made_folder_remove(char *folder);

/* Exits with status 0 after `loop` rounds of two instructions, a `rep movsb` of `bytes`, a `rep stosb` of none and a
 * `repne scasb` that finds its byte at place 10. The caller frees.
 *
 *     instructions          2 · loop + 17
 *     branches              loop + 3; conditional: loop
 *     loads, stores         3 (movsb, scasb, ret) and 2 (movsb, call) if bytes > 0 */
char *made_strings(unsigned loop, unsigned bytes);

/* exit(2) with the status in edi, for a text that goes through printf(3). */
#define MADE_EXIT "\tmov $60, %%eax\n\tsyscall\n"

#endif
