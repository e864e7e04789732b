#!/bin/sh
# hecate probe --export: programs for other machines. What the compiler made of them is compared with sequences that
# are written here by hand, and qemu-user runs them: a chain that does not end where its passes lead is an error.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
cd "$tmp" || exit 1
here= # the instruction set of this machine, if its exported probes run here
[ "$(uname -m)" = x86_64 ] && grep -qw fma /proc/cpuinfo && here=x86_64

# name | items | x | a pass on RISC-V | on AArch64
cat >rows <<'END'
window|knee 3 .. 41 step 2; block; fill nop;|all|ld X:(nop) ld X:(nop)|ldr X:(nop) ldr X:(nop)
turns|knee 4 .. 40 step 3; block; fill load, fload, store, add, fadd;|all|ld X:(ld fld sd add fadd.d) ld X:(ld fld sd add fadd.d)|ldr X:(ldr ldr str add fadd) ldr X:(ldr ldr str add fadd)
chain|slope 6 .. 48 step 6; fill load, add, mul, move, store, atomic chained;|12|2*(ld add mul mv sd amoadd.d)|2*(ldr add mul mov str ldadd)
chain|slope 6 .. 48 step 6; fill load, add, mul, move, store, atomic chained;|6|ld add mul mv sd amoadd.d mv|ldr add mul mov str ldadd mov
floats|rate 4 .. 40 step 1; fill 2 fmul, fma, fadd;|all|X:(fmul.d fmul.d fmadd.d fadd.d)|X:(fmul fmul fmadd fadd)
ends|knee 2 .. 30 step 2; fill coin then branch then 2 jump;|all|mul add slli bltz nop X:(bnez) 2*j|mul add tbnz nop X:(cbnz) 2*b
echoes|knee 2 .. 30 step 2; fill coin then branch then echo;|all|mul add slli bltz nop X:(bnez) slli bltz nop|mul add tbnz nop X:(cbnz) tbnz nop
waves|knee 2 .. 30 step 1; fill fresh load waves;|3|and 2*(add and add add ld) add and add add ld and add and|and 2*(add and add add ldr) add and add add ldr and add and
aside|ratio 3 .. 60 step 3; fill add, store, load chained late; against add, store, load chained;|6|2*(add add sd ld)|2*(add add str ldr)
lines|slope 3 .. 30 step 3; fill far load, store, same load chained;|3|and mv ld and sd add ld and add and|and mov ldr and str add ldr and add and
sites|knee 2 .. 90 step 4; fill site;|90|90*(? nop)|90*(? nop)
sites|knee 2 .. 90 step 4; fill site;|34|34*(? nop)|34*(? nop)
ring|level 1 4k .. 64k step 4k; footprint stride 256;|chase|16*ld|16*ldr
END
cat >shape.py <<'END'
# Compares a pass in the disassembly with a sequence: "ld 3*nop 2*(add ?)", where ? is any, and X:(a b) are the first X
# of a b a b … Usage: shape.py FUNCTION SEQUENCE; "all" are all functions fill_X.
import re, sys
def expand(s, x):
    s = re.sub(r'X:\(([^)]*)\)', lambda m: ' '.join((m[1].split() * x)[:x]), s)
    s = re.sub(r'(\d+)\*\(([^)]*)\)', lambda m: ' '.join([m[2]] * int(m[1])), s)
    return [w for x in s.split() for w in ([x.split('*')[1]] * int(x.split('*')[0]) if '*' in x else [x])]
def ops_of(code):
    back = next(i for i, (at, op, to) in enumerate(code)
                if op in ('j', 'b') and re.match(r'[0-9a-f]+ <', to) and int(to.split()[0], 16) < at)
    begin = int(code[back][2].split()[0], 16)
    return ['slli' if op == 'sll' else op for at, op, to in code[:back - 2] if at >= begin]  # binutils 2.40 writes sll
functions, here = {}, None
for line in sys.stdin:
    if m := re.match(r'([0-9a-f]+) <(\S+)>:', line):
        here = functions.setdefault(m[2], [])
    elif here is not None and (m := re.match(r'\s*([0-9a-f]+):\t(\S+)\s*(.*)', line)):
        here.append((int(m[1], 16), m[2], m[3]))
names = [f for f in functions if f.startswith('fill_')] if sys.argv[1] == 'all' else [sys.argv[1]]
wrong = [] if names else ['no functions']
for name in names:
    ops, want = ops_of(functions[name]), expand(sys.argv[2], int(name[5:]) if name[5:].isdigit() else 0)
    if len(ops) != len(want) or not all(w in ('?', op) for op, w in zip(ops, want)):
        wrong.append(f'{name}: {ops} is not {want}')
