#!/bin/sh
# The network linux-vm, live on this machine: programs use the paths that they are known to use, laws hold, and the map
# agrees with what the programs did. Only relations are tested, because other programs run too.
. "$HECATE_TESTS/lib/tap.sh"
paths=$(dirname "$HECATE")/tests/programs/paths touch=$(dirname "$HECATE")/tests/programs/touch
disk=$(mktemp -d "$(dirname "$HECATE")/linux-vm.XXXXXX" 2>/dev/null) || disk=$tmp
trap 'rm -rf "$tmp" "$disk"' EXIT

# Without counting: every event has a public name.
"$HECATE" net linux-vm --check --json >"$tmp/net"
is "each tracepoint is in the kernel's headers, each counter has an event" "$(python3 - "$tmp/net" "$HECATE_TESTS/data/linux/tracepoints.txt" <<'END'
import json, re, sys
known = {l.split()[0] for l in open(sys.argv[2]) if not l.startswith("#")}
files = re.compile(r"(disk:[^/]+/|vmstat:|psi:(io|memory|cpu)/|stat:|task:|io:|stall:)\w+$")
software = {"page-faults", "minor-faults", "major-faults", "task-clock"}
d = json.load(open(sys.argv[1]))
print([e for c in d["counters"] for e in c["events"] if e not in known | software and not files.match(e)], d["unresolved"])
END
)" "[] 0"
is "read-ahead and the kernel's own requests are background" "$(json "$tmp/net" '[k["name"] for k in d["kinds"] if k["background"]]')" "['ahead', 'back']"

is "filters are reported" "$(json "$tmp/net" '[(c["events"], c["filters"]) for c in d["counters"] if c["name"] in ("x.write", "faults", "reclaims")]')" \
	"[(['exceptions:page_fault_user'], ['error_code & 2']), (['page-faults'], [None]), (['vmscan:mm_vmscan_memcg_reclaim_begin', 'vmscan:mm_vmscan_direct_reclaim_begin'], [None, None])]"
has "  in text" "$("$HECATE" net linux-vm --check -v)" '^  start.ahead = block:block_io_start if rwbs ~ "RA[*]" per task'

# Recorded: a column with a tracepoint's name has all of its hits, without any filter.
printf 'block:block_io_start,page-faults,start.ahead,disk.reads@vda,disk.reads@vdb,disk:*/writes@vda,disk:*/writes@vdb\n9,5,7,20,30,4,0\n' >"$tmp/vm.csv"
"$HECATE" net linux-vm "$tmp/vm.csv" --json >"$tmp/recorded" 2>"$tmp/err"
is "columns of filtered counters have the counter's name" \
	"$(json "$tmp/recorded" '[c not in [l["counter"] for l in d["snapshots"][0]["lacking"]] for c in ("starts", "faults", "start.ahead", "start.read", "disk.reads", "disk.writes")]')" \
	"[True, True, True, False, True, True]"

# run NAME COMMAND…: the snapshot of a run, for `of`
run() { name=$1; shift; "$HECATE" net linux-vm --json -q -- "$@" >"$tmp/$name" 2>"$tmp/err" || { not_ok "$name runs" "$(cat "$tmp/err")"; return 1; }; }
# undisturbed PREPARE WHEN run NAME COMMAND…: repeats the run, at most ten times, until no other program dropped pages
# meanwhile (drop_caches) and the expression WHEN is true.
dropped() { grep -E '^drop_(pagecache|slab) ' /proc/vmstat; }
undisturbed() {
	prepare=$1 when=$2
	shift 2
	for try in 1 2 3 4 5 6 7 8 9 10; do
		before=$(dropped)
		$prepare && "$@"
		[ "$(dropped)" = "$before" ] && [ "$(of "$when" "$2")" = True ] && break
	done
}
cat >"$tmp/of.py" <<'END'
import json, sys
class Run:
    def __init__(self, name):
        d = json.load(open(sys.argv[1] + "/" + name))
        self.exit, self.s = d["command"]["exit"], d["snapshots"][0]
        self.place = {r["place"]: {c["kind"]: c["hits"] for c in r["cells"] if c["state"] == "told"} for r in self.s["path_map"]}
        self.lacking = {l["counter"]: l["why"] for l in self.s["lacking"]}
        self.total = {t["text"]: t["value"] for t in self.s["totals"]}
    def hits(self, place, kind): return self.place[place][kind]
    def largest(self, kind): return max((h[kind] or 0, p) for p, h in self.place.items() if kind in h)[1]
    def disk(self, *kinds): return sum(self.hits("disk", k) for k in kinds)
    def broken(self): return [l["text"] for l in self.s["laws"] if not l["holds"]]
    def queue(self, module, kind): return [q for q in self.s["queues"] if (q["module"], q["kind"]) == (module, kind)][0]
