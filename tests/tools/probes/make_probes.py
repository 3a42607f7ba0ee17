#!/usr/bin/env python3
"""make_probes.py FOLDER: writes a small file per feature and format, and probes.json, which says what is due.

tests/import/tst_import_coverage.cpp imports them and writes docs/import-coverage.md.
"""

import json
import sys
from pathlib import Path

import own_features
import shared_features

INTRODUCTION = """# What is read of each format

Written by `CK_COVERAGE=write ctest --preset dev -R tst_import_coverage`, which imports a small file per feature and format
(`tests/tools/probes`) and compares it with what the file means by formula: vertices, normals and areas at moments
between keys, clips and their lengths, texture coordinates, colours and materials. The same test fails where this page
differs from what it finds, and where anything differs from the file without a note. Real rigs are compared with
other programs in [import-references.md](import-references.md).

- **right**: as the file says; a code in brackets is a note that tells of it.
- **noted**: otherwise than the file says, and a note says so ([notes.md](notes.md)).
- **refused**: not read, with a sentence that says why.
- **-**: the format does not hold it, or no file of ours does.

`.blend` files are read through Blender's own glTF exporter and so as glTF (`tst_blender_files`); meshes that
meshoptimizer or Draco packed are held by `tst_gltf_packed`. BVH holds joints and frames only; MD5 holds
skins and frames of joints.
"""
FORMATS = ["glTF", "GLB", "FBX", "Collada", "MD5", "BVH", "X"]


def main():
    folder = Path(sys.argv[1])
    probes = shared_features.Probes()
    shared_features.add(probes)
    own_features.add(probes)
    for name, data in probes.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    sections = list(dict.fromkeys(section for section, _ in probes.rows))
    rows = sorted(probes.rows, key=lambda row: sections.index(row[0]))
    document = {"introduction": INTRODUCTION, "formats": FORMATS, "probes": probes.list,
                "rows": [{"section": s, "feature": f} for s, f in rows]}
    (folder / "probes.json").write_text(json.dumps(document))


main()
