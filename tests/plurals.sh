#!/bin/sh
# "1 models": a number of one with a noun in the plural, on any screen, in any example and in what commands print.
. "$HECATE_TESTS/lib/tap.sh"
cd "$HECATE_TESTS" || exit 1

# Lines with such a number, without those where "1" belongs to something else: 0.1, K1, ×1, 12 1.
false_plurals() {
	grep -rnoP '(?<![\w.,:=×/$'"'"'+−-])(?<!\d[  ])1 (?!is\b|shows\b|goes\b|was\b|has\b|does\b|as\b|thus\b|plus\b|less\b|this\b|its\b|us\b|ms\b|ns\b|µs\b|fs\b|cs\b)[a-zµ]+s\b(?![.:/_(])' "$@"
}
printf 'nothing but 1 models, and 0.1 seconds, 11 sets, K1 sets, 1 is, 1 ms\n' >"$tmp/screen"
is "the scanner finds one" "$(false_plurals -h "$tmp/screen")" '1:1 models'
is "screens" "$(false_plurals --include='*.txt' screens/expect)" ''
# "runs − 1 degrees" is a formula, and "1 requests" of docs/stack-language.md is code.
is "pages" "$(false_plurals --include='*.md' ../docs | grep -v '1 degrees\|stack-language.*1 requests')" ''
is "recorded output" "$(false_plurals data/tools/expect data/perf-stat/expect ../bench/printed)" ''

# What commands print of one of everything.
cat >"$tmp/one.udd" <<'M'
model one; counter a "things"; counter b "others"; feature f; path p { count a; } path q when f { count b; }
M
printf 'observation,a,b\no,1,0\n' >"$tmp/one.csv"
cp "$tmp/one.udd" "$tmp/same.udd"
for command in "check one.udd one.csv --exact -v" "search one.udd one.csv --exact" "constraints one.udd" "paths one.udd" \
	"explain one.udd one.csv --exact" "compare one.udd same.udd" "search one.udd one.csv --exact --json"; do
	(cd "$tmp" && "$HECATE" $command >>printed 2>&1)
done
has "something is printed" "$(cat "$tmp/printed")" '1 feature, 1 observation'
is "commands" "$(false_plurals "$tmp/printed")" ''
done_testing