r = {n: Run(n) for n in sys.argv[3:]}
print(eval(sys.argv[2]))
END
of() { python3 "$tmp/of.py" "$tmp" "$@"; }

run small "$paths" read /bin/sh 0
cat >"$tmp/lacking.py" <<'END'
import json, sys
net, run = (json.load(open(f)) for f in sys.argv[1:])
needed = {c["name"] for c in net["counters"] if not any(e.startswith(("psi:", "stat:", "disk:zram")) for e in c["events"])}
print(" ".join(sorted(needed & {l["counter"] for l in run["snapshots"][0]["lacking"]})))
END
why=$(python3 "$tmp/lacking.py" "$tmp/net" "$tmp/small")
if [ -n "$why" ]; then
	skip "each program uses its paths" "tracepoints: not here: $why"
	done_testing
	exit 0
fi
"$paths" new "$disk/file" 32 || exit 1

# The page cache, exactly: cached blocks are looked up one by one.
all() { "$paths" read "$disk/file" 8192; } # all of it is cached then
none() { "$paths" drop "$disk/file"; }
undisturbed all 'r["none"].disk("read", "ahead") == 0' run none "$paths" read "$disk/file" 0
undisturbed all 'r["some"].disk("read", "ahead") == 0' run some "$paths" read "$disk/file" 500
is "500 blocks from the page cache are 500 hits there, and none at the disk" \
	"$(of 'r["some"].hits("page cache, read", "read") - r["none"].hits("page cache, read", "read"), r["some"].disk("read", "ahead")' some none)" "(500, 0)"
is "  with as many bytes" "$(of 'r["some"].total["bytes that it read"] - r["none"].total["bytes that it read"]' some none)" 2048000

# Fresh memory: the program checks by its own counters that it took exactly 5000 faults for it (exit status). The faults
# of its stack and libraries change from run to run.
undisturbed "$touch 1" 'r["touch"].disk("read", "ahead") == 0' run touch "$touch" 5000
is "5000 fresh pages are 5000 anonymous pages, and some for the program itself" "$(of 'r["touch"].exit, 5000 <= r["touch"].hits("anonymous page", "write") < 5100' touch)" "(0, True)"
is "  most of its writes, and hardly any disk" "$(of 'r["touch"].largest("write"), r["touch"].disk("read", "write", "ahead") < 50, r["touch"].hits("swap", "write")' touch)" "('anonymous page', True, 0)"

