#!/bin/sh
# bench/case-study.sh with a few workloads, and a few machines outside the family, must show the pattern of
# CounterPoint's tables. With HECATE_SLOW the whole study must print what bench/printed/case-study.txt has: every byte.
. "$HECATE_TESTS/lib/tap.sh"
study=$TOP_SRCDIR/bench/case-study.sh
export HECATE HECATE_MODELS
unset SUITE SEED OPTIONS MACHINE MODEL KEEP OUTSIDE
SUITE=$HECATE_TESTS/lib/few.suite OPTIONS="--accesses 20000 --warm-up 100000" OUTSIDE="plain storm factor" "$study" >"$tmp/few" 2>"$tmp/err"
is "it runs" "$?" 0
# refutations MODEL…: the number of observations that refute each, as printed
refutations() {
	for v in "$@"; do
		awk -F ' *[|] *' -v v="\`$v\`" '$2 == v && NF > 6 { print $5; exit }' "$tmp/few"
	done | tr '\n' ' '
}
# in_table HEADING: the rows of the tables of a section
in_table() { awk -v h="### $1" '$0 == h { on = 1; next } /^###/ { on = 0 } on && /^[|]/ && !/---/' "$tmp/few" | sed 1d; }

is "every model with the planted features survives" "$(refutations m4 m8 t0 t1 t2 t3 t4 t5 t6 t7 t8 r0)" "0 0 0 0 0 0 0 0 0 0 0 0 "
is "37 models, and the paper's" "$(grep -c '^| `[mtar][0-9]*` | .* | \(yes\|[*][*]no[*][*]\) |$' "$tmp/few")" 37
is "only t12 has another verdict" "$(grep -F '**no**' "$tmp/few" | cut -d' ' -f2)" '`t12`'
is "all of the 17 claims hold, but kernels alone miss bypass and prefetches" "$(grep -E '^[|] [^|]+ [|] (yes|[*]+no[*]+) [|]$' "$tmp/few" | grep -v 'kernels alone' | grep -c ' yes |$')" 13
has "m0 to m3 are refuted, each by fewer observations" "$(refutations m0 m1 m2 m3 | awk '{ print ($1 > $2 && $2 > $3 && $3 > $4 && $4 > 0) }')" 1
has "the reason of t12" "$(in_table "Where the paper's verdict is another")" 'walk_ref <= .* [+] 4 store[.]ret`'
is "lines that trigger a prefetch" "$(in_table "Lines that trigger a prefetch")" '| up | 63 | 51→52 | 0 | 51→52 |
| down | 63 | 8→7 | 0 | 8→7 |'
is "strides that trigger a prefetch; none with stores alone" "$(in_table "Strides that trigger one, of loads and stores" | cut -d'|' -f2,4-)" " 1 | 8, 16, 32, 64, 72, -8, -16, -32, -64, -72 | 0 |
 0.7 | 8, 16, 32, 64, 72, -8, -16, -32, -64, -72 | 0 |
 0 | none | 0 |"
is "a few stores are enough to refute t12, and no other model" "$(in_table "Triggers that retire, on loops of loads with and without stores" | awk -F ' *[|] *' '{ printf "%s %d %d, ", $2, ($4 + 0 > 0), ($5 + 0 > 0) }' | tr -d '`')" \
	"t9 0 0, t10 1 1, t11 1 1, t12 1 0, t13 1 1, t14 1 1, t15 0 0, t16 1 1, t17 1 1, "
is "a root cache is found where it was planted, with pages of 1 GB" "$(in_table "A root cache, where nothing is bypassed" | cut -d'|' -f2-)" " with root cache | 1g | 10 | 10 | 0 |
 with root cache | 2m | 10 | 0 | 0 |
 without root cache | 1g | 10 | 0 | 0 |
 without root cache | 2m | 10 | 0 | 0 |"
is "prefetches that stop at a clear accessed bit, and prefetches that set it" "$(in_table "Pages that nobody has touched" | cut -d'|' -f3-)" " touched | 1.00 | 0.00 | 0 |
 fresh | 2.00 | 1.00 | 0 |
 touched | 1.00 | 0.00 | 0 |
 fresh | 1.00 | 0.00 | 0 |"
is "aborts before the first reference separate m3 and a0" "$(in_table "Aborts before the first reference, where nothing is bypassed" | awk -F ' *[|] *' '{ print ($4 > $5), $5; exit }')" "1 0"
is "machines outside the family are not explained by these features, a storm is" "$(in_table "Machines outside the family" | awk -F ' *[|] *' '{ print ($4 > 0), ($5 == "none of these"), ($6 == "none of these"), ($7 > 0) }' | tr '\n' ';')" \
	"0 0 0 0;0 0 0 0;1 1 1 1;"
quantities=$(in_table "Section 7.1's quantities")
has "merging reduces walks" "$(printf '%s\n' "$quantities" | awk -F ' *[|] *' '/^. merging nearly/ { print ($4 + 0 >= 40) }')" 1
has "  a root cache halves the references of 1 GB pages" "$quantities" '1[.]00, 2[.]00'
HECATE=$tmp/nothing "$study" >"$tmp/none" 2>/dev/null
is "without hecate: exit status 1, and no table" "$?, $(cat "$tmp/none")" "1, "

# A real program: the first 2500 records of a trace of sort, made by bench/trace-programs.sh.
programs=$(TRACES=$HECATE_TESTS/data/traces PROGRAMS=sort "$TOP_SRCDIR/bench/case-study-programs.sh" 2>"$tmp/err")
is "a real program's trace refutes models without merging or early lookup, and not the planted one" "$(printf '%s\n' "$programs" | awk -F ' *[|] *' '/^. `sort`/ { print $3 ": " $9 }' | tr -d '`')" "4k: m0 m1 m6 m7 m10 m11
2m: m0 m1 m6 m7 m10 m11"
PATH=/nonexistent /bin/sh "$TOP_SRCDIR/bench/trace-programs.sh" "$tmp/traces" sort 2>"$tmp/err"
is "without valgrind: an error, and no trace" "$?, $(cat "$tmp/err")" "2, trace-programs.sh: valgrind is needed to trace programs: apt-get install valgrind"

# What the whole study printed: its sections here, and every byte with HECATE_SLOW.
cp "$TOP_SRCDIR/bench/printed/case-study.txt" "$tmp/said"
is "what the whole study printed has the same sections" "$(grep '^###' "$tmp/said")" "$(grep '^###' "$tmp/few")"
if [ -n "$HECATE_SLOW" ]; then
	"$study" >"$tmp/whole" 2>/dev/null
	is "bench/printed/case-study.txt has the whole study" "$(diff "$tmp/said" "$tmp/whole")" ""
fi
done_testing
