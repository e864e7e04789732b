#include "work/sweep/ranks.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

/* mpirun of Open MPI sets both. */
#define ENV_RANK "OMPI_COMM_WORLD_RANK"
#define ENV_SIZE "OMPI_COMM_WORLD_SIZE"

bool
ranks_wanted(size_t *rank)
{
	const char *number = getenv(ENV_RANK), *size = getenv(ENV_SIZE);
	int64_t at = 0, of = 0;

	*rank = 0;
	if (!number || !size || !str_to_i64(number, &at) || !str_to_i64(size, &of) || of < 2 || at < 0 || at >= of)
		return false;
	*rank = (size_t)at;
	return true;
}

#ifdef HECATE_MPI

#include <mpi.h>

#include "base/library.h"

#define TAG 1

struct ranks {
	void *library;
	MPI_Comm all;
	MPI_Datatype byte;
	int rank, count;
	int (*init)(int *, char ***);
	int (*finalize)(void);
	int (*number)(MPI_Comm, int *);
	int (*size)(MPI_Comm, int *);
	int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
	int (*probe)(int, int, MPI_Comm, int *, MPI_Status *);
	int (*length)(const MPI_Status *, MPI_Datatype, int *);
	int (*receive)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
};

/* The communicator and the type are objects of Open MPI's library; other MPIs have numbers. */
static bool
find_all(struct ranks *r)
{
	return library_find(r->library, "ompi_mpi_comm_world", &r->all) &&
		library_find(r->library, "ompi_mpi_byte", &r->byte) && library_find(r->library, "MPI_Init", &r->init) &&
		library_find(r->library, "MPI_Finalize", &r->finalize) &&
		library_find(r->library, "MPI_Comm_rank", &r->number) &&
		library_find(r->library, "MPI_Comm_size", &r->size) && library_find(r->library, "MPI_Send", &r->send) &&
		library_find(r->library, "MPI_Iprobe", &r->probe) &&
		library_find(r->library, "MPI_Get_count", &r->length) &&
		library_find(r->library, "MPI_Recv", &r->receive);
}

struct ranks *
ranks_join(struct err *e)
{
	struct ranks *ranks = mem_new(sizeof *ranks);

	/* Its own plug-ins look for its symbols among those of all. */
	ranks->library = dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL);
	if (!ranks->library || !find_all(ranks)) {
		err_set(e, "Open MPI's library, libmpi.so.40, is missing on this machine");
		err_hint(e, "on Debian: apt-get install libopenmpi3; or run hecate sweep without mpirun");
		free(ranks);
		return NULL;
	}
	/* An error ends all ranks, which is how MPI handles them without being asked. */
	ranks->init(NULL, NULL);
	ranks->number(ranks->all, &ranks->rank);
	ranks->size(ranks->all, &ranks->count);
	return ranks;
}

void
ranks_leave(struct ranks *ranks)
{
	if (ranks)
		ranks->finalize();
	free(ranks);
}

size_t
ranks_number(const struct ranks *r)
{
	return (size_t)r->rank;
}

size_t
ranks_count(const struct ranks *r)
{
	return (size_t)r->count;
}

void
ranks_send(struct ranks *r, size_t to, const void *bytes, size_t n)
{
	r->send(bytes, (int)n, r->byte, (int)to, TAG, r->all);
}

bool
ranks_receive(struct ranks *ranks, size_t *from, struct str *message)
{
	MPI_Status status;
	int there = 0, n = 0;
	char *bytes;

	ranks->probe(MPI_ANY_SOURCE, TAG, ranks->all, &there, &status);
	if (!there)
		return false;
	ranks->length(&status, ranks->byte, &n);
	bytes = mem_new((size_t)n + 1);
	ranks->receive(bytes, n, ranks->byte, status.MPI_SOURCE, TAG, ranks->all, MPI_STATUS_IGNORE);
	str_clear(message);
	str_addn(message, bytes, (size_t)n);
	free(bytes);
	*from = (size_t)status.MPI_SOURCE;
	return true;
}

#else

struct ranks *
ranks_join(struct err *e)
{
	err_set(e, "mpirun started this hecate, which was built without MPI");
	err_hint(e, "on Debian: apt-get install libopenmpi-dev, then configure and make; or run it without mpirun");
	return NULL;
}

void
ranks_leave(struct ranks *r)
{
	(void)r;
}

size_t
ranks_number(const struct ranks *r)
{
	(void)r;
	return 0;
}

size_t
ranks_count(const struct ranks *r)
{
	(void)r;
	return 1;
}

void
ranks_send(struct ranks *r, size_t to, const void *bytes, size_t n)
{
	(void)r, (void)to, (void)bytes, (void)n;
}

bool
ranks_receive(struct ranks *r, size_t *from, struct str *message)
{
	(void)r, (void)from, (void)message;
	return false;
}

#endif
