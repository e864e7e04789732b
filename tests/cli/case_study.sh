#!/bin/sh
# bench/case-study.sh: the pattern of CounterPoint's tables on the simulated machine, from a few workloads. With HECATE_SLOW all of it, which must print what docs/haswell-case-study.md says.
. "$HECATE_TESTS/lib/tap.sh"
study=$TOP_SRCDIR/bench/case-study.sh
export HECATE HECATE_MODELS
unset SUITE SEED OPTIONS MACHINE MODEL KEEP
cat >"$tmp/few.suite" <<'END'
linear:footprint=4G,stride={64,-64},loads={1,0.95,0}
linear:footprint={250M,1G,4G},stride=8,loads={1,0.7}
linear:footprint=4G,stride=4096
linear:footprint=600G,stride=1G,loads=1,page=1g
linear:footprint=1G,stride=4160,loads=0.95,store_depends=1
linear:footprint=4G,stride=64,wrong=0.01
random:footprint=4G,loads=0.7,store_depends=1
chase:footprint=64M
gups:footprint=1G
branchy:footprint=16M
END
few() { SUITE=$tmp/few.suite OPTIONS="--accesses 20000 --warm-up 100000" "$study"; }

few >"$tmp/few" 2>"$tmp/err"
is "it runs" "$?" 0
# said MODEL…: how many observations refute each, as printed
said() {
	for v in "$@"; do
		awk -F ' *[|] *' -v v="\`$v\`" '$2 == v && NF > 6 { print $5; exit }' "$tmp/few"
	done | tr '\n' ' '
}
# in_table HEADING: the rows of the tables of a section
in_table() { awk -v h="### $1" '$0 == h { on = 1; next } /^###/ { on = 0 } on && /^[|]/ && !/---/' "$tmp/few" | sed 1d; }

is "all that was planted survives" "$(said m4 m8 t0 t1 t2 t3 t4 t5 t6 t7 t8 r0)" "0 0 0 0 0 0 0 0 0 0 0 0 "
is "37 models beside the paper's" "$(grep -c '^| `[mtar][0-9]*` | .* | \(yes\|[*][*]no[*][*]\) |$' "$tmp/few")" 37
is "t12 alone is judged otherwise" "$(grep -F '**no**' "$tmp/few" | cut -d' ' -f2)" '`t12`'
is "of the 17 claims all hold but that kernels alone miss bypass or prefetches" "$(grep -E '^[|] [^|]+ [|] (yes|[*]+no[*]+) [|]$' "$tmp/few" | grep -v 'kernels alone' | grep -c ' yes |$')" 13
has "m0 to m3 are refuted, each by fewer" "$(said m0 m1 m2 m3 | awk '{ print ($1 > $2 && $2 > $3 && $3 > $4 && $4 > 0) }')" 1
has "why t12 is" "$(in_table "Where the paper's verdict is another")" 'walk_ref <= .* [+] 4 store[.]ret`'
is "the trigger lines" "$(in_table "Lines that trigger a prefetch")" '| up | 63 | 51→52 | 0 | 51→52 |
| down | 63 | 8→7 | 0 | 8→7 |'
is "the strides, and none of stores alone" "$(in_table "Strides that trigger one, of loads and stores" | cut -d'|' -f2,4-)" " 1 | 8, 16, 32, 64, 72, -8, -16, -32, -64, -72 | 0 |
 0.7 | 8, 16, 32, 64, 72, -8, -16, -32, -64, -72 | 0 |
 0 | none | 0 |"
is "a few stores are enough for t12, and for no other" "$(in_table "Triggers that retire, on loops of loads with and without stores" | awk -F ' *[|] *' '{ printf "%s %d %d, ", $2, ($4 + 0 > 0), ($5 + 0 > 0) }' | tr -d '`')" \
	"t9 0 0, t10 1 1, t11 1 1, t12 1 0, t13 1 1, t14 1 1, t15 0 0, t16 1 1, t17 1 1, "
is "a root cache where it is, on pages of 1 GB" "$(in_table "A root cache, where nothing is bypassed" | cut -d'|' -f2-)" " with root cache | 1g | 10 | 10 | 0 |
 with root cache | 2m | 10 | 0 | 0 |
 without root cache | 1g | 10 | 0 | 0 |
 without root cache | 2m | 10 | 0 | 0 |"
is "prefetches that stop at a clear accessed bit, and such that set it" "$(in_table "Pages that nobody has touched" | cut -d'|' -f3-)" " touched | 1.00 | 0.00 | 0 |
 fresh | 2.00 | 1.00 | 0 |
 touched | 1.00 | 0.00 | 0 |
 fresh | 1.00 | 0.00 | 0 |"
