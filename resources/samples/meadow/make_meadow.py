#!/usr/bin/env python3
"""Writes meadow.crowd beside itself: a herd of does grazing in loose groups, some of them on the
look-out, a file of walkers circling around them and a few that run outside. Deterministic; needs
Python 3 only. Bake it afterwards with

    kiln bake ../animal.glb -o . --export ckatlas && mv animal.ckatlas meadow.ckatlas
"""

import json
import math
import pathlib

CLIPS = ["graze", "look", "walk", "run"]
# Coats: common, pale, menil, dark, almost black.
COATS = [0xFFFFFF, 0xFFF1DC, 0xF2D2A8, 0xC89468, 0xFFFFFF, 0x9C6A48, 0xFFE2B8, 0x5E4636, 0xF7F0E6]
# Groups: centre x and z, radius in metres, members.
GROUPS = [(-4.6, 3.0, 3.5, 13), (4.6, 3.2, 3.4, 12), (0.1, -1.2, 3.4, 12), (-5.3, -4.6, 3.4, 11), (5.4, -4.4, 3.4, 12),
          (0.1, 7.6, 2.6, 6)]
CLEARANCE = 0.90
WALK_RADIUS, RUN_RADIUS = 12.0, 15.5


def unit(index, stream):
    """A portable pseudo-random number in [0, 1)."""
    x = (index * 0x9E3779B97F4A7C15 + stream * 0xBF58476D1CE4E5B9 + 11) & (2**64 - 1)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        x = ((x ^ (x >> shift)) * factor) & (2**64 - 1)
    return (x >> 11) / 2**53


class Actors:
    def __init__(self):
        self.columns = {key: [] for key in ("clip", "offset", "rate", "position", "rotationDegrees",
                                            "scale", "tint", "on", "travels", "turnRadius")}
        self.count = 0

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
        for key, value in values.items():
            if isinstance(value, list):
                self.columns[key].extend(round(v, 4) for v in value)
            else:
                self.columns[key].append(round(value, 4) if isinstance(value, float) else value)
        self.count += 1


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

    project = {
        "format": "crowdkiln-project", "version": 1, "minReader": 1, "needs": "0.1",
        "sources": [{"path": "../animal.glb"}],
        "import": {"heightMeters": 0.0, "unitScale": 0.0},
        "clips": [{"name": name, "ticked": True} for name in CLIPS],
        "bake": {"encoding": "P16", "layout": "rows", "range": "joint", "rateHz": 0.0, "frames": 0,
                 "influences": 4, "interpolate": True, "reading": "palette",
                 "maxTextureSize": 16384},
        "spawn": {"count": actors.count, "formation": "disc", "seed": 1, "spacingMeters": 2.0,
                  "clipCount": len(CLIPS), "varied": True},
        "view": {"method": "atlas", "grid": True},
        "playbackSpeed": 1.0,
        "actors": {"count": actors.count, **actors.columns},
    }
    lines = []
    for key, value in project.items():
        if isinstance(value, dict):
            inner = ",\n    ".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in value.items())
            lines.append(f'{json.dumps(key)}: {{\n    {inner}\n  }}')
        else:
            lines.append(f"{json.dumps(key)}: {json.dumps(value)}")
    path = pathlib.Path(__file__).resolve().parent / "meadow.crowd"
    path.write_text("{\n  " + ",\n  ".join(lines) + "\n}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
