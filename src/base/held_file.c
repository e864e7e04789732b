#include "base/held_file.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

struct held {
	dev_t dev;
	ino_t ino;
	size_t holders;
	int *fd; /* descriptors to be closed */
	size_t n, cap;
};

static struct {
	pthread_mutex_t lock;
	struct held *file;
	size_t n, cap;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct held *
find(dev_t dev, ino_t ino)
{
	for (size_t i = 0; i < all.n; i++)
		if (all.file[i].dev == dev && all.file[i].ino == ino)
			return &all.file[i];
	return NULL;
}

void
held_file_hold(dev_t dev, ino_t ino)
{
	struct held *file;

	pthread_mutex_lock(&all.lock);
	file = find(dev, ino);
	if (!file) {
		mem_grow(&all.file, &all.cap, all.n + 1, sizeof *all.file);
		file = &all.file[all.n++];
		*file = (struct held){.dev = dev, .ino = ino};
	}
	file->holders++;
	pthread_mutex_unlock(&all.lock);
}

void
held_file_release(dev_t dev, ino_t ino)
{
	struct held gone = {0}, *file;

	pthread_mutex_lock(&all.lock);
	file = find(dev, ino);
	if (file && --file->holders == 0) {
		gone = *file;
		*file = all.file[--all.n];
	}
	if (!all.n) {
		free(all.file);
		all.file = NULL;
		all.cap = 0;
	}
	pthread_mutex_unlock(&all.lock);
	for (size_t i = 0; i < gone.n; i++)
		close(gone.fd[i]);
	free(gone.fd);
}

bool
held_file_is(dev_t dev, ino_t ino)
{
	bool held;

	pthread_mutex_lock(&all.lock);
	held = find(dev, ino) != NULL;
	pthread_mutex_unlock(&all.lock);
	return held;
}

void
held_file_close(int fd)
{
	struct stat st;
	struct held *file;
	bool known = fstat(fd, &st) == 0;

	pthread_mutex_lock(&all.lock);
	file = known ? find(st.st_dev, st.st_ino) : NULL;
	if (file) {
		mem_grow(&file->fd, &file->cap, file->n + 1, sizeof *file->fd);
		file->fd[file->n++] = fd;
	}
	pthread_mutex_unlock(&all.lock);
	if (!file)
		close(fd);
}