print(wrong[0] if wrong else 'same')
END
cut -d'|' -f1,2 rows | sort -u | while IFS='|' read -r name items; do
	printf 'probe %s "a test" { %s unit "entries"; }\n' "$name" "$items" >"$name.probe"
done
files=$(for f in *.probe; do printf './%s ' "$f"; done)

for isa in riscv64 aarch64; do
	# shellcheck disable=SC2086
	status 0 "$HECATE" probe $files --export $isa --isa $isa
	is "nothing is left out" "$err" ''
	if ! command -v $isa-linux-gnu-gcc >/dev/null || ! command -v qemu-$isa >/dev/null; then
		skip "$isa: programs" "no compiler and emulator for $isa"
		continue
	fi
	check "$isa: the compiler builds them" make -s -C $isa
	for f in *.probe; do
		$isa-linux-gnu-objdump -d --no-show-raw-insn "$isa/${f%.probe}.elf" >"$isa/${f%.probe}.code"
	done
	field=4
	[ $isa = aarch64 ] && field=5
	while IFS='|' read -r name items x riscv arm; do
		want=$riscv
		[ $field = 5 ] && want=$arm
		case $x in [0-9]*) x=fill_$x ;; esac
		is "$isa: a pass of $name, $x" "$(py shape.py "$x" "$want" <"$isa/$name.code" 2>&1 | tail -n 1)" same
	done <rows
	check "$isa: they run" make -s -C $isa curves RUN=qemu-$isa ARGS='passes=4 repeats=2 lines=1024'
	is "  and all points are there" "$(grep -c '^[0-9]' $isa/window.csv $isa/ring.csv | tr '\n' ' ')" "$isa/window.csv:20 $isa/ring.csv:16 "
	has "  the header" "$(cat $isa/window.csv)" "^x,min,mean,max$"
	has "  the instruction set" "$(cat $isa/window.csv)" "^# isa: $isa$"
	status 0 "$HECATE" probe ./aside.probe --on import:$isa/aside.csv
	has "  the curve is read" "$out" '^aside +.* a test$'
done

# Probes that are drawn at random run on each instruction set, and their chains end where they should.
cat >draw.py <<'END'
import random, sys
r = random.Random(int(sys.argv[1]))
OPS = 'nop add mul move fadd fmul fma load fload store branch jump atomic prefetch coin echo site'.split()
def part(far):
    steps = []
    for _ in range(r.randint(1, 4)):
        op = r.choice(OPS)
        places = ['', '', '', 'fresh ', 'same '] + ['far '] * (far and op == 'load')
        place = r.choice(places) if op in ('load', 'prefetch', 'store', 'fload', 'atomic') else ''
        steps.append(r.choice(['', '2 ', '3 ']) + place + op)
    return ', '.join(steps)
for i in range(int(sys.argv[2])):
    far = r.random() < 0.3
    link = 'chained' if far else r.choice(['', '', 'chained', 'together', 'waves'])
    head, tail = r.choice(['', part(far) + ' then ']), r.choice(['', ' then ' + part(far)])
    with open(f'drawn{i}.probe', 'w') as f:
        f.write(f'probe drawn{i} "a" {{ knee {r.randint(1, 5)} .. {r.randint(20, 60)} step {r.randint(1, 4)}; '
                + r.choice(['', 'block; ']) + f'fill {head}{part(far)}{tail} {link}'
                + r.choice(['', ' stride 8', ' stride 64', ' stride 1k', ' stride x']) + '; '
                + (f'against {part(far)} {link};' if r.random() < 0.3 else '') + ' }')
