#!/bin/sh
# Whether events count here: what runs leave, what hecate events shows of it, and damaged files.
. "$HECATE_TESTS/lib/tap.sh"

cd "$tmp" || exit 1
mkdir -p bin sys/bus/event_source/devices/cpu/events
export XDG_CACHE_HOME="$tmp/home"
cat >bin/perf <<'END'
#!/bin/sh
[ "$1" = list ] && [ "$2" = --json ] || exit 1
echo '[{"Unit":"cpu","EventName":"made.walk_one","Encoding":"cpu/event=0xf9,umask=0x60/"},
{"Unit":"cpu","EventName":"made.walk_two","Encoding":"cpu/event=0xf8/"},{"Unit":"cpu","EventName":"made.walk_three","Encoding":"cpu/event=0xf7/"},
{"Unit":"cpu","EventName":"made.walk_four","Encoding":"cpu/event=0xf6/"}]'
END
chmod +x bin/perf
PATH="$tmp/bin:$PATH"
health="home/hecate/health-$(id -u)"

"$HECATE" record -q -o s.hecate -m linux-page-faults -- ls / >/dev/null 2>log || sed 's/^/# /' log
has "a run leaves what became of its events" "$(cat "$health")" 'page_faults.*counts	100	'
is "  as a whole file" "$(tail -n 1 "$health")" end
cp "$health" before
status 0 "$HECATE" record -o t.hecate -m haswell-mmu -- sim:small
has "  one on a simulated machine" "$err" 'observations: 1'
check "  leaves nothing" cmp before "$health"

export HECATE_CPUID=GenuineIntel-6-8F-4 HECATE_SYSFS="$tmp/sys"
line() { printf "$HECATE_CPUID\t\t%s\t6.1.0\t%s\t%d\t1764000000\n" "$@"; }
{ echo "hecate health 1"; line r60f9 "never counts" 100; line made.walk_two "reads 0" 37; line rf7 counts 100; echo end; } >"$health"
status 0 "$HECATE" events made.walk_one
has "an event that opens and never counts, by its code" "$out" 'here +never counts: it opens, and gets no counter or counts nothing \(2025-11-24, Linux 6\.1\.0\)'
status 0 "$HECATE" events walk
has "  in a list" "$out" 'made\.walk_one +cpu +perf +never counts'
has "  one that read 0" "$out" 'made\.walk_two +cpu +perf +reads 0'
status 0 "$HECATE" events walk --json
is "  in JSON" "$(json out '[e["health"] for e in d["events"]]')" "[None, 'never counts', 'counts', 'reads 0']"
has "  with the share of time" "$out" 'Linux 6\.1\.0, on a counter 37 %'
HECATE_CPUID=GenuineIntel-6-6A-6 status 0 "$HECATE" events walk --json
is "another processor's are not this one's" "$(json out '{e["health"] for e in d["events"]}')" "{None}"
for damage in '/^end$/d' '1s/1/2/' 's/reads 0/reads 1/' 's/37/370/'; do
	sed "$damage" "$health" >damaged && cp damaged kept && cp "$health" good && cp damaged "$health"
	status 0 "$HECATE" events walk --json
	is "a damaged file is none ($damage)" "$(json out '{e["health"] for e in d["events"]}')" "{None}"
	cp good "$health"
done

# unwritable: a run goes on
unset HECATE_CPUID HECATE_SYSFS
XDG_CACHE_HOME=/proc/no status 0 "$HECATE" record -q -o u.hecate -m linux-page-faults -- ls /

# --try: the kernel's own events, one that counts nothing by its nature, refused ones
export HECATE_CPUID=GenuineIntel-6-8F-4 HECATE_SYSFS="$tmp/sys"
status 0 "$HECATE" events --try page-faults dummy pmu_of_nobody/event=0x1/
has "an event that counts" "$out" '^page-faults +counts +[1-9]'
has "  one that never does" "$out" '^dummy +never counts +0$'
has "  a refused one" "$out" '^refused: pmu_of_nobody/event=0x1/: '
has "  is kept" "$(cat "$health")" 'page_faults	.*	counts	100	'
status 0 "$HECATE" events --try page-faults --json
is "  in JSON" "$(json out '[(e["name"], e["health"], e["count"] > 100) for e in d["tried"]]')" "[('page-faults', 'counts', True)]"
status 0 "$HECATE" events --try walk_two
has "a word of the table's events" "$out" '^(refused: )?made\.walk_two'
is "  not the others" "$(printf '%s' "$out" | grep -c walk_one)" 0
status 2 "$HECATE" events --try qqqq
has "nothing fits" "$err" 'no event of this machine fits'
status 2 "$HECATE" events --try --cpu GenuineIntel-6-6A-6
has "another processor's cannot be opened" "$err" "only this machine's events can be opened"

# before a run: a PMU of cores whose events the kernel itself counts (type 1, software)
cpu="$HECATE_SYSFS/bus/event_source/devices/cpu"
mkdir -p "$cpu/format"
echo 1 >"$cpu/type"
echo config:0-7 >"$cpu/format/event"
echo 'model twice; counter a = "cpu/event=0x2/"; counter b = "cpu/event=0x2/"; path p { count a; count b; }' >twice.udd
status 0 "$HECATE" record -o w.hecate -m ./twice.udd -- true
has "a run says before it counts that an event is twice in it" "$err" '^hecate: 2 of [0-9]+ counters; 1 event is twice in it; hecate fit shows the sets$'
status 0 "$HECATE" record -q -o q.hecate -m ./twice.udd -- true
is "  not with -q" "$err" ""
sed 's/b = "cpu.event=0x2."/b = "cpu\/event=0x5\/"/' twice.udd >once.udd
status 0 "$HECATE" record -o o.hecate -m ./once.udd -- true
is "  nor if all fit" "$(printf '%s' "$err" | grep -c counters)" 0

done_testing
