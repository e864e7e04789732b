#!/bin/sh
# What hecate determinism says of runs that show little: multiplexed, of different things, on a disturbed machine, as
# means only. All runs here are made.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1

# Writes made.csv: $1 is a header, each further argument a Python expression over i, the cells of run i of 10.
made() {
	header=$1
	shift
	{
		echo "$header"
		py - "$@" <<'X'
import sys
for row in sys.argv[1:]:
    for i in range(10):
        print(','.join(str(c) for c in eval(row)))
X
	} >made.csv
	status 0 "$HECATE" determinism made.csv ${expected:+--expected "$expected"} --json
	cp out made.json
}
result() { json made.json "$1"; }
note() { result "d['results'][${1:-0}]['note'] or ''"; }
verdict() { result "d['results'][${1:-0}]['verdict'], d['results'][${1:-0}]['letters']"; }

# Multiplexed.
made event,test,count,running,seconds '("branches","t",1000+i,0.333,1)' '("stores","t",1000,0.9999,0.01)' \
	'("loads","t",1000,0.9,"")' '("cycles","t",1000,0.9997,10)'
has "a multiplexed event" "$(note 0)" 'a counter 33.3 % of the time.*no exactness can be judged: count fewer events at once'
is "  has no verdict" "$(verdict 0)" "('unknown', '')"
is "a microsecond without a counter is none" "$(note 1)" ""
is "  and its event is judged" "$(verdict 1)" "('repeatable', '')"
has "multiplexed, and the duration is not known" "$(note 2)" 'a counter 90 % of the time'
has "a short time of a long run" "$(note 3)" 'a counter 99.97 % of the time'

# Nothing, one run, different counters, different programs, two heaps.
made event,test,counter,count '("dead","t","x",0)' '("mixed","t","xy"[i//5],5)' '("wild","t","x",1000*(1+i))' \
	'("heaps","t","x",1000000+(i%3==0)*5000+i)' '("noise","t","x",1000000+(i*i*7919%1000))'
is "an event that counts nothing" "$(verdict 0) $(note 0)" "('unknown', '') the event counts nothing"
has "an event whose counter changes between runs" "$(note 1)" 'rows name different counters'
has "counts of different programs" "$(note 2)" 'differ by more than a fifth: the runs seem to be of different programs'
has "counts in two heaps" "$(note 3)" '^the counts lie in two heaps, 6 near 1.000.004 and 4 near 1.005.003: something changes'
is "  and noise is no heaps" "$(note 4)" ""

made event,test,count '("wild","t",1000*(1+i))' '("instructions","t",1000000+i)'
has "  of the same program the event is wild" "$(note 0)" 'by more than a fifth, while the instructions of the same program do not: the event depends'
made event,test,count '("interrupts","t",1000*(1+i))' '("faults","t",40+3*i)'
is "interrupts and small counts may differ" "$(note 0)$(note 1)" ""

# The clock, and a disturbed machine.
made event,test,count,seconds,ref_cycles '("cycles","t",1000000*(1+0.03*i),0.001*(1+0.03*i)/(1+0.02*i),1000000*(1+0.03*i)/(1+0.02*i))' \
	'("instructions","t",2000000+i,0.001,"")'
has "the frequency changes, by ref-cycles" "$(note 0)" 'clock frequency differs by 18 % between runs \(cycles against ref-cycles\).*ref-cycles$'
made event,test,count,seconds '("cycles","t",1000000,0.1*(1+0.02*i))' '("instructions","t",2000000+i,0.1)'
has "  by time, where the instructions are the same" "$(note 0)" 'differs by 18 % between runs \(cycles against time\)'
made event,test,count,seconds '("cycles","t",1000000,0.1*(1+0.02*i))' '("instructions","t",2000000+100000*i,0.1)'
is "  not of different work" "$(note 0 | grep frequency)" ""
made event,test,count,seconds '("cycles","t",1000000,0.001*(1+0.02*i))' '("instructions","t",2000000+i,0.001)'
is "  not of runs that hardly last" "$(note 0 | grep frequency)" ""
made event,test,count,seconds,ref_cycles '("cycles","t",1000000+100000*i,0.001,500000+50000*i)'
is "  not of a steady clock" "$(note 0 | grep frequency)" ""
made machine,event,test,count,context_switches,seconds,steal_seconds '("a","cycles","t",1000+i,40,1,0.2)' '("a","loads","t",1000,40,1,0)' '("b","loads","t",1000,1,1,0.001)'
has "other programs" "$(note 0)" '40 context switches a run: other programs ran meanwhile'
has "the hypervisor" "$(note 0)" 'the hypervisor took 10 % of the time'
is "  is said of the machine once, and not of a quiet one" "$(note 1)$(note 2)" ""

