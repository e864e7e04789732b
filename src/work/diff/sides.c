#include "work/diff/sides.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct part *
side_part(struct side *side, const char *name, const char *unit)
{
	size_t at = names_add(&side->names, name, strlen(name));

	if (at < side->n)
		return &side->part[at];
	if ((side->n & (side->n - 1)) == 0)
		side->part = mem_resize(side->part, side->n ? 2 * side->n : 1, sizeof *side->part);
	side->part[side->n++] = (struct part){.unit = unit};
	return &side->part[at];
}

struct part *
side_find(const struct side *side, const char *name)
{
	size_t at = names_find(&side->names, name, strlen(name));

	return at < side->n ? &side->part[at] : NULL;
}

void
side_add_stated(struct side *side, const char *name, const char *unit, const struct diff_stated *stated)
{
	struct part *part = side_part(side, name, unit);

	part->stated = *stated;
	part->is_stated = true;
}

void
part_add(struct part *part, double value)
{
	if ((part->n & (part->n - 1)) == 0)
		part->value = mem_resize(part->value, part->n ? 2 * part->n : 1, sizeof *part->value);
	part->value[part->n++] = value;
}

void
part_summarise(struct part *part)
{
	double sum = 0, square = 0;
	size_t n = 0;

	for (size_t i = 0; i < part->n; i++)
		if (isfinite(part->value[i]))
			sum += part->value[i], n++;
	part->stated = (struct diff_stated){.mean = n ? sum / (double)n : NAN, .spread = NAN, .runs = n};
	for (size_t i = 0; i < part->n; i++)
		if (isfinite(part->value[i]))
			square += pow(part->value[i] - part->stated.mean, 2);
	if (n > 1)
		part->stated.spread = sqrt(square / (double)(n - 1) / (double)n);
	part->is_stated = true;
}

void
side_clear(struct side *side)
{
	for (size_t i = 0; i < side->n; i++)
		free(side->part[i].value);
	free(side->part);
	names_free(&side->names);
	free(side->name);
}
