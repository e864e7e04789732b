#!/bin/sh
# hecate determinism --overflow: skid of software events, stopping at an exact count, bad input, signals.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1

# What the command line refuses, with the sentence.
while IFS='|' read -r options sentence; do
	# shellcheck disable=SC2086
	status 2 "$HECATE" determinism -q $options
	has "  $sentence" "$err" "$sentence"
done <<'ROWS'
--overflow|--overflow needs a command
--stop-at 5 -- true|--stop-at needs --overflow
--overflow --stop-at 5 -- true|--stop-at needs one event
--overflow -e page-faults,task-clock --stop-at 5 -- true|--stop-at needs one event
--overflow -e page-faults --stop-at 0 -- true|a whole number from 1 to 4611686018427387904, not '0'
--overflow -e page-faults --stop-at 99999999999999999999 -- true|a whole number from 1 to
--overflow -e page-faults x.csv -- true|recorded runs or a command, not both
--overflow -e page-faults -- /no/such/program|/no/such/program: No such file
--overflow -e page-faults -- /etc/passwd|/etc/passwd: not a program
--overflow -e nosuch --stop-at 5 -- true|nosuch is not an event
ROWS
command -v cc >/dev/null 2>&1 || { skip "real commands" "no C compiler is installed"; done_testing; exit 0; }

# Commands whose page faults are known: those of pages that are touched for the first time, and few before.
cat >task.c <<'C'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static void *nothing(void *p) { return p; }
static void touch(int pages)
{
	volatile char *at = mmap(NULL, (size_t)pages << 12, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise((void *)at, (size_t)pages << 12, MADV_NOHUGEPAGE);
	for (int i = 0; i < pages; i++)
		at[i << 12] = 1;
}
int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	pthread_t t;
	sigset_t all;
	sigfillset(&all);
	if (!strcmp(what, "blocked"))
		sigprocmask(SIG_SETMASK, &all, NULL);
	for (int i = 0; i < 5 && !strcmp(what, "threads"); i++)
		pthread_create(&t, NULL, nothing, NULL) || pthread_join(t, NULL);
	for (int i = 0; i < 4 && !strcmp(what, "forks"); i++)
		if (fork() == 0)
			_exit(0);
		else
			wait(NULL);
	if (!strcmp(what, "stops"))
		raise(SIGSTOP), raise(SIGTSTP);
	touch(1000);
	if (!strcmp(what, "traps"))
		raise(SIGTRAP);
	if (!strcmp(what, "dies"))
		raise(SIGSEGV);
	for (; !strcmp(what, "endless");)
		pause();
	return 0;
}
C
cc -O1 -o task task.c -pthread 2>cc.err || { not_ok "the test's program is compiled" "$(cat cc.err)"; done_testing; exit 1; }
if ! "$HECATE" determinism -q --overflow -e page-faults -- ./task >first 2>&1 && grep -qE 'perf_event|ptrace' first; then
	skip "real commands" "ptrace is not permitted here"
	done_testing
	exit 0
fi

# No page fault is late: the thread stops before it returns to its program. Whatever it blocks.
for what in plain blocked stops; do
	status 0 "$HECATE" determinism -q --json --overflow -e page-faults -- ./task $what
	printf '%s' "$out" >d.json
	is "$what: page faults have no skid" "$(json d.json 'sorted({(r["min"], r["median"], r["max"], r["missed"]) for r in d["events"][0]["skid"]})')" "[(0, 0, 0, 0)]"
	is "  three periods, all prime" "$(json d.json '[all(p % k for k in range(2, p)) for p in (r["period"] for r in d["events"][0]["skid"])]')" "[True, True, True]"
	is "  each touched page overflows" "$(json d.json '1000 <= d["events"][0]["total"] < 1500 and all(abs(r["overflows"] - min(100, d["events"][0]["total"] // r["period"])) <= 1 for r in d["events"][0]["skid"])')" True
done

