"""The small form of packed clips in .ckatlas files, by docs/ckatlas-packed.md (read_ckatlas.py)."""
import math

# The numbers of an encoding; words of U128 are pairs of 16 bits.
CHANNEL = {"P16": "H", "P16F": "e", "P8": "B", "U128": "H", "U64": "I", "D16": "H", "R64": "I", "R32": "I", "T32": "f", "T16": "H", "T8": "B",
           "M32": "f", "M16": "H", "M16F": "e"}
BYTES = {"H": 2, "f": 4, "B": 1, "e": 2, "I": 4}
# How many of these a texel has, where it is not 4.
PER_TEXEL = {"U128": 8, "U64": 2, "R64": 2, "R32": 1}
# The fours of numbers of a joint that have a range.
RANGED = {"P16": 1, "P8": 2, "U128": 1, "D16": 1, "T16": 3, "T8": 3, "M16": 3}


# The small form: the decoder of bits.

SQUASH = [1, 2, 3, 6, 10, 16, 27, 45, 73, 120, 194, 310, 488, 747, 1101, 1546, 2047, 2549, 2994, 3348, 3607,
          3785, 3901, 3975, 4022, 4050, 4068, 4079, 4085, 4089, 4092, 4093, 4094]


def squash(x):
    at, part = (x >> 7) + 16, x & 127
    return (SQUASH[at] * (128 - part) + SQUASH[at + 1] * part + 64) >> 7


def stretch_table():
    table = []
    for x in range(-2047, 2048):
        table += [x] * (squash(x) + 1 - len(table))
    return table + [2047] * (4096 - len(table))


