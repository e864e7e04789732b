#!/bin/sh
# What hecate export writes, hecate import reads: exported again, it is the same to the byte.
. "$HECATE_TESTS/lib/tap.sh"
programs=$(dirname "$HECATE")/tests/programs
data=$HECATE_TESTS/data
cd "$tmp" || exit 1
# same_again NAME FILE.hec
same_again() {
	rm -f again.hec
	"$HECATE" export -q "$2" -o once.csv 2>err && "$HECATE" import -q -o again.hec once.csv 2>>err &&
		"$HECATE" export -q again.hec -o twice.csv 2>>err && cmp once.csv twice.csv >>err 2>&1 && ok "$1" ||
		not_ok "$1" "$(cat err)"
}
# Files of every reader. Those without counts say so, and are no matter of this test.
read=0
for file in "$data"/perf-stat/*.* "$data"/perf-stat-6.1/*.* "$data"/gem5/*.* "$data"/sniper/*.* "$data"/programs/*.csv; do
	rm -f it.hec
	"$HECATE" import -q -o it.hec "$file" 2>/dev/null || continue
	read=$((read + 1))
	same_again "$(basename "$file")" it.hec
done
is "files were read" "$([ $read -ge 60 ] && echo yes || echo "only $read")" yes
# A program is named by its user. The kernel cuts names after 15 bytes, here within a character.
name() { rm -f it.hec; cp "$programs/touch" "./$1"; "$HECATE" record -q -o it.hec -I 5 -m linux-page-faults -- "./$1" 20 >/dev/null 2>&1; }
for name in 'a,b' 'a"b' 'a
b' 'µDD ä' '=1+2' '#x' ' x ' '12' 'nan' 'time' 'observation' 'a#2' 'abcdefghijklmn日本' "$(printf 'a\001\033[31mb')" "$(printf 'a\377b')"; do
	name "$name"
	same_again "runs of '$(printf %s "$name" | tr -cd 'a-z0-9,"#=+ ')'" it.hec
done
"$HECATE" sim -q --machine haswell --workload random -o sim.hec >/dev/null 2>&1
same_again "a simulated machine" sim.hec
# Flows. Programs that go from one processor to another and come back, with intervals in between, and that end in others.
cat >near.net <<'END2'
network near "near and far";
kind rd "reads";
counter minor = "minor-faults" per task unit requests;
counter clock = "task-clock" per task unit ns;
stage a { module core "core" { rd { miss = minor; } } }
stage b { module memory "memory" { rd { hit = minor; } } }
link core -> memory { rd = minor; }
END2
cp "$programs/touch" ./abcdefghijklm日本語
for command in "hop 40 3000" "hop 5 10" "churn 20 10" "forks 4"; do
	rm -f flows.hec
	# shellcheck disable=SC2086
	"$HECATE" record -q --flows -I 20 -m near.net -o flows.hec -- "$programs"/$command >/dev/null 2>err
	if grep -q 'needs CAP_PERFMON' err; then
		skip "flows of $command" "needs root, to record whole CPUs"
		continue
	fi
	same_again "flows of $command" flows.hec
	is "  no cell is negative" "$(grep -c '[,]-[0-9]' once.csv)" 0
done
rm -f flows.hec
if "$HECATE" record -q --flows -I 20 -m near.net -o flows.hec -- ./abcdefghijklm日本語 2000 >/dev/null 2>err; then
	same_again "flows of a task with a name that was cut" flows.hec
fi
done_testing
