#!/bin/sh
# What is slow in ten programs, by linux-vm and stall-sources, live: the obvious thing is the culprit. A machine that
# others use makes every program wait for a CPU; so the run queue counts only for the program that is to wait there.
. "$HECATE_TESTS/lib/tap.sh"
programs=${HECATE%/*}/tests/programs
disk=$(mktemp -d "${HECATE%/*}/culprits.XXXXXX" 2>/dev/null) || disk=$tmp
hogs=
trap 'rm -rf "$tmp" "$disk"; [ -z "$hogs" ] || kill $hogs' EXIT
cd "$tmp" || exit 1
cat >culprit.py <<'PY'
# culprit.py FILE [runqueue]: the longest awaited queue of a report of linux-vm. "none": all are shorter than 0.1.
import json, sys
s = json.load(open(sys.argv[1]))["snapshots"][0]
queues = [q for q in s["queues"] if not q["background"] and q["length"] is not None and (q["module"] != "runqueue" or "runqueue" in sys.argv)]
q = max(queues, key=lambda q: q["length"])
print(q["module"] if q["length"] >= 0.1 else "none")
PY
cat >largest.py <<'PY'
# largest.py FILE: the largest class of a report of stall-sources, waits for a CPU and switches left out.
import json, sys
parts = {}
for t in json.load(open(sys.argv[1]))["stalls"]["tasks"]:
    for c, v in t["ns"].items():
        if c in ("on-cpu", "fault-service", "exception", "fault-io", "block-io", "blocked", "futex", "sleep", "stopped"):
            parts[c] = parts.get(c, 0) + v
print(max(parts, key=parts.get))
PY
# Another program may drop the page cache or fill the disk's queue, so a run is repeated twice at most if it names another.
net() { # net NAME WANTED PREPARE COMMAND…
	name=$1 wanted=$2 prepare=$3 given=
	shift 3
	[ "$wanted" != runqueue ] || given=runqueue
	for try in 1 2 3; do
		$prepare
		watch_others
		"$HECATE" net linux-vm --json -q -o net.json -- "$@" >/dev/null 2>err.txt || { not_ok "$name" "$(cat err.txt)"; return; }
		found=$(python3 culprit.py net.json $given)
		case " $wanted " in *" $found "*) break ;; esac
	done
	case " $wanted " in *" $found "*) ok "$name: $found" ;; *) [ "$wanted" != runqueue ] && others_busy && skip "$name" "other programs use the processors" || not_ok "$name" "found $found, not $wanted: $(json net.json '[(q["module"], q["kind"], q["length"]) for q in d["snapshots"][0]["queues"]][:5]')" ;; esac
}
stalls() { # stalls NAME WANTED COMMAND…
	name=$1 wanted=$2
	shift 2
	watch_others
	"$HECATE" stack stall-sources --json -o out.json -- "$@" >/dev/null 2>err.txt || { not_ok "$name" "$(cat err.txt)"; return; }
	found=$(python3 largest.py out.json)
	[ "$found" = "$wanted" ] || ! others_busy || { skip "$name" "other programs use the processors"; return; }
	is "$name" "$found" "$wanted"
}
cold() { "$programs/paths" drop "$disk/file" && sync; }
warm() { cat "$disk/file" >/dev/null; }

"$HECATE" stack stall-sources --json -o out.json -- true 2>/dev/null
"$HECATE" net linux-vm --json -q -o net.json -- true 2>err.txt
if [ "$(json out.json 'd["stalls"]["detail"], d["stalls"]["note"]')" != "('records', None)" ] ||
	[ "$(json net.json 'sum(l["counter"].startswith(("x.", "start.", "wb.")) for l in d["snapshots"][0]["lacking"])')" != 0 ]; then
	skip "ten programs" "records or tracepoints are not permitted here: $(json out.json 'd["stalls"]["note"]')"
	done_testing
	exit
fi
"$programs/paths" new "$disk/file" 48 || exit 1
net "a page toucher" "memory exception" true "$programs/touch" 60000
stalls "  by its classes" fault-service "$programs/touch" 60000
if [ "$(stat -f -c %T "$disk")" = tmpfs ]; then
	skip "cold copy, O_DIRECT, fsync" "no disk under the build folder"
else
	net "a cold copy" disk cold "$programs/paths" copy "$disk/file" /dev/null
	net "O_DIRECT" disk true dd if="$disk/file" of=/dev/null bs=256k iflag=direct status=none
	net "fsync" "disk writeback" true dd if=/dev/zero of="$disk/sync" bs=1M count=48 oflag=dsync status=none
	stalls "O_DIRECT by its classes" block-io "$programs/paths" direct "$disk/file" 4000
fi
net "a warm copy" task warm "$programs/paths" copy "$disk/file" "$disk/copy"
if command -v cc >/dev/null; then
	python3 -c 'print("\n".join(f"int f{i}(int a) {{ int s = 0; for (int k = 0; k < a; k++) s += k * {i} ^ (s >> 3); return s; }}" for i in range(1500)))' >x.c
	net "a compiler" task true cc -O2 -c x.c -o x.o
else
	skip "a compiler" "no cc"
fi
if command -v taskset >/dev/null; then
	cpu=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')
	taskset -c "$cpu" "$programs/stall" cpu 3600000 &
	hogs=$!
	taskset -c "$cpu" "$programs/stall" cpu 3600000 &
	hogs="$hogs $!"
	net "a CPU hog beside others" runqueue true taskset -c "$cpu" "$programs/stall" cpu 400
	kill $hogs
	hogs=
else
	skip "a CPU hog beside others" "no taskset"
fi
net "a sleeper has no culprit" none true "$programs/stall" sleep 300
stalls "a sleeper" sleep "$programs/stall" sleep 300
stalls "a lock" futex "$programs/stall" lock 300
if [ "$(wc -l </proc/swaps)" -gt 1 ]; then
	skip "a swapper" "it would push out others' memory: tests/cli/run_answer.sh has a recorded one"
else
	skip "a swapper" "no swap here; tests/data/runs/swap.hct is a recorded one"
fi

# Recorded: programs whose live run needs swap, root, or a machine of their own.
for row in "swap pages" "copy disk" "lock lock" "compute ran" "busy CPU"; do
	file=$HECATE_TESTS/data/runs/${row% *}.hct
	[ -e "$file" ] || { not_ok "recorded: ${row% *}" "$file is missing"; continue; }
	has "recorded, ${row% *}: ${row#* }" "$("$HECATE" stack stall-sources "$file" 2>/dev/null | head -n 1)" "${row#* }"
done
done_testing
