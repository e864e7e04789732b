#!/bin/sh
# hecate determinism without data: the workload's page faults as the kernel counts them, chosen parts, a CPU that lacks
# a feature, a program that is missing or cannot run, and Ctrl-C.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1

status 0 "$HECATE" determinism --list-parts
if [ "$(printf '%s\n' "$out" | wc -l)" -lt 2 ]; then
	skip "runs of the workload" "no workload for this architecture"
	done_testing
	exit 0
fi
has "parts are listed" "$out" '^syscalls +syscalls +10000 .*system calls'
HECATE_CPU_LACKS=avx,avx2 status 0 "$HECATE" determinism --list-parts
has "parts that this CPU cannot execute are marked" "$out" '^avx2? .*\(this CPU has no avx2?\)'

status 2 "$HECATE" determinism --parts teleport
has "an unknown part" "$err" 'no part and no class "teleport"; hecate determinism --list-parts lists them'
status 2 env HECATE_WORKLOAD="$tmp/none" "$HECATE" determinism
has "a missing program" "$err" 'cannot run .*/none: No such file'
status 2 "$HECATE" determinism -e no-such-event
has "an unknown event" "$err" 'none of the events can be counted: .*no-such-event'
status 2 env HECATE_CPU_LACKS=avx,avx2,fma "$HECATE" determinism --parts avx
has "nothing left to run" "$err" 'this CPU can execute none of the parts'

run() { "$HECATE" determinism -r 3 --scale 0.1 -e page-faults:u "$@" >out 2>err </dev/null; }
run --json --parts faults,cpuid,x87
if grep -q 'counting is for privileged users' err; then
	skip "runs of the workload" "perf_event_open: counting is for privileged users only here"
	done_testing
	exit 0
fi
is "a document" "$(json out 'd["schema"]')" hecate.determinism/1
is "  of a whole search" "$(json out '[d["cut"], d["events"][0]["whole"], d["events"][0]["parts"]]')" '[False, True, []]'
is "  page faults: 200 of each of two parts, and those of starting the program" \
	"$(json out '[(r["expected"] - d["events"][0]["base"], r["mean"] - r["expected"], r["spread"], r["letters"]) for r in d["results"] if r["test"] == "all parts"]')" \
	"[(400, 0, 0, '')]"
run --parts faults
has "the text" "$(cat out)" '^page-faults:u +4[0-9][0-9] +4[0-9][0-9] +0 +0 +- +deterministic$'
has "  says what starting the program costs" "$(cat out)" 'starting the program +\+[0-9]+ in each run'
HECATE_CPU_LACKS=avx run --parts avx,pages-read
has "a part is left out" "$(cat err)" 'part avx is left out: this CPU has no avx'
"$HECATE" determinism -r 2 --scale 0.1 -e page-faults:u,no-such-event --parts pages-read >out 2>err
has "an event is left out" "$(cat err)" 'not counted: no-such-event: '
has "  and the other is counted" "$(cat out)" '^page-faults:u '

# A program that the CPU cannot execute, and one of another build.
printf '#!/bin/sh\nkill -ILL $$\n' >ill
printf '#!/bin/sh\nexit 2\n' >other
chmod +x ill other
HECATE_WORKLOAD="$tmp/ill" run
has "an instruction that the CPU does not execute" "$(cat err)" 'ended by an instruction that this CPU does not execute'
HECATE_WORKLOAD="$tmp/other" run
has "a program of another build" "$(cat err)" 'of another build than hecate'

# Ctrl-C, after some runs: what was measured is printed.
workload=$(dirname "$HECATE")/hecate-workload
printf '#!/bin/sh\necho run >>"%s/runs"\nexec "%s" "$@"\n' "$tmp" "$workload" >noting
chmod +x noting
HECATE_WORKLOAD=$tmp/noting python3 - "$HECATE" >out 2>err <<'END'
import os, signal, subprocess, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background begins with Ctrl-C ignored
p = subprocess.Popen([sys.argv[1], "determinism", "-r", "100000", "--scale", "0.1", "-e", "page-faults:u", "--parts", "pages-read"])
while p.poll() is None and not (os.path.exists("runs") and len(open("runs").readlines()) >= 20):
    time.sleep(0.02)
p.send_signal(signal.SIGINT)
p.wait()
END
has "Ctrl-C keeps what is done" "$(cat err)" 'stopped after [0-9]+ runs: what follows is what was measured so far'
has "  and prints it" "$(cat out)" '^page-faults:u .* 2[0-9][0-9] '
done_testing