status 0 "$HECATE" determinism -q --json --overflow -e task-clock,page-faults -- ./task
printf '%s' "$out" >d.json
is "a clock goes on while the command is being stopped" "$(json d.json 'all(r["min"] is None or r["min"] > 0 for r in d["events"][0]["skid"])')" True
status 0 "$HECATE" determinism -q --overflow -e page-faults -- ./task threads
has "threads are reported" "$out" '^task started threads in each run: 5\. Only the first thread is counted'
status 0 "$HECATE" determinism -q --overflow -e page-faults -- ./task forks
has "so are processes" "$out" '^task started processes in each run: 4\. They are neither'
status 0 "$HECATE" determinism -q --overflow -e page-faults -- ./task dies
has "and the signal that ended it" "$out" '^task was ended by signal 11 '
status 0 "$HECATE" determinism -q --overflow -e dummy,page-faults -- ./task
has "an event that never overflows" "$out" '^dummy: task ended before the first overflow, so there is no skid'
status 2 "$HECATE" determinism -q --overflow -e page-faults:k -- ./task
has "the kernel side is refused" "$out" '^page-faults:k: a stop happens in the kernel, .*; count its user side, with :u'
if [ -e /sys/bus/event_source/devices/msr/events/tsc ]; then
	status 2 "$HECATE" determinism -q --overflow -e msr/tsc/ -- ./task
	has "a PMU without overflows" "$out" '^msr/tsc/: .*(raises no overflows; name an event of the cores|needs|paranoid)'
else
	skip "a PMU without overflows" "this machine has no msr events"
fi
privileged=$(find /usr/bin /bin -perm -4000 -type f 2>/dev/null | head -n 1)
if [ -n "$privileged" ]; then
	status 2 "$HECATE" determinism -q --overflow -e page-faults -- "$privileged"
	has "set-user-ID programs are refused" "$err" 'is set-user-ID.* when it is traced; copy it'
else
	skip "set-user-ID programs" "no set-user-ID program is installed"
fi

# An exact count, in a program whose instructions can be counted by reading: 15, then 4 for each of 1000 pages, the first
# of which touches it.
if [ "$(uname -m)" = x86_64 ]; then
	cat >pages.S <<'S'
	.globl _start
_start:	mov $9, %eax
	xor %edi, %edi
	mov $4096000, %esi
	mov $3, %edx
	mov $0x22, %r10d
	mov $-1, %r8
	xor %r9d, %r9d
	syscall
	mov %rax, %rdi
	mov $4096000, %esi
	mov $15, %edx
	mov $28, %eax
	syscall
	mov $1000, %ecx
	nop
touch:	movb $1, (%rdi)
	add $4096, %rdi
	dec %ecx
	jnz touch
	mov $60, %eax
	xor %edi, %edi
	syscall
S
	cc -nostdlib -static -no-pie -o pages pages.S
	status 0 "$HECATE" determinism -q --json --overflow -e page-faults --stop-at 900 -- ./pages
	printf '%s' "$out" >d.json
	is "it stops at the count" "$(json d.json '[(r["outcome"], r["count"], r["stopped"], r["overflow"]) for r in d["stop"]["runs"]]')" "[('exact', 900, 899, 899), ('exact', 900, 899, 899), ('exact', 900, 899, 899)]"
	is "  after the touch of the page" "$(json d.json 'd["stop"]["same_place"] and {r["after_place"] for r in d["stop"]["runs"]}')" "{'touch+0x0 (pages)'}"
	is "  of the right number" "$(json d.json '{r["instructions"] - (15 + 4 * (900 - (d["events"][0]["total"] - 1000) - 1) + 1) for r in d["stop"]["runs"]}')" "{0}"
	is "  where an overflow at the count itself stops, too" "$(json d.json '{r["after"] for r in d["stop"]["runs"]} == {d["stop"]["direct"]["next"]}')" True
	# A fault of fetching code: the kernel reads code before each step, so that steps do not see it.
	cat >fetch.S <<'S'
	.globl _start
_start:	mov $9, %eax
	xor %edi, %edi
	mov $12288, %esi
	mov $7, %edx
	mov $0x22, %r10d
	mov $-1, %r8
	xor %r9d, %r9d
	syscall
	mov %rax, %rbx
	movb $0xc3, 4096(%rbx)		# ret, after a page of add %al, (%rax)
	lea 4160(%rbx), %rax
	call *%rbx
late:	movb $1, 8192(%rbx)
	mov $60, %eax
	xor %edi, %edi
	syscall