is "aborts before the first reference part m3 and a0" "$(in_table "Aborts before the first reference, where nothing is bypassed" | awk -F ' *[|] *' '{ print ($4 > $5), $5; exit }')" "1 0"
is "machines outside the family end in none of these, a storm does not" "$(in_table "Machines outside the family" | awk -F ' *[|] *' '{ print ($4 > 0), ($5 == "none of these"), ($6 == "none of these"), ($7 > 0) }' | tr '\n' ';')" \
	"0 0 0 0;0 0 0 0;1 1 1 1;1 1 1 1;1 1 1 1;1 1 1 1;1 1 1 1;"
quantities=$(in_table "Section 7.1's quantities")
has "merging takes walks away" "$(printf '%s\n' "$quantities" | awk -F ' *[|] *' '/^. merging nearly/ { print ($4 + 0 >= 40) }')" 1
has "  a root cache halves the references of 1 GB pages" "$quantities" '1[.]00, 2[.]00'
HECATE=$tmp/nothing "$study" >"$tmp/none" 2>/dev/null
is "without a hecate: a failure, and no table" "$?, $(cat "$tmp/none")" "1, "

# A real program: a trace that bench/trace-programs.sh made of sort, its first 2500 records.
programs=$(TRACES=$HECATE_TESTS/data/traces PROGRAMS=sort "$TOP_SRCDIR/bench/case-study-programs.sh" 2>"$tmp/err")
is "a real program's trace refutes models without merging or early lookup, not the one that is planted" "$(printf '%s\n' "$programs" | awk -F ' *[|] *' '/^. `sort`/ { print $3 ": " $9 }' | tr -d '`')" "4k: m0 m1 m6 m7 m10 m11
2m: m0 m1 m6 m7 m10 m11"
PATH=/nonexistent /bin/sh "$TOP_SRCDIR/bench/trace-programs.sh" "$tmp/traces" sort 2>"$tmp/err"
is "without valgrind: said, and nothing traced" "$?, $(cat "$tmp/err")" "2, trace-programs.sh: valgrind is needed to trace programs: apt-get install valgrind"

# Over seeds: what is kept of each, and how often each claim holds.
few_seeds() { SEEDS="1 2" SUITE=$tmp/few.suite OPTIONS="--accesses 20000 --warm-up 100000" EXACT_ACCESSES=400000 KEEP=$tmp/seeds "$TOP_SRCDIR/bench/case-study-seeds.sh"; }
few_seeds >"$tmp/over" 2>"$tmp/err"
is "over two seeds and with exact totals" "$(sed -n 1p "$tmp/over")" "2 seeds (1, 2), and exact totals once; 20 observations each"
is "  what was planted survives, replays do, aborts do not" "$(grep -E '^[|] (no observation|speculative|aborts alone|replays)' "$tmp/over" | awk -F ' *[|] *' '{ print $3, $4 }' | tr '\n' ';')" "2 yes;2 yes;2 yes;2 yes;"

# The document: its sections here, every byte of it where there is time.
page=$TOP_SRCDIR/docs/haswell-case-study.md
sed -n '/^<!-- make case-study -->$/,/^<!-- end -->$/p' "$page" | sed '1d;$d' >"$tmp/said"
is "the document has the same sections" "$(grep '^###' "$tmp/said")" "$(grep '^###' "$tmp/few")"
if [ -n "$HECATE_SLOW" ]; then
	few >"$tmp/again" 2>/dev/null
	is "the same bytes again" "$(cksum <"$tmp/again")" "$(cksum <"$tmp/few")"
	"$study" >"$tmp/whole" 2>/dev/null
	is "the whole study is as docs/haswell-case-study.md has it" "$(diff "$tmp/said" "$tmp/whole")" ""
fi
# Secret machines: all sets of two features, found out over the model's own choices, and with rivals.
secrets=$(SUITE=$tmp/few.suite SEEDS=1 FEATURES="tlb_pf merging" OPTIONS="--accesses 20000 --warm-up 100000" "$TOP_SRCDIR/bench/secrets.sh" 2>"$tmp/secrets")
is "secret machines: nothing false, nothing refuted" "$(printf '%s\n' "$secrets" | grep -cE '4 machines: .* 0 with a false feature|0 false features, .*; 0 machines whose own')" 4
has "  one is named exactly" "$(cat "$tmp/secrets")" 'tlb_pf,merging	tlb_pf,merging	none'
done_testing
