#!/bin/sh
# Data that name the processor they were counted on are corrected by what is known of it: recordings, and what is counted
# here. Data without a processor stay as they are, and --trust none turns it off.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
cd "$tmp" || exit 1
mkdir -p data/hecate/trust

cat >pair.udd <<'X'
model pair; counter a = "page-faults"; counter b = "minor-faults"; feature more;
path p { count a; count b; }
path q when more { count b; }
X
# $1: family and model of the book's processor
book() {
	cat >data/hecate/trust/made.trust <<X
cpu made vendor "$1" family $2 model $3 {
	event "minor-faults" { verdict correctable; letters "D"; adds 0.5..0.5 per count; source "planted"; }
}
X
}
# Writes a processor into a session file, as a recording on it has.
set_cpu() { py -c 'import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute("update observation set cpu=?", [sys.argv[2]]); d.commit()' "$1" "$2"; }
verdicts() { json out '[x["verdict"] for x in d["observations"]], [w["text"].split(",")[0] for w in d["warnings"] if w["code"] == "book"]'; }

book GenuineIntel 6 254
printf 'observation,a,b\no,1000,1500\n' >o.csv
"$HECATE" import -q -o o.hec o.csv
status 1 "$HECATE" check ./pair.udd o.csv --exact --json
is "data without a processor are taken as they are" "$(verdicts)" "(['infeasible'], [])"
status 1 "$HECATE" check ./pair.udd o.hec --exact --json
is "  in a session file, too" "$(verdicts)" "(['infeasible'], [])"
set_cpu o.hec "GenuineIntel family 6 model 254"
status 0 "$HECATE" check ./pair.udd o.hec --exact --json
is "data of a known processor are corrected, and a remark says so" "$(verdicts)" "(['feasible'], ['counted on GenuineIntel family 6 model 254'])"
is "  and nothing is said of a tolerance" "$(json out '[w["code"] for w in d["warnings"] if w["code"] == "tolerance"]')" "[]"
is "  without that they would refute" "$(json out '[x["without_trust"] for x in d["observations"]]')" "['infeasible']"
status 0 "$HECATE" check ./pair.udd o.hec --exact
is "  one line, with the way to turn it off" "$(printf '%s\n' "$err" | grep -c 'counted on .*: 1 observation; --trust none takes counts as they are')" 1
status 1 "$HECATE" check ./pair.udd o.hec --exact --trust none --json
is "--trust none" "$(verdicts)" "(['infeasible'], [])"
status 0 "$HECATE" search ./pair.udd o.hec --exact --json
is "search" "$(json out 'd["minimal"]')" "[[]]"
status 0 "$HECATE" search ./pair.udd o.hec --exact --trust none --json
is "  with --trust none" "$(json out 'd["minimal"]')" "[['more']]"
status 0 "$HECATE" report ./pair.udd o.hec --exact -o r.md
has "report" "$(cat r.md)" "without these corrections|feasible"
status 1 "$HECATE" check ./pair.udd o.hec o.csv --exact --json
is "next to other data" "$(verdicts)" "(['feasible', 'infeasible'], ['counted on GenuineIntel family 6 model 254'])"
status 0 "$HECATE" import -q -o p.hec o.hec
status 0 "$HECATE" check ./pair.udd p.hec --exact --json
is "a copy of a session file keeps the processor" "$(verdicts)" "(['feasible'], ['counted on GenuineIntel family 6 model 254'])"
for cpu in "GenuineIntel family 6 model 253" "GenuineIntel family 6 model 254x" power6 " family " ""; do
	set_cpu p.hec "$cpu"
	status 1 "$HECATE" check ./pair.udd p.hec --exact --json
	is "nothing is known of '$cpu'" "$(verdicts)" "(['infeasible'], [])"
done

# What is counted here. Of a simulated machine nothing is known.
status 0 "$HECATE" record -q -o s.hec -m haswell-mmu --samples 2 -I 1 -- sim:haswell
is "a simulated machine has no processor" "$(py -c 'import sqlite3; print(sqlite3.connect("s.hec").execute("select distinct cpu from observation").fetchall())')" "[(None,)]"
if "$HECATE" record -q -m ./pair.udd -o here.hec -- true 2>why; then
	cpu=$(py -c 'import sqlite3; print(sqlite3.connect("here.hec").execute("select cpu from observation").fetchone()[0])')
	case $cpu in
	*" family "*" model "*)
		set -- $cpu
		book "$1" "$3" "$5"
		status 1 "$HECATE" check ./pair.udd here.hec --exact --json
		is "a recording of this machine" "$(verdicts)" "(['infeasible'], ['counted on $cpu'])"
		status 1 "$HECATE" check ./pair.udd --json -- true
		is "what is counted here" "$(verdicts)" "(['infeasible'], ['counted on $cpu'])"
		status 0 "$HECATE" check ./pair.udd --json --trust none -- true
		is "  with --trust none" "$(verdicts)" "(['feasible'], [])"
		;;
	*) skip "what is counted here" "/proc/cpuinfo has no family and model" ;;
	esac
else
	skip "what is counted here" "$(head -1 why)"
fi
done_testing
