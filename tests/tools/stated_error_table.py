#!/usr/bin/env python3
"""Compares the vertex error that `kiln bake` states with one that is sampled by other means.

For every rig: bakes it with the defaults, decodes the atlas at many random moments of each clip
with decode_atlas.py, which shares nothing with the program, poses the source by `kiln pose`, moves
the vertices by both and prints how far they are apart at most. Moments are random and never refined,
so the sampled figure is below the true maximum, or at it. How far below depends on how narrow the
peak is; so the column "there" has what the same witnesses find at the moment that the program names
as its worst. Python's standard library only.

  stated_error_table.py --kiln build/dev/bin/kiln ../shared/models
  stated_error_table.py --kiln build/dev/bin/kiln RIG.glb --moments 200 --least 0.97
  stated_error_table.py --kiln build/dev/bin/kiln ../shared/models --encoding U64 --export raw,json

The closing step of a clip with an exclusive seam has no source in the file and is not sampled.
Exits with 1 if a rig's sampled error is above the stated one by more than --most (0.03 of it and
0.001 mm), or if its share of the stated one is below --least.
"""

import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import decode_atlas  # noqa: E402

ENDINGS = (".glb", ".gltf", ".fbx", ".dae", ".md5mesh", ".bvh", ".x")
# The moments that one call of `kiln pose` gives.
BATCH = 200
# Errors below this are rounding of the numbers that both sides print.
FLOOR_MM = 0.001


def stated_error(document):
    """The stated vertex error in millimetres: maximum, clip and time, of any version of the keys."""
    error = document["error"]
    figure = error.get("vertex")
    if figure is None:
        return error["vertexMaxMm"], "", None
    return figure["maxMm"], figure["worst"]["clip"], figure["worst"]["timeSeconds"]


class Kiln:
    def __init__(self, path):
        self.path = str(Path(path).resolve())

    def document(self, *arguments):
        """The document of a command, or nothing with the reason."""
        done = subprocess.run([self.path, *map(str, arguments), "--json"], capture_output=True)
        if done.returncode not in (0, 1):
            try:
                return None, json.loads(done.stdout)["error"]["message"]
            except (ValueError, KeyError):
                return None, f"exit code {done.returncode}"
        return json.loads(done.stdout), ""


class Vertices:
    """The vertices of a rig and ways to move them."""

    def __init__(self, meshes, influences):
        self.rows = []  # (mesh, vertex, position, all influences, drawn influences)
        self.targets = []  # per mesh: {vertex: [(target, delta)]}
        seen = set()
        for number, mesh in enumerate(meshes):
            moved = {}
            for target, morph in enumerate(mesh["morphTargets"]):
                deltas = morph["positionDeltas"]
                for entry, vertex in enumerate(morph["vertices"]):
                    moved.setdefault(vertex, []).append((target, tuple(deltas[entry * 3 : entry * 3 + 3])))
            self.targets.append(moved)
            starts, places = mesh["influenceStarts"], mesh["bindPositions"]
            for v in range(len(starts) - 1):
                span = range(starts[v], starts[v + 1])
                every = tuple((mesh["skinJoints"][i], mesh["weights"][i]) for i in span)
                drawn = every[:influences]
                total = sum(weight for _, weight in drawn)
                drawn = tuple((joint, weight / total) for joint, weight in drawn) if total > 0 else ()
                position = tuple(places[v * 3 : v * 3 + 3])
                key = (position, every, tuple(moved.get(v, ())), number if v in moved else -1)
                if every and key not in seen:
                    seen.add(key)
                    self.rows.append((number, v, position, every, drawn))
        # Vertices with all of their influences drawn and without morphs move by a mean of the
        # differences of their joints: those of a joint are at most as far off as the joint's corners.
        self.plain, self.other = {}, []
        for row in self.rows:
            number, v, _, every, drawn = row
            if len(every) > influences or v in self.targets[number]:
                self.other.append(row)
            else:
                self.plain.setdefault(drawn[0][0], []).append(row)
        # For every group the joints that its vertices follow, each with the box of those vertices.
        self.groups = []
        for rows in self.plain.values():
            boxes = {}
            for _, _, position, _, drawn in rows:
                for joint, _ in drawn:
                    low, high = boxes.setdefault(joint, (list(position), list(position)))
                    for axis in range(3):
                        low[axis] = min(low[axis], position[axis])
                        high[axis] = max(high[axis], position[axis])
            boxes = {j: ([(a + b) / 2 for a, b in zip(*box)], [(b - a) / 2 for a, b in zip(*box)])
                     for j, box in boxes.items()}
            self.groups.append((boxes, rows))

    def worst(self, source, drawn, source_weights, drawn_weights, floor):
        """The largest distance at one moment, if it is above `floor`, which else comes back. Matrices
        are rows of four numbers."""
        off = [[[a - b for a, b in zip(one, two)] for one, two in zip(s, d)] for s, d in zip(source, drawn)]
        most = floor
        bounded = []
        for boxes, rows in self.groups:
            bound = max(reach(off[joint], *box) for joint, box in boxes.items())
            bounded.append((bound, rows))
        bounded.sort(key=lambda pair: -pair[0])
        for bound, rows in bounded:
            if bound <= most:
                break
            for _, _, position, _, influences in rows:
                most = max(most, length(blended(off, influences, position)))
        for number, v, position, every, influences in self.other:
            deltas = self.targets[number].get(v, ())
            there = shaped(position, deltas, source_weights[number])
            here = shaped(position, deltas, drawn_weights[number])
            a, b = blended(source, every, there), blended(drawn, influences, here)
            most = max(most, length([p - q for p, q in zip(a, b)]))
        return most


