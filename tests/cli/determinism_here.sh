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
has "  says what starting the program costs" "$(cat out)" 'starting the program: \+[0-9]+ in each run'
HECATE_CPU_LACKS=avx run --parts avx,pages-read
has "a part is left out" "$(cat err)" 'part avx is left out: this CPU has no avx'
"$HECATE" determinism -r 2 --scale 0.1 -e page-faults:u,no-such-event --parts pages-read >out 2>err
has "an event is left out" "$(cat err)" 'not counted: no-such-event: '
has "  and the other is counted" "$(cat out)" '^page-faults:u '

# What was measured is stored for this processor, which is made here.
mkdir proc
printf 'vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 15\n' >proc/cpuinfo
export HECATE_PROC="$tmp/proc"
stored=$tmp/data/hecate/trust/genuineintel-6-15.trust
facts() { "$HECATE" determinism --facts --json >facts.json && json facts.json "$1"; }
MEASURED='[(e["events"], e["verdict"], e["counts"]) for e in d["pages"][0]["events"] if e["measured"]]'
run --json
is "the results are stored" "$(json out '(d["stored"], d["not_stored"])')" "('$stored', None)"
has "  and it is said where" "$(cat err)" 'stored in .*/data/hecate/trust/genuineintel-6-15.trust; hecate determinism --facts prints it'
is "  as entries" "$(facts "$MEASURED")" "[(['page-faults:u'], 'deterministic', True)]"
is "  next to what is published" "$(json facts.json '("instructions" in sum((e["events"] for e in d["pages"][0]["events"] if not e["measured"]), []), d["pages"][0]["cpu"])')" "(True, 'core2')"
has "  from runs of a day" "$(cat "$stored")" 'source "measured here 20[0-9][0-9]-[01][0-9]-[0-3][0-9], 3 runs of hecate-workload";'
status 0 "$HECATE" check "$stored"
status 0 "$HECATE" doctor
has "  doctor lists them" "$out" '^    deterministic - +page-faults:u +measured here'
run --json -e minor-faults:u # an option that is given again adds to the list
sed '/page-faults:u/,/}/{ s/page-faults:u/instructions/; s/deterministic/noisy/; }' "$stored" >book && cp book "$stored"
run
is "other events stay, the same are replaced" "$(facts "$MEASURED")" \
	"[(['instructions'], 'noisy', True), (['minor-faults:u'], 'deterministic', True), (['page-faults:u'], 'deterministic', True)]"
sed -i '/page-faults:u/a letters "M";' "$stored"
mkdir -p models/trust
sed '/event/,/^\t}/d; s/{/{ event "page-faults" { verdict constant; letters "EF"; note "A note."; source "a table"; }/' "$stored" >models/trust/x.trust
HECATE_MODELS=$tmp/models run --no-save --json
is "published facts are known of a run, earlier measurements are not" \
	"$(json out '{(r["letters"], r["known"]) for r in d["results"] if r["event"] == "page-faults:u"}')" "{('EF', 'A note.')}"
HECATE_MODELS=$tmp/models run --no-save -v
has "  and printed with -v" "$(cat out)" '^    known: A note.$'
cp "$stored" before
run --no-save --json
is "--no-save" "$(json out '(d["stored"], d["not_stored"])') $(cmp "$stored" before)" "(None, '--no-save') "
run --parts faults --json
is "some parts show too little" "$(json out 'd["stored"]') $(cmp "$stored" before)" "None "
has "  which is said" "$(cat err)" 'not stored: only some parts of the workload ran'
echo 'event' >>"$stored"
cp "$stored" before
run
is "a damaged file is kept" "$? $(cmp "$stored" before)" "0 "
has "  and it is said" "$(cat err)" 'not stored: .*genuineintel-6-15.trust:[0-9]+:1: the file of what was measured before is damaged: .*repair it, or move it away'
has "  after the results" "$(cat out)" '^page-faults:u '
touch file
XDG_DATA_HOME=$tmp/file run
is "a place that cannot be written is no failure" $? 0
has "  and is named" "$(cat err)" '^hecate: not stored: cannot make the folder .*/file/hecate: Not a directory; .*XDG_DATA_HOME names another folder'
has "  does not lose the results" "$(cat out)" '^page-faults:u '
echo >proc/cpuinfo
run
has "a processor that is not known" "$(cat err)" 'not stored: /proc/cpuinfo does not say which processor this is'
printf 'vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 15\n' >proc/cpuinfo
(unset XDG_DATA_HOME; HOME=$tmp/home run)
is "without XDG_DATA_HOME in the home folder" "$(ls home/.local/share/hecate/trust)" genuineintel-6-15.trust
(unset XDG_DATA_HOME HOME; run)
has "without either" "$(cat err)" 'not stored: .*neither XDG_DATA_HOME nor HOME is set; set HOME'
unset HECATE_PROC

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
interrupted() {
	rm -f runs
	HECATE_WORKLOAD=$tmp/noting python3 - "$HECATE" determinism -r 100000 --scale 0.1 -e page-faults:u "$@" >out 2>err <<'END'
import os, signal, subprocess, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background begins with Ctrl-C ignored
p = subprocess.Popen(sys.argv[1:])
while p.poll() is None and not (os.path.exists("runs") and len(open("runs").readlines()) >= 20):
    time.sleep(0.02)
p.send_signal(signal.SIGINT)
p.wait()
END
}
interrupted --parts pages-read
has "Ctrl-C keeps what is done" "$(cat err)" 'stopped after [0-9]+ runs: what follows is what was measured so far'
has "  and prints it" "$(cat out)" '^page-faults:u .* 2[0-9][0-9] '
interrupted --json
is "  what was not judged to the end is not stored" "$(json out '(d["cut"], d["stored"], d["not_stored"])')" \
	"(True, None, 'no event was judged to the end')"
done_testing
