#!/bin/sh
# hecate events with a perf that the test makes, in both formats of its list. Bad input: events_bad_input.sh.
. "$HECATE_TESTS/lib/tap.sh"

cd "$tmp" || exit 1
mkdir bin home
export XDG_CACHE_HOME="$tmp/home" HECATE_CPUID=GenuineIntel-6-8F-4 HECATE_SYSFS="$tmp/sys"
pmu="$tmp/sys/bus/event_source/devices/cpu"
mkdir -p "$pmu/format" "$pmu/events"
echo 4 >"$pmu/type"
echo config:0-7 >"$pmu/format/event"
echo config:8-15 >"$pmu/format/umask"
echo event=0x3c >"$pmu/events/cpu-cycles"
PATH="$tmp/bin:$PATH"

# perf TEXT: makes a perf whose list is TEXT
perf() {
	printf '%s\n' "$1" >list
	cat >bin/perf <<-END
		#!/bin/sh
		echo "\$*" >>"$tmp/calls"
		[ "\$1" = list ] && [ "\$2" = "${2:---json}" ] && cat "$tmp/list"
	END
	chmod +x bin/perf
}

one='{"Unit":"cpu","EventName":"made.walk_one","BriefDescription":"Walks of one","Encoding":"cpu/event=0xf9,umask=0x60,period=0x64/"}'
two='{"Unit":"cpu","EventName":"made.walk_two","BriefDescription":"(null)","Encoding":"cpu/umask=0x60,event=0xf9/",}'
perf "[$one,$two,]"
status 0 "$HECATE" events walk one
has "an event by words in any order, with its code" "$out" 'code +cpu/event=0xf9,umask=0x60/ \(perf\)'
has "  and the other name of the code" "$out" 'same code +made\.walk_two'
status 0 "$HECATE" events --code 0x60f9 --json
is "the names of a code are both" "$(json "$tmp/out" '[e["name"] for e in d["events"]]')" "['made.walk_one', 'made.walk_two']"
is "perf was asked once" "$(grep -c list calls)" 1
status 0 "$HECATE" events
has "counts by PMU and source" "$out" 'cpu +1 +2'
status 2 "$HECATE" events nosuch
has "nothing fits" "$err" 'no event of GenuineIntel-6-8F-4 fits'
status 2 "$HECATE" events page-fault
has "  perf's own words are near, too" "$err" 'nearest: page-faults'
status 2 "$HECATE" events faults
has "  which are in no list" "$err" 'page-faults is in no list, because perf knows it'
status 2 "$HECATE" events made.wlak_one
has "  the nearest names" "$err" 'nearest: made\.walk_one'

# the list of perf before 6.2; a name with an escape sequence
perf "$(printf 'cache:\n  old.one\n       [Old \033[31mred]\n        cpu/event=0x51,umask=0x1/ \n')" --details
status 0 "$HECATE" events old
has "the older list is read" "$out" 'cpu/event=0x51,umask=0x1/'
is "no escape sequence gets out" "$(printf '%s' "$out" | tr -cd '\033' | wc -c)" 0

rm -rf home/hecate
# a folder of a vendor's files
perf "[$one]"
mkdir -p vendor/SPR
cat >vendor/mapfile.csv <<'END'
Family-model,Version,Filename,EventType
GenuineIntel-6-8F,V1,/SPR/core.json,core
GenuineIntel-6-55-[01234],V1,/SPR/other.json,core
END
cat >vendor/SPR/core.json <<'END'
{"Header": {}, "Events": [
 {"EventCode": "0x12", "UMask": "0x0e", "EventName": "VENDOR.WALKS", "BriefDescription": "Walks", "Counter": "0,1,2,3",
  "MSRIndex": "0x00", "MSRValue": "0x00", "CounterMask": "1", "Invert": "0", "EdgeDetect": "1", "TakenAlone": "1",
  "Errata": "SPR7"},
 {"EventCode": "0xF9", "UMask": "0x61", "EventName": "MADE.WALK_ONE", "Counter": "0"}]}
