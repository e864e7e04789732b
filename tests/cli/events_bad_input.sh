#!/bin/sh
# hecate events, metrics and fit on bad input, in the order of the list in issue 27. Each is refused or left out with a
# sentence that says what to do. A perf that hangs: tests/unit/event_tables.c, programs_are_bounded();
# perf_event_paranoid 4: tests/unit/perf_source.c; damaged tables: tests/unit/event_tables.c, damage_is_survived().
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
mkdir bin other home
export XDG_CACHE_HOME="$tmp/home" HECATE_CPUID=GenuineIntel-6-8F-4 HECATE_SYSFS="$tmp/sys"
pmu="$tmp/sys/bus/event_source/devices/cpu"
mkdir -p "$pmu/format" "$pmu/events"
echo 4 >"$pmu/type"
echo config:0-7 >"$pmu/format/event"
echo config:8-15 >"$pmu/format/umask"
echo event=0x3c >"$pmu/events/cpu-cycles"
PATH="$tmp/bin:$tmp/other:$PATH"
unset HECATE_EVENTS

# perf TEXT [FOLDER]: makes a perf whose list is TEXT, and forgets what is kept
perf() {
	printf '%s\n' "$1" >"${2:-bin}/list"
	cat >"${2:-bin}/perf" <<-END
		#!/bin/sh
		echo "\$*" >>"$tmp/calls"
		[ "\$1" = list ] && [ "\$2" = --json ] && cat "$tmp/${2:-bin}/list"
	END
	chmod +x "${2:-bin}/perf"
	rm -rf home/hecate calls
}
one='{"Unit":"cpu","EventName":"made.walk_one","BriefDescription":"Walks of one","Encoding":"cpu/event=0xf9,umask=0x60/"}'
kernels() { has "$1 leaves the kernel's names" "$out" 'cpu/event=0x3c/ \(sysfs\)'; }

# --- perf: missing, killed, 1 GB, invalid JSON, trailing comma, (null), newline and escape in a name, two in PATH
status 0 env PATH="$tmp/bin" "$HECATE" events cycles
has "no perf: what is missing and which package has it" "$err" 'no such program in PATH; install perf \(Debian: linux-perf'
printf '#!/bin/sh\nkill -9 $$\n' >bin/perf
chmod +x bin/perf
status 0 "$HECATE" events cycles
has "a perf that is killed" "$err" 'killed by signal 9'
kernels "  it"
printf '#!/bin/sh\necho "["\nexec head -c 1073741824 /dev/zero\n' >bin/perf
status 0 "$HECATE" events cycles
has "a perf that writes 1 GB" "$err" 'printed more than 67 MB and was stopped'
printf '#!/bin/sh\nexit 3\n' >bin/perf
status 0 "$HECATE" events cycles
has "a perf that fails" "$err" 'perf list fails with exit status 3; run it by hand'
for text in '[{"EventName":' '[' '[{"EventName": 7}]' '[{"EventName": "\ud800"}]' "[$(printf '%0300d' 0 | tr 0 '[')]"; do
	perf "$text"
	status 0 "$HECATE" events cycles
	kernels "JSON that is none ($(printf %.20s "$text"))"
done
perf "[$one,{\"EventName\":\"nul.one\",\"BriefDescription\":\"(null)\",\"Encoding\":\"cpu/event=0x1/\",},]"
status 0 "$HECATE" events one
has "trailing commas, and (null) for a description" "$out" '^nul\.one$'
has "  of which nothing is printed" "$(grep -c null "$tmp/out")" '^0$'
perf '[{"Unit":"cpu","EventName":"new\nline","Encoding":"cpu/event=0x1/"},{"Unit":"cpu","EventName":"esc\u001b[31mred","Encoding":"cpu/event=0x2/"}]'
status 0 "$HECATE" events esc
has "an escape sequence in a name is made visible" "$out" '^esc\\x1b\[31mred$'
status 0 "$HECATE" events line
has "a newline, too" "$out" '^new\\nline$'
perf "[$one]" other
perf '[{"Unit":"cpu","EventName":"first.one","Encoding":"cpu/event=0x7/"}]'
status 0 "$HECATE" events one
has "of two perfs in PATH the first is asked" "$out" '^first\.one$'
chmod -x bin/perf
rm -rf home/hecate
status 0 "$HECATE" events one
has "  that can be run" "$out" '^made\.walk_one$'

