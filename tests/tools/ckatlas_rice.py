"""The form of packed clips by rules and Rice's codes in .ckatlas files, by docs/ckatlas-packed.md (read_ckatlas.py)."""
import ctypes
import math

# The numbers of an encoding; words of U128 are pairs of 16 bits.
CHANNEL = {"P16": "H", "P16F": "e", "P8": "B", "U128": "H", "U64": "I", "D16": "H", "R64": "I", "R32": "I", "T32": "f",
           "T16": "H", "T8": "B", "M32": "f", "M16": "H", "M16F": "e"}
BYTES = {"H": 2, "f": 4, "B": 1, "e": 2, "I": 4}
# How many of these a texel has, where it is not 4.
PER_TEXEL = {"U128": 8, "U64": 2, "R64": 2, "R32": 1}
# The fours of numbers of a joint that have a range.
RANGED = {"P16": 1, "P8": 2, "U128": 1, "D16": 1, "T16": 3, "T8": 3, "M16": 3}

PIECE = 1024


def single(x):
    """Rounded to single precision; of + - * / and square root of such numbers the result is exact to the bit."""
    return ctypes.c_float(x).value


def add(a, b):
    return single(a + b)


def sub(a, b):
    return single(a - b)


def mul(a, b):
    return single(a * b)


def total(*numbers):
    result = numbers[0]
    for number in numbers[1:]:
        result = add(result, number)
    return result


def times(a, b):
    m = mul
    return (sub(total(m(a[3], b[0]), m(a[0], b[3]), m(a[1], b[2])), m(a[2], b[1])),
            total(sub(m(a[3], b[1]), m(a[0], b[2])), m(a[1], b[3]), m(a[2], b[0])),
            add(sub(add(m(a[3], b[2]), m(a[0], b[1])), m(a[1], b[0])), m(a[2], b[3])),
            sub(sub(sub(m(a[3], b[3]), m(a[0], b[0])), m(a[1], b[1])), m(a[2], b[2])))


def inverse(q):
    return (-q[0], -q[1], -q[2], q[3])


def turned(q, v):
    m = mul
    c = (add(sub(m(q[1], v[2]), m(q[2], v[1])), m(q[3], v[0])),
         add(sub(m(q[2], v[0]), m(q[0], v[2])), m(q[3], v[1])),
         add(sub(m(q[0], v[1]), m(q[1], v[0])), m(q[3], v[2])))
    return (add(v[0], m(2.0, sub(m(q[1], c[2]), m(q[2], c[1])))),
            add(v[1], m(2.0, sub(m(q[2], c[0]), m(q[0], c[2])))),
            add(v[2], m(2.0, sub(m(q[0], c[1]), m(q[1], c[0])))))


def dot(a, b):
    return total(*(mul(x, y) for x, y in zip(a, b)))


def towards(q, near):
    return tuple(-x for x in q) if dot(near, q) < 0.0 else q


class Stream:
    """Bits, the lowest of every byte first."""
    def __init__(self, data):
        self.data, self.at = data, 0

    def bit(self):
        byte = self.data[self.at >> 3]
        self.at += 1
        return byte >> (self.at - 1 & 7) & 1

    def number(self, count):
        return sum(self.bit() << place for place in range(count))

    def at_end(self):
        return (self.at + 7) // 8 == len(self.data)


WORLD = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))


