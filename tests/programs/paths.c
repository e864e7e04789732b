/* paths WHAT …: takes one way through memory and files; its exit status says whether it could.
 *   new FILE MIB             writes a file of MIB MiB to the disk, of which no two blocks are alike
 *   drop FILE                removes it from the page cache
 *   copy FROM TO             copies it, 64 KiB at a time
 *   read FILE N              reads N blocks of 4 KiB in order, and starts again at the end of the file
 *   direct FILE N            the same without the page cache
 *   squeeze FILE MIB ROUNDS  reads FILE ROUNDS times, while it holds 8 MiB of other memory, in a memory cgroup of
 *                            MIB MiB without swap (0: in none). Status 77: no such cgroup can be made */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCK 4096l
#define PIECE 65536l
#define MIB (1l << 20)
#define HELD (8 * MIB)

static char *
buffer(void)
{
	void *p = NULL;

	return posix_memalign(&p, (size_t)BLOCK, (size_t)PIECE) == 0 ? p : NULL;
}

static bool
new_file(const char *path, long mib)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	char *b = buffer();
	uint64_t word = 1;
	bool good = fd >= 0 && b;

	for (long done = 0; good && done < mib * MIB; done += PIECE) {
		for (long i = 0; i < PIECE; i += (long)sizeof word) {
			word = word * 6364136223846793005u + 1442695040888963407u;
			memcpy(b + i, &word, sizeof word);
		}
		good = write(fd, b, (size_t)PIECE) == PIECE;
	}
	return good && fsync(fd) == 0 && close(fd) == 0;
}

static bool
drop(const char *path)
{
	int fd = open(path, O_RDONLY);

	return fd >= 0 && fsync(fd) == 0 && posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) == 0 && close(fd) == 0;
}

static bool
copy(const char *from, const char *to)
{
	int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	char *b = buffer();
	ssize_t got = in >= 0 && out >= 0 && b ? 1 : -1;

	while (got > 0 && (got = read(in, b, (size_t)PIECE)) > 0)
		if (write(out, b, (size_t)got) != got)
			return false;
	return got == 0;
}

static bool
read_blocks(const char *path, long n, int how)
{
	int fd = open(path, O_RDONLY | how);
	off_t size = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0;
	char *b = buffer();
	bool good = size >= BLOCK && b;

	for (long i = 0; good && i < n; i++)
		good = pread(fd, b, (size_t)BLOCK, i * BLOCK % (size - size % BLOCK)) == BLOCK;
	return good;
}

static bool
put(const char *folder, const char *file, const char *text)
{
	char path[512];
	int fd;
	bool good;

	snprintf(path, sizeof path, "%s/%s", folder, file);
	fd = open(path, O_WRONLY);
	good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	if (fd >= 0)
		close(fd);
	return good;
}

/* Makes a new group below the root, of version 1 or 2, and moves this process into it. */
static bool
enter_group(char *folder, size_t size, long mib)
{
	char limit[32], self[32];

	snprintf(limit, sizeof limit, "%ld", mib * MIB);
	snprintf(self, sizeof self, "%d", (int)getpid());
	snprintf(folder, size, "/sys/fs/cgroup/memory/hecate-test-%s", self);
	if (mkdir(folder, 0700) == 0) {
		put(folder, "memory.swappiness", "0");
		if (put(folder, "memory.limit_in_bytes", limit) && put(folder, "cgroup.procs", self))
			return true;
		rmdir(folder);
	}
	snprintf(folder, size, "/sys/fs/cgroup/hecate-test-%s", self);
	if (mkdir(folder, 0700) == 0) {
		put(folder, "memory.swap.max", "0");
		if (put(folder, "memory.max", limit) && put(folder, "cgroup.procs", self))
			return true;
		rmdir(folder);
	}
	return false;
}

static bool
read_rounds(const char *path, long rounds)
{
	char *held = mmap(NULL, HELD, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *b = buffer();
	bool good = held != MAP_FAILED && b;

	for (long i = 0; good && i < HELD; i += BLOCK)
		((volatile char *)held)[i] = (char)(i / BLOCK | 1);
	for (long round = 0; good && round < rounds; round++) {
		int fd = open(path, O_RDONLY);
		ssize_t got = fd >= 0 ? 1 : -1;

		while (got > 0)
			got = read(fd, b, (size_t)PIECE);
		good = got == 0 && close(fd) == 0;
		for (long i = 0; good && i < HELD; i += BLOCK)
			good = ((volatile char *)held)[i] == (char)(i / BLOCK | 1);
	}
	return good;
}

/* The group's folder can be removed only when no process is in it, so a child does the work. */
static int
squeeze(const char *path, long mib, long rounds)
{
	char folder[256];
	int status = 1;
	pid_t pid;

	if (mib == 0)
		return read_rounds(path, rounds) ? 0 : 1;
	pid = fork();
	if (pid == 0) {
		if (!enter_group(folder, sizeof folder, mib))
			_exit(77);
		_exit(read_rounds(path, rounds) ? 0 : 1);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 1;
	snprintf(folder, sizeof folder, "/sys/fs/cgroup/memory/hecate-test-%d", (int)pid);
	rmdir(folder);
	snprintf(folder, sizeof folder, "/sys/fs/cgroup/hecate-test-%d", (int)pid);
	rmdir(folder);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int
main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";
	long n = argc > 3 ? strtol(argv[3], NULL, 10) : 0;

	if (strcmp(what, "new") == 0)
		return !new_file(argv[2], n);
	if (strcmp(what, "drop") == 0)
		return !drop(argv[2]);
	if (strcmp(what, "copy") == 0 && argc > 3)
		return !copy(argv[2], argv[3]);
	if (strcmp(what, "read") == 0)
		return !read_blocks(argv[2], n, 0);
	if (strcmp(what, "direct") == 0)
		return !read_blocks(argv[2], n, O_DIRECT);
	if (strcmp(what, "squeeze") == 0 && argc > 4)
		return squeeze(argv[2], n, strtol(argv[4], NULL, 10));
	fputs("paths new | drop | copy | read | direct | squeeze …: see its source\n", stderr);
	return 2;
}
