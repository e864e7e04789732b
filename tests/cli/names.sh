#!/bin/sh
# What columns of perf stat stand for which counters: modes, kinds of cores, modifiers, aliases. Columns that were counted
# differently never meet in one constraint, and hecate says which do not.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1

cat >m.udd <<'U'
model m "at most two instructions in a cycle";
counter cycles = "cycles";
counter instructions = "instructions";
path c { count cycles; choose { case Z: case N: count instructions * 2; } }
U
cat >apart.udd <<'U'
model apart "cycles and instructions, and faults that nothing relates to them";
counter cycles = "cycles";
counter instructions = "instructions";
counter faults = "page-faults";
counter minor = "minor-faults";
path c { count cycles; choose { case Z: case N: count instructions * 2; } }
path f { count faults; choose { case H: case M: count minor; } }
U
# judge NAME MODEL VERDICT PATTERN COLUMN=COUNT…: the verdict on exact totals, and a pattern in all that is printed
judge() {
	name=$1 model=$2 verdict=$3 pattern=$4
	shift 4
	for column; do
		echo "${column#*=},,${column%%=*},1000,100.00,,"
	done >data.csv
	"$HECATE" check "$model" data.csv --exact --json >out.json 2>/dev/null
	is "$name" "$(json out.json 'd["observations"][0]["verdict"]')" "$verdict"
	has "  $pattern" "$("$HECATE" check "$model" data.csv --exact 2>&1)" "$pattern"
}

judge "user and kernel side are added up" m.udd feasible "feasible" cycles:u=1000 cycles:k=2000 instructions=3000
judge "  and refute what is false" m.udd infeasible "instructions ≤ 2 cycles" cycles:u=1000 cycles:k=2000 instructions=7000
judge "modes do not meet" m.udd undecided "not counted alike: cycles:u \(user mode\) and instructions \(every mode\)" \
	cycles:u=1000 instructions=3000
judge "all of one mode" m.udd infeasible "cycles was counted in user mode only \(:u\)" cycles:u=1000 instructions:u=3000
judge "the kernel's alone" m.udd infeasible "cycles was counted in kernel mode only \(:k\)" cycles:k=1000 instructions:k=3000
judge "unconnected constraints may have other modes" apart.udd feasible "no constraint relates them" \
	cycles:u=1000 instructions:u=1500 page-faults=5 minor-faults=3
judge "  the larger group is tested" apart.udd infeasible "minor ≤ faults" \
	cycles:u=1000 instructions=900 page-faults=5 minor-faults=9
judge "how an event is measured is not what it counts" m.udd infeasible "2 cycles" cycles:uP=1000 instructions:uW=3000
judge "an event twice is noted" m.udd feasible "columns cycles and cpu-cycles are two names of one event: cycles is used" \
	cycles=2000 cpu-cycles=1000 instructions=3000
judge "two lists of modifiers are noted" m.udd feasible "cycles:u:k has two lists of modifiers, which are read as one, :uk" \
	cycles:u:k=2000 instructions=3000
judge "unknown modifiers are named" m.udd feasible "cycles:z is not it: .* no modifiers; those are u \(user mode\)" \
	cycles:z=2000 instructions=3000
judge "kinds of cores are never added up" m.udd undecided \
	'name the one that is meant in the model: counter NAME = "cpu_core/instructions/"' \
	cpu_atom/cycles/=10 cpu_core/cycles/=2000 cpu_atom/instructions/=10 cpu_core/instructions/=3000
judge "the one that ran is taken" m.udd feasible "feasible" \
	cpu_atom/cycles/=0 cpu_core/cycles/=2000 cpu_atom/instructions/=0 cpu_core/instructions/=3000
judge "cores do not meet" m.udd undecided "cpu_core/cycles/ \(PMU cpu_core\) and cpu_atom/instructions/ \(PMU cpu_atom\)" \
	cpu_core/cycles/=1000 cpu_atom/instructions/=3000
judge "what is nearly there is named" m.udd feasible "cycles is not in the data; the nearest column is cyclse" \
	cyclse=2000 instructions=3000
