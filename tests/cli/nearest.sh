#!/bin/sh
# The nearest names, three at most, wherever a name of an event or a counter is refused. Nothing is taken silently: the
# misspelt event stays uncounted. The machine is a made sysfs and /proc, so that its names are known.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
export HECATE_SYSFS="$HECATE_TESTS/data/sysfs"

cat >m.udd <<'U'
model m;
counter F = "page-fault";
counter T = "sched:sched_swich:k";
counter D = "disk:sda/raeds";
counter U = "cpu/evnt=3/";
counter P = "page-faults";
path load { count P; choose { case A: count F; case B: count T; case D: count D; case E: count U; } }
U
page='no such event: page-fault is not .*; nearest: page-faults'
status 0 "$HECATE" record -m m.udd -o m.hec -- true
has "record: a word of perf" "$err" "not counted: F: $page"
has "record: a tracepoint, with its modifier" "$err" 'not counted: T: .*; nearest: sched:sched_switch'
has "record: a kernel's file" "$err" "not counted: D: .*no 'raeds'; nearest: reads"
has "record: a term of a PMU" "$err" 'not counted: U: .*no term "evnt".*; nearest: event'
has "record: where the model says it" "$err" '^hecate: m.udd:2:13: the event of F'
has "  its line" "$err" '^counter F = "page-fault";'
has "  a caret under the name" "$err" '^ {12}\^{12}$'
is "  one place for each" "$(grep -c '^hecate: m.udd:' err)" 4
status 0 "$HECATE" check m.udd --json -- true
has "check: in its remarks" "$err" "not counted: F: $page"
is "  taken for no other event" "$(json out 'd["counters"], d["missing"]')" "(['P'], ['F', 'T', 'D', 'U'])"
status 0 "$HECATE" check m.udd -q -- true
is "check -q: no place either" "$(cat "$tmp/err")" ""
status 2 "$HECATE" check m.udd --counters FF,P -- true
has "--counters: three at most" "$err" "no counter 'FF'; nearest: F"

cat >n.stack <<'S'
stack n per task;
counter a = "page-fault" per task unit requests;
counter w = "minor-faults" per task unit requests;
whole all = w;
part p = a;
S
status 0 "$HECATE" stack n.stack -- true
has "stack" "$err" "not counted: a: $page"
cat >n.net <<'N'
network n "faults";
kind read "loads";
counter a = "page-fault" per thread unit requests;
counter b = "minor-faults" per thread unit requests;
stage s { module M per thread { read { hit = a; miss = b; } } }
stage t { module N per thread { read { hit = b; } } }
link M -> N;
N
"$HECATE" net n.net -- true >net.out 2>&1
has "net" "$(cat net.out)" "not counted: a: $page"
"$HECATE" determinism -r 2 -e page-fault >det.out 2>&1
has "determinism -e" "$(cat det.out)" "$page"
"$HECATE" probe branch_rate --on native -e page-fault >det.out 2>&1
has "probe -e" "$(cat det.out)" "page-fault cannot be counted here: $page"
"$HECATE" determinism --overflow -e page-fault -- true >det.out 2>&1
has "determinism --overflow -e" "$(cat det.out)" "$page"
status 2 "$HECATE" sim -o s.hec -e dtlb_load_misses.walk_complete
has "sim -e" "$err" 'nearest: dtlb_load_misses.*walk_completed'
done_testing
