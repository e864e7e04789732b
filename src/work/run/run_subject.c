#include "work/run/run_subject.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "collect/process/target.h"
#include "core/obs/source_data.h"

static const char *
run_subject_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

struct run_subject
run_subject_of(char *const *argv, const struct source_target *target, const char *name)
{
	struct run_subject s = {.target = target ? target_copy(target) : NULL};
	struct str own = {0}, asked = {0};
	size_t n = 0;

	while (argv && argv[n])
		n++;
	s.argv = argv ? mem_new_array(n + 1, sizeof *s.argv) : NULL;
	for (size_t i = 0; i < n; i++) {
		s.argv[i] = mem_str(argv[i]);
		str_addf(&asked, "%s%s", i ? " " : "", argv[i]);
	}
	str_add(&asked, target && argv ? " with " : "");
	if (target)
		target_option(target, &asked);
	if (name || argv)
		str_add(&own, name ? name : n ? run_subject_base_name(argv[0]) : "");
	else if (target)
		target_name(target, &own);
	s.name = str_take(&own);
	s.asked = str_take(&asked);
	return s;
}

void
run_subject_free(struct run_subject *s)
{
	str_split_free(s->argv);
	free(s->target);
	free(s->name);
	free(s->asked);
}