# The kernel's side.
printf 'event,test,expected\ninstructions,,1000000\ninstructions:u,,1000000\nuops:uk,,1000000\nfaults:u,,1000000\n' >expected.csv
expected=expected.csv
made event,test,count '("instructions:uk","t",2500000+i)' '("instructions:u","t",2500000+1000*i)' '("instructions:k","u",5000000)'
is "a count with the kernel's side is no micro-operations" "$(verdict 0) $(verdict 2)" "('noisy', 'n') ('repeatable', '')"
has "  and says so" "$(note 0)" "counts the kernel's side, too, as its name says, .*EVENT:u"
is "  as one without it is" "$(verdict 1)" "('counts something else', 'U')"
made event,test,count,page_faults '("instructions:u","a",1000000+i,0)' '("instructions:u","b",1500000+i,100)' \
	'("instructions:u","c",2500000+i,300)' '("instructions:u","d",6000000+i,1000)'
has "a PMU that counts the kernel's side of page faults in spite of :u" "$(note 3)" "counts the kernel's side, too, although its name says :u"
is "  counts no micro-operations, but what should not be counted" "$(verdict 3)" "('noisy', 'nD')"
unset expected

# perf stat: a file for each run, all in one, and the mean of -r.
for i in 1 2 3; do
	printf '%d,,instructions:u,1000,100.00,,\n%d,,page-faults,1000,100.00,,\n' $((1000 + i)) 7 >run-0$i.csv
done
cat run-0*.csv >all.csv
status 0 "$HECATE" determinism run-0*.csv --json
is "perf stat -x, a file for each run" "$(json out "[(r['event'], r['test'], r['runs'], r['spread']) for r in d['results']]")" \
	"[('instructions:u', 'run', 3, 2), ('page-faults', 'run', 3, 0)]"
printf '2500000,,instructions,1000,100.00,,\n1000,,branches:u,1000,100.00,,\n' >kernel.csv
printf 'instructions,branches\n2500000,1000\n2500000,1000\n' >wide.csv
printf 'event,test,expected\ninstructions,,1000000\nbranches:u,,1000\n' >expected.csv
status 0 "$HECATE" determinism kernel.csv --expected expected.csv --json
has "  without a modifier it counts the kernel's side" "$(json out "d['results'][0]['note']")" "counts the kernel's side, too"
status 0 "$HECATE" determinism wide.csv --expected expected.csv --json
is "  which is not known of another table" "$(json out "'kernel' in str(d['results'][0]['note']), d['results'][0]['letters']")" "(False, 'D')"
cp run-01.csv gzip.csv
cp run-02.csv gcc.csv
status 0 "$HECATE" determinism gzip.csv gcc.csv --json
is "  of different programs" "$(json out "[(r['test'], r['runs']) for r in d['results']]")" "[('gzip', 1), ('gzip', 1), ('gcc', 1), ('gcc', 1)]"
has "  one run" "$(json out "d['results'][0]['note']")" 'one run shows no spread'
status 0 "$HECATE" determinism all.csv --json
is "  appended to one file" "$(json out "[(r['event'], r['runs'], r['spread']) for r in d['results']]")" "[('instructions:u', 3, 2), ('page-faults', 3, 0)]"
status 0 "$HECATE" determinism "$HECATE_TESTS/data/perf-stat/text_r3.txt" --json
is "  -r 3: no letters without the runs" "$(json out "{(r['verdict'], r['letters'], r['runs'], r['spread']) for r in d['results']}")" "{('unknown', '', 3, None)}"
has "  and says why" "$(json out "d['results'][0]['note']")" '^only the mean of 3 runs is known, and its standard deviation, '

