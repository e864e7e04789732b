/* Texts of machines with one item changed, and the errors that they draw. */
#ifndef TESTS_LIB_MACHINE_TEXT_H
#define TESTS_LIB_MACHINE_TEXT_H

/* Returns the text of a machine with these items (NULL-terminated), one a line. Items that begin with `which` are
 * replaced by `with`; if `which` is NULL, `with` is added as a last line. The caller frees. */
char *machine_text(const char *const *item, const char *which, const char *with);

/* Checks that such a text is refused, and that one of the errors contains `says`, has a hint that contains `hint`, and
 * is in this line. An empty hint is not compared, nor is line 0; but each error has a line. */
void machine_text_refused(
	const char *const *item, const char *which, const char *with, const char *says, const char *hint, int line);

#endif
