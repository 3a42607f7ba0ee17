#!/usr/bin/env python3
"""container_table.py KILN [MODELS]: bakes the sample rigs, and Woman of the folder MODELS (shared/models) if it
is there, packs them in every form, and prints docs/bench/container.md.

Sizes are those of whole files. Times are the best of several runs of one thread, by `kiln bench container`,
as megabytes of texels a second."""
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "resources" / "samples"


def measured(kiln, rig, *options):
    done = subprocess.run([kiln, "bench", "container", rig, *options, "--json"], check=True,
                          capture_output=True, stdin=subprocess.DEVNULL)
    return json.loads(done.stdout)
