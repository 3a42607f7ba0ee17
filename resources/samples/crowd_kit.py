"""The tools that the makers of the sample crowds share: portable random numbers, columns of actors, and the
text of a project. Python 3 only."""

import json

FIELDS = ("clip", "offset", "rate", "position", "rotationDegrees", "scale", "tint", "on", "travels",
          "turnRadius")


def unit(index, stream, salt):
    """A portable pseudo-random number in [0, 1)."""
    x = (index * 0x9E3779B97F4A7C15 + stream * 0xBF58476D1CE4E5B9 + salt) & (2**64 - 1)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        x = ((x ^ (x >> shift)) * factor) & (2**64 - 1)
    return (x >> 11) / 2**53


class Columns:
    """Actors as the project file has them: one list for each of FIELDS."""

    def __init__(self):
        self.columns = {key: [] for key in FIELDS}
        self.count = 0
        self.morphs = {}  # name: one weight per actor, in place of what the clips say

    def put(self, values):
        for key, value in values.items():
            if isinstance(value, list):
                self.columns[key].extend(round(v, 4) for v in value)
            else:
                self.columns[key].append(round(value, 4) if isinstance(value, float) else value)
        self.count += 1


class Text(str):
    """A value that is JSON already."""


def block(fields, depth):
    """A JSON object with a line for each key. A value that is a Text is put in as it is."""
    line = "\n" + "  " * depth
    entries = (f"{line}  {json.dumps(key)}: {value if isinstance(value, Text) else json.dumps(value)}"
               for key, value in fields.items())
    return Text("{" + ",".join(entries) + line + "}")


def write_project(path, rig, clips, actors, spacing):
    """Writes `path`: all clips ticked, baked with the defaults, the actors as they are."""
    character = {
        "sources": [{"path": rig}],
        "clips": [{"name": name, "ticked": True} for name in clips],
        "import": {"heightMeters": 0.0, "unitScale": 0.0},
        "bake": {"encoding": "P16", "layout": "rows", "rateHz": 0.0, "frames": 0,
                 "influences": 4, "interpolate": True, "reading": "palette",
                 "maxTextureSize": 16384},
    }
    project = {
        "format": "crowdkiln-project", "version": 1, "minReader": 1, "needs": "0.1",
        "characters": Text("[\n    " + block(character, 2) + "\n  ]"),
        "crowds": Text("[\n    " + block({
            "name": path.stem.capitalize(), "on": True, "count": actors.count,
            "formation": "disc", "seed": 1, "spacingMeters": spacing, "clipCount": len(clips),
            "varied": True}, 2) + "\n  ]"),
        "view": block({"method": "palette", "grid": True}, 1),
        "playbackSpeed": 1.0,
        "actors": block({"count": actors.count, **actors.columns,
                         **({"morphs": actors.morphs} if actors.morphs else {})}, 1),
    }
    path.write_text(block(project, 0) + "\n", encoding="utf-8", newline="\n")
