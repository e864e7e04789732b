#!/bin/sh
# hecate probe on the machine here: what it accepts, refuses and prints. No answer of a processor is tested:
# tools/native-repeat does that.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
cd "$tmp" || exit 1

printf 'probe adds "additions" { slope 4 .. 40 step 4; fill add chained; unit "cycles"; }\n' >adds.probe
printf 'probe walk "a walk" { native; knee 1k .. 16k step 1k; footprint; unit "bytes"; }\n' >walk.probe
printf 'probe two "pair" { knee 4 .. 40 step 4; fill coin then nop then echo; less coin then nop; }\n' >two.probe
printf 'probe rest "rest" { knee 64 .. 4k doubling; native fill load; footprint stride x; }\n' >rest.probe

# What runs on a simulated machine, and what does not.
status 2 "$HECATE" probe ./walk.probe --on sim:core
has "a probe of the machine here" "$err" 'the probe walk does not run on sim:core; it needs the machine here: --on native'
status 2 "$HECATE" probe ./adds.probe --on native:0
has "no such native machine" "$err" "native is this machine alone: ':0' has no meaning; leave it out"
status 2 "$HECATE" probe ./adds.probe --on native --set 'rob 64'
has "it cannot be changed" "$err" '--set changes simulated machines: this one is as it is'
status 2 "$HECATE" probe ./adds.probe --on elsewhere
has "no such machine" "$err" "probes do not run on 'elsewhere'; native is this machine, and sim:MACHINE a simulated one"

if [ "$(uname -m)" != x86_64 ]; then
	status 2 "$HECATE" probe ./adds.probe
	has "another processor" "$err" 'native probes are machine code of x86-64, and this is another processor; .*--export'
	done_testing
	exit
fi

# A system that forbids probes has nothing more to test.
if ! "$HECATE" probe ./adds.probe -q >"$tmp/first.out" 2>"$tmp/first.err"; then
	has "it says why no probe runs here" "$(cat "$tmp/first.err")" 'refuses machine code|no memory for'
	skip "probes on the machine here" "machine code made at run time cannot run here"
	done_testing
	exit
fi

# A processor that is known, and one that is not: the probe is the same.
mkdir known unknown models models/expect
cpu() { printf 'processor\t: 0\nvendor_id\t: %s\ncpu family\t: %s\nmodel\t\t: %s\nmodel name\t: made\n\n' "$1" "$2" "$3"; }
cpu Maker 9 7 >known/cpuinfo
cpu Maker 9 8 >unknown/cpuinfo
cat >models/expect/made.expect <<'END'
// A core that is not.
expect made "a made core" {
	cpu vendor "Maker" family 9 model 0 .. 7;
	doubtful adds 7000 .. 8000 "nobody";
}
END
export HECATE_MODELS="$tmp/models:$HECATE_MODELS"
HECATE_PROC=$tmp/known status 0 "$HECATE" probe ./adds.probe -v
has "a slope" "$out" '^adds +([0-9. ]+ cycles \(|- not measured)' # an emulated processor has no latencies
has "what is expected" "$out" '^ +expected 7.?000 to 8.?000 \(doubtful\): differs; nobody$'
HECATE_PROC=$tmp/known status 0 "$HECATE" probe ./adds.probe ./walk.probe ./two.probe ./rest.probe --json
printf '%s' "$out" >here.json
is "as JSON" "$(json here.json 'd["on"], [r["probe"] for r in d["results"]], d["cut"]')" "('native', ['adds', 'walk', 'two', 'rest'], False)"
is "  expected" "$(json here.json 'sorted(d["results"][0]["expected"].items())')" \
	"[('agrees', False), ('doubtful', True), ('high', 8000), ('low', 7000), ('source', 'nobody')]"
is "  nothing expected" "$(json here.json '[r.get("expected") for r in d["results"][1:]]')" '[None, None, None]'
is "  all points" "$(json here.json '[r["points"] for r in d["results"]]')" '[10, 16, 10, 7]'
HECATE_PROC=$tmp/unknown status 0 "$HECATE" probe ./adds.probe --on native
has "a processor without a file" "$err" 'no file of models/expect says what to expect of this processor \(Maker family 9 model 8\); docs/native-probes.md'
sed -i.old 's/7000/many/' models/expect/made.expect
HECATE_PROC=$tmp/known status 0 "$HECATE" probe ./adds.probe
has "a broken file" "$err" 'made.expect:4:[0-9]+: what it finds: a whole number'
mv models/expect/made.expect.old models/expect/made.expect

# One CPU is enough. With no memory to speak of, it says so.
first=$(taskset -cp $$ 2>/dev/null | sed 's/.*: *\([0-9]*\).*/\1/')
if ! command -v taskset >/dev/null; then
	skip "a single CPU" "taskset is not installed"
elif ! taskset -c "$first" true 2>/dev/null; then
	skip "a single CPU" "CPU $first is not given to this process"
else
	check "a single CPU" taskset -c "$first" "$HECATE" probe ./adds.probe -q
fi

# Without huge pages probes run as well, and notes say what is lost. A switch of prctl(2) forbids them to a program.
cat >small.py <<'END'
import ctypes, os, sys
PR_SET_THP_DISABLE = 41
if ctypes.CDLL(None).prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0:
    sys.exit("PR_SET_THP_DISABLE is refused")
os.execv(sys.argv[1], sys.argv[1:])
END
status 0 python3 small.py "$HECATE" probe ./walk.probe --json
printf '%s' "$out" >small.json
is "without huge pages" "$(json small.json 'd["results"][0]["points"], [n for n in d["results"][0]["notes"] if "no huge pages" in n] != []')" "(16, True)"

# Ctrl-C and SIGTERM end the probe that runs; what was measured is printed.
cat >send.py <<'END'
import os, signal, subprocess, sys, time
number = getattr(signal, "SIG" + sys.argv[2])
with open("cut.json", "w") as out: # shells ignore SIGINT in the background
    p = subprocess.Popen([sys.argv[1], "probe", "--json", "-q"], stdout=out)
caught = 0
while p.poll() is None and not caught >> number - 1 & 1: # until it holds signals back
    with open("/proc/%d/status" % p.pid) as status:
        caught = int(next(line for line in status if line.startswith("SigCgt")).split()[1], 16)
    time.sleep(0.01)
p.send_signal(number)
print(p.wait())
END
for row in INT:0 TERM:-15; do
	is "${row%:*}: exit status" "$(python3 send.py "$HECATE" "${row%:*}")" "${row#*:}"
	is "  a document" "$(json cut.json 'd["schema"], d["cut"]')" "('hecate.probes/1', True)"
done
done_testing
