#!/usr/bin/env python3
"""Writes plaza.crowd beside itself: dancers in the middle of a ring of onlookers, walkers and runners
circling around them. Deterministic; needs Python 3 only. Bake it afterwards with

    kiln bake ../humanoid.glb -o . --export ckatlas && mv humanoid.ckatlas plaza.ckatlas
"""

import json
import math
import pathlib

CLIPS = ["idle", "walk", "run", "wave", "cheer", "dance", "fall"]
TINTS = [0xE2725B, 0x2A9D8F, 0xE9B44C, 0x3D6FB6, 0xF1E9DA, 0x8AA05A, 0x9B5C8F, 0x6FB7D6, 0xD64550]


def unit(index, stream):
    """A portable pseudo-random number in [0, 1)."""
    x = (index * 0x9E3779B97F4A7C15 + stream * 0xBF58476D1CE4E5B9 + 7) & (2**64 - 1)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        x = ((x ^ (x >> shift)) * factor) & (2**64 - 1)
    return (x >> 11) / 2**53


class Actors:
    def __init__(self):
        self.columns = {key: [] for key in ("clip", "offset", "rate", "position", "rotationDegrees",
                                            "scale", "tint", "on", "travels", "turnRadius")}
        self.count = 0

    def add(self, clip, angle, radius, heading, rate=None, turn=0.0):
        i = self.count
        scale = 0.94 + 0.12 * unit(i, 1)
        # Walkers of one lane keep their distance only when all of them are equally fast.
        steady = 1.0 / scale
        values = {
            "clip": CLIPS.index(clip),
            "offset": unit(i, 2),
            "rate": steady if turn else rate or 0.92 + 0.16 * unit(i, 3),
            "position": [radius * math.sin(angle), 0.0, radius * math.cos(angle)],
            "rotationDegrees": [0.0, math.degrees(heading) % 360.0, 0.0],
            "scale": scale,
            "tint": TINTS[int(unit(i, 4) * len(TINTS))],
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


def ring(actors, count, radius, clips, turn=0, jitter=0.0, face=math.pi):
    """Actors on a circle. turn 1 or -1: walking along it; else looking `face` from outward."""
    for k in range(count):
        i = actors.count
        angle = 2.0 * math.pi * (k + 0.35 * (unit(i, 5) - 0.5)) / count
        r = radius + jitter * (unit(i, 6) - 0.5)
        clip = clips[int(unit(i, 7) * len(clips))]
        if turn:
            actors.add(clip, angle, radius, angle + turn * math.pi / 2.0, turn=turn * radius)
        else:
            actors.add(clip, angle, r, angle + face + 0.5 * (unit(i, 8) - 0.5))


def main():
    actors = Actors()
    actors.add("dance", 0.0, 0.0, 0.4)
    ring(actors, 6, 1.6, ["dance"], jitter=0.2, face=0.0)
    ring(actors, 11, 2.9, ["dance", "dance", "cheer"], jitter=0.3, face=0.0)
    ring(actors, 24, 5.0, ["cheer", "idle", "wave", "cheer", "idle"], jitter=0.5)
    ring(actors, 30, 6.2, ["idle", "cheer", "idle", "wave"], jitter=0.6)
    ring(actors, 20, 8.2, ["walk"], turn=1)
    ring(actors, 22, 9.5, ["walk"], turn=-1)
    ring(actors, 14, 11.3, ["run"], turn=1)

    project = {
        "format": "crowdkiln-project", "version": 1, "minReader": 1, "needs": "0.1",
        "sources": [{"path": "../humanoid.glb"}],
        "import": {"heightMeters": 0.0, "unitScale": 0.0},
        "clips": [{"name": name, "ticked": True} for name in CLIPS],
        "bake": {"encoding": "P16", "layout": "rows", "range": "joint", "rateHz": 0.0, "frames": 0,
                 "influences": 4, "interpolate": True, "reading": "palette",
                 "maxTextureSize": 16384},
        "spawn": {"count": actors.count, "formation": "disc", "seed": 1, "spacingMeters": 1.6,
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
    path = pathlib.Path(__file__).resolve().parent / "plaza.crowd"
    path.write_text("{\n  " + ",\n  ".join(lines) + "\n}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