judge "a file without it says nothing of the kind" m.udd feasible "not in the data, so projected away: cycles" instructions=3000
codes() { "$HECATE" check m.udd data.csv --exact --json 2>/dev/null >o; json o '[w["code"] for w in d["warnings"] if w["code"] in ("columns", "apart", "user-only", "one-mode", "missing")]'; }
is "  nor does JSON" "$(codes)" "['missing']"
printf '1000,,cycles:u,1000,100.00,,\n3000,,instructions,1000,100.00,,\n1,,cpu-cycles:u,1000,100.00,,\n' >data.csv
is "the notes have codes" "$(codes)" "['user-only', 'apart']"
printf '1000,,cycles,1000,100.00,,\n3000,,instructions:k,1000,100.00,,\n1,,cpu-cycles,1000,100.00,,\n' >data.csv
is "  for each" "$(codes)" "['one-mode', 'columns', 'apart']"

# units: "NUMBER UNIT" instead of a count
cat >u.udd <<'U'
model u "a write is half a read at most";
counter rd = "uncore_imc/data_reads/";
counter wr = "uncore_imc/data_writes/";
path c { count rd; choose { case A: case B: count wr; } }
U
cat >both.udd <<'U'
model sum "all traffic is one sum";
counter all = "uncore_imc/data_reads/", "uncore_imc/data_writes/";
counter i = "instructions";
path c { count i * 1000; choose { case A: case B: count all; } }
U
# amounts MODEL VERDICT PATTERN READS WRITES [INSTRUCTIONS]: the same for two amounts, each "NUMBER,UNIT"
amounts() {
	printf '%s,uncore_imc/data_reads/,1000,100.00,,\n%s,uncore_imc/data_writes/,1000,100.00,,\n' "$4" "$5" >data.csv
	[ -z "$6" ] || printf '%s,,instructions,1000,100.00,,\n' "$6" >>data.csv
	"$HECATE" check "$1" data.csv --exact --json >out.json 2>/dev/null
	is "$4 read, $5 written: $2" "$(json out.json 'd["observations"][0]["verdict"]')" "$2"
	has "  $3" "$("$HECATE" check "$1" data.csv --exact 2>&1)" "$3"
}
amounts u.udd feasible "feasible" 1234.50,MiB 1200000,KiB
amounts u.udd infeasible "wr ≤ rd" 1234.50,MiB 1300000,KiB
amounts u.udd infeasible "wr ≤ rd" 1.00,MiB 1.15,MB
amounts u.udd feasible "feasible" 1.05,MiB 1.10,MB
amounts u.udd feasible "feasible" 1.00,Bytes 1.00,B
amounts u.udd undecided "data_reads/ \(MiB\) and uncore_imc/data_writes/ \(plain counts\)" 12.00,MiB 1200,
amounts u.udd undecided "\(Joules\)" 12.00,MiB 12.00,Joules
amounts u.udd infeasible "wr ≤ rd" 12.00,furlong 13.00,furlong
amounts u.udd undecided "\(furlong\)" 12.00,furlong 11.00,chain
amounts u.udd feasible "more than a counter can hold: .* left out: uncore_imc/data_reads/ \(MiB\)" 18446744073693.63,MiB 1200,MiB
amounts both.udd undecided "data_reads/ \(MiB\) and instructions \(plain counts\)" 12.00,MiB 1.00,KiB 20
amounts both.udd feasible "the columns of all cannot be added up: .*\(MiB\) and .*plain counts" 12.00,MiB 1200, 20
# what is printed is good for half of its last digit
amounts u.udd feasible "feasible" 1.00,MiB 1028.99,KiB
amounts u.udd infeasible "off by" 1.00,MiB 1030.00,KiB

# every unit comes back through a session file and a CSV
printf '1234.50,MiB,uncore_imc/data_reads/,1000,100.00,,\n2.5,furlong,x,1000,100.00,,\n0.74,msec,task-clock:u,1000,100.00,,\n' >u.csv
"$HECATE" import -o u.hct u.csv >/dev/null 2>&1
"$HECATE" export u.hct --csv >once.csv
"$HECATE" import -o v.hct once.csv >/dev/null 2>&1
"$HECATE" export v.hct --csv >twice.csv
is "units are written" "$(head -1 once.csv | tr -d '"')" "observation,time,uncore_imc/data_reads/ (MiB),x (furlong),task-clock:u (msec)"
is "  and read again" "$(cat twice.csv)" "$(cat once.csv)"
printf " Performance counter stats for 'a':\n\n   1.37 msec task-clock   #  0.7 CPUs\n   12      data_reads [uncore_imc_0]    (50.00%%)\n   13      data_reads [uncore_imc_1]\n   2.00 task-clock:k (msec)\n" >t.txt
"$HECATE" import -o t.hct t.txt >/dev/null 2>&1
printf 'uncore_imc/data_reads/ (MiB),uncore_imc/data_writes/ (MiB)\n12,3\n18446744073693.63,3\n' >below.csv
status 2 "$HECATE" check u.udd below.csv
has "  and a wide CSV refuses what no counter holds" "$err" "below.csv:3:1: .*data_reads/ \(MiB\) is more than a counter can hold"
is "tables have them, too" "$("$HECATE" export t.hct --csv | head -1 | tr -d '"')" \
	"observation,time,task-clock (msec),data_reads [uncore_imc_0],data_reads [uncore_imc_1],task-clock:k (msec)"