END
drawn=$(rounds 3 60)
mkdir drawn
(cd drawn && py ../draw.py 7 $drawn)
for isa in riscv64 aarch64 x86_64; do
	run=qemu-$isa compiler=$isa-linux-gnu-gcc
	[ "$isa" = "$here" ] && run='' compiler=cc
	if ! command -v $compiler >/dev/null || ! command -v ${run:-true} >/dev/null; then
		skip "$isa: probes drawn at random" "no compiler and emulator for $isa"
		continue
	fi
	"$HECATE" probe -q drawn/*.probe --export drawn/$isa --isa $isa 2>drawn/err
	is "$isa: probes drawn at random are written" "$(cat drawn/err)" ''
	check "  and built" make -s -C drawn/$isa CC=$compiler
	check "  and run" make -s -C drawn/$isa curves RUN="$run" ARGS='passes=3 repeats=1 lines=256'
done

# Without a system: on QEMU's spike, and on its virt at exception levels 1, 2 and 3.
for isa in riscv64 aarch64; do
	qemu=qemu-system-$isa
	if ! command -v $isa-linux-gnu-gcc >/dev/null || ! command -v "$qemu" >/dev/null; then
		skip "$isa: programs that need no system" "emulated machines need $qemu and a compiler"
		continue
	fi
	cp -r $isa bare-$isa
	make -s -C bare-$isa clean
	check "$isa: programs that need no system" make -s -C bare-$isa BARE=1 window.elf waves.elf ring.elf chain.elf DEFINES='-DPASSES=4 -DREPEATS=1 -DLINES=1024'
	while read -r name options; do
		# shellcheck disable=SC2086
		timeout 60 "$qemu" $options -nographic -nic none -kernel bare-$isa/$name.elf </dev/null >bare-$isa/$name.csv 2>bare-$isa/err
		is "  $name ends, $options" $? 0
		is "  with all its points" "$(grep -c '^[0-9]' bare-$isa/$name.csv)" "$(grep -c '^[0-9]' $isa/$name.csv)"
	done <<END
$(case $isa in
	riscv64) for name in window waves ring; do echo "$name -M spike -bios none"; done ;;
	aarch64) printf '%s -semihosting -m 256M -M virt%s\n' window ' -cpu max' waves ',virtualization=on -cpu max' \
		ring ',secure=on -cpu max' chain ' -cpu max,pmu=off' ;;
esac)
END
done
if [ -e bare-aarch64/chain.csv ]; then
	has "aarch64: without a cycle counter, by time" "$(cat bare-aarch64/chain.csv)" '^# counter: CNTVCT_EL0, '
	timeout 60 qemu-system-aarch64 -semihosting -m 256M -M virt -cpu cortex-a57 -nographic -nic none -kernel bare-aarch64/chain.elf </dev/null >stopped 2>&1
	is "  an instruction that the core does not have ends the program" "$?" 2
	has "  with a message" "$(cat stopped)" '^an exception ended the program'
fi

# Each installed probe, with few of its points, can be assembled for each instruction set.
mkdir few
for f in "$TOP_SRCDIR"/models/probes/*.probe; do
	sed -E 's/step [0-9]+[kM]?;/doubling;/; s/(slope|level|ratio|rate)( [0-9]* | )([0-9]+k?)( .. )([0-9]+[kM]?) doubling/\1\2\3\4\5 doubling/' "$f" >"few/$(basename "$f")"
done
[ -n "$HECATE_SLOW" ] && cp "$TOP_SRCDIR"/models/probes/*.probe few
for isa in riscv64 aarch64 x86_64; do
	status 0 "$HECATE" probe "$tmp"/few/*.probe --export "all-$isa" --isa $isa
	is "$isa: none is left out but those of simulated cores" \
		"$(printf '%s' "$err" | grep -v 'is for a simulated core alone$')" ''
	as=$isa-linux-gnu-as
	[ "$isa" = "$(uname -m)" ] && as=as
	if ! command -v $as >/dev/null; then
		skip "$isa: all installed probes" "no compiler and emulator for $isa"
		continue
	fi
	bad=$(rm -f "all-$isa/bare.s"; for f in "all-$isa"/*.s; do $as -o one.o "$f" 2>&1 || echo "$f"; done)
	is "$isa: all installed probes are assembled" "$bad" ''
done

# On this machine, without an emulator.
if [ "$here" ] && command -v cc >/dev/null; then
	status 0 "$HECATE" probe ./aside.probe mul_latency ./lines.probe ./waves.probe ./ring.probe ./turns.probe --export here --isa x86_64
	check "the host's compiler builds them" make -s -C here CC=cc
	check "they run" make -s -C here curves ARGS='passes=200 lines=1024'
	status 0 "$HECATE" probe --on import:here/mul_latency.csv --json
	printf '%s' "$out" >mul.json
	is "the file names its probe" "$(json mul.json '(d["schema"], d["probe"], d["unit"], d["points"])')" "('hecate.probe/1', 'mul_latency', 'cycles', 17)"
	is "  a multiplication takes some cycles" "$(json mul.json '0.5 < d["value"] < 30')" True
	status 2 here/mul_latency.elf passes=0
	has "a bad argument" "$err" '^mul_latency: arguments are passes=N, '
	status 2 here/mul_latency.elf x=9
	has "no such x" "$err" '^mul_latency: the probe has no such x$'
	status 2 here/lines.elf lines=1000
	has "lines" "$err" 'lines is a power of two'
else
	skip "the probes of this machine" "no compiler and emulator for x86_64"
fi

done_testing
