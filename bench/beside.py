#!/usr/bin/env python3
"""beside.py OLD NEW N NAME…: whole benchmarks of two builds in turn, OLD/bench/NAME and NEW/bench/NAME, N times each.
Prints the medians of their processor time and peak memory, children included, and the ratio of new to old. `explorer`
is no benchmark: it is `hecate` on the page-fault example in a terminal of 120×40, with a few keys, then q."""
import os
import pty
import resource
import select
import statistics
import struct
import subprocess
import sys
import time

KEYS = [b"2", b"3", b"4", b"1", b"j", b" ", b" ", b"3", b"1", b"q"]


def explore(build, env):
    child, terminal = pty.fork()
    if child == 0:
        os.execve(build + "/hecate", ["hecate", "linux-page-faults", env["HECATE_MODELS"] + "/models/demo/page-faults.csv"],
                  dict(env, TERM="xterm-256color", COLUMNS="120", LINES="40"))
    keys = list(KEYS)
    while True:
        if not select.select([terminal], [], [], 0.5)[0]:
            if keys:
                os.write(terminal, keys.pop(0))
            continue
        try:
            if not os.read(terminal, 65536):
                break
        except OSError:
            break
    return child


def once(build, name, env):
    """Processor time in seconds and peak memory in MB of one run."""
    if name == "explorer":
        child = explore(build, env)
    else:
        child = subprocess.Popen([build + "/bench/" + name], env=dict(env, HECATE=build + "/hecate"), cwd=build,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).pid
    _, status, used = os.wait4(child, 0)
    if status:
        sys.exit("%s/bench/%s failed: status %d" % (build, name, status))
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main():
    old, new, times = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), int(sys.argv[3])
    print("%-10s %9s %9s %6s %8s %8s" % ("", "old s", "new s", "ratio", "old MB", "new MB"))
    for name in sys.argv[4:]:
        runs = {old: [], new: []}
        for i in range(times):
            for build in (old, new) if i % 2 else (new, old):
                env = dict(os.environ, HECATE_MODELS=os.path.dirname(build), HECATE_TESTS=os.path.dirname(build) + "/tests",
                           HECATE_BENCH=os.path.dirname(build) + "/bench")
                runs[build].append(once(build, name, env))
        (a, m), (b, n) = ((statistics.median(c) for c in zip(*runs[build])) for build in (old, new))
        print("%-10s %9.2f %9.2f %6.2f %8.1f %8.1f" % (name, a, b, b / a, m, n), flush=True)


main()
