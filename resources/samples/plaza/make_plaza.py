#!/usr/bin/env python3
"""Writes plaza.crowd beside itself: dancers in the middle of a ring of onlookers, walkers and runners
circling around them, each with a smile of its own. Deterministic; needs Python 3 only. Bake it afterwards with

    kiln bake ../humanoid.glb -o . --export ckatlas && mv humanoid.ckatlas plaza.ckatlas
"""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import crowd_kit  # noqa: E402

CLIPS = ["idle", "walk", "run", "wave", "cheer", "dance", "fall"]
TINTS = [0xE2725B, 0x2A9D8F, 0xE9B44C, 0x3D6FB6, 0xF1E9DA, 0x8AA05A, 0x9B5C8F, 0x6FB7D6, 0xD64550]


def unit(index, stream):
    return crowd_kit.unit(index, stream, 7)


class Actors(crowd_kit.Columns):
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
        self.put(values)


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

    # Everybody smiles differently; the runners have no breath for it.
    clips = actors.columns["clip"]
    actors.morphs["smile"] = [None if CLIPS[clip] == "run" else round(unit(i, 9), 2)
                              for i, clip in enumerate(clips)]

    path = pathlib.Path(__file__).resolve().parent / "plaza.crowd"
    crowd_kit.write_project(path, "../humanoid.glb", CLIPS, actors, 1.6)


if __name__ == "__main__":
    main()
