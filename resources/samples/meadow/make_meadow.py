#!/usr/bin/env python3
"""Writes meadow.crowd beside itself: a herd of does grazing in loose groups, some of them on the
look-out, a file of walkers circling around them and a few that run outside. Deterministic; needs
Python 3 only. Bake it afterwards with

    kiln bake ../animal.glb -o . --export ckatlas && mv animal.ckatlas meadow.ckatlas
"""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import crowd_kit  # noqa: E402

CLIPS = ["graze", "look", "walk", "run"]
# Coats: common, pale, menil, dark, almost black.
COATS = [0xFFFFFF, 0xFFF1DC, 0xF2D2A8, 0xC89468, 0xFFFFFF, 0x9C6A48, 0xFFE2B8, 0x5E4636, 0xF7F0E6]
# Groups: centre x and z, radius in metres, members.
GROUPS = [(-4.6, 3.0, 3.5, 13), (4.6, 3.2, 3.4, 12), (0.1, -1.2, 3.4, 12), (-5.3, -4.6, 3.4, 11), (5.4, -4.4, 3.4, 12),
          (0.1, 7.6, 2.6, 6)]
CLEARANCE = 0.90
WALK_RADIUS, RUN_RADIUS = 12.0, 15.5


def unit(index, stream):
    return crowd_kit.unit(index, stream, 11)


class Actors(crowd_kit.Columns):
    def add(self, clip, x, z, heading, pace=0.0, turn=0.0):
        """pace: relative speed of a traveller on a circle of the radius `turn`."""
        i = self.count
        scale = 0.86 + 0.20 * unit(i, 1)
        values = {
            "clip": CLIPS.index(clip),
            "offset": unit(i, 2),
            # Travellers keep their distance only when all of them are equally fast.
            "rate": pace / scale if turn else 0.88 + 0.24 * unit(i, 3),
            "position": [x, 0.0, z],
            "rotationDegrees": [0.0, math.degrees(heading) % 360.0, 0.0],
            "scale": scale,
            "tint": COATS[int(unit(i, 4) * len(COATS))],
            "on": True,
            "travels": turn != 0.0,
            "turnRadius": turn,
        }
        self.put(values)


def group(actors, placed, number, x, z, radius, members):
    """Members of a group share a rough heading; every fourth looks up, mostly outward."""
    common = 2.0 * math.pi * unit(number, 20)
    added, attempt = 0, 0
    while added < members:
        attempt += 1
        if attempt > 4000:
            raise RuntimeError("group %d has no room for %d members" % (number, members))
        i = number * 10000 + attempt
        angle, r = 2.0 * math.pi * unit(i, 21), radius * math.sqrt(unit(i, 22))
        px, pz = x + r * math.sin(angle), z + r * math.cos(angle)
        heading = common + 2.2 * (unit(i, 23) - 0.5)
        clip = "look" if added % 4 == 3 else "graze"
        if clip == "look":
            heading = math.atan2(px, pz) + 1.4 * (unit(i, 24) - 0.5)
        # An animal is long: keep both its middle and its head away from the others.
        spots = [(px + d * math.sin(heading), pz + d * math.cos(heading)) for d in (-0.35, 0.6)]
        if any(math.hypot(a - c, b - d) < CLEARANCE for a, b in spots for c, d in placed):
            continue
        placed.extend(spots)
        actors.add(clip, px, pz, heading)
        added += 1


def travellers(actors, clip, angles, radius, turn):
    for angle in angles:
        actors.add(clip, radius * math.sin(angle), radius * math.cos(angle), angle + turn * math.pi / 2.0,
                   pace=radius / (WALK_RADIUS if clip == "walk" else RUN_RADIUS), turn=turn * radius)


def main():
    actors = Actors()
    placed = []
    for number, (x, z, radius, members) in enumerate(GROUPS):
        group(actors, placed, number, x, z, radius, members)
    # Two files of walkers on one circle, and a loose bunch of runners the other way round.
    gap = 2.15 / WALK_RADIUS
    travellers(actors, "walk", [0.4 + gap * (k + 0.3 * unit(k, 30)) for k in range(10)], WALK_RADIUS, 1)
    travellers(actors, "walk", [3.4 + gap * (k + 0.3 * unit(k, 31)) for k in range(7)], WALK_RADIUS, 1)
    for k in range(7):
        travellers(actors, "run", [0.2 + 0.21 * (k + 0.4 * unit(k, 32))], RUN_RADIUS + (0.0, 1.3, 0.5)[k % 3], -1)

    path = pathlib.Path(__file__).resolve().parent / "meadow.crowd"
    crowd_kit.write_project(path, "../animal.glb", CLIPS, actors, 2.0)


if __name__ == "__main__":
    main()