END
echo '[{"EventCode": "0x1", "EventName": "OTHER"}]' >vendor/SPR/other.json
export HECATE_EVENTS="$tmp/vendor"
status 0 "$HECATE" events vendor.walks
has "an event of the folder" "$out" 'cpu/event=0x12,cmask=0x1,edge=0x1,umask=0xe/ \(HECATE_EVENTS\)'
has "  its counters" "$out" 'counters +0,1,2,3'
has "  that it is taken alone" "$out" 'in a set +alone'
has "  its errata" "$out" 'errata +SPR7'
status 2 "$HECATE" events other
mkdir arm
echo '{"cpuid": "0x41d4f", "cpu": "Neoverse V2", "events": [{"code": 8, "name": "INST_RETIRED", "description": "x"}]}' >arm/v2.json
ln -s . arm/loop
export HECATE_EVENTS="$tmp/arm"
HECATE_CPUID=0x00000000410fd4f0 status 0 "$HECATE" events inst
has "Arm's tables, through a loop of links" "$out" 'armv8_pmuv3_0/event=0x8/ \(HECATE_EVENTS\)'
export HECATE_CPUID=GenuineIntel-6-8F-4

mkdir -p "$tmp/bare"
HECATE_SYSFS="$tmp/bare" status 0 "$HECATE" events walk
has "without a PMU, what it needs" "$out" "None of the processor's events can be counted here: no hardware PMU here: .*; "

# Without perf, libpfm4's tables of this machine; one of the two codes that libpfm4 has wrong
unset HECATE_CPUID HECATE_EVENTS
export LIBPFM_FORCE_PMU=hsw_ep
status 0 "$HECATE" events dtlb_load_misses.walk_completed_4k
has "an event of libpfm4" "$out" 'code +cpu/config=0x208/ \(libpfm4\)'
has "  its description" "$out" 'Data TLB load misses: '
status 0 "$HECATE" events l2_rqsts.demand_data_rd_hit
has "a code that is not to be trusted" "$out" 'code +not known in full'

# With perf, a row of both where they agree; where they do not, both codes, and the name is refused
export HECATE_CPUID=GenuineIntel-6-3F-2
perf '[{"Unit":"cpu","EventName":"l2_rqsts.l2_pf_miss","Encoding":"cpu/event=0x24,umask=0x30/"},
{"Unit":"cpu","EventName":"made.two","Encoding":"cpu/event=0x24,umask=0x41/"},
{"Unit":"cpu","EventName":"br_misp_exec.all_branches","Encoding":"cpu/event=0x89,umask=0xfe/"},
{"Unit":"cpu","EventName":"dtlb_load_misses.walk_completed_4k","Encoding":"cpu/umask=0x2,event=0x8/"}]'
status 0 "$HECATE" events dtlb_load_misses.walk_completed_4k
has "two sources that agree are one row" "$out" 'code +cpu/umask=0x2,event=0x8/ \(perf, libpfm4\)'
is "  once" "$(grep -c "^dtlb_load_misses.walk_completed_4k" "$tmp/out")" 1
status 0 "$HECATE" events br_misp_exec.all_branches
has "two that do not" "$out" 'other code +cpu/config=0xff89/ \(libpfm4\); the name is refused'
status 1 "$HECATE" fit br_misp_exec.all_branches
has "  it is refused with both codes" "$out" 'perf encodes it as event=0x89,umask=0xfe, libpfm4 as config=0xff89'
status 1 "$HECATE" fit hsw_ep::BR_MISP_EXEC:ALL_BRANCHES
has "  by libpfm4's name, too" "$out" 'perf encodes it as event=0x89,umask=0xfe, libpfm4 as config=0xff89'
unset LIBPFM_FORCE_PMU
status 2 "$HECATE" events dtlb_load_misses.walk_completed_2m_4m # libpfm4 recognises no other processor

done_testing