def reach(rows, center, half):
    """No point of the box is moved farther from the origin."""
    moved = [row[0] * center[0] + row[1] * center[1] + row[2] * center[2] + row[3] for row in rows]
    wide = [abs(row[0]) * half[0] + abs(row[1]) * half[1] + abs(row[2]) * half[2] for row in rows]
    return length(moved) + length(wide)


def length(v):
    return math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


def blended(matrices, influences, p):
    x = y = z = 0.0
    for joint, weight in influences:
        a, b, c = matrices[joint]
        x += weight * (a[0] * p[0] + a[1] * p[1] + a[2] * p[2] + a[3])
        y += weight * (b[0] * p[0] + b[1] * p[1] + b[2] * p[2] + b[3])
        z += weight * (c[0] * p[0] + c[1] * p[1] + c[2] * p[2] + c[3])
    return (x, y, z)


def shaped(p, deltas, weights):
    x, y, z = p
    for target, delta in deltas:
        x += weights[target] * delta[0]
        y += weights[target] * delta[1]
        z += weights[target] * delta[2]
    return (x, y, z)


def rows_of(matrix):
    """Three rows of a column-major matrix."""
    return [[matrix[column * 4 + row] for column in range(4)] for row in range(3)]


class Drawn(decode_atlas.Atlas):
    """A decoded atlas, which keeps the frames that it has decoded."""

    def __init__(self, sidecar):
        kinds = [f["kind"] for f in json_of(sidecar)["files"]]
        super().__init__(sidecar, next(kind for kind in ("png", "exr", "raw") if kind in kinds))
        self.kept = {}

    def frame_poses(self, clip, frame):
        if (clip, frame) not in self.kept:
            if len(self.kept) > 400:
                self.kept.clear()
            self.kept[clip, frame] = super().frame_poses(clip, frame)
        return self.kept[clip, frame]

    def skins(self, clip, unit):
        return [rows_of(joint["matrix"]) for joint in self.matrices(self.poses_at(clip, unit, "relative"))]

    def morph_weights(self, clip, unit, meshes):
        """The drawn weights of each mesh: those of the clip's slots, by name, else the defaults."""
        morphs = self.side.get("morphs")
        if not morphs:
            return [mesh["defaultMorphWeights"] for mesh in meshes]
        entry = morphs["clips"][clip]
        i, share = self.frame_at(clip, unit)
        slots, named = morphs["slotsPerFrame"], {}
        most = (1 << morphs.get("bitsPerWeight", 8)) - 1
        for slot, of in enumerate(entry["slots"]):
            one, two = (entry["weights"][(i + k) * slots + slot] for k in (0, 1))
            named[of["morph"]] = of["low"] + of["size"] * (one + (two - one) * share) / most
        result = []
        for mesh in meshes:
            weights = list(mesh["defaultMorphWeights"])
            for target, morph in enumerate(mesh["morphTargets"]):
                for index, known in enumerate(morphs["targets"]):
                    # Targets of one name on several meshes have the mesh's name behind theirs.
                    names = (morph["name"], f"{morph['name']} ({mesh['name']})")
                    if known["name"] in names and index in named:
                        weights[target] = named[index]
            result.append(weights)
        return result


