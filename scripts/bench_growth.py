#!/usr/bin/python3
"""Measures how frame time grows and writes the table and the plot of docs/bench.

bench_growth.py [--quick] [--from FILE.json] KILN "HOW IT WAS BUILT" FOLDER

Runs `kiln bench growth --json` (or reads what it wrote) and puts growth.md and growth.png into the
folder. Needs matplotlib (python3-matplotlib).
"""
import argparse
import json
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

![Frame time against actors, joints, vertices, clips and stored frames](growth.png)
"""


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


def plot(data, machine, path):
    figure, places = plt.subplots(2, 3, figsize=(13, 7.6), dpi=110)
    places = places.flatten()
    for place, (axis, methods) in zip(places, data.items()):
        for method in ordered(methods):
            color, marker = STYLES.get(method, ("#444444", "."))
            values = sorted(methods[method])
            times = [methods[method][value]["frameMs"] for value in values]
            place.plot(values, times, color=color, marker=marker, markersize=4.5, linewidth=1.6, label=method)
        ticks = sorted({value for rows in methods.values() for value in rows})
        place.set_xscale("log", base=2)
        place.set_xticks(ticks, [f"{value:,.0f}" for value in ticks])
        place.minorticks_off()
        place.set_ylim(bottom=0)
        place.set_xlabel(AXES.get(axis, axis))
        place.set_ylabel("ms of processor a frame")
        place.grid(color="#e3e5e8", linewidth=0.8)
        place.set_axisbelow(True)
        for side in ("top", "right"):
            place.spines[side].set_visible(False)
    for place in places[len(data):]:
        place.axis("off")
    handles, labels = places[0].get_legend_handles_labels()
    places[len(data)].legend(handles, labels, loc="upper left", frameon=False, fontsize=11, title="method",
                             title_fontsize=11, alignment="left")
    places[len(data)].text(0.02, 0.04, machine.replace("; ", "\n"), fontsize=8, color="#5a6068",
                           transform=places[len(data)].transAxes)
    figure.suptitle("Frame time as a crowd grows", x=0.012, ha="left", fontsize=14, fontweight="bold")
    figure.tight_layout(rect=(0, 0, 1, 0.97))
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
                cells.append(f"{row['frameMs']:.1f}" if row else "")
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
    made = f'Made by `scripts/bench_growth.py {quick}kiln "{arguments.built}" docs/bench` on: {machine}.\n'
    (folder / "growth.md").write_text("\n".join([INTRODUCTION, made, *tables(data)]))


if __name__ == "__main__":
    main()