# top-down counts, as perf names them on a hybrid machine and on others
for pmu in "" cpu/ cpu_core/; do
	end=${pmu:+/}
	for count in 1000:slots 400:topdown-retiring 100:topdown-bad-spec 200:topdown-fe-bound 300:topdown-be-bound; do
		echo "${count%:*},,$pmu${count#*:}$end,1000,100.00,,"
	done >td.csv
	[ "$pmu" = cpu_core/ ] && sed -i 's/slots/TOPDOWN.SLOTS/' td.csv
	status 0 "$HECATE" stack topdown-l1-spr td.csv --json
	is "a stack reads ${pmu:-the core/}" "$(json out '[(p["name"], p["value"]) for p in d["observations"][0]["bars"][0]["parts"]][:4]')" \
		"[('retiring', 400), ('bad_spec', 100), ('front_end', 200), ('back_end', 300)]"
done
# on a machine with two kinds of cores, the one that has all of the stack's events
for count in 40:topdown-retiring 10:topdown-bad-spec 20:topdown-fe-bound 30:topdown-be-bound; do
	echo "${count%:*},,cpu_atom/${count#*:}/,1000,100.00,,"
done >>td.csv
status 0 "$HECATE" stack topdown-l1-spr td.csv --json
is "a stack is of one kind of core" "$(json out '[(p["name"], p["value"]) for p in d["observations"][0]["bars"][0]["parts"]][:4]')" \
	"[('retiring', 400), ('bad_spec', 100), ('front_end', 200), ('back_end', 300)]"
printf '40,,cpu_atom/slots/,1000,100.00,,\n' >>td.csv
status 2 "$HECATE" stack topdown-l1-spr td.csv
has "  never of two" "$out" "slots has columns of 2 kinds of cores, which are never added up: cpu_core/TOPDOWN.SLOTS/, cpu_atom/slots/"
printf '1000,,cycles:u,1000,100.00,,\n400,,instructions,1000,100.00,,\n' >mixed.csv
cat >ipc.stack <<'S'
stack ipc "cycles" per thread;
counter c = "cycles" per thread unit cycles;
counter i = "instructions" per thread unit cycles;
whole w = c;
part p "half" key "p" = i;
rest r "rest";
S
status 0 "$HECATE" stack ipc.stack mixed.csv
has "a stack says what was not counted alike" "$out" "not counted alike: cycles:u \(user mode\) and instructions \(every mode\)"

# amounts in a stack and in a network
cat >time.stack <<'S'
stack t "time" per thread;
counter c = "task-clock" per thread unit ns;
whole w = c;
part p "all" key "p" = c;
rest r "rest";
S
printf '12.50,msec,task-clock:u,1000,100.00,,\n' >clock.csv
status 0 "$HECATE" stack time.stack clock.csv --json
is "milliseconds are nanoseconds" "$(json out 'd["observations"][0]["bars"][0]["parts"][0]["value"]')" "12500000"
sed 's/unit ns/unit requests/' time.stack >requests.stack
status 2 "$HECATE" stack requests.stack clock.csv
has "  and no requests" "$out" "no count of c \(in another unit than the stack asks for\)"
printf 'mem:loads,imc:cas_read (MiB),foo\n1000,12.5,3\n' >net.csv
status 0 "$HECATE" net "$HECATE_TESTS/networks/small.net" net.csv --json
is "  nor in a network" "$(json out '[x["why"] for x in d["snapshots"][0]["lacking"] if x["counter"] in ("loads", "dimm_rd")]')" \
	"['in other units than the network asks for']"
status 0 "$HECATE" net "$HECATE_TESTS/networks/small.net" net.csv
has "net names the columns that it does not know" "$err" "the network does not know foo"
done_testing