class Joint:
    """One joint in one piece."""
    def __init__(self, clip, number, head):
        self.clip = clip
        self.parent = clip.joints[number]["parent"]
        self.top = clip.top
        self.low = [single(low) for low, _ in clip.ranges[number]]
        sizes = [single(size) for _, size in clip.ranges[number]]
        self.step = [single(size / self.top) for size in sizes]
        self.per = [single(self.top / size) if size > 0.0 else 0.0 for size in sizes]
        self.head = head
        self.trails = [8 if clip.is_place(c) else 60 for c in range(clip.channels)]
        self.rows = []
        self.offset = tuple(single(x) for x in clip.offsets[number])
        self.mean = self.offset_before = self.offset
        self.local = self.local_before = self.turn = WORLD[1]

    def keeps(self, channel):
        return len(self.rows) > 0 and self.head[channel // 4] >> channel % 4 & 1

    def code(self, channel, counts, bits):
        """The difference of a channel from its prediction."""
        if not self.rows:
            low = 11 - (16 - self.clip.width)
        else:
            trail = self.trails[channel]
            low = max((trail + (trail >> 2)).bit_length() - 3, 0)
        zeros = 0
        while zeros < 16 and not counts.bit():
            zeros += 1
        folded = bits.number(16) if zeros == 16 else zeros << low | bits.number(low)
        if self.rows:
            self.trails[channel] += (folded + 1 >> 1) - (self.trails[channel] >> 2)
        return folded >> 1 if folded % 2 == 0 else -(folded >> 1) - 1

    def number_of(self, channel, value):
        number = add(mul(sub(value, self.low[channel]), self.per[channel]), 0.5)
        number = number if number > 0.0 else 0.0
        return int(number if number < self.top else self.top)

    def value(self, channel, number):
        return add(self.low[channel], mul(single(number), self.step[channel]))

    def limited(self, number):
        return min(max(number, 0), self.top)

    def before(self, frames, channel):
        if not self.rows:
            return 0
        return self.rows[max(len(self.rows) - frames, 0)][channel]

    def evenly(self, channel):
        return self.limited(2 * self.before(1, channel) - self.before(2, channel))

    def settle(self, channel, guess):
        if self.keeps(channel):
            return self.before(1, channel)
        return guess + self.differences[channel] & self.top

    def frame(self, differences, parent):
        """The pose that follows from the differences of all channels."""
        self.differences = differences
        self.row = [0] * self.clip.channels
        place, turn = WORLD
        for texel in range(self.clip.channels // 4):
            way, last = self.head[texel] >> 4 & 3, self.head[texel] >> 6
            kind = self.clip.roles[texel]
            if kind == "place":
                place = self.place(4 * texel, way, parent)
            elif kind == "turn":
                turn = self.rotation(4 * texel, way, last, parent)
            else:
                self.plain(4 * texel, way)
        self.rows.append(self.row)
        return place, turn

    def place(self, first, way, parent):
        if way == 0:
            offset = self.mean
        else:
            on = 1.0 if way == 2 else 0.0
            offset = tuple(add(a, mul(sub(a, b), on)) for a, b in zip(self.offset, self.offset_before))
        guess = [add(p, o) for p, o in zip(parent[0], turned(parent[1], offset))]
        for i in range(3):
            alone = way == 3 and self.rows
            number = self.evenly(first + i) if alone else self.number_of(first + i, guess[i])
            self.row[first + i] = self.settle(first + i, number)
        self.row[first + 3] = self.settle(first + 3, self.before(1, first + 3))
        place = tuple(self.value(first + i, self.row[first + i]) for i in range(3))
        offset = turned(inverse(parent[1]), tuple(sub(a, b) for a, b in zip(place, parent[0])))
        self.offset_before = self.offset if self.rows else offset
        self.offset = offset
        share = max(single(0.1), single(1.0 / (len(self.rows) + 1)))
        self.mean = tuple(add(m, mul(sub(o, m), share)) for m, o in zip(self.mean, offset))
        return place

    def rotation(self, first, way, last, parent):
        on = (0.0, 1.0, 0.5, 0.0)[way]
        g = tuple(add(a, mul(sub(a, b), on)) for a, b in zip(self.local, self.local_before))
        size = sub(1.5, mul(0.5, dot(g, g)))
        guess = towards(times(parent[1], tuple(mul(x, size) for x in g)), self.turn)
        rest = 1.0
        for i in range(4):
            if i == last:
                continue
            alone = way == 3 and self.rows
            number = self.evenly(first + i) if alone else self.number_of(first + i, guess[i])
            self.row[first + i] = self.settle(first + i, number)
            value = self.value(first + i, self.row[first + i])
            rest = sub(rest, mul(value, value))
        length = single(math.sqrt(rest)) if rest > 0.0 else 0.0
        number = self.number_of(first + last, -length if guess[last] < 0.0 else length)
        self.row[first + last] = self.settle(first + last, number)
        turn = tuple(self.value(first + i, self.row[first + i]) for i in range(4))
        local = times(inverse(parent[1]), turn)
        self.local_before = towards(self.local, local) if self.rows else local
        self.local = local
        self.turn = turn
        return turn

    def plain(self, first, way):
        for channel in range(first, first + 4):
            one, two, three = (self.before(frames, channel) for frames in (1, 2, 3))
            step = one - two
            on = (0, step, step >> 1, 2 * step - (two - three))[way]
            self.row[channel] = self.settle(channel, self.limited(one + on))


class Model:
    """The facts about a clip before its first bit."""
    def __init__(self, a, number):
        kind = CHANNEL[a["encoding"]]
        self.width = 8 * BYTES[kind]
        self.top = (1 << self.width) - 1
        self.channels = PER_TEXEL.get(a["encoding"], 4) * a["block"][0]
        self.frames = a["clips"][number]["frames"]
        self.joints = a["joints"]
        if a["encoding"] == "D16":
            self.roles = ["plain", "turn"]
        elif a["components"] == 2:
            self.roles = ["turn"]
        else:
            self.roles = ["place", "turn", "plain"]
        self.offsets = [self.offset_of(joint, a["encoding"][0] in "PUD") for joint in self.joints]
        ranged = min(RANGED[a["encoding"]], self.channels // 4)
        self.ranges = []
        for joint in range(len(self.joints)):
            first = {0: 0, 1: joint, 2: number * len(self.joints) + joint}[a["mode"]] * ranged
            sets = a["ranges"][first:first + ranged]
            self.ranges.append([(sets[c // 4][0][c % 4], sets[c // 4][1][c % 4]) if c // 4 < ranged else
                                (-1.0, 2.0) for c in range(self.channels)])

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

    def is_place(self, channel):
        return self.roles[channel // 4] == "place" and channel % 4 < 3

    def bytes_of(self, number):
        return number.to_bytes(self.width // 8, "little")


class RiceClip:
    def __init__(self, a, number, data):
        self.clip = Model(a, number)
        self.data = data

    def take(self, count):
        if self.at + count > len(self.data):
            raise ValueError("a packed clip ends too early")
        self.at += count
        return self.data[self.at - count:self.at]

    def run(self):
        clip = self.clip
        pieces = (clip.frames + PIECE - 1) // PIECE
        self.at = 0
        sizes = [int.from_bytes(self.take(4), "little") for _ in range(2 * pieces)]
        texels = clip.channels // 4
        rows = [[] for _ in clip.joints]
        for piece in range(pieces):
            head = self.take(len(clip.joints) * texels)
            counts, bits = Stream(self.take(sizes[2 * piece])), Stream(self.take(sizes[2 * piece + 1]))
            frames = min(PIECE, clip.frames - piece * PIECE)
            joints = [Joint(clip, j, head[j * texels:(j + 1) * texels]) for j in range(len(clip.joints))]
            self.piece(joints, frames, counts, bits)
            if not counts.at_end() or not bits.at_end():
                raise ValueError("a packed clip has bytes too many")
            for all_rows, joint in zip(rows, joints):
                all_rows += joint.rows
        if self.at != len(self.data):
            raise ValueError("bytes follow a packed clip")
        return b"".join(clip.bytes_of(number) for joint in rows for row in joint for number in row)

    def eights(self, joints):
        depths = []
        for joint in joints:
            depths.append(0 if joint.parent < 0 else depths[joint.parent] + 1)
        for depth in range(max(depths) + 1):
            same = [number for number, own in enumerate(depths) if own == depth]
            for first in range(0, len(same), 8):
                yield same[first:first + 8]

    def piece(self, joints, frames, counts, bits):
        eights = list(self.eights(joints))
        for _ in range(frames):
            poses = {-1: WORLD}
            for eight in eights:
                differences = {number: [0] * self.clip.channels for number in eight}
                for channel in range(self.clip.channels):
                    for number in eight:
                        if not joints[number].keeps(channel):
                            differences[number][channel] = joints[number].code(channel, counts, bits)
                for number in eight:
                    joint = joints[number]
                    poses[number] = joint.frame(differences[number], poses[joint.parent])
