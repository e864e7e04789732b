# asked.py FOLDER PID: evaluates expressions over JSON documents for json() of tap.sh, so that Python starts once in a
# test and not for each of them. A request is written into the pipe FOLDER/ask, "FILE\0EXPRESSION\0"; the answer into
# FOLDER/said: the number of lines, and the lines, or 0 if json() shall start Python, which then prints what is wrong, or
# much. FOLDER/lock exists while somebody asks; a request without a file removes it. This ends soon after the process PID.
import json, os, select, sys
folder, pid = sys.argv[1], int(sys.argv[2])
os.closerange(3, 1024)
os.chdir("/")
ask = os.open(folder + "/ask", os.O_RDWR)
said = os.open(folder + "/said", os.O_RDWR)  # for reading too, so that no reader waits for a writer
open(folder + "/ready", "w").close()
read = b""
while True:
    while read.count(b"\0") < 2:
        while not select.select([ask], [], [], 0.5)[0]:
            try:
                os.kill(pid, 0)
            except OSError:
                sys.exit()
        read += os.read(ask, 65536)
    file, expression, read = read.split(b"\0", 2)
    if not file:
        os.unlink(folder + "/lock")
        continue
    try:
        with open(file, "rb") as f:
            d = json.load(f)
        text = str(eval(expression.decode(), {"d": d, "json": json, "sys": sys})).encode()
        answer = b"%d\n%s\n" % (text.count(b"\n") + 1, text)
    except BaseException:
        answer = b""
    os.write(said, answer if 0 < len(answer) <= select.PIPE_BUF else b"0\n")