# --- the cache: damaged, truncated, of another CPU, read-only, unwritable home
perf "[$one]"
status 0 "$HECATE" events walk
is "perf is asked once" "$(grep -c list calls)" 1
file=$(ls home/hecate/events-*)
printf 'x' | dd of="$file" bs=1 seek=200 conv=notrunc 2>/dev/null
status 0 "$HECATE" events walk
is "a damaged cache is made again" "$(grep -c list calls)" 2
head -c 150 "$file" >cut && cp cut "$file"
status 0 "$HECATE" events walk
is "a truncated one, too" "$(grep -c list calls)" 3
HECATE_CPUID=GenuineIntel-6-6A-6 status 0 "$HECATE" events walk
is "another processor has a cache of its own" "$(grep -c list calls)" 4
cp "$(ls home/hecate/events-*6A-6*)" "$file" 2>/dev/null
status 0 "$HECATE" events walk
is "  which is not taken for this one's" "$(grep -c list calls)" 5
chmod 400 "$file" && chmod 500 home/hecate
status 0 "$HECATE" events walk
is "a read-only cache is read" "$(grep -c list calls)" 5
chmod 700 home/hecate
XDG_CACHE_HOME=/proc/no status 0 "$HECATE" events walk
is "without a place to write perf is asked each time" "$(grep -c list calls)" 6
has "  and the answer is the same" "$out" '^made\.walk_one$'

# --- HECATE_EVENTS: a file, empty, missing, 40 MB of JSON, a loop of links, a table of another vendor
mkdir -p empty large arm vendor
echo x >file
for bad in empty file nosuch; do
	HECATE_EVENTS="$tmp/$bad" status 0 "$HECATE" events walk
	has "HECATE_EVENTS=$bad" "$err" 'HECATE_EVENTS: .*; name a copy of github.com/intel/perfmon'
done
printf 'Family-model,Version,Filename,EventType\nGenuineIntel-6-8F,V1,/core.json,core\n' | tee large/mapfile.csv >vendor/mapfile.csv
{ printf '['; head -c 41943040 /dev/zero | tr '\0' ' '; printf ']'; } >large/core.json
HECATE_EVENTS="$tmp/large" status 0 "$HECATE" events walk
has "40 MB of JSON" "$err" 'HECATE_EVENTS: .*(16|64) MB'
echo '{"cpuid": "0x41d4f", "cpu": "Neoverse V2", "events": [{"code": 8, "name": "INST_RETIRED", "description": "x"}]}' >arm/v2.json
ln -s . arm/loop
HECATE_EVENTS="$tmp/arm" status 0 "$HECATE" events walk
has "a loop of links, in a table of another vendor" "$err" 'HECATE_EVENTS: .*arm has no events of GenuineIntel-6-8F-4'

# --- expressions: an unknown function, a metric that needs itself, division by 0, 1 212 characters, depth 1 000
py - >bin/list <<'END'
import json
print(json.dumps([{"MetricName": name, "MetricExpr": text} for name, text in (
	("m_function", "log2(A)"), ("m_self", "m_other + 1"), ("m_other", "m_self"), ("m_zero", "A / (B - B)"),
	("m_long", "AAAA" + 302 * " + A"), ("m_deep", 1000 * "(" + "A" + 1000 * ")"), ("m_empty", ""),
	("m_endless", 70000 * "A"))]))
