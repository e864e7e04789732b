#include "collect/native/uses.h"

#include "base/err.h"
#include "collect/native/encode.h"
#include "core/probe/probe.h"

/* Marks the chains that only loads of far lines write and read. */
static void
find_far_chains(struct native_uses *uses, const struct probe_code *code)
{
	for (size_t i = 0; i < code->n; i++)
		if (code->insn[i].place == PROBE_FAR && code->insn[i].op == PROBE_LOAD &&
			code->insn[i].chain <= NATIVE_FAR)
			uses->far[code->insn[i].chain] = true;
	for (size_t i = 0; i < code->n; i++) {
		const struct probe_insn *insn = &code->insn[i];

		if (insn->place == PROBE_FAR && insn->op == PROBE_LOAD && insn->from == insn->chain)
			continue;
		uses->far[insn->from] = uses->far[insn->chain] = uses->far[insn->after] = false;
	}
	uses->far[0] = false;
}

struct native_uses
native_uses_of(const struct probe_code *code)
{
	struct native_uses u = {0};

	find_far_chains(&u, code);
	for (size_t i = 0; i < code->n; i++) {
		const struct probe_insn *insn = &code->insn[i];
		bool line = insn->place == PROBE_FRESH || (insn->place == PROBE_FAR && !u.far[insn->chain]);

		u.chain[insn->chain] = u.chain[insn->from] = u.chain[insn->after] = true;
		u.chase |= insn->place == PROBE_CHASE;
		u.fresh |= line;
		u.lines |= line || insn->place == PROBE_SAME;
		u.random |= insn->op == PROBE_COIN || insn->op == PROBE_ECHO;
		u.fma |= insn->op == PROBE_FMA;
		u.fp |= insn->op == PROBE_FADD || insn->op == PROBE_FMUL || insn->op == PROBE_FDIV ||
			insn->op == PROBE_FMA || insn->op == PROBE_FLOAD;
		u.div |= insn->op == PROBE_DIV;
	}
	return u;
}

unsigned
native_lacks(void)
{
#ifdef __x86_64__
	return (__builtin_cpu_supports("avx") ? 0 : NATIVE_LACKS_AVX) |
		(__builtin_cpu_supports("fma") ? 0 : NATIVE_LACKS_FMA);
#else
	return NATIVE_LACKS_AVX | NATIVE_LACKS_FMA;
#endif
}

bool
native_uses_fit(const struct native_uses *uses, unsigned lacks, struct err *err)
{
	bool no_fma = uses->fma && lacks & NATIVE_LACKS_FMA;

	if (uses->div) {
		err_set(err, "here no code is made for an integer division, whose registers hold other chains");
		return err_hint(err, "hecate probe --export writes it as assembly, for --on sim:core it is simulated");
	}
	if (no_fma || (uses->fp && lacks & NATIVE_LACKS_AVX)) {
		err_set(err, "this processor has no %s, which the probe needs", no_fma ? "fused multiply-add" : "AVX");
		return err_hint(err, "name other probes; hecate probe --list has them");
	}
	return true;
}
