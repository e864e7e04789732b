#!/bin/sh
# hecate calibrate: programs, this machine, and Ctrl-C.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
cd "$tmp" || exit 1
sed 's/^load_queue 64;/load_queue 40;/' "$HECATE_MODELS/models/machines/core.machine" >truth.machine

# Waits until the process runs hecate, whose argument cut.machine no shell has, and catches Ctrl-C.
holds_signals() {
	eventually grep -aq cut.machine "/proc/$1/cmdline"
	eventually grep -q '^SigCgt:.*[2367abef]$' "/proc/$1/status"
}

# This machine, if probes run on it: no figure is known, so only the form is tested.
if "$HECATE" probe mul_latency --on native >native.txt 2>native.err; then
	"$HECATE" calibrate sim:core native mul_latency >native.txt 2>native.err
	code=$?
	is "against this machine" "$code $(grep -c '^mul_latency  *[0-9.]*  *3 ' native.txt)" "0 1"
	env --default-signal=INT "$HECATE" calibrate sim:core native -o cut.machine >native.txt 2>native.err &
	pid=$!
	holds_signals $pid
	kill -INT $pid
	wait $pid
	is "  Ctrl-C ends it" $? 2
	has "  what was done is printed" "$(cat native.txt)" '^Stopped: this is what was done so far.$'
	is "  no file" "$(ls cut.machine 2>&1 | grep -c 'No such')" 1
fi

# Programs, in stages; the gain of store sets on the paper's pair.
status 0 "$HECATE" calibrate sim:kmh-before sim:kmh sta_std nuke_replay load_queue --program h264ref-like --gain 'store_sets 1024 entries' \
	--accesses 60000 --json
printf '%s' "$out" >p.json
is "store sets gain much before, and as the truth after" \
	"$(json p.json '(d["gain_error"]["before"] > 0.2, d["gain_error"]["features"] < 0.01)')" '(True, True)'
is "  by features" "$(json p.json '[f["name"] for f in d["faults"]]')" "['load_queue', 'nuke_replay', 'sta_std']"
status 0 "$HECATE" calibrate sim:core sim:./truth.machine load_queue --program mcf-like --accesses 30000
has "as text" "$out" '^mcf-like +[0-9.]+ +[0-9.]+ +-[0-9.]+ +'
status 0 "$HECATE" calibrate sim:core sim:./truth.machine mul_latency --program mcf-like --accesses 2000
has "of a few µops, too" "$out" '^mcf-like +[0-9.]+ +[0-9.]+ '

# A probe that comes to no end is given up, in some 20 seconds.
if [ -n "$HECATE_SLOW" ]; then
	printf 'probe wide "none" { knee 1M .. 65536M doubling 1; footprint stride 64; unit "bytes"; }' >wide.probe
	status 2 "$HECATE" calibrate sim:core sim:./truth.machine ./wide.probe
	has "a probe that comes to no end" "$err" 'the probe wide comes to no end on sim:(core|./truth.machine): given up at x = [0-9]+, after 100000000 cycles in which something happened; leave the probe out'
	status 2 "$HECATE" probe ./wide.probe --on sim:core
	has "  by itself" "$err" 'the probe wide comes to no end on sim:(core|./truth.machine): given up at x = '
fi

# Ctrl-C: what was done is printed. The program runs on, so the signal comes in the middle. Shells start what runs in the
# background with Ctrl-C ignored.
env --default-signal=INT "$HECATE" calibrate sim:core sim:./truth.machine mul_latency load_queue --program mcf-like --accesses 1000000000 >cut.txt 2>cut.err &
pid=$!
eventually grep -q 'load_queue: 64, fits with 40' cut.txt
kill -INT $pid
wait $pid
is "stopped programs: exit status" $? 0
has "  they are not in the table" "$(cat cut.txt)" '^mcf-like +not run$'
printf 'probe endless "none" { slope 100000 .. 260000 step 50; fill mul chained; unit "cycles"; }' >endless.probe
env --default-signal=INT "$HECATE" calibrate sim:core sim:./truth.machine mul_latency ./endless.probe -o cut.machine >cut.txt 2>cut.err &
pid=$!
holds_signals $pid
kill -INT $pid
wait $pid
is "stopped probes: exit status" $? 2
has "  what was done is printed" "$(cat cut.txt)" '^Stopped: this is what was done so far.$'
has "  and nothing is written" "$(cat cut.err)" 'cut.machine was not written, because the calibration was stopped'
is "  no file" "$(ls cut.machine 2>&1 | grep -c 'No such')" 1
done_testing