# A constant between two heaps of instructions, with what is known of the event: AMD's erratum 1291 (icl-utk-edu/papi
# issue 160). Such runs are of one program.
cat >papi.csv <<'X'
event,test,run,count
instructions:u,zero,1,200020432
instructions:u,zero,2,3200020432
instructions:u,zero,3,200020430
instructions:u,zero,4,3200020440
instructions:u,zero,5,200020433
instructions:u,zero,6,3200020431
X
printf 'event,test,expected\ninstructions:u,zero,200020000\n' >right.csv
status 0 "$HECATE" determinism papi.csv --expected right.csv --json
heaps=$(json out 'd["results"][0]["note"]')
has "a constant between heaps" "$heaps" 'the heaps are 3.000.000.000 apart, give or take 9: the upper one is 16 times the lower one, which is as expected: the others overcount by a constant'
has "  errata of the event" "$heaps" 'published errata of this event may be the cause: AMD 990, 1054, 1291'
is "  and it is one program" "$(printf %s "$heaps" | grep 'different programs')" ""
sed 's/instructions:u/frobnications/' papi.csv >other.csv
status 0 "$HECATE" determinism other.csv --json
is "an event without errata" "$(json out 'd["results"][0]["note"]' | grep errata)" ""

# hecate check names errata of events that refute, once.
cat >stalls.udd <<'X'
model stalls; counter l1 = "CYCLE_ACTIVITY.STALLS_L1D_PENDING"; counter l2 = "CYCLE_ACTIVITY.STALLS_L2_PENDING";
path p { count l1; choose { case Miss: count l2; case Hit: } }
X
printf 'observation,l1,l2\na,2000000,2600000\nb,2000000,2700000\n' >stalls.csv
status 1 "$HECATE" check stalls.udd stalls.csv --exact --json
is "errata of an event that refutes" "$(json out '[w["text"].split(". ")[0] for w in d["warnings"] if w["code"] == "erratum"]')" \
	"['CYCLE_ACTIVITY.STALLS_L2_PENDING has published errata on haswell: HSM63, HSM80']"
# Events with the same errata stand in one line.
cat >walks.udd <<'X'
model walks; counter l1 = "LONGEST_LAT_CACHE.REFERENCE"; counter l2 = "LONGEST_LAT_CACHE.MISS";
path p { count l1; choose { case Miss: count l2; case Hit: } }
X
status 1 "$HECATE" check walks.udd stalls.csv --exact --json
is "errata of two events that refute" "$(json out '[w["text"] for w in d["warnings"] if w["code"] == "erratum"]')" \
	"['LONGEST_LAT_CACHE.REFERENCE and LONGEST_LAT_CACHE.MISS have published errata on skylake: SKL057. Perhaps the counts are wrong, not the model (hecate determinism --facts skylake)']"
# Those of Broadwell and Skylake, from Intel's event files.
while read -r event errata; do
	sed "s/CYCLE_ACTIVITY.STALLS_L2_PENDING/$event/" stalls.udd >other.udd
	status 1 "$HECATE" check other.udd stalls.csv --exact --json
	is "  $event" "$(json out '[w["text"].split(". ")[0] for w in d["warnings"] if w["code"] == "erratum"]')" \
		"['$event has published errata on $errata']"
done <<'L'
LONGEST_LAT_CACHE.MISS skylake: SKL057
BR_INST_RETIRED.NEAR_TAKEN skylake: SKL091
PAGE_WALKER_LOADS.DTLB_L1 broadwell: BDM69, BDM98
MEM_LOAD_UOPS_L3_MISS_RETIRED.REMOTE_HITM broadwell-ep: BDE70
L
printf 'observation,l1,l2\na,2000000,1600000\n' >stalls.csv
status 0 "$HECATE" check stalls.udd stalls.csv --exact --json
is "  not where nothing is refuted" "$(json out '[w["text"] for w in d["warnings"] if w["code"] == "erratum"]')" "[]"
done_testing
