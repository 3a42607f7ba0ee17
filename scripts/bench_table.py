#!/usr/bin/env python3
"""Writes a table of docs/bench from documents of `kiln bench`, one after another.

The second argument says how kiln was built.

LP_NUM_THREADS=0 kiln bench methods Woman.gltf --json | scripts/bench_table.py methods "preset release" > docs/bench/methods.md
for e in P16 T32 T16 T8; do kiln bench methods --encoding $e --json; done | scripts/bench_table.py variants "preset release" > docs/bench/atlas-variants.md
kiln bench crowd --json | scripts/bench_table.py crowd "preset release" > docs/bench/crowd-update.md
kiln bench bake Woman.gltf --frames 512 --json | scripts/bench_table.py bake "preset release" > docs/bench/bake.md
kiln bench scale Woman.gltf --json | scripts/bench_table.py scale "preset release" > docs/bench/scale.md
for f in resources/samples/humanoid.glb MorphStressTest.gltf; do kiln bench morphs $f --json; done | tee morphs.json | scripts/bench_table.py morphs "preset release" > docs/bench/morphs.md
"""
import json
import sys

INTRODUCTIONS = {
    "methods": """# The methods beside the book

Every method and its main variants on the same crowd, vertices, triangles and pixels (1280 x 720,
ground and sky but no grid and no shadows). `frame` is processor time of the whole program for one
finished frame with all that a tick does on the processor and on the GPU, `vertices` the same with the
rasteriser switched off, both medians in milliseconds; whole frames of small actors have their light made
at the vertices (software OpenGL; the book's, too), `vertices` is without it. `speed` says how many times faster than the
method `book` that is, for whole frames and for the vertex stage; `of limit` is the same beside a vertex
shader that only moves the bind pose to the actor's place: 1 would be as fast as these triangles can be
drawn here. Whole frames may pass 1, because the bind pose stretches its arms and covers more. The
camera frames the crowd, so that actors of larger crowds are smaller.

The first table is the write-up's headline: how many actors the method draws in the time that the
book takes for 80. `unlike` counts the pixels that differ from the book's picture by more than 24 of 255
in a channel, first between stored frames, then for actors that stand on stored frames, of those that the
crowd covers there; for these pictures the book is told the right frames, which its own timing, measured
in the rows, guesses from the length of a tick. What reads joints relative to their parents is nearer to
the clips than the book between frames and differs from it by that much. On stored frames all poses are
the same; what is left there are normals, which the book turns by blended matrices and the palette, like the
judge `cpu`, by their cofactors. `error` is the
furthest that a vertex of twelve actors is from the clips themselves at four moments, left-out influences included, in millimetres; two clips are half-way
faded, which in the clips means in the joints' own spaces.
""",
    "variants": """# The methods and every variant of the method atlas beside the book

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

One tick: every actor, with a clip, an offset and a rate of its own, is moved on in time and its records
brought up to date where they are, on one core, by processor time; the crowd is the one that `kiln`
spawns. Frames are 16 bytes an actor; a place has 44, which are written only for those who walk. In the
rows `walking` actors whose clip has a ground speed go round a circle. Ticks last a 60th of a second, in the rows
`changing ticks` between 13 and 50 milliseconds, as a window makes them. `of copying` is the bytes
of the records that change a second against plain copying of memory, measured in the same run. `of the
book` is how many times faster that is than the write-up's update in the same run, which plays one clip
at one rate for all, has no walkers, and writes 16 bytes an actor.
""",
    "bake": """# Baking

All clips of a rig, from the character in memory to the texels of an atlas, with the boxes of all
posed vertices and the seams of the clips: milliseconds of processor time and by the clock on the wall,
medians; speeds on one thread go by the processor, on two by the clock. `book` is
the book's formulation on the same frames on one thread: it samples every joint of every frame by
itself, looks for each key from the last one backwards, combines each joint with all its parents and writes three texels of
floats, without boxes, seams or ranges. `copy` copies the bytes of the finished texels between two buffers. `of the book` and
`of copying` are speeds beside these. Where the clock says much more than the processor, the machine was
busy with other work, and the row of two threads says nothing.

Below, where the time on one thread goes: each part was measured by itself, and `encode` is the rest
(ranges, texels, notes). The last table says what measuring the error of the result takes (`error`), and
the plan alone, which the editor asks for after every change of a setting (`cost`), as shares of the bake.
""",
    "scale": """# Large crowds

Whole pictures of 1280 x 720 with ground and soft shadows, of a crowd of three characters that all play: by a passer-by at
its edge (`near`), from a balcony (`middle`), and of all of it (`far`). `levels of detail` is what the program does by itself, with
an error of one pixel; `whole` draws every actor by its whole mesh, in view or not; `book` is the write-up's method. Milliseconds
by the clock on the wall and of processor time of the whole program, medians. `uploaded` are the bytes of the last frame. `unlike` are
the pixels that differ from the whole by more than 24 of 255 in a channel, after it the mean difference and the 99th
percentile over all pixels; `of the book` says how many times faster by processor time. What software OpenGL would draw for
minutes was left out.
""",
    "morphs": """# Adding changed morph targets up

Milliseconds of processor time of the whole program for one update of one face with 50 targets, of which some have another weight
than before; the rig's own targets are repeated until there are 50. `feedback n` is transform feedback
over difference meshes, n targets a pass, integer sums; `floats` the same with 7 a pass and float sums;
`compute` scatters sparse differences by integer atomics in one dispatch; `cpu` does the same on one core;
`all anew` adds all 50 from the base in batches of 7, as a renderer without accumulators does every
frame. In brackets how many times faster than that. The driver is waited for. Dense difference meshes
cost the same whatever a target moves, sparse ones (`compute`, `cpu`) pay for what it moves.

What is weak: no graphics card was measured. In this software OpenGL a pass of transform feedback costs
some hundredths of a millisecond whatever it adds, so that for few or sparse targets the processor itself
is faster; atomics of the compute shader are no faster than the processor either, and lose to feedback
once five targets that move half of a face have changed. Where all 50 change, taking the old contributions
out costs what adding everything anew costs, and batches below 5 cost more.

Below each table: a thousand actors that all count as near and have faces of their own, in milliseconds
of processor time of the whole program for the tick and the vertex stage of one frame, beside the same
crowd in its default shape. Weights come from the frames of the atlas by a pass of their own, in
under a tenth of a millisecond. In shaders every vertex of every actor pays for the question whether it
is morphed, because software OpenGL runs both sides of a branch; on the processor only what moves is
skinned again.

![milliseconds over changed targets](morphs.png)
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


def one_of_each(rows):
    """The rows of every method, encoding and variant, by actors; of several the first."""
    result = {}
    for row in rows:
        key = (row["method"], row.get("encoding", ""), row["variant"])
        result.setdefault(key, {}).setdefault(row["actors"], row)
    return result


def methods(rows):
    """The write-up's headline, and a table of each size of crowd."""
    groups = one_of_each(rows)
    counts = sorted({row["actors"] for row in rows})
    headline = [["method", "variant", "fetches", "error mm", "in the book's time"]]
    for (method, encoding, variant), mine in groups.items():
        first = mine[counts[0]]
        headline.append([f"{method} {encoding}".strip(), variant, str(first.get("fetches", "")),
                         f"{first['errorMm']:.3g}" if "errorMm" in first else "",
                         f"{first['actorsAtBookTime']:,}" if "actorsAtBookTime" in first else ""])
    yield f"How many actors in the time that the book takes for {counts[0]:,}", headline
    for count in counts:
        yield f"{count:,} actors", list(methods_with(count, groups))


def methods_with(count, groups):
    yield ["method", "variant", "frame", "vertices", "speed", "of limit", "M tri/s", "M vtx/s", "unlike"]
    for (method, encoding, variant), mine in groups.items():
        row = mine[count]
        limit = "" if "vertexRatioToLimit" not in row else (
            f"{row['ratioToLimit']:.2f}, {row['vertexRatioToLimit']:.2f}")
        unlike = "" if "pixelsDiffering" not in row else (
            f"{row['pixelsDiffering']:,}, {row['storedDiffering']:,} of {row['pixelsCovered']:,}")
        yield [f"{method} {encoding}".strip(), variant, f"{row['frameMs']:.1f}", f"{row['vertexStageMs']:.1f}",
               f"{row['ratioToBook']:.2f}, {row['vertexRatioToBook']:.2f}", limit,
               f"{row['trianglesPerSecond'] / 1e6:.1f}", f"{row['verticesPerSecond'] / 1e6:.1f}", unlike]


def variants(rows):
    counts = sorted({row["actors"] for row in rows})
    head = ["method", "variant", "fetches", "error mm"]
    for count in counts:
        head += [f"{count}: frame", "vertices", "speed"]
    yield head
    for (method, encoding, variant), mine in one_of_each(rows).items():
        mine = list(mine.values())
        if "errorMm" not in mine[0]:
            continue
        cells = [f"{method} {encoding}".strip(), variant, str(mine[0]["fetches"]),
                 f"{mine[0]['errorMm']:.3g}"]
        for row in sorted(mine, key=lambda one: one["actors"]):
            cells += [f"{row['frameMs']:.1f}", f"{row['vertexStageMs']:.1f}",
                      f"{row['ratioToBook']:.2f}, {row['vertexRatioToBook']:.2f}"]
        yield cells


def crowd(rows):
    yield ["actors", "", "million actors a second", "ms a tick", "of copying", "of the book"]
    for row in rows:
        if row.get("method") == "book":
            continue
        yield [f"{row['actors']:,}", row["variant"], f"{row['unitsPerSecond'] / 1e6:.1f}",
               f"{row['actors'] / row['unitsPerSecond'] * 1e3:.3f}", f"{row['ratioToLimit']:.2f}",
               f"{row['ratioToBook']:.2f}"]


def bake(rows):
    yield ["", "threads", "ms of processor", "ms by the clock", "million joint samples a second", "bytes", "of the book", "of copying"]
    for row in rows:
        if row["name"] != "bake":
            continue
        ratios = [f"{row[key]:.{digits}f}" if key in row else ""
                  for key, digits in (("ratioToBook", 1), ("ratioToLimit", 3))]
        yield [row.get("method", row.get("encoding", "")), str(row["threads"]), f"{row['processorMs']:.2f}", f"{row['wallMs']:.2f}",
               f"{row['unitsPerSecond'] / 1e6:.1f}", f"{row['atlasBytes']:,}"] + ratios


def phases(rows, name, title):
    yield [title, "ms of processor", "share"]
    for row in rows:
        if row["name"] == name:
            yield [row["variant"], f"{row['processorMs']:.2f}", f"{100 * row['share']:.0f} %"]


def morphs(rows):
    counts = sorted({row["changed"] for row in rows})
    yield ["way"] + [f"{count} changed" for count in counts]
    names = {"feedback-floats": "floats", "feedback-all": "all anew"}
    ways = {}
    for row in rows:
        name = names.get(row["method"], row["method"])
        if name == "feedback":
            name += f" {row['batch']}"
        ways.setdefault(name, {})[row["changed"]] = row["frameMs"]
    for name, times in ways.items():
        yield [name] + [f"{times[c]:.3f} ({ways['all anew'][c] / times[c]:.1f})" for c in counts]


def faces(rows):
    ways = {}
    for row in rows:
        ways.setdefault(row["method"], {})[row["variant"]] = row["vertexStageMs"]
    yield ["way", "default shape", "faces", "for the faces"]
    for name, times in ways.items():
        none, near = times["none"], times["all near"]
        yield [name, f"{none:.1f}", f"{near:.1f}", f"{near - none:+.1f}"]


def all_documents(text):
    decoder = json.JSONDecoder()
    documents = []
    while text.strip():
        document, end = decoder.raw_decode(text.lstrip())
        documents.append(document)
        text = text.lstrip()[end:]
    return documents


def print_table(table):
    print("| " + " | ".join(table[0]) + " |")
    print("|" + "---|" * len(table[0]))
    for cells in table[1:]:
        print("| " + " | ".join(cells) + " |")


# One table a face.
def all_morphs(documents):
    command = [line for line in __doc__.splitlines() if "kiln bench morphs" in line]
    print(INTRODUCTIONS["morphs"])
    print(f"Made by `{command[0]}` on: {machine(documents[0])}; {sys.argv[2]}.")
    for document, face in zip(documents, ("The townsperson", "MorphStressTest")):
        print(f"\n## {face}: {document['morphPlaces']:,} vertices that targets move\n")
        rows = document["rows"]
        print_table(list(morphs([row for row in rows if row["name"] == "morphs"])))
        crowd = [row for row in rows if row["name"] == "faces"]
        if crowd:
            print(f"\n{crowd[0]['actors']:,} near faces:\n")
            print_table(list(faces(crowd)))


def scale(rows):
    yield ["actors", "seen from", "drawn", "ms", "ms of processor", "triangles", "meshes", "pictures", "points",
           "uploaded", "unlike", "of the book"]
    for row in rows:
        detail = row.get("detail")
        error = row.get("pictureError")
        meshes = [] if detail is None else [mesh["actors"] for mesh in detail["meshes"]]
        yield [f"{row['actors']:,}", row["variant"], row["method"], f"{row['wallMs']:.0f}", f"{row['frameMs']:.0f}",
               f"{row['triangles']:,}", " + ".join(f"{count:,}" for count in meshes if count),
               f"{detail['pictures']:,}" if detail else "", f"{detail['points']:,}" if detail else "",
               f"{row['uploadedBytes']:,}",
               f"{error['over24']:,}; {error['mean']:.2f}; {error['p99']}" if error else "",
               f"{row['ratioToBook']:.1f}" if "ratioToBook" in row else ""]


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in INTRODUCTIONS:
        sys.exit(__doc__)
    documents = all_documents(sys.stdin.read())
    if sys.argv[1] == "morphs":
        return all_morphs(documents)
    document = documents[0]
    rows = [row for one in documents for row in one["rows"]]
    command = [line for line in __doc__.splitlines() if f"bench_table.py {sys.argv[1]}" in line]
    print(INTRODUCTIONS[sys.argv[1]])
    made = command[0].replace("preset release", sys.argv[2])
    print(f"Made by `{made}` on: {machine(document)}; {sys.argv[2]}.\n")
    if "llvmpipe" in machine(document):
        print("No graphics card was at hand: these are times of a software renderer. The same command measures\n"
              "a card, with 10,000 and 100,000 actors too.\n")
    if sys.argv[1] == "methods":
        for title, table in methods(rows):
            print(f"## {title}\n")
            print_table(table)
            print()
        return
    print_table(list({"variants": variants, "crowd": crowd, "bake": bake, "scale": scale}[sys.argv[1]](rows)))
    if sys.argv[1] == "bake":
        print()
        print_table(list(phases(rows, "phase", "part")))
        print()
        print_table(list(phases(rows, "beside", "beside the bake")))


if __name__ == "__main__":
    main()
