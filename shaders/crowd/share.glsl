// The share of an actor that dissolves, as core/crowd/actor_share.h packs it into the look: 0 is all of it,
// 1 to 31 32nds for the way that comes in, 33 to 63 for the way that goes out.
int ckShare(int look) { return (look >> 10) & 63; }
bool ckIsGoing(int look) { return ckShare(look) > 32; }
