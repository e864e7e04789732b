"""soak.py HECATE [TASKS [ARGUMENT...]]: memory and descriptors of the explorer while TASKS short processes live and end.

Runs `hecate linux-vm -a --flows -I 100`, or the arguments, in a pseudo-terminal of 120 x 40, and starts the processes
one after another. After each tenth of them it prints what the explorer and its own processes hold: memory (RssAnon of
proc(5)) and descriptors. The exit status is 1 if one of them holds more than 24 MB at the end, or 16 descriptors more
than at first: with -a they vary by a few, because files of tasks stay open while these live.
"""
import fcntl, os, pty, select, signal, struct, sys, termios, time

hecate, tasks = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100000
words = sys.argv[3:] or ["linux-vm", "-a", "--flows", "-I", "100"]
MB = 24


def family(pid):
    """The processes of hecate, with their names, that pid began; not the command's."""
    found = [pid]
    for p in found:
        try:
            with open("/proc/%d/task/%d/children" % (p, p)) as f:
                found += [int(c) for c in f.read().split()]
        except OSError:
            pass
    return found


def own_mb(pid):
    with open("/proc/%d/status" % pid) as f:
        return sum(int(line.split()[1]) for line in f if line.startswith("RssAnon")) / 1024


def main():
    pid, master = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color")
        os.execv(hecate, [hecate] + words)
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))

    def drain(seconds):
        until = time.monotonic() + seconds
        while select.select([master], [], [], max(0, until - time.monotonic()))[0]:
            try:
                os.read(master, 65536)
            except OSError:  # it has ended
                return

    drain(3)
    first, bad, begun = {}, False, time.monotonic()
    for step in range(11):
        for i in range(tasks // 10 if step else 0):
            child = os.posix_spawn("/bin/true", ["true"], {})
            os.waitpid(child, 0)
            if i % 50 == 0:
                drain(0)
        drain(1)
        row = []
        for p in family(pid):
            try:
                mb, fds = own_mb(p), len(os.listdir("/proc/%d/fd" % p))
            except OSError:
                continue
            first.setdefault(p, fds) if step else None
            row.append("%.1f MB %d fds" % (mb, fds))
            bad |= step == 10 and (mb > MB or fds > first.get(p, fds) + 16)
        print("%6d tasks, %4.0f s: %s" % (step * (tasks // 10), time.monotonic() - begun, " | ".join(row)), flush=True)
    os.kill(pid, signal.SIGTERM)
    drain(2)
    os.waitpid(pid, 0)
    sys.exit(bad)


main()
