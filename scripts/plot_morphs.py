#!/usr/bin/env python3
"""Draws docs/bench/morphs.png from the documents of `kiln bench morphs`; needs matplotlib.

scripts/plot_morphs.py docs/bench/morphs.png < morphs.json
"""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

from bench_table import all_documents  # noqa: E402

GREYS = ["#c9cdd2", "#b4bac1", "#9fa6ae", "#8a929b", "#757e88", "#5f6974", "#2568b0"]


def lines(rows):
    ways = {}
    for row in rows:
        if row["name"] != "morphs":
            continue
        key = (row["method"], row.get("batch") if row["method"] == "feedback" else None)
        ways.setdefault(key, []).append((row["changed"], row["frameMs"]))
    return ways


def draw(axis, document):
    for (method, batch), points in lines(document["rows"]).items():
        xs, ys = zip(*sorted(points))
        style = {
            "feedback": dict(color=GREYS[(batch or 7) - 1], label=f"feedback, {batch} a pass"),
            "feedback-floats": dict(color="#6db3ff", ls="--", label="feedback, floats"),
            "feedback-all": dict(color="#c8553d", label="all 50 anew"),
            "compute": dict(color="#588157", label="compute"),
            "cpu": dict(color="#d9a441", label="cpu, one core"),
        }[method]
        axis.plot(xs, ys, marker="o", ms=3, lw=1.6, **style)
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xticks([1, 2, 5, 10, 20, 50], ["1", "2", "5", "10", "20", "50"])
    axis.minorticks_off()
    axis.set_xlabel("changed targets of 50")
    axis.set_title(f"{document['morphPlaces']:,} vertices", fontsize=10)
    axis.grid(True, which="major", color="#e4e6e9", lw=0.6)
    for side in ("top", "right"):
        axis.spines[side].set_visible(False)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    documents = all_documents(sys.stdin.read())
    figure, axes = plt.subplots(1, len(documents), figsize=(5.2 * len(documents), 4.2), squeeze=False)
    for axis, document in zip(axes[0], documents):
        draw(axis, document)
    axes[0][0].set_ylabel("milliseconds of processor an update")
    axes[0][-1].legend(fontsize=7, frameon=False, loc="center left", bbox_to_anchor=(1.01, 0.5))
    figure.suptitle("Adding changed morph targets up", fontsize=11)
    figure.tight_layout()
    figure.savefig(sys.argv[1], dpi=120)


if __name__ == "__main__":
    main()
