#!/usr/bin/env python3
"""Draws contact sheets of rigs to be looked at: a row per clip with its name above it, rigs beside each other.

  contact_sheet.py build/dev/bin/kiln OUT.png RIG... [--clips 4] [--moments 4] [--size 90x110]

A rig may be several files, joined by "+": the rig first, then clips. What cannot be drawn has its reason in place
of pictures, and on standard error.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from draw_reference import read_png, write_png

# Five rows of three dots a letter, a digit of base 8 a row.
LETTERS = dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._()|/:,+# ", """25755 65656 34443 65556 74647 74644 34553 55755
72227 11152 55655 44447 57755 65555 25552 65644 25573 65655 34216 72222 55557 55552 55775 55255 55222 71247 75557 26227
71747 71717 55711 74717 74757 71222 75757 75717 00700 00002 00007 12221 42224 22222 11244 02020 00024 02720 57575
00000""".split()))
SCALE = 2
BAND = 7 * SCALE  # height of a line of letters
PAPER, INK, HEAD = b"\xf4\xf4\xf4", b"\x30\x30\x30", b"\x28\x6e\xff"


def line(text, width, color=INK):
    """Rows of RGB bytes with a text on them."""
    rows = [bytearray(PAPER * width) for _ in range(BAND)]
    for i, letter in enumerate(text.upper()[: width // (4 * SCALE) - 1]):
        for r, dots in enumerate(LETTERS.get(letter, LETTERS["#"])):
            for c in range(3):
                if int(dots, 8) >> (2 - c) & 1:
                    for y in range(SCALE):
                        x = (4 * i + c + 1) * SCALE
                        rows[(r + 1) * SCALE + y][3 * x : 3 * (x + SCALE)] = color * SCALE
    return rows


def sheet(kiln, rig, options):
    """Rows of RGB bytes for one rig."""
    width, height = map(int, options.size.split("x"))
    whole = width * options.moments
    files = rig.split("+")
    rows = line(Path(files[0]).name, whole, HEAD)

    def run(*arguments):
        return subprocess.run([kiln, *arguments], capture_output=True, text=True)

    info = run("info", *files, "--json")
    if info.returncode != 0:
        print(f"{rig}: {info.stderr.strip()}", file=sys.stderr)
        return rows + line("cannot be read", whole)
    clips = [clip["name"] for clip in json.loads(info.stdout)["clips"]][: options.clips]
    with tempfile.TemporaryDirectory() as folder:
        for index, clip in enumerate(clips):
            image = Path(folder) / "sheet.png"
            drawn = run("render", *files, "--clips", f"#{index}", "--sheet", str(options.moments), "--size", options.size,
                        "-o", str(image), "--quiet")
            rows += line(clip, whole)
            if drawn.returncode != 0:
                print(f"{rig}, {clip}: {drawn.stderr.strip()}", file=sys.stderr)
                rows += line("cannot be drawn", whole)
                continue
            rows += [row[: 3 * whole].ljust(3 * whole, b"\xf4") for row in read_png(image)[:height]]
    return rows if clips else rows + line("no clips", whole)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kiln")
    parser.add_argument("output")
    parser.add_argument("rigs", nargs="+")
    parser.add_argument("--clips", type=int, default=4, help="at most so many of each rig")
    parser.add_argument("--moments", type=int, default=4)
    parser.add_argument("--size", default="90x110", help="of one picture")
    options = parser.parse_args()
    sheets = [sheet(options.kiln, rig, options) for rig in options.rigs]
    height = max(len(rows) for rows in sheets)
    for rows in sheets:
        rows += [bytearray(PAPER * (len(rows[0]) // 3)) for _ in range(height - len(rows))]
    write_png(options.output, [b"".join(bytes(row) + PAPER * 4 for row in parts) for parts in zip(*sheets)])


if __name__ == "__main__":
    main()