undisturbed all 'r["warm"].disk("read", "ahead") == 0' run warm "$paths" copy "$disk/file" "$disk/copy"
undisturbed none True run cold "$paths" copy "$disk/file" "$disk/copy"
cold=$(of 'r["cold"].disk("read", "ahead")' cold)
if [ "$cold" -gt 0 ]; then
	is "a warm copy reads from the page cache and writes to it" \
		"$(of 'r["warm"].largest("read"), r["warm"].largest("write"), r["warm"].disk("read", "ahead") * 4 < r["cold"].disk("read", "ahead")' warm cold)" \
		"('page cache, read', 'page cache, written', True)"
	is "a cold copy reads more ahead at the disk than it waits for" "$(of 'r["cold"].disk("ahead") > r["cold"].disk("read") > 0, r["cold"].largest("ahead")' cold)" "(True, 'disk')"
	is "  all of the file is fetched, and none of it for the warm copy" \
		"$(of 'r["cold"].total["bytes that were fetched for it"] >= 32 << 20, r["warm"].total["bytes that were fetched for it"] < 1 << 20' cold warm)" "(True, True)"
	is "  both made all of it dirty" "$(of '[r[n].total["bytes that it made dirty"] >= 32 << 20 for n in r]' cold warm)" "[True, True]"
	is "  what is read ahead is not the culprit" "$(of 'r["cold"].s["culprit"]["kind"] in ("ahead", "back")' cold)" False
	is "  the queue at the disks is the rate times the wait" \
		"$(of 'abs(r["cold"].queue("disk", "ahead")["length"] / (r["cold"].queue("disk", "ahead")["arrivals"] * r["cold"].queue("disk", "ahead")["wait"]) - 1) < 1e-9' cold)" True
	# Requests of its own that a program can count: each O_DIRECT read is one.
	undisturbed all 'r["direct0"].disk("read", "ahead") == 0' run direct0 "$paths" direct "$disk/file" 0
	undisturbed all 'r["direct"].disk("read", "ahead") <= 200' run direct "$paths" direct "$disk/file" 200
	is "200 reads past the page cache are 200 requests at the disk" "$(of 'r["direct"].disk("read") - r["direct0"].disk("read"), r["direct"].disk("ahead")' direct direct0)" "(200, 0)"
	# The device's own count, read independently around the run, has these too.
	reads() { cat /sys/block/*/stat | awk '{ sum += $1 } END { print sum }'; }
	from=$(reads)
	undisturbed all True run direct "$paths" direct "$disk/file" 200
	to=$(reads)
	is "  the map has what the disks say: no less than its own, no more than in all the time" \
		"$(of "200 <= r['direct'].disk('read', 'ahead', 'write', 'back') - r['direct'].disk('write'), r['direct'].disk('read', 'ahead') <= $((to - from))" direct)" "(True, True)"
	for f in warm cold direct; do is "  laws hold: $f" "$(of "r['$f'].broken()" $f)" "[]"; done
	# Too little memory: pages are given up, and the same file is fetched again and again.
	undisturbed none 'r["wide"].total["bytes that were fetched for it"] < 34 << 20' run wide "$paths" squeeze "$disk/file" 0 3
	undisturbed none True run tight "$paths" squeeze "$disk/file" 24 3
	if [ "$(of 'r["tight"].exit' tight)" = 77 ]; then
		skip "a hog in a memory cgroup" "no memory cgroup to be had"
	else
		is "a hog in a narrow memory cgroup makes pages be given up" \
			"$(of 'r["wide"].hits("pages given up for others", "write"), r["tight"].hits("pages given up for others", "write") > 0' wide tight)" "(0, True)"
		is "  and fetches the file anew each round" \
			"$(of 'r["tight"].total["bytes that were fetched for it"] > 2 * r["wide"].total["bytes that were fetched for it"] >= 64 << 20' wide tight)" True
		is "  nothing is swapped" "$(of 'r["tight"].hits("swap", "write")' tight)" 0
		is "  laws hold" "$(of '[x.broken() for x in r.values()]' wide tight)" "[[], []]"
	fi
else
	skip "what reads from a disk" "no disk under the build folder"
fi

# A compiler: fresh memory, executed pages, cached files.
if command -v cc >/dev/null; then
	CCACHE_DISABLE=1 # the compiler itself, also where cc is ccache
	export CCACHE_DISABLE
	printf '#include <stdio.h>\n#include <stdlib.h>\nint main(void) { return puts("x") < 0; }\n' >"$disk/x.c"
	undisturbed "cc -c -o $disk/x.o $disk/x.c" 'r["compiler"].disk("read", "ahead") == 0' run compiler cc -c -o "$disk/x.o" "$disk/x.c"
	is "a compiler writes to fresh memory most of all" "$(of 'r["compiler"].largest("write")' compiler)" "anonymous page"
	is "  executes files that are cached, and finds what it reads in the page cache" \
		"$(of 'r["compiler"].largest("exec"), r["compiler"].hits("mapped file, executed", "exec") > 50, r["compiler"].disk("read", "ahead") * 20 < r["compiler"].hits("page cache, read", "read")' compiler)" "('mapped file, executed', True, True)"
	is "  laws hold" "$(of 'r["compiler"].broken()' compiler)" "[]"
else
	skip "a compiler" "no C compiler is installed"
fi
done_testing
