#!/bin/sh
# hecate stack stall-sources: the run and wait of programs are those of the scheduler, in every run, alone and beside two
# busy loops. With HECATE_SLOW 50 runs each, whose figures are printed; otherwise 3.
. "$HECATE_TESTS/lib/tap.sh"
program=${HECATE%/*}/tests/programs/stall
file=$PWD/stall-times.$$.tmp # on the disk of the build folder, not in memory
loops=
trap 'rm -rf "$tmp" "$file"; [ -z "$loops" ] || kill $loops' EXIT
cd "$tmp" || exit 1
runs=$(rounds 3 50)
dd if=/dev/urandom of="$file" bs=1M count=32 2>/dev/null
"$HECATE" stack stall-sources --json -o out.json -- true 2>/dev/null
if [ "$(json out.json 'd["stalls"]["detail"]')" != records ]; then
	skip "run and wait against the scheduler" "no records here: $(json out.json 'd["stalls"]["note"]')"
	done_testing
	exit
fi
cat >worst.py <<'PY'
# worst.py NAME FILE…: reads reports; prints "good" or what is wrong, and figures on standard error.
import json, sys
worst, rows, wrong = {"run": 0, "wait": 0}, [], []
limit = {"run": 0.6, "wait": 1}
for path in sys.argv[2:]:
    d = json.load(open(path))["stalls"]
    for t in d["tasks"]:
        ns, books = t["ns"], t["scheduler"]
        if not d["believed"]: # a loss, which must be reported
            if d["why"] is None:
                wrong.append(f"{path}: no reason for a loss")
            continue
        if books["booked_ns"] != ns["elapsed"]:
            wrong.append(f"{path}: the scheduler's times are not known")
            continue
        for a in worst:
            off = abs(ns[a] - books[a + "_ns"]) / ns["elapsed"] * 100
            worst[a] = max(worst[a], off)
            if off > limit[a]:
                wrong.append(f"{path}: {a} {ns[a]}, by the scheduler {books[a + '_ns']}, of {ns['elapsed']}")
        rows.append((ns["elapsed"], books["records_run_ns"] - books["run_ns"], ns["on-the-way"], ns["taken"], ns["switch-cost"], d["steal_ns"] or 0))
if rows:
    middle = lambda k: sorted(r[k] / r[0] * 100 for r in rows)[len(rows) // 2]
    total = lambda k: sum(r[k] for r in rows) / 1e6
    print(f"# {sys.argv[1]}: {len(rows)} of {len(sys.argv) - 2} believed; worst run {worst['run']:.3f} %, wait {worst['wait']:.3f} % "
          f"of elapsed; medians: records' run less the scheduler's {middle(1):+.2f} %, on the way {middle(2):.2f} %, taken "
          f"{middle(3):.2f} %, switch cost {middle(4):.2f} %; sums: on the way {total(2):.0f} ms, taken {total(3):.0f} ms, steal of "
          f"the machine {total(5):.0f} ms")
print("; ".join(wrong) or ("good" if rows else "nothing was believed"))
PY
measure() { # measure NAME COMMAND…: runs it and compares
	name=$1 i=0
	shift
	rm -f run.*.json
	while [ $i -lt $runs ]; do
		"$HECATE" stack stall-sources --json -o run.$i.json -- "$@" 2>/dev/null || not_ok "$name: run $i"
		i=$((i + 1))
	done
	python3 worst.py "$name" run.*.json >figures.txt
	[ -z "$HECATE_SLOW" ] || grep '^#' figures.txt
	is "$name: run within 0.6 %, wait within 1 % of the scheduler in $runs of $runs runs" "$(grep -v '^#' figures.txt)" good
}
measure "O_DIRECT read" dd if="$file" of=/dev/null bs=64k iflag=direct status=none
measure "warm copy" dd if="$file" of=/dev/null bs=4k status=none
measure "CPU" "$program" cpu 60
"$program" cpu 3600000 &
loops=$!
"$program" cpu 3600000 &
loops="$loops $!"
measure "O_DIRECT read beside two busy loops" dd if="$file" of=/dev/null bs=256k iflag=direct status=none
measure "CPU beside two busy loops" "$program" cpu 60
done_testing
