#!/bin/sh
# hecate determinism -- CMD: a command's counters against its instrumented counts, bad input, Ctrl-C.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1

status 2 "$HECATE" determinism x.csv -- true
has "data and a command are refused" "$err" 'recorded runs or a command, not both'
status 2 "$HECATE" determinism -q -- /no/such/program
has "a command that does not exist" "$err" '/no/such/program: No such file'
if [ "$(uname -m)" != x86_64 ]; then
	skip "real commands" "single steps are counted on x86-64 only"
	done_testing
	exit 0
fi
command -v cc >/dev/null 2>&1 || { skip "real commands" "no C compiler is installed"; done_testing; exit 0; }

# 2 instructions, a rep of 100 iterations, 3 for exit: 6 in all.
cat >rep.S <<'END'
	.globl _start
_start:	mov $100, %ecx
	lea to(%rip), %rdi
	rep stosb
	mov $60, %eax
	xor %edi, %edi
	syscall
	.bss
to:	.zero 100
END
cc -nostdlib -static -no-pie -o rep rep.S
status 0 "$HECATE" determinism --write-expected expected.csv -- ./rep
has "the table has the instrumented count" "$out" '^instructions +6 ± 0 '
has "  corrected for rep" "$out" '^step +instructions +105 met - 99 of rep = 6$'
has "  and the conditions" "$out" '^All runs: addresses .*environment PATH'
has "progress is reported" "$err" 'step: run 2 of 2'
is "expectations are written" "$(head -2 expected.csv)" "$(printf 'event,test,expected\ninstructions,rep,6')"
status 0 "$HECATE" determinism -q --json -- ./rep
is "quiet" "$err" ""
is "JSON" "$(printf '%s' "$out" | python3 -c 'import json, sys
d = json.load(sys.stdin); r = d["results"][0]
print(d["schema"], r["event"], r["test"], r["expected"], r["method"])')" "hecate.determinism/1 instructions rep 6 step"

# Recorded runs are judged against the same file.
printf 'machine,event,test,run,count\nm,instructions,rep,1,6\nm,instructions,rep,2,6\nm,instructions,rep,3,6\n' >runs.csv
status 0 "$HECATE" determinism -q --json runs.csv --expected expected.csv
is "expectations are read" "$(printf '%s' "$out" | python3 -c 'import json, sys
r = json.load(sys.stdin)["results"][0]
print(r["expected"], r["mean"])')" "6 6"

# Ctrl-C: what was done is printed.
printf '\t.globl _start\n_start:\tjmp _start\n' >endless.S
cc -nostdlib -static -no-pie -o endless endless.S
python3 - "$HECATE" >cut.out 2>cut.err <<'END'
import signal, subprocess, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background begins with Ctrl-C ignored
p = subprocess.Popen([sys.argv[1], "determinism", "--", "./endless"], stderr=subprocess.PIPE, text=True)
for line in p.stderr:
    sys.stderr.write(line)
    if ": run 1 of" in line:
        p.send_signal(signal.SIGINT)
        break
sys.stderr.write(p.stderr.read())
sys.exit(p.wait())
END
is "Ctrl-C ends the runs" $? 0
has "  what was done is printed" "$(cat cut.out)" 'Interrupted: the runs that were done are above'
done_testing