def json_of(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def error_at(kiln, rig, atlas, index, vertices, seconds):
    """The largest distance of a vertex at one moment of a clip, in metres; 0 if it cannot be posed."""
    clip = atlas.side["clips"][index]
    if clip["durationSeconds"] <= 0.0:
        return 0.0
    unit = min(max((seconds - clip["startSeconds"]) / clip["durationSeconds"], 0.0), 1.0)
    posed, _ = kiln.document("pose", rig, "--clip", clip["sourceName"], "--times", repr(seconds))
    if posed is None:
        return 0.0
    moment = posed["moments"][0]
    return vertices.worst([rows_of(m) for m in moment["skinMatrices"]], atlas.skins(index, unit),
                          moment["morphWeights"], atlas.morph_weights(index, unit, posed["meshes"]), 0.0)


def measure(kiln, rig, options):
    """Prints the lines of one rig; returns whether its stated error holds."""
    with tempfile.TemporaryDirectory(prefix="stated-error-") as folder:
        encoding = ["--encoding", options.encoding] if options.encoding else []
        baked, reason = kiln.document("bake", rig, "-o", folder, "--export", options.export, *encoding)
        if baked is None:
            print(f"{rig.name}: not baked: {reason}", flush=True)
            return True
        info, reason = kiln.document("info", rig)
        if info is None:
            print(f"{rig.name}: no info: {reason}", flush=True)
            return False
        stated, stated_clip, stated_seconds = stated_error(baked)
        atlas = Drawn(next(str(p) for p in Path(folder).glob("*.atlas.json")))
        lengths = {clip["name"]: clip for clip in info["clips"]}
        random_numbers = random.Random(1)
        vertices, started, overall, there, lines = None, time.monotonic(), 0.0, None, []
        clips = atlas.side["clips"]
        budget = options.seconds / max(len(clips), 1)
        for index, clip in enumerate(clips):
            source = lengths[clip["sourceName"]]
            # The part of the source that is baked; without the step that closes an exclusive seam.
            share = 1.0
            if clip["durationSeconds"] > 0.0:
                share = min(source["durationSeconds"] / clip["durationSeconds"], 1.0)
            # Spread: one random moment in each of as many equal parts, in random order.
            units = [share * (i + random_numbers.random()) / options.moments for i in range(options.moments)]
            random_numbers.shuffle(units)
            worst, taken, clip_started = 0.0, 0, time.monotonic()
            while taken < len(units) and (taken == 0 or time.monotonic() - clip_started < budget):
                batch = sorted(units[taken : taken + BATCH])
                seconds = [clip["startSeconds"] + unit * clip["durationSeconds"] for unit in batch]
                posed, reason = kiln.document("pose", rig, "--clip", clip["sourceName"], "--times",
                                              ",".join(repr(s) for s in seconds))
                if posed is None:
                    print(f"{rig.name}: {clip['name']} cannot be posed: {reason}", flush=True)
                    return False
                if vertices is None:
                    vertices = Vertices(posed["meshes"], atlas.side["influences"])
                for unit, moment in zip(batch, posed["moments"]):
                    worst = vertices.worst([rows_of(m) for m in moment["skinMatrices"]],
                                           atlas.skins(index, unit), moment["morphWeights"],
                                           atlas.morph_weights(index, unit, posed["meshes"]), worst)
                taken += len(batch)
            overall = max(overall, worst)
            if clip["name"] == stated_clip and stated_seconds is not None and vertices is not None:
                there = 1000.0 * error_at(kiln, rig, atlas, index, vertices, stated_seconds)
            lines.append((clip["name"], worst * 1000.0, taken))
        sampled = overall * 1000.0
        ratio = sampled / stated if stated > 0.0 else 1.0
        high = sampled > stated * (1.0 + options.most) + FLOOR_MM
        low = ratio < options.least and stated - sampled > FLOOR_MM
        moments = min(taken for _, _, taken in lines) if lines else 0
        spent = time.monotonic() - started
        print(f"| {rig.parent.name}/{rig.name} | {len(lines)} | {moments} | {stated:.4f} | {sampled:.4f} | "
              f"{ratio:.3f} | {'' if there is None else f'{there:.4f}'} | "
              f"{'ABOVE' if high else 'below' if low else 'ok'} | {spent:.0f} s |", flush=True)
        if options.clips:
            for name, mm, taken in lines:
                mark = " (stated here)" if name == stated_clip else ""
                print(f"|   {name}{mark} | | {taken} | | {mm:.4f} | | | | |", flush=True)
        return not (high or low)


def rigs_of(paths):
    for path in map(Path, paths):
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.suffix.lower() in ENDINGS)
        else:
            yield path


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rigs", nargs="+", help="rig files, or folders of them")
    parser.add_argument("--kiln", default=os.environ.get("KILN", "kiln"))
    parser.add_argument("--moments", type=int, default=1000, help="of each clip (default: 1000)")
    parser.add_argument("--seconds", type=float, default=120.0,
                        help="for a rig, after which its clips get fewer moments (default: 120)")
    parser.add_argument("--export", default="png,json", choices=["png,json", "exr,json", "raw,json"])
    parser.add_argument("--encoding", help="instead of the default; packed words need --export raw,json")
    parser.add_argument("--most", type=float, default=0.03, help="share by which sampled may be above stated")
    parser.add_argument("--least", type=float, default=0.0, help="least share of the stated error")
    parser.add_argument("--clips", action="store_true", help="print every clip")
    options = parser.parse_args()
    kiln = Kiln(options.kiln)
    print("| rig | clips | moments | stated, mm | sampled, mm | ratio | there, mm | | time |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    held = [measure(kiln, rig, options) for rig in rigs_of(options.rigs)]
    return 0 if held and all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
