/* The path map: rows, unknown cells against zeros, sums, shares, and the map of one owner. Values are worked out by
 * hand. */
#include "core/network/path_map.h"

#include <math.h>

#include "core/network/state.h"
#include "parsed.h"
#include "test.h"

static const char two_sockets[] =
	"network t; kind r; kind w; kind p;\n"
	"counter near = \"a\" per core unit requests; counter all = \"b\" per core unit requests; counter far = \"c\" "
	"per socket unit requests;\n"
	"counter lost = unresolved per socket unit requests \"why\"; counter dimm = \"d\" per system unit requests;\n"
	"stage c { module l1 per core { r { hit \"own\" = near; hit \"shared\" = all - near; } w with r \"x\"; } }\n"
	"stage h { module llc per socket { r { hit \"far\" = far; hit \"lost\" = lost; hit \"far\" = far; } w { hit "
	"\"far\" = 2 * far; } p untold \"y\"; } }\n"
	"stage m { module d { r { hit = dimm; } w { hit = 0 * dimm; } p { hit = dimm; } } }\n"
	"link l1 -> llc; link llc -> d;\n";

static const size_t socket_of_core[] = {0, 0, 1}, none[3];

struct fixture {
	struct network *net;
	struct net_shape shape;
	struct net_state *state;
};

static bool
begin(struct fixture *f, const double *far)
{
	static const double near[] = {10, 20, 30}, all[] = {11, 22, 33}, dimm[] = {5};
	const double *count[] = {near, all, far, NULL, dimm};

	*f = (struct fixture){.shape = {.n = {[SCOPE_CORE] = 3, [SCOPE_SOCKET] = 2, [SCOPE_SYSTEM] = 1},
				      .part_of = {[SCOPE_CORE] = socket_of_core, [SCOPE_SLICE] = none}}};
	f->net = parsed_network("t", two_sockets);
	if (!f->net)
		return false;
	f->state = net_state_new(f->net, &f->shape);
	net_state_take(f->state, &(struct net_snapshot){.seconds = 1, .count = count});
	return true;
}

static void
end(struct fixture *f)
{
	net_state_free(f->state);
	network_free(f->net);
}

static void
rows_and_cells(void)
{
	static const double far[] = {7, 9};
	static const char *const place[] = {"own", "shared", "far", "lost", "d"};
	struct fixture f;
	struct net_path_map *m;

	if (!begin(&f, far))
		return;
	m = net_path_map_new(f.state);
	if (CHECK_INT(m->n_rows, 5)) {
		for (size_t i = 0; i < 5; i++)
			CHECK_STR(m->row[i].place, place[i]);
		CHECK_NEAR(m->row[0].cell[0].hits, 60, 0);
		CHECK_NEAR(m->row[1].cell[0].hits, 6, 0);
		CHECK_INT(m->row[0].cell[1].state, NET_CELL_WITH);
		CHECK_INT(m->row[0].cell[1].with, 0);
		CHECK_INT(m->row[0].cell[2].state, NET_CELL_ABSENT);
		CHECK_NEAR(m->row[2].cell[0].hits, 32, 0); /* a place that is named twice has the sum */
		CHECK_NEAR(m->row[2].cell[1].hits, 32, 0);
		CHECK_INT(m->row[2].cell[2].state, NET_CELL_UNREPORTED);
		CHECK_INT(m->row[3].cell[0].state, NET_CELL_REPORTED);
		CHECK_INT(m->row[3].cell[0].unknown, 2); /* a place without a counter is unknown */
		CHECK_INT(m->row[3].cell[1].state, NET_CELL_ABSENT);
		CHECK_INT(m->row[4].cell[1].state, NET_CELL_REPORTED); /* a counted zero is zero */
		CHECK_INT(m->row[4].cell[1].unknown, 0);
		CHECK_NEAR(m->row[4].cell[1].hits, 0, 0);
	}
	net_path_map_free(m);
	end(&f);
}

static void
sums_and_shares(void)
{
	static const double far[] = {7, NAN};
	struct fixture f;
	struct net_path_map *m;
	struct net_sum s, all;

	if (!begin(&f, far))
		return;
	m = net_path_map_new(f.state);
	CHECK_INT(net_path_map_beyond(m, 0), 2);
	CHECK_INT(net_path_map_beyond(m, 1), 4);
	CHECK_INT(net_path_map_beyond(m, 2), 5);
	s = net_path_map_sum(m, 0, 2, 3);
	CHECK_NEAR(s.hits, 66, 0);
	CHECK_INT(s.unknown + s.unreported, 0);
	all = net_path_map_sum(m, 0, m->n_rows, 3);
	CHECK_INT(all.unknown, 3); /* far of r and of w, lost */
	CHECK_INT(all.unreported, 2);
	CHECK(isnan(net_share(s, all)));
	CHECK_NEAR(net_share_known(s, all), 66 / 104., 1e-12); /* 66, far 14 and 14, d 5 and 0 and 5 */
	CHECK(isnan(net_share_known((struct net_sum){.unknown = 1}, all))); /* all of it is unknown */
	CHECK(isnan(net_share((struct net_sum){0}, (struct net_sum){0})));
	CHECK_NEAR(net_share(net_path_map_sum(m, 4, 5, 2), net_path_map_sum(m, 4, 5, 3)), 0.5, 0);
	net_path_map_free(m);
	end(&f);
}

TEST_MAIN(CASE(rows_and_cells), CASE(sums_and_shares))
