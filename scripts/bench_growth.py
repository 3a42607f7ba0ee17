#!/usr/bin/python3
"""Measures how frame time grows and writes the table and the plot of docs/bench.

bench_growth.py [--quick] [--from FILE.json] KILN "HOW IT WAS BUILT" FOLDER

Runs `kiln bench growth --json` (or reads what it wrote) and puts growth.md and growth.png into the
folder. Needs matplotlib (python3-matplotlib).
"""
import argparse
import json
import os
import pathlib
import subprocess

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

AXES = {
    "actors": "actors",
    "joints": "joints",
    "vertices": "vertices of an actor",
    "clips": "clips",
    "atlas frames": "stored frames of a clip",
}
STYLES = {
    "book": ("#8a8f98", "o"),
    "palette": ("#1f6fb4", "s"),
    "atlas": ("#d9822b", "^"),
    "matrix": ("#b0413e", "v"),
    "live": ("#3a8f5c", "D"),
    "prepass": ("#7a5ea8", "P"),
    "pool": ("#4aa3a2", "."),
    "cpu": ("#20242b", "x"),
}
INTRODUCTION = """# How frame time grows

Processor time of the whole program for one finished frame of 1280 x 720, the tick included, in
milliseconds (medians); one thing grows at a time. Where it stands still there are 100 actors of 40
joints, 2,000 vertices (4,000 triangles, four influences each) and 4 clips on their key grid of 31
frames; the character is made in code and the picture holds all of the crowd, so that actors shrink
where there are more of them. All methods interpolate and use four influences; matrix reads M16, the
others P16, live and cpu pose the clips or decode the atlas on the processor.

In a software renderer most of a frame are triangles and pixels, which are the same for all methods.
The second time of each cell is the tick and the vertex stage alone (the rasteriser switched off),
which is where methods differ. Both axes of the plot are logarithmic: what grows in proportion is a
straight line.

![Frame time against actors, joints, vertices, clips and stored frames](growth.png)
"""
ROWS = (("frameMs", "whole frame, ms"), ("vertexStageMs", "tick and vertices, ms"))


def measured(arguments):
    if arguments.source:
        return json.loads(pathlib.Path(arguments.source).read_text())
    command = [arguments.kiln, "bench", "growth", "--json"] + (["--quick"] if arguments.quick else [])
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def points(document):
    """{axis: {method: {value: row}}}, in the order of the document."""
    result = {}
    for row in document["rows"]:
        result.setdefault(row["axis"], {}).setdefault(row["method"], {})[row["along"]] = row
    return result


def ordered(methods):
    known = [name for name in STYLES if name in methods]
    return known + [name for name in methods if name not in STYLES]


def panel(place, methods, field):
    for method in ordered(methods):
        color, marker = STYLES.get(method, ("#444444", "."))
        values = sorted(methods[method])
        times = [methods[method][value][field] for value in values]
        place.plot(values, times, color=color, marker=marker, markersize=4.5, linewidth=1.6, label=method)
    ticks = sorted({value for rows in methods.values() for value in rows})
    place.set_xscale("log", base=2)
    place.set_xticks(ticks, [f"{value:,.0f}" for value in ticks])
    place.set_yscale("log")
    place.grid(color="#e3e5e8", linewidth=0.8)
    place.set_axisbelow(True)
    place.tick_params(labelsize=9)
    for side in ("top", "right"):
        place.spines[side].set_visible(False)


def share_height(row, all_rows, field):
    """One scale for a row of panels, labelled at 1, 2, 5, 10, ..."""
    times = [one[field] for one in all_rows]
    low, high = min(times) / 1.25, max(times) * 1.25
    marks = [base * 10**power for power in range(-3, 6) for base in (1, 2, 5)]
    marks = [mark for mark in marks if low <= mark <= high]
    for place in row:
        place.set_ylim(low, high)
        place.set_yticks(marks, [f"{mark:g}" for mark in marks])
        place.minorticks_off()


def plot(data, machine, path):
    figure, places = plt.subplots(len(ROWS), len(data), figsize=(18, 8.2), dpi=100)
    all_rows = [row for methods in data.values() for rows in methods.values() for row in rows.values()]
    for row, (field, title) in zip(places, ROWS):
        for place, (axis, methods) in zip(row, data.items()):
            panel(place, methods, field)
            place.set_xlabel(AXES.get(axis, axis), fontsize=10)
        share_height(row, all_rows, field)
        row[0].set_ylabel(title, fontsize=11)
    handles, labels = places[0][0].get_legend_handles_labels()
    figure.suptitle("Frame time as a crowd grows", x=0.012, ha="left", fontsize=15, fontweight="bold")
    figure.legend(handles, labels, loc="upper right", ncol=len(labels), frameon=False, fontsize=11)
    figure.text(0.012, 0.012, machine, fontsize=8.5, color="#5a6068")
    figure.tight_layout(rect=(0, 0.03, 1, 0.96))
    figure.savefig(path)


def tables(data):
    for axis, methods in data.items():
        names = ordered(methods)
        values = sorted({value for rows in methods.values() for value in rows})
        yield f"## {AXES.get(axis, axis).capitalize()}\n"
        yield "| " + " | ".join([AXES.get(axis, axis), "atlas MB"] + names) + " |"
        yield "|" + "---|" * (len(names) + 2)
        for value in values:
            bytes_used = next(rows[value]["atlasBytes"] for rows in methods.values() if value in rows)
            cells = [f"{value:,.0f}", f"{bytes_used / 1e6:.2f}"]
            for name in names:
                row = methods[name].get(value)
                cells.append(f"{row['frameMs']:.1f}, {row['vertexStageMs']:.1f}" if row else "")
            yield "| " + " | ".join(cells) + " |"
        yield ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--from", dest="source", metavar="FILE.json")
    parser.add_argument("kiln")
    parser.add_argument("built", help="how kiln was built, for the record")
    parser.add_argument("folder")
    arguments = parser.parse_args()
    document = measured(arguments)
    facts = document["machine"]
    machine = f"{facts['cpu']}, {facts['cores']} cores; {facts['renderer']}, OpenGL {facts['gl']}; {arguments.built}"
    data = points(document)
    folder = pathlib.Path(arguments.folder)
    plot(data, machine, folder / "growth.png")
    quick = "--quick " if arguments.quick else ""
    threads = f"LP_NUM_THREADS={os.environ['LP_NUM_THREADS']} " if "LP_NUM_THREADS" in os.environ else ""
    made = f'Made by `{threads}scripts/bench_growth.py {quick}kiln "{arguments.built}" docs/bench` on: {machine}.\n'
    (folder / "growth.md").write_text("\n".join([INTRODUCTION, made, *tables(data)]))


if __name__ == "__main__":
    main()
