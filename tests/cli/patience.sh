#!/bin/sh
# Pipes that nobody closes: what a command leaves running keeps them open, and hecate says so instead of waiting in silence.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
rows="$HECATE_TESTS/screens/expect/programs.csv"

# Data whose writer has ended while what it started holds the pipe.
mkfifo held
(cat "$rows"; exec sleep 600) >held &
holder=$!
"$HECATE" check linux-page-faults - --exact --json -o got.json <held 2>err &
reader=$!
eventually grep -q 'still holds it open' err
has "it says what is waited for" "$(cat err)" 'no data from standard input for [0-9]* s, .*Ctrl-C continues with the data so far'
kill $reader $holder 2>/dev/null
wait $reader 2>/dev/null

# By Python, since a shell starts what runs in the background with SIGINT ignored.
python3 - "$HECATE" "$rows" >interrupted 2>&1 <<'EOF'
import signal, subprocess, sys
hecate, rows = sys.argv[1:]
signal.signal(signal.SIGINT, signal.default_int_handler)
p = subprocess.Popen([hecate, "check", "linux-page-faults", "-", "--exact"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
p.stdin.write(open(rows).read())
p.stdin.flush()
said = p.stderr.readline() # that nothing has come for some seconds
p.send_signal(signal.SIGINT)
try:
    status = p.wait(120)
except subprocess.TimeoutExpired:
    p.kill()
    status = "it hangs"
print("status", status)
print(p.stdout.read(), said, p.stderr.read())
EOF
has "Ctrl-C is the end of the data" "$(cat interrupted)" 'status 1'
has "… and what has come is judged" "$(cat interrupted)" 'infeasible'
has "… which is said" "$(cat interrupted)" 'not read to their end'

# A writer that is slow, and ends: nothing is said.
(cat "$rows"; sleep 0.3) | "$HECATE" check linux-page-faults - --exact >out 2>err
is "a slow writer is waited for in silence" "$(grep -c 'nothing has come' err)" 0

# The other way: what hecate's command leaves running holds hecate's own output.
("$HECATE" check linux-page-faults -- sh -c 'while [ ! -e seen ]; do sleep 0.05; done & exit 0' 2>err | cat >out) &
eventually grep -q 'may wait for their end' err
: >seen
wait $!
has "a command whose output may not end is named" "$(cat err)" '[0-9]+ processes that sh started still ran .*may wait for their end'
"$HECATE" check linux-page-faults -- sh -c 'sleep 1 & exit 0' >out 2>err
is "… and only where somebody reads it" "$(grep -c 'may wait' err)" 0
done_testing
