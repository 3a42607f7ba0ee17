#!/usr/bin/env python3
"""sources.py SOURCE...: prints, a line for each, the sources that these need: those that stand beside a header
that they include, and so on. Left out is what no reader of outside bytes calls: bakes, exports and processes.
scripts/fuzz.sh and scripts/coverage.sh compile what it prints; the linker takes what it needs."""
import re
import sys
from pathlib import Path

LEFT_OUT = re.compile(
    r"core/(bake/(?!bake_settings)|morph/|view/|export/set/|export/targets/)"
    r"|core/base/process\.|core/import/(add_clips|blender_export|clip_fitting|file_axes|import_process|settle_rig"
    r"|still_joints)\.|core/import/worker/formats/|core/project/(atlas_events|cast_export|pipeline|spawn)\."
    r"|core/crowd/(actor_phases|actor_times|clip_events|crowd|crowd_.*|travels|way_walkers)\.")
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def needed(starts):
    # CK_ASSERT needs log.cpp, which has another name than its header.
    seen, todo = set(), [Path("core/base/log.cpp"), *map(Path, starts)]
    while todo:
        file = todo.pop()
        if file in seen or not file.is_file():
            continue
        seen.add(file)
        if file.suffix == ".cpp" and LEFT_OUT.match(file.as_posix()):
            seen.remove(file)
            continue
        for name in INCLUDE.findall(file.read_text(encoding="utf-8")):
            todo += [Path(name), Path(name).with_suffix(".cpp")]
    return sorted(file.as_posix() for file in seen if file.suffix == ".cpp")


if __name__ == "__main__":
    print("\n".join(needed(sys.argv[1:])))
