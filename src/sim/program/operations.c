#include "sim/program/operations.h"

#include "base/random.h"

#define REGISTERS 48u /* that take results in turn */
#define FIRST_INT 16u
#define FIRST_BASE 1u
#define BASES 3u
#define SERIAL_INT 4u
#define FIRST_CHAIN 8u
#define SERIAL_FP (SIM_FIRST_FP + REGISTERS)
#define FARTHEST 40u /* results; below REGISTERS, so that the register is not yet overwritten */
#define FRAME_SLOTS 24u
#define NODE_WORDS 8u

enum { PART_ALU, PART_MUL, PART_DIV, PART_MOVE, PART_FP, PART_LOAD, PART_STORE };
enum { LOAD_LIST, LOAD_GATHER, LOAD_OTHER };
enum { OTHER_STACK, OTHER_STREAM, OTHER_MIXED };
enum { FP_ADD, FP_MUL, FP_FMA, FP_DIV };

double
sim_operations_random(uint64_t *random)
{
	return (double)(random_next(random) >> 11) * 0x1p-53;
}

/* Each draw adds to every part what it is due, with a random factor around 1, and gives the draw to the part that is
 * due most. */
unsigned
sim_quota_draw(struct sim_quota *quota, uint64_t *random)
{
	double sum = 0;
	unsigned best = 0;

	for (unsigned i = 0; i < SIM_QUOTA_PARTS; i++) {
		if (!(quota->weight[i] > 0))
			continue;
		sum += quota->weight[i];
		quota->due[i] += quota->weight[i] * (0.5 + sim_operations_random(random));
		if (!(quota->weight[best] > 0) || quota->due[i] > quota->due[best])
			best = i;
	}
	quota->due[best] -= sum;
	return best;
}

void
sim_operations_init(struct sim_operations *operations, struct sim_code *code, const struct sim_parameters *parameters,
	uint64_t seed)
{
#define SHARE(id) sim_parameter_share(parameters, SIM_P_##id)
	double rest = 1 - SHARE(BRANCHES) - SHARE(LOADS) - SHARE(STORES) - SHARE(MUL) - SHARE(DIV) - SHARE(MOVES) -
		SHARE(FP);
	double sums = 1 - SHARE(FMA) - SHARE(FDIV);

	*operations = (struct sim_operations){
		.code = code, .set = parameters, .random = random_scatter(seed), .loaded = SIM_NO_REGISTER,
		.kind.weight = {
			[PART_ALU] = rest, [PART_MUL] = SHARE(MUL), [PART_DIV] = SHARE(DIV), [PART_MOVE] = SHARE(MOVES),
			[PART_FP] = SHARE(FP), [PART_LOAD] = SHARE(LOADS), [PART_STORE] = SHARE(STORES),
		},
		.fp.weight = {
			[FP_ADD] = sums / 2, [FP_MUL] = sums / 2, [FP_FMA] = SHARE(FMA), [FP_DIV] = SHARE(FDIV),
		},
		.load.weight = {
			[LOAD_LIST] = SHARE(CHASE) + SHARE(FIELDS), [LOAD_GATHER] = SHARE(GATHER),
			[LOAD_OTHER] = 1 - SHARE(CHASE) - SHARE(FIELDS) - SHARE(GATHER),
		},
		.other.weight = {
			[OTHER_STACK] = SHARE(STACK), [OTHER_STREAM] = SHARE(SEQUENTIAL),
			[OTHER_MIXED] = 1 - SHARE(STACK) - SHARE(SEQUENTIAL),
		},
		.depends.weight = {1 - SHARE(DEPENDS), SHARE(DEPENDS)},
		.indexed.weight = {1 - SHARE(INDEXED), SHARE(INDEXED)},
	};
	for (int fp = 0; fp < 2; fp++) {
		operations->serial[fp].weight[0] = 1 - SHARE(SERIAL);
		operations->serial[fp].weight[1] = SHARE(SERIAL);
	}
#undef SHARE
}

static uint8_t
result(unsigned fp, unsigned number)
{
	return (uint8_t)((fp ? SIM_FIRST_FP : FIRST_INT) + number % REGISTERS);
}

uint8_t
sim_operations_result(const struct sim_operations *o, unsigned back)
{
	return result(0, o->next[0] + REGISTERS - 1 - back);
}

/* Draws an earlier result; the distance is geometrical. */
static uint8_t
earlier(struct sim_operations *o, unsigned fp)
{
	uint64_t mean = (uint64_t)o->set->value[SIM_P_DISTANCE];
	unsigned d = 1;

	while (d < FARTHEST && random_below(&o->random, mean))
		d++;
	return result(fp, o->next[fp] + REGISTERS - d);
}

static uint8_t
base_register(struct sim_operations *o)
{
	return (uint8_t)(FIRST_BASE + o->base++ % BASES);
}

static void
write_arithmetic(struct sim_operations *operations, enum sim_op_kind kind, unsigned fp)
{
	struct sim_insn *insn = sim_code_add(operations->code, kind);

	insn->src[0] = earlier(operations, fp);
	if (kind != SIM_OP_MOVE && (fp || random_below(&operations->random, 2)))
		insn->src[1] = earlier(operations, fp);
	if (kind == SIM_OP_FMA)
		insn->src[2] = earlier(operations, fp);
	if (kind != SIM_OP_MOVE && sim_quota_draw(&operations->serial[fp], &operations->random)) {
		insn->dst = insn->src[0] = fp ? SERIAL_FP : SERIAL_INT;
		return;
	}
	insn->dst = result(fp, operations->next[fp]++);
}

