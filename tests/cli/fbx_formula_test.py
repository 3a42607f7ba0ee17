"""FBX rigs of the shared fixtures, posed by Autodesk's formula of a node's transform."""

import importlib.util
import re
import subprocess
import sys
import unittest
from pathlib import Path

from kiln_driver import SHARED, KilnTest

SOURCE = Path(__file__).parents[2]
GENERATOR = SHARED / "fixtures" / "gen_fbx.py"
RIGS = ["plain", "v_pre", "v_post", "v_prepost", "v_piv", "v_prepiv", "v_prescale", "v_postpiv", "layers"]


def formulae():
    spec = importlib.util.spec_from_file_location("rig", SOURCE / "tests/data/rigs/make_layered_rig.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class FbxFormula(KilnTest):
    @unittest.skipUnless(GENERATOR.exists(), "the shared fixtures are not there")
    def test_poses_are_those_of_the_formula(self):
        subprocess.run([sys.executable, GENERATOR], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        f = formulae()
        for name in RIGS:
            path = self.folder / f"{name}.fbx"
            hips = path.read_text().split('"Model::Hips"')[1].split('"Model::Spine"')[0]
            for seconds in [0, 0.25, 0.4, 0.7, 1]:
                with self.subTest(rig=name, seconds=seconds):
                    # Two keys with automatic tangents, which are flat at both ends; the second layer adds 30.
                    angle = 90 * (3 * seconds**2 - 2 * seconds**3) + (30 if name == "layers" else 0)
                    due = self.transform(f, hips, angle)
                    below = f.multiply(due, f.moved((0, 5, 0)))
                    posed = self.document("pose", path, "--clip", "#0", "--time", seconds)
                    models = {joint["name"]: joint["model"] for joint in posed["joints"]}
                    for joint, matrix in [("Hips", due), ("Spine", below)]:
                        numbers = [matrix[r][c] * (1 if r == 3 else 0.01) for c in range(4) for r in range(4)]
                        for ours, theirs in zip(models[joint], numbers):
                            self.assertAlmostEqual(ours, theirs, delta=1e-6)

    def transform(self, f, properties, angle):
        """T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1, with R about x."""

        def vector(name, otherwise=(0, 0, 0)):
            found = re.search(f'"{name}",[^\\n]*"A",([^\\n]*)', properties)
            return [float(n) for n in found[1].split(",")] if found else list(otherwise)

        def back(v):
            return [-n for n in v]

        scale = f.moved((0, 0, 0))
        for axis, factor in enumerate(vector("Lcl Scaling", (1, 1, 1))):
            scale[axis][axis] = factor
        pivot, scaling = vector("RotationPivot"), vector("ScalingPivot")
        matrix = f.moved(vector("Lcl Translation"))
        for part in [f.moved(vector("RotationOffset")), f.moved(pivot), f.turned(vector("PreRotation")),
                     f.turned((angle, 0, 0)), f.rigid_inverse(f.turned(vector("PostRotation"))),
                     f.moved(back(pivot)), f.moved(vector("ScalingOffset")), f.moved(scaling), scale,
                     f.moved(back(scaling))]:
            matrix = f.multiply(matrix, part)
        return matrix


if __name__ == "__main__":
    unittest.main()