S
	cc -nostdlib -static -no-pie -o fetch fetch.S
	total=$("$HECATE" determinism -q --json --overflow -e page-faults -- ./fetch | json /dev/stdin 'd["events"][0]["total"]')
	status 0 "$HECATE" determinism -q --json --overflow -e page-faults --stop-at $((total - 1)) -r 2 -- ./fetch
	printf '%s' "$out" >d.json
	is "steps do not see the fault of fetching code" "$(json d.json '{(r["outcome"], r["after_place"]) for r in d["stop"]["runs"]}')" "{('exact', 'late+0x0 (fetch)')}"
	is "  but an overflow at the count does" "$(json d.json 'd["stop"]["direct"]["next_place"]')" "[anonymous]+0x0"
	status 0 "$HECATE" determinism -q --overflow -e page-faults --stop-at $((total - 1)) -r 2 -- ./fetch
	has "  and the text says so" "$out" 'stops at another instruction, 0x[0-9a-f]+ \[anonymous\]\+0x0:$'
	status 0 "$HECATE" determinism -q --overflow -e page-faults --stop-at 3 -r 2 -- ./pages
	has "all runs stop at one place" "$out" '^All 2 runs stopped at the same instruction; 27 of 27 registers are equal\.$'
	has "  the correction of totals is no help" "$out" 'corrects a total, and not a stop'
	status 2 "$HECATE" determinism -q --overflow -e page-faults --stop-at 1000000 -- ./pages
	has "past the end, with the total" "$out" 'This is past the end: pages ended after 1 [0-9]{3} counts'
	status 0 "$HECATE" determinism -q --json --overflow -e task-clock --stop-at 1 -- ./pages
	printf '%s' "$out" >d.json
	is "a clock has no exact counts" "$(json d.json '{(r["outcome"], r["before"] < 1 < r["count"]) for r in d["stop"]["runs"]}')" "{('passed', True)}"
else
	skip "exact counts" "single steps are counted on x86-64 only"
fi

# A command that raises SIGTRAP itself dies of it.
status 0 "$HECATE" determinism -q --overflow -e page-faults -- ./task traps
has "the command's own SIGTRAP" "$out" '^task was ended by signal 5 '
status 2 "$HECATE" determinism -q --overflow -e nosuch/a=1,b=2/ -- ./task
has "commas between slashes belong to a name" "$out" '^[^,]*nosuch/a=1,b=2/'

# ptrace(2) or perf_event_open(2) refused, as by a container's filter.
cat >deny.c <<'C'
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	struct sock_filter f[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)atoi(argv[1]), 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog p = {4, f};
	if (argc < 3 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p))
		return 77;
	execv(argv[2], argv + 2);
	return 77;
}
C
printf '#include <sys/syscall.h>\nSYS_ptrace SYS_perf_event_open\n' | cc -E - | tail -n 1 >numbers
read -r ptrace_number perf_number <numbers
if cc -o deny deny.c 2>/dev/null && ./deny "$ptrace_number" /bin/true; then
	# a sanitizer's search for leaks needs ptrace(2)
	status 2 env ASAN_OPTIONS=detect_leaks=0 ./deny "$ptrace_number" "$HECATE" determinism -q --overflow -e page-faults -- ./task
	has "without ptrace(2)" "$err" 'task cannot be stepped: Operation not permitted; ptrace\(2\) may be forbidden here'
	status 2 ./deny "$perf_number" "$HECATE" determinism -q --overflow -e page-faults -- ./task
	has "without perf_event_open(2)" "$out" '^page-faults: a seccomp filter .* forbids perf_event_open; docker run'
else
	skip "refused system calls" "seccomp filters are not permitted here"
fi

# Signals: what was done is printed, and no command is left.
for row in INT:0 TERM:143 KILL:137; do
	python3 - "$HECATE" "${row%:*}" >cut.out 2>cut.err <<'PY'
import os, signal, subprocess, sys, time
# shells ignore SIGINT in the background
p = subprocess.Popen([sys.argv[1], "determinism", "--overflow", "-e", "page-faults", "--", "./task", "endless"], stderr=subprocess.PIPE, text=True)
for line in p.stderr:
    sys.stderr.write(line)
    if "run 1 of" in line:
        break
while True: # until it has a child of its own that has become the task
    try:
        of = [int(d) for d in os.listdir("/proc") if d.isdigit() and open("/proc/%s/comm" % d).read() == "task\n" and int(open("/proc/%s/stat" % d).read().rsplit(") ", 1)[1].split()[1]) == p.pid]
    except (FileNotFoundError, ProcessLookupError, IndexError):
        continue
    if of:
        break
p.send_signal(getattr(signal, "SIG" + sys.argv[2]))
sys.stderr.write(p.stderr.read())
code = p.wait()
def state():
    try:
        return open("/proc/%d/stat" % of[0]).read().rsplit(") ", 1)[1][0]
    except (FileNotFoundError, ProcessLookupError):
        return "Z"
until = time.time() + 60
while sys.argv[2] == "KILL" and state() != "Z" and time.time() < until:
    time.sleep(0.01) # the kernel ends it
if state() != "Z":
    sys.exit(99)
sys.exit(code if code >= 0 else 128 - code)
PY
	is "SIG${row%:*} ends the runs, and leaves no command" $? "${row#*:}"
	[ "$row" = KILL:137 ] || has "  what was done is printed" "$(cat cut.out)" 'Interrupted: the runs that were done are above'
done
done_testing