/* Chooses where an access that is no part of a list or gather goes. */
static void
place_other(struct sim_operations *operations, struct sim_insn *insn)
{
	switch (sim_quota_draw(&operations->other, &operations->random)) {
	case OTHER_STACK:
		insn->rule = SIM_RULE_STACK;
		insn->site = 8 * (uint32_t)random_below(&operations->random, FRAME_SLOTS);
		insn->src[0] = 0;
		return;
	case OTHER_STREAM:
		insn->rule = SIM_RULE_STREAM;
		insn->site = operations->stream++ % (unsigned)operations->set->value[SIM_P_STREAMS];
		break;
	default:
		insn->rule = SIM_RULE_MIXED;
	}
	insn->src[0] = sim_quota_draw(&operations->indexed, &operations->random) ? earlier(operations, 0)
										 : base_register(operations);
}

static uint8_t
draw_size(struct sim_operations *o)
{
	return random_below(&o->random, 3) ? 8 : 4;
}

/* Gives a load its destination: floating-point in proportion to the arithmetic. */
static void
give_result(struct sim_operations *o, struct sim_insn *s)
{
	double fp = o->kind.weight[PART_FP], all = fp + o->kind.weight[PART_ALU] + o->kind.weight[PART_MUL];
	unsigned to_fp = all > 0 && sim_operations_random(&o->random) * all < fp;

	s->dst = result(to_fp, o->next[to_fp]++);
	if (!to_fp)
		o->loaded = s->dst;
	else
		s->size = 8;
}

/* Writes a load of a list, which waits for the load before of the same list. */
static void
write_list(struct sim_operations *o, struct sim_insn *s)
{
	s->rule = SIM_RULE_LIST;
	s->site = o->chain++ % (unsigned)o->set->value[SIM_P_CHAINS];
	s->dst = s->src[0] = (uint8_t)(FIRST_CHAIN + s->site);
	s->size = 8;
	s->target = 8 * (uint32_t)random_below(&o->random, NODE_WORDS);
	o->loaded = s->dst;
}

/* Writes the load of an index, and the load that needs it. `s` is the first. */
static void
write_gather(struct sim_operations *o, struct sim_insn *insn)
{
	uint8_t index = result(0, o->next[0]++);

	insn->rule = SIM_RULE_STREAM;
	insn->site = o->stream++ % (unsigned)o->set->value[SIM_P_STREAMS];
	insn->src[0] = base_register(o);
	insn->dst = index;
	insn = sim_code_add(o->code, SIM_OP_LOAD);
	insn->rule = SIM_RULE_FAR;
	insn->size = 8;
	insn->src[0] = base_register(o);
	insn->src[1] = index;
	give_result(o, insn);
	for (unsigned i = 0; i < SIM_QUOTA_PARTS; i++) { /* as if a load had been drawn once more */
		o->kind.due[i] += o->kind.weight[i];
		o->kind.due[PART_LOAD] -= o->kind.weight[i];
	}
}

/* Writes a load and returns 1, or the two loads of a gather and returns 2. */
static unsigned
write_load(struct sim_operations *operations)
{
	struct sim_insn *insn = sim_code_add(operations->code, SIM_OP_LOAD);

	insn->size = draw_size(operations);
	switch (sim_quota_draw(&operations->load, &operations->random)) {
	case LOAD_LIST:
		write_list(operations, insn);
		return 1;
	case LOAD_GATHER:
		write_gather(operations, insn);
		return 2;
	default:
		place_other(operations, insn);
		if (insn->rule != SIM_RULE_STACK && operations->loaded != SIM_NO_REGISTER &&
			sim_quota_draw(&operations->depends, &operations->random))
			insn->src[1] = operations->loaded;
	}
	give_result(operations, insn);
	return 1;
}

static void
write_store(struct sim_operations *o)
{
	struct sim_insn *s = sim_code_add(o->code, SIM_OP_STORE);
	double fp = o->kind.weight[PART_FP], all = fp + o->kind.weight[PART_ALU] + o->kind.weight[PART_MUL];
	unsigned of_fp = all > 0 && sim_operations_random(&o->random) * all < fp;

	s->size = of_fp ? 8 : draw_size(o);
	place_other(o, s);
	s->src[2] = earlier(o, of_fp);
}

void
sim_operations_write(struct sim_operations *operations, unsigned n)
{
	static const enum sim_op_kind fp[] = {
		[FP_ADD] = SIM_OP_FADD, [FP_MUL] = SIM_OP_FMUL, [FP_FMA] = SIM_OP_FMA, [FP_DIV] = SIM_OP_FDIV,
	};

	for (unsigned written = 0; written < n; written++) {
		switch (sim_quota_draw(&operations->kind, &operations->random)) {
		case PART_ALU:
			write_arithmetic(operations, SIM_OP_ALU, 0);
			break;
		case PART_MUL:
			write_arithmetic(operations, SIM_OP_MUL, 0);
			break;
		case PART_DIV:
			write_arithmetic(operations, SIM_OP_DIV, 0);
			break;
		case PART_MOVE:
			write_arithmetic(operations, SIM_OP_MOVE, 0);
			break;
		case PART_FP:
			write_arithmetic(operations, fp[sim_quota_draw(&operations->fp, &operations->random)], 1);
			break;
		case PART_LOAD:
			written += write_load(operations) - 1;
			break;
		default:
			write_store(operations);
		}
	}
}
