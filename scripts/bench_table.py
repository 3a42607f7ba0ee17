#!/usr/bin/env python3
"""Writes a table of docs/bench from documents of `kiln bench`, one after another.

The second argument says how kiln was built.

for e in P16 T32 T16 T8; do kiln bench methods --encoding $e --json; done | scripts/bench_table.py methods "preset release" > docs/bench/atlas-variants.md
kiln bench crowd --json | scripts/bench_table.py crowd "preset release" > docs/bench/crowd-update.md
"""
import json
import sys

INTRODUCTIONS = {
    "methods": """# The methods and every variant of the method atlas beside the book

`frame` is processor time of the whole program for one finished frame of 1280 x 720, `vertices` the
same with the rasteriser switched off, both medians in milliseconds; `speed` says how many times
faster than the method `book` that is, for whole frames and for the vertex stage. `error` is the
furthest that a vertex of twelve actors is from the clips themselves at four moments, interpolation
between frames and left-out influences included, in millimetres; two clips are half-way faded, which in
the clips means in the joints' own spaces. The palette reads and fades relative to the parent joint, the
variants of atlas joint by joint and in the world, as the write-up does. The book is the write-up's formulation on the
same vertices, triangles and pixels; its own timing takes ticks of 1/60 s. Joints without scale are baked
without it, so that the encodings T have two texels a joint here; with three (`--components trs`) the
fetches are 24 and, with two clips, 48.
""",
    "crowd": """# Moving a crowd on

One tick: every actor is moved on in time and its record of 64 bytes brought up to date where it is,
on one core, by processor time; the crowd is the one that `kiln` spawns, so that whoever plays a clip
with a ground speed walks on a circle. `of copying` is the bytes of those records a second against
plain copying of memory, measured in the same run: what is written of a record is little, but the
processor fetches and puts back the whole of it once it is in no cache.
""",
}


def machine(document):
    facts = document["machine"]
    line = f"{facts['cpu']}, {facts['cores']} cores"
    if "renderer" in facts:
        line += f"; {facts['renderer']}, OpenGL {facts['gl']}"
    if "copyGBs" in document["limits"]:
        line += f"; copying {document['limits']['copyGBs']:.2f} GB/s"
    return line


def methods(rows):
    counts = sorted({row["actors"] for row in rows})
    head = ["method", "variant", "fetches", "error mm"]
    for count in counts:
        head += [f"{count}: frame", "vertices", "speed"]
    yield head
    keys = []
    for row in rows:
        key = (row["method"], row.get("encoding", ""), row["variant"])
        if key not in keys:
            keys.append(key)
    for method, encoding, variant in keys:
        mine = {}
        for row in rows:
            if (row["method"], row.get("encoding", ""), row["variant"]) == (method, encoding, variant):
                mine.setdefault(row["actors"], row)
        mine = list(mine.values())
        cells = [f"{method} {encoding}".strip(), variant, str(mine[0]["fetches"]),
                 f"{mine[0]['errorMm']:.3g}"]
        for row in sorted(mine, key=lambda one: one["actors"]):
            cells += [f"{row['frameMs']:.1f}", f"{row['vertexStageMs']:.1f}",
                      f"{row['ratioToBook']:.2f}, {row['vertexRatioToBook']:.2f}"]
        yield cells


def crowd(rows):
    yield ["actors", "million actors a second", "ms a tick", "of copying"]
    for row in rows:
        yield [f"{row['actors']:,}", f"{row['unitsPerSecond'] / 1e6:.1f}",
               f"{row['actors'] / row['unitsPerSecond'] * 1e3:.3f}", f"{row['ratioToLimit']:.2f}"]


def all_documents(text):
    decoder = json.JSONDecoder()
    documents = []
    while text.strip():
        document, end = decoder.raw_decode(text.lstrip())
        documents.append(document)
        text = text.lstrip()[end:]
    return documents


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in INTRODUCTIONS:
        sys.exit(__doc__)
    documents = all_documents(sys.stdin.read())
    document = documents[0]
    rows = [row for one in documents for row in one["rows"]]
    command = [line for line in __doc__.splitlines() if f"kiln bench {sys.argv[1]}" in line]
    table = list({"methods": methods, "crowd": crowd}[sys.argv[1]](rows))
    print(INTRODUCTIONS[sys.argv[1]])
    print(f"Made by `{command[0]}` on: {machine(document)}; {sys.argv[2]}.\n")
    print("| " + " | ".join(table[0]) + " |")
    print("|" + "---|" * len(table[0]))
    for cells in table[1:]:
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
