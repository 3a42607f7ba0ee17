#!/usr/bin/env python3
"""needed_sources.py SOURCE...: prints, a line for each, the sources that these need, from the folder of the project:
those that stand beside a header that they include, and so on."""
import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def needed(starts):
    # CK_ASSERT needs log.cpp, which has another name than its header.
    seen, todo = set(), [Path("core/base/log.cpp"), *map(Path, starts)]
    while todo:
        file = todo.pop()
        if file in seen or not file.is_file():
            continue
        seen.add(file)
        for name in INCLUDE.findall(file.read_text(encoding="utf-8")):
            todo += [Path(name), Path(name).with_suffix(".cpp")]
    return sorted(file.as_posix() for file in seen if file.suffix == ".cpp")


if __name__ == "__main__":
    print("\n".join(needed(sys.argv[1:])))