STRETCH = stretch_table()
STEPS = [131072 // (2 * n + 3) for n in range(61)]


def clamp(x, low, high):
    return low if x < low else high if x > high else x


class Table(dict):
    """What was learned by its context: probabilities, which start at one half, or weights of a mixture."""
    def __init__(self, start=(32768, 0)):
        super().__init__()
        self.start = start

    def __missing__(self, key):
        self[key] = list(self.start)
        return self[key]


class Bits:
    def __init__(self, data):
        self.data = data
        self.low, self.high, self.value, self.next = 0, 0xffffffff, 0, 0
        for _ in range(4):
            self.shift()

    def shift(self):
        byte = self.data[self.next] if self.next < len(self.data) else 0
        self.value = (self.value << 8 | byte) & 0xffffffff
        self.next += 1

    def plain(self, one):
        middle = self.low + (self.high - self.low >> 12) * one
        bit = 1 if self.value <= middle else 0
        if bit:
            self.high = middle
        else:
            self.low = middle + 1
        while self.low >> 24 == self.high >> 24:
            self.low = self.low << 8 & 0xffffffff
            self.high = (self.high << 8 | 0xff) & 0xffffffff
            self.shift()
        return bit

    @staticmethod
    def learn(probability, bit):
        one, seen = probability
        probability[0] = one + (((bit << 16) - one) * STEPS[seen] >> 16)
        probability[1] = min(seen + 1, 60)

    def single(self, probability):
        bit = self.plain(clamp(probability[0] >> 4, 1, 4095))
        self.learn(probability, bit)
        return bit

    def mixed(self, mixer, *by):
        said = [STRETCH[p[0] >> 4] for p in by]
        total = sum(w * s for w, s in zip(mixer, said)) >> 16
        one = clamp(squash(clamp(total, -2047, 2047)), 1, 4095)
        bit = self.plain(one)
        error = (bit << 12) - one
        for i, s in enumerate(said):
            mixer[i] = clamp(mixer[i] + (error * s * 5 >> 12), -(1 << 20), 1 << 20)
        for p in by:
            self.learn(p, bit)
        return bit


def level(error):
    if error == 0.0:
        return 0
    part, exponent = math.frexp(error)
    return clamp(2 * (exponent + 2) + (1 if part >= 0.75 else 0), 0, 39)


class Residuals:
    def __init__(self, bits):
        self.bits = bits
        self.tables = [Table() for _ in range(7)]
        self.mixers = Table((26214, 26214, 26214))

    def code(self, predicted, width, kind, slot, own, near, apart):
        by_own, by_near, by_both, sign_rest, sign_slot, bits_own, bits_near = self.tables
        nearest = math.floor(predicted + 0.5)
        rest = predicted - nearest
        length = 0
        while length < width:
            step = length + 3 if length else min(int(abs(rest) * 8.0), 3)
            if not self.bits.mixed(self.mixers["length", length], by_own[kind, own, step],
                                   by_near[kind, near, length], by_both[kind, (own + near) // 2, length]):
                break
            length += 1
        if length == 0:
            return nearest
        capped = min(length, 7)
        side = clamp(math.floor((rest + 0.5) * 16.0), 0, 15)
        below = self.bits.mixed(self.mixers["sign"], sign_rest[side, capped], sign_slot[slot, capped])
        distance = 1
        for _ in range(length - 1):
            if distance < 4:
                distance = 2 * distance + self.bits.mixed(
                    self.mixers["bits", length], bits_own[length, own // 2, distance],
                    bits_near[length, near, distance])
            else:
                distance = 2 * distance + self.bits.plain(2048)
        return nearest - apart * distance if below else nearest + apart * distance


class LeastSquares:
    def __init__(self, count):
        self.count = count
        self.squares = [[0.0] * count for _ in range(count)]
        self.products = [0.0] * count
        self.weights = [0.5] + [0.0] * (count - 1)
        self.seen = 0

    def predict(self, numbers):
        total = 0.0
        for weight, number in zip(self.weights, numbers):
            total += weight * number
        return total

    def learn(self, numbers, to, trust):
        for i in range(self.count):
            own = trust * numbers[i]
            row = self.squares[i]
            for j in range(i + 1):
                row[j] = 0.985 * row[j] + own * numbers[j]
            self.products[i] = 0.985 * self.products[i] + own * to
        self.seen += 1
        if self.seen % 8 == 0:
            self.solve()

    def solve(self):
        n = self.count
        lower = [[0.0] * n for _ in range(n)]
        inverse = [0.0] * n
        for i in range(n):
            for j in range(i):
                total = self.squares[i][j]
                for k in range(j):
                    total -= lower[i][k] * lower[j][k]
                lower[i][j] = total * inverse[j]
            total = self.squares[i][i] + 8.0
            for k in range(i):
                total -= lower[i][k] * lower[i][k]
            if not total > 1e-9:
                return
            inverse[i] = 1.0 / math.sqrt(total)
        solved = [0.0] * n
        for i in range(n):
            total = self.products[i] + 0.5 * 8.0 if i == 0 else self.products[i]
            for k in range(i):
                total -= lower[i][k] * solved[k]
            solved[i] = total * inverse[i]
        for i in reversed(range(n)):
            total = solved[i]
            for k in range(i + 1, n):
                total -= lower[k][i] * solved[k]
            solved[i] = total * inverse[i]
        self.weights = solved


# The small form: poses.

NONE = (0.0, 0.0, 0.0, 1.0)
WORLD = ((0.0, 0.0, 0.0), NONE, 1.0)


def times(a, b):
    return (a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
            a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
            a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
            a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2])


def inverse_turn(q):
    return (-q[0], -q[1], -q[2], q[3])


def unit(q):
    length = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return tuple(x / length for x in q) if length > 1e-9 else NONE


def towards(q, near):
    dot = q[0] * near[0] + q[1] * near[1] + q[2] * near[2] + q[3] * near[3]
    return tuple(-x for x in q) if dot < 0.0 else q


def turned(q, v):
    c = (q[1] * v[2] - q[2] * v[1] + q[3] * v[0],
         q[2] * v[0] - q[0] * v[2] + q[3] * v[1],
         q[0] * v[1] - q[1] * v[0] + q[3] * v[2])
    return (v[0] + 2.0 * (q[1] * c[2] - q[2] * c[1]),
            v[1] + 2.0 * (q[2] * c[0] - q[0] * c[2]),
            v[2] + 2.0 * (q[0] * c[1] - q[1] * c[0]))


def placed(parent, offset):
    away = turned(parent[1], offset)
    return tuple(parent[0][i] + parent[2] * away[i] for i in range(3))


class PoseGuess:
    def __init__(self, offset, parent):
        self.parent = parent
        self.frame = 0
        self.mean = self.offset = self.before = offset
        self.locals = []
        self.last = NONE

    def now(self):
        return self.parent[self.frame] if self.parent else WORLD

    def guess(self):
        parent = self.now()
        onwards = tuple(2.0 * self.offset[i] - self.before[i] for i in range(3))
        places = [placed(parent, offset) for offset in (self.mean, self.offset, onwards)]
        if self.frame == 0:
            return places, [parent[1]] * 3
        now = self.locals[0]
        kinds = [now, now, now]
        if self.frame > 1:
            kinds[1] = unit(tuple(2.0 * now[i] - self.locals[1][i] for i in range(4)))
            kinds[2] = kinds[1]
        if self.frame > 2:
            kinds[2] = unit(tuple(3.0 * now[i] - 3.0 * self.locals[1][i] + self.locals[2][i] for i in range(4)))
        return places, [towards(times(parent[1], kind), self.last) for kind in kinds]

    def tell(self, pose):
        parent = self.now()
        away = tuple(pose[0][i] - parent[0][i] for i in range(3))
        shrink = 1.0 / parent[2] if parent[2] > 1e-6 else 1.0
        offset = tuple(x * shrink for x in turned(inverse_turn(parent[1]), away))
        share = max(0.1, 1.0 / (self.frame + 1))
        if self.frame == 0:
            self.mean = self.before = offset
        else:
            self.mean = tuple(m + (o - m) * share for m, o in zip(self.mean, offset))
            self.before = self.offset
        self.offset = offset
        local = times(inverse_turn(parent[1]), pose[1])
        self.locals = [local] + [towards(old, local) for old in self.locals[:2]]
        self.last = pose[1]
        self.frame += 1


# The small form: how far numbers of compact atlases may be off.

def slack_of(a, joint, ranges):
    """For each number of a joint; `ranges` has (low, size) for each."""
    mm, reach = a["compact"][0], a["compact"][1][joint]
    only_turns = a["components"] == 2
    kinds = []
    for channel in range(len(ranges)):
        texel = 1 if only_turns else channel // 4
        kinds.append("scale" if texel == 2 or (texel == 0 and channel % 4 == 3) else ("place", "turn")[texel])
    # T16 has its scales in a texel of their own, and nothing beside the place.
    trs = a["encoding"][0] == "T"
    scaled = [c for c, kind in enumerate(kinds) if kind == "scale" and (c // 4 == 2 and c % 4 < 3) == trs]
    largest = max((max(abs(low), abs(low + size)) for low, size in (ranges[c] for c in scaled)), default=1.0)
    scale_share = 0.1 if any(ranges[c][1] > 0.0 for c in scaled) else 0.0
    share = 0.5 * (1.0 - scale_share)
    meters = mm / 1000.0
    slack = {"place": share * meters / math.sqrt(3.0),
             "turn": 0.999 * share * meters / (4.0 * (reach * largest)),
             "scale": scale_share * meters / reach}
    return [int(min(slack[kind] / (size / 65535.0), 32767.0)) if size > 0.0 else 0
            for kind, (_, size) in zip(kinds, ranges)]


# The small form: a clip.

class SmallClip:
    def __init__(self, a, number, data, compact=False):
        self.bits = Bits(data)
        self.residuals = Residuals(self.bits)
        self.kind = CHANNEL[a["encoding"]]
        self.width = 8 * BYTES[self.kind]
        self.top = (1 << self.width) - 1
        self.channels = PER_TEXEL.get(a["encoding"], 4) * a["block"][0]
        self.frames = a["clips"][number]["frames"]
        self.joints = a["joints"]
        pivot_form = a["encoding"][0] in "PUD"
        self.scales = pivot_form
        if a["encoding"][0] == "M" or self.kind == "e":
            self.roles = ["plain"] * 3
        elif a["encoding"] == "D16":
            self.roles = ["plain", "turn"]
        elif a["components"] == 2:
            self.roles = ["turn"]
        else:
            self.roles = ["place", "turn", "plain"]
        self.offsets = [self.offset_of(joint, pivot_form) for joint in self.joints]
        ranged = min(RANGED.get(a["encoding"], 0), self.channels // 4)
        self.ranges = []
        for joint in range(len(self.joints)):
            first = {0: 0, 1: joint, 2: number * len(self.joints) + joint}[a["mode"]] * ranged
            sets = a["ranges"][first:first + ranged]
            self.ranges.append([(sets[c // 4][0][c % 4], sets[c // 4][1][c % 4]) if c // 4 < ranged else
                                (-1.0, 2.0) for c in range(self.channels)])
        self.slack = [slack_of(a, joint, own) if compact else [0] * self.channels
                      for joint, own in enumerate(self.ranges)]
        self.few = [LeastSquares(7) for _ in range(self.channels)]
        self.many = [LeastSquares(10) for _ in range(4)]
        self.flags = Table()

    def offset_of(self, joint, pivot_form):
        at = joint["pivot"]
        if joint["parent"] < 0:
            return tuple(at)
        parent = self.joints[joint["parent"]]
        if pivot_form:
            return tuple(at[i] - parent["pivot"][i] for i in range(3))
        m = parent["inverse"]
        return tuple(m[4 * i] * at[0] + m[4 * i + 1] * at[1] + m[4 * i + 2] * at[2] + m[4 * i + 3]
                     for i in range(3))

    def role(self, slot):
        return self.roles[slot // 4]

    def is_place(self, slot):
        return self.role(slot) == "place" and slot % 4 < 3

    def value(self, joint, channel, number):
        low, size = self.ranges[joint][channel]
        return low + size * (number / self.top)

    def number_of(self, channel, value):
        low, size = self.ranges[self.joint][channel]
        if not size > 0.0:
            return 0.0
        return clamp((value - low) / size * self.top, -float(self.top), 2.0 * self.top)

    def pose(self, joint, numbers):
        place, turn, scale = WORLD
        for texel in range(self.channels // 4):
            values = [self.value(joint, c, numbers[c]) for c in range(4 * texel, 4 * texel + 4)]
            if self.roles[texel] == "place":
                place = tuple(values[:3])
                scale = values[3] if self.scales else 1.0
            elif self.roles[texel] == "turn":
                turn = unit(tuple(values))
        return place, turn, scale

    def run(self):
        self.numbers = []
        self.levels = []
        for self.joint, entry in enumerate(self.joints):
            parent = entry["parent"]
            self.parent = parent
            poses = [self.pose(parent, numbers) for numbers in self.numbers[parent]] if parent >= 0 else []
            self.has_parent = parent >= 0
            keeps = self.keeps = [self.bits.single(self.flags["keeps", c]) for c in range(self.channels)]
            closes = self.bits.single(self.flags["closes"])
            guess = PoseGuess(self.offsets[self.joint], poses)
            self.trails = [[4.0, 4.0] if self.is_place(s) else [30.0, 30.0] for s in range(self.channels)]
            self.rows = []
            self.numbers.append(self.rows)
            self.levels.append([])
            for self.frame in range(self.frames - closes):
                self.guesses = guess.guess()
                self.rows.append([0] * self.channels)
                self.levels[-1].append([0] * self.channels)
                self.code_frame(keeps)
                guess.tell(self.pose(self.joint, self.rows[-1]))
            if closes:
                self.rows.append(list(self.rows[0]))
                self.levels[-1].append([0] * self.channels)
        mark = 0
        for _ in range(16):
            mark = 2 * mark + self.bits.plain(2048)
        if mark != 0xa35c or self.bits.next != len(self.bits.data) + 3:
            raise ValueError("a packed clip has bytes too many or too few")
        return b"".join(self.bytes_of(number) for joint in self.numbers for row in joint for number in row)

    def bytes_of(self, number):
        if self.kind == "e":  # halves in the order of their values
            number = number & 0x7fff if number & 0x8000 else number ^ 0xffff
        return number.to_bytes(self.width // 8, "little")

    def channel_at(self, slot):
        if self.role(slot) != "turn":
            return slot
        turn = self.guesses[1][1]
        largest = 3
        for i in range(4):
            if abs(turn[i]) > abs(turn[largest]):
                largest = i
        if slot % 4 == 3:
            return slot - 3 + largest
        return slot if slot % 4 < largest else slot + 1

    def code_frame(self, keeps):
        self.errors = [0.0] * self.channels
        row = self.rows[-1]
        for slot in range(self.channels):
            channel = self.channel_at(slot)
            if self.frame > 0 and keeps[channel]:
                row[channel] = self.rows[-2][channel]
                continue
            error = self.code_number(slot, channel)
            if self.frame > 0:
                trail = self.trails[slot]
                trail[0] += (abs(error) - trail[0]) * 0.3
                trail[1] += (abs(error) - trail[1]) * 0.06
            self.errors[slot] = error
            self.levels[-1][-1][slot] = level(abs(error))

    def code_number(self, slot, channel):
        from_norm = self.role(slot) == "turn" and slot % 4 == 3
        context, expected = self.context(slot, channel, from_norm)
        if self.frame == 0:
            return self.code_as(channel, self.first_guess(slot, channel, from_norm), context)
        if from_norm:
            return self.code_as(channel, self.by_norm(slot, channel), context)
        many = self.role(slot) == "turn" and self.roles[0] == "place"
        learner = self.many[slot % 4] if many else self.few[slot]
        base, numbers = self.gather(slot, channel, learner.count)
        predicted = base + learner.predict(numbers)
        if not -self.top < predicted < 2.0 * self.top:
            predicted = base
        error = self.code_as(channel, predicted, context)
        learner.learn(numbers, float(self.rows[-1][channel]) - base, 1.0 / (0.3 + expected * expected))
        return error

    def code_as(self, channel, predicted, context):
        predicted = predicted if predicted > 0.0 else 0.0
        predicted = min(predicted, float(self.top))
        slack = 0 if self.keeps[channel] else self.slack[self.joint][channel]
        number = self.residuals.code(predicted, self.width, *context, 2 * slack + 1)
        if not -slack <= number <= self.top + slack:
            raise ValueError("a packed clip is damaged")
        number = clamp(number, 0, self.top)
        self.rows[-1][channel] = number
        return number - predicted

    def context(self, slot, channel, from_norm):
        kind = 3 if from_norm else 2 if self.role(slot) == "turn" else 0 if self.is_place(slot) else 1
        near = 0.0
        in_texel = slot % 4
        for i in range(1, in_texel + 1):
            near += abs(self.errors[slot - i])
        if in_texel:
            near = near / in_texel
        fast, slow = self.trails[slot]
        expected = 0.6 * fast + 0.4 * slow
        if from_norm:
            turn = self.guesses[1][1]
            own = channel % 4
            others = 0.0
            for i in range(4):
                others += 0.0 if i == own else abs(turn[i])
            size = max(abs(turn[own]), 0.05)
            expected = 0.3 / size
            near = others / size * 0.3
        elif self.frame == 0:
            expected = 20.0 if self.is_place(slot) else 2000.0
            near = 20.0
        elif in_texel == 0:
            near = fast
        near_level = level(near)
        if self.frame > 0 and in_texel == 0 and self.has_parent:
            near_level = self.levels[self.parent][self.frame][slot]
        return (kind, slot, level(expected), near_level), expected

    def gather(self, slot, channel, count):
        rows = self.rows
        v1 = float(rows[-2][channel])
        v2 = 2.0 * v1 - rows[-3][channel] if self.frame > 1 else v1
        v3 = 3.0 * v1 - 3.0 * rows[-3][channel] + rows[-4][channel] if self.frame > 2 else v2
        numbers = [0.0] * count
        numbers[4] = self.errors[slot - 1] if slot % 4 > 0 else 0.0
        numbers[5] = self.errors[slot - 2] if slot % 4 > 1 else 0.0
        axis = channel % 4
        if self.role(slot) == "turn":
            guessed = self.guesses[1]
        elif self.is_place(slot) and self.has_parent:
            guessed = self.guesses[0]
        else:
            numbers[0] = v2 - v1
            numbers[1] = v3 - v1
            return v1, numbers
        base = self.number_of(channel, guessed[1][axis])
        numbers[0] = self.number_of(channel, guessed[0][axis]) - base
        numbers[1] = self.number_of(channel, guessed[2][axis]) - base
        numbers[2] = v2 - base
        numbers[3] = v1 - base
        numbers[6] = v3 - base
        numbers[7:] = self.errors[:count - 7]
        return base, numbers

    def first_guess(self, slot, channel, from_norm):
        if from_norm:
            return self.by_norm(slot, channel)
        if self.is_place(slot):
            return self.number_of(channel, self.guesses[0][0][channel % 4])
        if self.role(slot) == "turn":
            return self.number_of(channel, self.guesses[1][0][channel % 4])
        return float(self.numbers[self.parent][0][channel]) if self.has_parent else 0.0

    def by_norm(self, slot, channel):
        rest = 1.0
        for i in range(3):
            other = self.channel_at(slot - 3 + i)
            value = self.value(self.joint, other, self.rows[-1][other])
            rest = rest - value * value
        length = math.sqrt(rest) if rest > 0.0 else 0.0
        below = self.guesses[1][1][channel % 4] < 0.0
        return self.number_of(channel, -length if below else length)
