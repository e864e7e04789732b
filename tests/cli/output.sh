#!/bin/sh
# -o: what exists keeps its kind, mode and content. Also: tests/lib/tmux.sh without a terminal.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
cp "$HECATE_TESTS/data/session/kept.udd" "$HECATE_TESTS/data/session/data.csv" .
"$HECATE" print kept.udd >want

mode() { stat -c %a "$1"; }

mkfifo fifo
timeout 300 cat fifo >got & reader=$!
status 0 "$HECATE" print kept.udd -o fifo
wait $reader
check "a FIFO's reader gets the text" cmp got want
check "  and it is still a FIFO" test -p fifo

echo old >target; ln -s target link; ln -s link link2; ln -s new dangling; mkdir sub; ln -s ../target sub/up
chmod 640 target
for l in link link2 sub/up; do
	echo old >target
	status 0 "$HECATE" print kept.udd -o $l
	check "$l: the file that the link names is new" cmp target want
	check "  and it is still a link" test -L $l
	is "  the file keeps its mode" "$(mode target)" 640
done
status 0 "$HECATE" print kept.udd -o dangling
check "a link to a missing file creates the file" cmp new want
check "  and stays" test -L dangling
ln -s loop1 loop2; ln -s loop2 loop1
status 2 "$HECATE" print kept.udd -o loop1
has "a link to itself is reported" "$err" 'cannot write loop1: Too many levels of symbolic links'
check "  and stays" test -L loop1

for m in 600 755 444; do
	echo old >kept; chmod $m kept
	if [ $m = 444 ] && [ "$(id -u)" -ne 0 ]; then
		status 2 "$HECATE" print kept.udd -o kept
		has "a read-only file is left alone" "$err$(cat kept)" 'cannot write kept: Permission denied; name a file where you may writeold'
	else
		status 0 "$HECATE" print kept.udd -o kept
		check "mode $m: the file is new" cmp kept want
	fi
	is "  with mode $m" "$(mode kept)" $m
	rm -f kept
done
(umask 027; "$HECATE" print kept.udd -o fresh)
is "a new file has the mode that the umask leaves" "$(mode fresh)" 640
status 2 "$HECATE" print kept.udd -o sub
has "a folder is refused" "$err" 'cannot write sub: Is a directory'
status 2 "$HECATE" print kept.udd -o gone/there
has "a folder that does not exist" "$err" 'cannot write gone/there: No such file or directory; its folder must exist'

echo before >log
"$HECATE" print kept.udd -o /dev/stdout >>log
is "/dev/stdout is not truncated" "$(cat log)" "before
$(cat want)"
"$HECATE" print kept.udd -o /dev/stdout | cmp - want && ok "/dev/stdout as a pipe" || not_ok "/dev/stdout as a pipe"
echo before >log
"$HECATE" print kept.udd -o /dev/fd/5 5>>log
is "/dev/fd/5 removes nothing" "$(cat log)" "before
$(cat want)"

timeout 300 cat fifo >got & reader=$!
status 0 "$HECATE" report kept.udd data.csv -o fifo
wait $reader
has "a report into a FIFO is the Markdown alone" "$(cat got)" 'No picture: the models that were tested: it needs a file or folder'
is "  without a file next to it" "$(echo fifo*)" fifo

if [ "$(id -u)" -eq 0 ] && mknod null c 1 3 2>/dev/null; then
	for command in "print kept.udd" "check kept.udd data.csv" "report kept.udd data.csv"; do
		"$HECATE" $command -o null >out 2>err </dev/null
		is "hecate $command: a device stays one" "$(stat -c '%F %t,%T' null)" "character special file 1,3"
		is "  without a file next to it" "$(echo null*)" null
	done
	"$HECATE" import kept.udd data.csv -o null >out 2>err </dev/null
	is "hecate import refuses it" "$?" 2
	is "  and leaves it" "$(stat -c '%F %t,%T' null)" "character special file 1,3"
	mknod full c 1 7
	if ! echo x >full 2>/dev/null; then
		status 2 "$HECATE" print kept.udd -o full
		has "an error of a device is reported" "$err" 'cannot write full: No space left on device'
	fi
else
	skip "a device stays one" "needs root, and the right to make devices"
fi
is "no partial file is left" "$(find . -name '*.part')" ""

# A long document is written while it is made: 65 535 signatures of 48 counters are 340 MB of text.
awk 'BEGIN {
	print "model wide;"
	for (i = 0; i < 48; i++) printf "counter a.rather_long_counter_name_%d;\n", i
	print "path p {"
	for (i = 0; i < 16; i++) printf "choose { case Yes%d: count a.rather_long_counter_name_%d; count a.rather_long_counter_name_%d; count a.rather_long_counter_name_%d; case No%d: }\n", i, 3 * i, 3 * i + 1, 3 * i + 2, i
	print "}"
}' >wide.udd
cat >most.py <<'P'
import resource, subprocess, sys
n = 0
p = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE)
last = b""
while block := p.stdout.read(1 << 20):
    n += len(block)
    last = (last + block)[-2:]
print(p.wait(), n > 300e6, last, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 64 << 10)
P
if grep -q __asan_init "$HECATE"; then
	skip "a long document needs little memory" "a sanitizer takes more"
else
	is "a long document needs little memory" "$(python3 most.py "$HECATE" paths wide.udd --json)" "0 True b'}\n' True"
fi
status 2 "$HECATE" paths wide.udd --json -o none/here.json
has "a place that does not exist is reported once" "$err" 'cannot write none/here.json: No such file'
if [ -c /dev/full ]; then
	"$HECATE" paths wide.udd --json >/dev/full 2>err
	is "no room: exit status" $? 2
	is "  and one sentence" "$(cat err)" "hecate: cannot write to standard output: No space left on device; make room, or write to another place"
fi

# If tmux cannot start, a test of the explorer fails with the reason, and ends.
mkdir bin; printf '#!/bin/sh\necho "error creating /tmp/tmux-0: a file is in the way" >&2\nexit 1\n' >bin/tmux; chmod +x bin/tmux
PATH="$tmp/bin:$PATH" sh -c '. "$HECATE_TESTS/lib/tap.sh"; . "$HECATE_TESTS/lib/tmux.sh"; start 80 24 true; wait_for never never' >ended 2>&1
is "tmux cannot start: one failed case with the reason" "$(cat ended)" "not ok 1 - tmux cannot start: error creating /tmp/tmux-0: a file is in the way 
1..1"
done_testing
