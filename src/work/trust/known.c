#include "work/trust/known.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "work/trust/facts.h"

struct trust_known *
trust_known_of(struct trust_book *book, struct trust_page *here, const char *cpu)
{
	struct trust_known *k = mem_new(sizeof *k);

	*k = (struct trust_known){.book = book, .here = here, .cpu = cpu ? mem_str(cpu) : NULL};
	return k;
}

struct trust_known *
trust_known_load(void)
{
	struct str remarks = {0}, name = {0};
	struct trust_book *book = trust_facts_load(&remarks);
	struct trust_cpuid id;
	bool known = trust_facts_cpu(&id);
	struct trust_known *trust_known;

	if (known)
		trust_cpuid_text(&id, &name);
	trust_known = trust_known_of(book, known ? trust_facts_page(book, &id) : NULL, known ? str_text(&name) : NULL);
	str_free(&remarks); /* hecate doctor shows them */
	str_free(&name);
	return trust_known;
}

void
trust_known_give(struct trust_known *k, struct trust_page *p)
{
	trust_page_free(k->given);
	k->given = p;
}

void
trust_known_free(struct trust_known *k)
{
	if (!k)
		return;
	trust_page_free(k->given);
	trust_page_free(k->here);
	trust_book_free(k->book);
	free(k->cpu);
	free(k);
}

const char *
trust_verdict_brief(enum trust_verdict v)
{
	switch (v) {
	case TRUST_EXACT:
		return "exact";
	case TRUST_CONSTANT:
		return "constant";
	case TRUST_CORRECTABLE:
		return "correctable";
	case TRUST_NOISY:
		return "noisy";
	case TRUST_ELSE:
		return "counts other";
	case TRUST_REPEATABLE:
		return "repeatable";
	case TRUST_UNKNOWN:
	case TRUST_N_VERDICTS:
		break;
	}
	return "unknown";
}
