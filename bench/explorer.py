#!/usr/bin/env python3
"""explorer.py HECATE: what the explorer costs, by a terminal of 120×40. Start to first screen beside tig, htop and btop
(those that are installed), in turn; key to frame with 210 judged observations, live data and simulated machines; idle
shares of a core with live data; memory. Percentiles and ratios mean something on an idle machine; CPU time is the
kernel's account of all threads (schedstat)."""
import fcntl
import json
import os
import pty
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

TURNS = 15
KEYS = 120
IDLE_SECONDS = 6
PAUSE = 0.010  # a first screen is what comes until the first pause of this length, with at least LEAST bytes
LEAST = 400


class Run:
    """A program in a terminal of its own."""

    def __init__(self, argv, warm=0.0):
        self.start = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
            os.execvpe(argv[0], argv, dict(os.environ, TERM="xterm-256color", LC_ALL="C.UTF-8"))
        self.read(warm)

    def read(self, seconds, once=False):
        """Reads for so long, or until something comes; returns (time, bytes) of each piece."""
        end, pieces = time.perf_counter() + seconds, []
        while (left := end - time.perf_counter()) > 0 and not (once and pieces):
            if select.select([self.fd], [], [], left)[0]:
                try:
                    n = len(os.read(self.fd, 65536))
                except OSError:
                    break
                pieces.append((time.perf_counter(), n))
        return pieces

    def quiet(self, least=0.3, most=20):
        """Waits until nothing has come for a while."""
        end = time.perf_counter() + most
        while time.perf_counter() < end and self.read(least, once=True):
            pass

    def cpu(self):
        """Seconds on a CPU of the program and its engine; commands that it runs are not in it."""
        total = 0
        for pid in self.family():
            for task in os.listdir("/proc/%d/task" % pid):
                try:
                    with open("/proc/%d/task/%s/schedstat" % (pid, task)) as f:
                        total += int(f.read().split()[0])
                except OSError:
                    pass  # it has just ended
        return total / 1e9

    def family(self):
        pids = [self.pid]
        with open("/proc/%d/task/%d/children" % (self.pid, self.pid)) as f:
            for pid in map(int, f.read().split()):
                with open("/proc/%d/comm" % pid) as name:
                    if name.read().startswith("hecate"):
                        pids.append(pid)
        return pids

    def memory(self):
        """MB in the sense of smaps_rollup: what the processes own, pages that they share by fork() once; their
        proportional share with libraries; and of what they own, what the screen, the engine, and both have."""
        own = all_of_it = 0
        alone = []
        for pid in self.family():
            with open("/proc/%d/smaps_rollup" % pid) as f:
                size = {line.split()[0]: int(line.split()[1]) / 1024 for line in f if line.split()[-1] == "kB"}
            own += size["Pss_Anon:"]
            all_of_it += size["Pss:"]
            alone.append(min(size["Private_Dirty:"], size["Pss_Anon:"]))
        return own, all_of_it, alone[0], sum(alone[1:]), own - sum(alone)

    def close(self):
        os.kill(self.pid, signal.SIGTERM)
        self.read(0.3)
        try:
            os.kill(self.pid, signal.SIGKILL)
        except OSError:
            pass
        os.waitpid(self.pid, 0)
        os.close(self.fd)


def first_screen(argv):
    """Milliseconds until the first screen is whole; NaN if the program only says why it cannot start."""
    run, n, last = Run(argv), 0, None
    while True:
        piece = run.read(PAUSE if n >= LEAST else 3, once=True)
        if not piece:
            break
        last, n = piece[0][0], n + piece[0][1]
    run.close()
    return (last - run.start) * 1e3 if n >= LEAST else float("nan")


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def starts(hecate, session):
    rows = [(name, [name]) for name in ("btop", "htop", "tig") if shutil.which(name)]
    rows += [("hecate", [hecate]), ("hecate haswell-study", [hecate, "haswell-study"]),
             ("a session of 210 observations", [hecate, session])]
    times = {name: [] for name, _ in rows}
    for _ in range(TURNS):
        for name, argv in rows:
            times[name].append(first_screen(argv))
    own = statistics.median(times["hecate"])
    for name, _ in rows:
        reach = "   reach 30 ms" if name.startswith("hecate") else "   reach 60 ms" if name.startswith("a ") else ""
        print("first screen, %-32s median %6.1f ms   90 %% %6.1f ms   ratio to hecate %5.2f%s" % (
            name, statistics.median(times[name]), percentile(times[name], 0.9),
            statistics.median(times[name]) / own, reach), flush=True)