END
rm -rf home/hecate
printf 'observation,A,B,AAAA\nx,3,4,5\n' >counts.csv
status 0 "$HECATE" metrics counts.csv
has "an unknown function" "$out" '^m_function +not understood: the function log2 is unknown'
has "a metric that needs itself" "$out" '^m_self +not understood: it needs itself: m_other, m_self, m_other'
has "a division by 0" "$out" '^m_zero +it divides by B - B, which is 0'
has "1 212 characters" "$out" '^m_long +911 *$'
has "1 000 parentheses" "$out" '^m_deep +not understood: it is nested deeper than 200'
has "more characters than any formula has" "$out" '^m_endless +not understood: it has more than 65536 characters'
status 2 "$HECATE" metrics counts.csv -M m_none
has "a metric that is not there" "$err" 'no metric and no group of metrics is called m_none'

# --- sets: an event twice, one too many, a pinned one too many, an uncore one; a CPU id nobody knows
cat >vendor/core.json <<'END'
{"Events": [{"EventCode": "0x1", "EventName": "EV.A", "Counter": "0,1"}, {"EventCode": "0x2", "EventName": "EV.B", "Counter": "0,1"},
 {"EventCode": "0x3", "EventName": "EV.C", "Counter": "0,1"}, {"EventCode": "0x4", "EventName": "BOX.D", "Unit": "CBO", "Counter": "0,1"}]}
END
export HECATE_EVENTS="$tmp/vendor"
fits() { status "$1" "$HECATE" fit --cpu $HECATE_CPUID $2; }
fits 0 "EV.A ev.a EV.B"
has "an event that is given twice" "$out" '^1 event is given again'
fits 1 "EV.A EV.B EV.C"
has "one too many" "$out" '^3 events take turns in 2 sets'
fits 1 "EV.A:D EV.B:D EV.C:D"
has "one pinned event too many" "$out" 'EV\.C:D: no counter is left beside the pinned events.*; pin fewer events'
fits 0 "EV.A BOX.D"
has "one outside the cores" "$out" 'BOX\.D: of a PMU outside the cores, .* never for a command'
unset HECATE_EVENTS
status 2 env PATH="$tmp/empty" "$HECATE" events --cpu GenuineIntel-6-FF-1
has "a processor that no source knows" "$err" '(no such program in PATH|no source knows an event of GenuineIntel-6-FF-1)'
status 2 "$HECATE" events x --cpu '../x'
has "no identity of a processor" "$err" 'is no identity of a processor'

# --- sysfs: bits that do not fit, 64-bit ranges, overlapping bits, format/ missing
echo config1:0-63 >"$pmu/format/wide"
echo config:4-11 >"$pmu/format/over"
echo config:0-64 >"$pmu/format/endless"
refused() { status 1 "$HECATE" fit "$2"; has "$1" "$out" "$3"; }
refused "a value beyond its bits" cpu/event=0x100/ '^cpu/event=0x100/: event=0x100 does not fit its bits config:0-7'
refused "bits beyond 64" cpu/endless=1/ '^cpu/endless=1/: the format of term endless is not understood: config:0-64'
refused "a term of no format" cpu/edge=1/ '^cpu/edge=1/: PMU cpu has no term "edge"; it has: '
status 1 "$HECATE" fit cpu/wide=0xffffffffffffffff/ # all 64 bits: only the kernel can refuse it
is "64 bits, and bits of two terms, are placed" "$("$HECATE" fit cpu/wide=0xffffffffffffffff/ cpu/event=0x11,over=0x1/ | grep -c 'format\|does not fit\|no term')" 0
mv "$pmu/format" gone
refused "no format/" cpu/event=1/ '^cpu/event=1/: PMU cpu has no term "event"; it has: none'
mv gone "$pmu/format"

# --- a locale with decimal commas: the same numbers
if command -v localedef >/dev/null && mkdir -p locale && localedef -i de_DE -f UTF-8 locale/de_DE.UTF-8 2>/dev/null; then
	export LOCPATH="$tmp/locale"
fi
perf '[{"MetricName":"half","MetricExpr":"0.5 * A","ScaleUnit":"1e-1GB"}]'
for locale in C.UTF-8 de_DE.UTF-8; do
	status 0 env LC_ALL=$locale "$HECATE" metrics counts.csv -M half
	has "numbers with LC_ALL=$locale" "$out" '^half +0\.15 +GB'
done
done_testing
