#!/bin/sh
# The workload of other architectures: built by a cross compiler, stepped by qemu-user, and counted by inspection.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
probe=$TOP_SRCDIR/src/collect/workload

cat >expected.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include "collect/workload/expected.h"
int main(int argc, char **argv)
{
	uint32_t loops[999];
	for (int k = 0; k < 999; k++)
		loops[k] = (uint32_t)atoi(argv[argc - 1]);
	struct workload_counts all = workload_expect(loops);
	/* an instruction that faults is a step, too */
	printf("%lld\n", (long long)(all.n[WORKLOAD_INSTRUCTIONS] + all.n[WORKLOAD_EXCEPTIONS]));
	return 0;
}
END
for arch in aarch64 riscv64; do
	parts=$probe/parts-$arch.parts
	check "$arch: a program" sh -c 'awk -v make=program -f "$1" "$2" >w.s && grep -q "^_start:" w.s' sh "$probe/parts.awk" "$parts"
	check "$arch: a table" sh -c 'awk -v make=table -f "$1" "$2" >t.c && grep -q "workload_n_parts = [1-9]" t.c' sh "$probe/parts.awk" "$parts"
	if ! command -v $arch-linux-gnu-gcc >/dev/null || ! command -v qemu-$arch >/dev/null || ! command -v cc >/dev/null; then
		skip "$arch: steps" "no compiler and emulator for $arch"
		continue
	fi
	check "$arch: the compiler builds it" $arch-linux-gnu-gcc -nostdlib -nostartfiles -static -o w w.s
	check "  and the counts" cc -std=gnu17 -D_GNU_SOURCE -DPACKAGE_VERSION='"crossed"' -I "$TOP_SRCDIR/src" -o expected \
		expected.c t.c "$probe/expected.c" "$TOP_SRCDIR"/src/event/*.c "$TOP_SRCDIR"/src/text/notation.c "$TOP_SRCDIR"/src/base/*.c -lm
	parts_n=$(grep -c '^part ' "$parts")
	one=-singlestep
	qemu-$arch -help 2>&1 | grep -q one-insn-per-tb && one=-one-insn-per-tb
	for times in 0 1 5; do
		argument=$(awk -v n="$parts_n" -v times=$times 'BEGIN { while (n-- > 0) printf "0000000%d", times }')
		qemu-$arch $one -d exec,nochain -D trace ./w "$argument"
		is "$arch: ends, $times times" $? 0
		is "  with as many steps as expected" "$(grep -c Trace trace)" "$(./expected $times)"
	done
	qemu-$arch ./w 123 2>err
	is "$arch: an argument of the wrong length is refused" "$?, $(cat err)" "2, hecate-workload: the argument needs 8 digits for each part; hecate determinism gives them"
done

# Descriptions with errors.
bad() { printf '%s\n' "$2" >bad.parts; out=$(awk -v make=table -f "$probe/parts.awk" bad.parts 2>&1 >/dev/null); has "$1" "$out" "$3"; }
bad "an unknown note" "$(printf 'arch x\npart a\n\tloops 1\n\tloop\n\tnop | q')" 'bad.parts:5: unknown note q'
bad "a second part of a name" "$(printf 'arch x\npart a\n\tloops 1\n\tloop\n\tnop\npart a')" 'bad.parts:6: a second part a'
bad "an instruction outside" "$(printf 'arch x\npart a\n\tloops 1\n\tnop')" 'bad.parts:4: an instruction outside of a section'
bad "a branch that nothing decides" "$(printf 'arch x\npart a\n\tloops 1\n\tloop\n\tjz 1f | c')" 'bad.parts:5: only skip and again have a branch c'
done_testing
