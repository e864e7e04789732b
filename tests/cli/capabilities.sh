#!/bin/sh
# A program file with capabilities lends them to every user. hecate opens counters with them, and nothing else. The same
# in a user namespace, whose root is nobody outside: there this script runs again, with $HOSTS, a file of the real root's.
. "$HECATE_TESTS/lib/tap.sh"
[ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null || { skip "capabilities" "not root, or no setpriv"; done_testing; exit 0; }
PATH=$PATH:/usr/sbin:/sbin
command -v setcap >/dev/null || { skip "capabilities" "setcap is not installed"; done_testing; exit 0; }
chmod 711 "$tmp"
cd "$tmp" || exit 1
mkdir user root root/models && chmod 700 root && chown 65534:65534 user
cp "$HECATE" hecate
cp "$(command -v cat)" lent && setcap cap_dac_read_search=ep lent && setcap cap_perfmon,cap_dac_read_search,cap_syslog=ep hecate ||
	{ skip "capabilities" "set-user-ID programs are ignored here (nosuid)"; done_testing; exit 0; }
user() { (cd user && setpriv --reuid=65534 --regid=65534 --clear-groups "$@"); }
echo 'counter ROOTS = "page-faults"; path p { count ROOTS; }' >root/part
{ echo 'model m;'; cat root/part; } >root/secret.udd
printf 'observation,ROOTS\nROOTS,1\nROOTS,2\n' >root/secret.csv
cp root/secret.udd root/models/hidden.udd
cp root/secret.udd secret.udd && cp root/secret.csv secret.csv && chmod 600 secret.udd secret.csv
"$HECATE" import -q -o secret.hec -m root/secret.udd root/secret.csv && chmod 600 secret.hec
[ "$(user "$tmp/lent" "$tmp/secret.csv" 2>/dev/null | grep -c ROOTS)" -eq 3 ] ||
	{ skip "capabilities" "set-user-ID programs are ignored here (nosuid)"; done_testing; exit 0; }
{ echo 'model m;'; sed 's/ROOTS/f/g' root/part; } >user/own.udd
echo 'model m; include "linked.udd";' >user/includes.udd
echo 'model m; include "part";' >user/included.udd
ln -s "$tmp/root/part" user/linked.udd
ln -s "$tmp/secret.udd" user/link.udd
ln -s "$tmp/root" user/folder
ln -s "$tmp/secret.hec" user/link.hec
printf 'observation,f\na,1\na,2\n' >user/own.csv
chown -R -h 65534:65534 user
# refused NAME COMMAND…: a user with the lent capabilities does not see what is root's
refused() {
	name=$1; shift
	user "$@" >out 2>err </dev/null
	[ $? -eq 2 ] && ! grep -q ROOTS out && ok "$name" || not_ok "$name" "$* printed $(cat out) and $(cat err)"
}
h=$tmp/hecate
status 0 user "$h" print own.udd
refused "print" "$h" print "$tmp/secret.udd"
has "  because it may not be read" "$(cat err)" 'Permission denied|may not be read'
refused "print by a link" "$h" print link.udd
refused "print in a folder" "$h" print folder/secret.udd
refused "include by a link" "$h" print --include-dir "$tmp/root" includes.udd
refused "--include-dir" "$h" print --include-dir "$tmp/root" included.udd
refused "data" "$h" check own.udd "$tmp/secret.csv"
refused "data of a command that may count" "$h" stack naive "$tmp/secret.csv"
refused "a session" "$h" export "$tmp/secret.hec"
refused "a session by a link" "$h" export link.hec
refused "a session as a model" "$h" check link.hec own.csv
refused "a folder of models" env HECATE_MODELS="$tmp/root/models" "$h" print hidden
refused "a folder of data" env XDG_DATA_HOME="$tmp/root" "$h" print hidden
refused "a report" "$h" report "$tmp/secret.hec"
refused "output" "$h" check own.udd own.csv -o "$tmp/secret.csv"
refused "output into a session" "$h" import -o "$tmp/secret.hec" own.csv
is "nothing was written" "$(cat secret.csv)" "$(cat root/secret.csv)"
# Environment: a tree of the user's in place of sysfs, whose tracefs is root's folder.
mkdir -p user/sys/kernel/tracing/events/secret/one
ln -s "$tmp/secret.csv" user/sys/kernel/tracing/events/secret/one/id
user env HECATE_SYSFS="$tmp/user/sys" "$h" doctor >out 2>&1
is "a made sysfs is ignored" "$(grep -c ROOTS out)" 0
if [ -n "$HOSTS" ]; then
	refused "a file of the real root's" "$h" print "$HOSTS"
	"$HECATE" print "$HOSTS" >out 2>err </dev/null
	is "  and for the namespace's root" "$? $(grep -c ROOTS out)" "2 0"
	user "$h" record -q -o s.hec -m own.udd -- cat /proc/self/status >out 2>err
	has "a command has none" "$(cat out err)" 'CapEff:.0000000000000000|may not be counted|cannot be counted|not permitted'
	done_testing
	exit
fi
# What is lent works: with tracefs mounted, tracepoints open.
if [ -d /sys/kernel/tracing/events ] && user "$h" doctor --json >out 2>err; then
	is "tracepoints open" "$(json out '[i["level"] for i in d["items"] if i["what"] == "tracepoints"]')" "['good']"
	is "the kernel side is counted" "$(json out '[i["level"] for i in d["items"] if i["what"] == "kernel side"]')" "['good']"
	has "  they are found" "$(json out '[i["amount"] for i in d["items"] if i["what"] == "tracepoints"]')" '[0-9][0-9]'
	user "$HECATE" doctor --json >out 2>err
	[ "$(json out '[i["level"] for i in d["items"] if i["what"] == "tracepoints"]')" = "['no']" ] &&
		ok "  and by the capabilities alone" || skip "  and by the capabilities alone" "tracepoints, of everybody here"
else
	skip "tracepoints open" "tracepoints: tracefs is not mounted"
fi
# A command has what its user has. Its parent, a part of hecate, may open counters, and could read if it raised that.
caps() { grep -E "^Cap($1):" | tr -d '\t\n'; }
user "$h" record -q -o s.hec -m own.udd -- cat /proc/self/status >out 2>err
is "the command has none" "$(caps 'Inh|Prm|Eff|Amb' <out)" "CapInh:0000000000000000CapPrm:0000000000000000CapEff:0000000000000000CapAmb:0000000000000000"
# shellcheck disable=SC2016
user "$h" record -q -o s.hec -m own.udd -- sh -c 'cat /proc/$PPID/status' >out 2>err
is "hecate has only what opens counters" "$(caps 'Inh|Eff|Amb' <out)" "CapInh:0000000000000000CapEff:0000004000000000CapAmb:0000000000000000"
# Each file that is opened while a capability is in effect that opens others' files: tracefs and the kernel's symbols alone.
printf 'import re, sys\nraised, confined = {}, set()\nfor line in open(sys.argv[1]):\n\tpid, call = line.split(None, 1)\n' >opens.py
cat >>opens.py <<'X'
	if call.startswith("capset("):
		raised[pid] = bool(re.search(r"effective=[^,]*CAP_(DAC_READ_SEARCH|SYSLOG)", call))
		confined.add(pid)
	m = re.match(r'(?:clone|clone3|fork|vfork)\(.*= (\d+)$', call)
	if m:
		raised[m[1]] = raised.get(pid, False)
	m = re.match(r'open(?:at)?\([^"]*"([^"]*)"', call)
	if m and confined:
		kind = "raised" if raised.get(pid) else "plain"
		print(kind, "kernel" if re.match(r"/(sys/kernel/(debug/)?tracing/|sys/|proc/kallsyms$)", m[1]) else m[1])
X
if command -v strace >/dev/null 2>&1 && (cd user && strace -f -u nobody -o "$tmp/t" true) 2>/dev/null; then
	: >opens
	while read -r words; do
		# shellcheck disable=SC2086
		(cd user && strace -f -u nobody -e trace=open,openat,capset,clone,clone3,fork,vfork -o "$tmp/t" "$h" $words) >out 2>err </dev/null
		python3 opens.py t >>opens
	done <<'X'
print own.udd
check own.udd own.csv
record -q -o t.hec -m own.udd -- true
check own.udd t.hec
export t.hec
stack stall-sources -- true
net linux-vm -- true
doctor
X
	is "files opened with a capability raised, other than the kernel's" "$(grep '^raised' opens | grep -vc ' kernel$')" 0
	has "  there were such files of the kernel" "$(sort opens | uniq -c)" 'raised kernel'
	has "  and files of the user, without" "$(cat opens)" '^plain own.udd$'
else
	skip "files opened with a capability raised" "strace cannot follow programs here"
fi
# Capabilities that hecate inherited, and a set-user-ID program.
ambient() { setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=+dac_read_search --ambient-caps=+dac_read_search "$@"; }
ambient "$HECATE" print secret.udd >out 2>err </dev/null
is "ambient capabilities are given up" "$? $(grep -c ROOTS out)" "2 0"
(cd user && ambient "$HECATE" record -q -o s.hec -m own.udd -- cat /proc/self/status) >out 2>err
is "  also for the command" "$(caps 'Prm|Amb' <out)" "CapPrm:0000000000000000CapAmb:0000000000000000"
cp "$HECATE" setuid && chmod 4755 setuid
refused "as a set-user-ID program" "$tmp/setuid" print "$tmp/secret.udd"
chmod 6755 setuid
user "$tmp/setuid" record -q -o s.hec -m own.udd -- cat /proc/self/status >out 2>err
is "  the command runs as its user" "$(grep -E '^[UG]id:' out | tr -s '\t\n' '  ')" "Uid: 65534 65534 65534 65534 Gid: 65534 65534 65534 65534 "
# Root stays root.
status 0 "$HECATE" print --include-dir root user/includes.udd
status 0 "$HECATE" print --include-dir root user/included.udd
status 0 "$HECATE" print secret.udd
setcap -r hecate && setcap cap_perfmon=ep hecate
status 0 "$tmp/hecate" print secret.udd
# In a user namespace: the parent maps its ids, then it goes on.
mkfifo go
outsider() { setpriv --reuid=100000 --regid=100000 --clear-groups "$@"; }
if unshare -U true 2>/dev/null && outsider test -x "$HECATE" -a -r "$HECATE_TESTS/cli/capabilities.sh"; then
	# shellcheck disable=SC2016
	HOSTS=$tmp/secret.udd unshare -U --keep-caps sh -c 'read -r _ <"$1" && exec setpriv --reuid=0 --regid=0 --clear-groups --ambient-caps=-all --inh-caps=-all sh "$0"' \
		"$HECATE_TESTS/cli/capabilities.sh" "$tmp/go" >inside 2>&1 &
	inside=$!
	apart() { [ "$(readlink /proc/$inside/ns/user)" != "$(readlink /proc/$$/ns/user)" ]; }
	eventually apart
	echo "0 100000 65536" >/proc/$inside/gid_map && echo "0 100000 65536" >/proc/$inside/uid_map
	echo >go
	wait $inside
	good=$(grep -c '^ok [0-9]' inside)
	[ "$(tail -1 inside)" = "1..$good" ] && [ "$good" -ge 18 ] && ! grep -q SKIP inside &&
		ok "in a user namespace nothing is read: $good cases" || not_ok "in a user namespace" "$(cat inside)"
else
	skip "in a user namespace" "no user namespace here, or it could not read the program"
fi
done_testing
