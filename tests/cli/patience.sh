#!/bin/sh
# Pipes that stay open because a background process holds them: hecate reports it instead of waiting in silence.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
rows="$HECATE_TESTS/screens/expect/programs.csv"

# The writer of the data has ended, but a process that it started holds the pipe.
mkfifo held
(cat "$rows"; exec sleep 600) >held &
holder=$!
"$HECATE" check linux-page-faults - --exact --json -o got.json <held 2>err &
reader=$!
eventually grep -q 'still holds it open' err
has "it says what it waits for" "$(cat err)" 'no data from standard input for [0-9]* s, .*Ctrl-C continues with the data so far'
kill $reader $holder 2>/dev/null
wait $reader 2>/dev/null

# From Python, because a shell starts background processes with SIGINT ignored.
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
has "Ctrl-C ends the data" "$(cat interrupted)" 'status 1'
has "  there is a verdict on what came" "$(cat interrupted)" 'infeasible'
has "  with a warning" "$(cat interrupted)" 'not read to their end'

# A slow writer that ends: no message.
(cat "$rows"; sleep 0.3) | "$HECATE" check linux-page-faults - --exact >out 2>err
is "waiting for a slow writer gives no message" "$(grep -c 'no data from' err)" 0

# The other direction: processes that the command leaves running hold hecate's own output.
("$HECATE" check linux-page-faults -- sh -c 'while [ ! -e seen ]; do sleep 0.05; done & exit 0' 2>err | cat >out) &
eventually grep -q 'may wait for their end' err
: >seen
wait $!
has "a command whose output may not end is named" "$(cat err)" '[0-9]+ processes that sh started still ran .*may wait for their end'
"$HECATE" check linux-page-faults -- sh -c 'sleep 1 & exit 0' >out 2>err
is "  but only if a pipe is read" "$(grep -c 'may wait' err)" 0
done_testing