def keys(what, argv, views, warm=0.0):
    """Presses each view's key, after that of another view; without live data, which draw in between, also moves."""
    run = Run(argv, warm)
    if not warm:
        run.quiet()
    for view in views:
        pattern = [views[views.index(view) - 1].encode(), view.encode()]
        pattern += [] if warm else [b"\033[B", b"\t", b"\033[A"]
        waits, before = [], run.cpu()
        for i in range(KEYS):
            run.read(0.013)
            os.write(run.fd, pattern[i % len(pattern)])
            at = time.perf_counter()
            piece = run.read(0.15, once=True)
            if piece and i % len(pattern):
                waits.append((piece[0][0] - at) * 1e3)
        used = (run.cpu() - before) / KEYS * 1e3
        print("key to frame, %-34s view %s   50 %% %5.1f ms   99 %% %6.1f ms   reach 8 ms   (CPU of all processes "
              "%4.1f ms a key)" % (what, view, statistics.median(waits), percentile(waits, 0.99), used), flush=True)
    run.close()


def runs_file(path, runs=2000, quantities=16):
    """A document of hecate diff with so many runs."""
    order = ["A" if r % 4 in (0, 3) else "B" for r in range(runs)]
    names = ["wall time"] + ["count %d" % i for i in range(1, quantities)]
    with open(path, "w") as f:
        json.dump({"schema": "hecate.diff/1", "commands": ["old", "new"], "recorded": False, "seconds": runs,
            "order": order, "quantities": [{"name": name, "unit": "" if i else "s", "values": [
                1000 + (r * 7919 + i) % 97 + (i if order[r] == "B" else 0) for r in range(runs)]}
                for i, name in enumerate(names)]}, f)


def idle(what, argv):
    run = Run(argv, 3)
    before, start = run.cpu(), time.perf_counter()
    pieces = run.read(IDLE_SECONDS)
    share = (run.cpu() - before) / (time.perf_counter() - start) * 100
    memory = run.memory()
    print("idle, %-41s %5.2f %% of a core   reach 1 %%   %5.1f KB/s   own memory %4.1f MB (with libraries' share "
          "%4.1f; screen %4.1f, engine %4.1f, both %4.1f)   reach 10 MB" % (
              what, share, sum(n for _, n in pieces) / IDLE_SECONDS / 1e3, *memory), flush=True)
    run.close()


def main():
    hecate = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        session = folder + "/suite.hct"
        subprocess.run([hecate, "sim", "-q", "-m", "haswell-study", "--suite", "mmu", "-o", session], check=True)
        starts(hecate, session)
        keys("210 observations", [hecate, session], "12340")
        runs_file(folder + "/runs.json")
        keys("2 000 runs of 16 quantities", [hecate, "diff", "-i", folder + "/runs.json"], "p0")
        simulated = [hecate, "haswell-mmu", "-I", "100", "sim:haswell:chase:endless"]
        core = [hecate, "topdown-core", "-I", "100", "sim:core:mcf-like:endless"]
        machine = [hecate, "linux-vm", "stall-sources", "-I", "100", "-a"]
        keys("a simulated Haswell, live", simulated, "1234", 3)
        keys("a simulated core, live", core, "60", 3)
        keys("linux-vm -a, live", machine, "567", 3)
        idle("a session of 210 observations", [hecate, session])
        idle("linux-vm -a at 10 Hz", [hecate, "linux-vm", "-I", "100", "-a"])
        idle("stall-sources -a at 10 Hz", [hecate, "stall-sources", "-I", "100", "-a"])
        idle("linux-vm -a", [hecate, "linux-vm", "-a"])
        idle("a simulated Haswell, live", simulated)


main()
