"""One call of the system fails, or the program is killed there, at every point of an import, a bake, an export and
a save: it ends by a sentence and a code that docs/cli.md knows, and what was there before is whole.

FAILING_CALLS names the library that lets calls fail (tests/support/failing_calls.cpp), SAVE_PROJECT the program that
saves as the editor does. CK_POINTS is how many points of a sweep are tried; all of them with CK_POINTS=all.
"""

import os
import random
import signal
import shutil
import subprocess
import unittest
from pathlib import Path

from kiln_driver import KILN, SAMPLE, KilnTest

LIBRARY = os.environ.get("FAILING_CALLS", "")
SAVE = os.environ.get("SAVE_PROJECT", "")
PROJECT = Path(os.environ["CK_SOURCE_DIR"]) / "resources" / "samples" / "meadow" / "meadow.crowd"
# Of docs/cli.md.
CODES = {0, 3, 4, 5, 6}
WORK = ".crowdkiln-"
STRIP = Path(os.environ["CK_SOURCE_DIR"]) / "tests" / "data" / "rigs" / "strip.gltf"
# The rig of bakes and exports, one of its clips, and two. A bake of the small rig takes a third of the time. Sweeps of
# more points (scripts/test.sh --all) take the sample, which has textures and morphs too.
RIG, ONE, TWO = (SAMPLE, "walk", "idle,walk") if "CK_POINTS" in os.environ else (STRIP, "rise", "bend,rise")
# A rig of another name, which is baked after an interruption.
OTHER = Path(os.environ["CK_SOURCE_DIR"]) / "tests" / "data" / "rigs" / "layered.fbx"


@unittest.skipUnless(LIBRARY, "the library that lets calls fail is not built with sanitizers")
class SweepTest(KilnTest):
    tried = os.environ.get("CK_POINTS", "12")

    def run_failing(self, program, failing, *arguments, only="kiln", count=None):
        environment = {**os.environ, "LD_PRELOAD": LIBRARY, "CK_FAILING": failing, "CK_FAILING_IN": only}
        if count:
            environment["CK_FAILING_COUNT"] = str(count)
        return subprocess.run(
            [program, *map(str, arguments)], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=120,
        )

    def points(self, kind, program, *arguments, only="kiln"):
        """The numbers of the calls to try: the first ones, which are each of another kind, and some of all others."""
        if only == "kiln-import":  # it may not write how many it makes
            some = 1000 if self.tried == "all" else int(self.tried) // 2
            return [*range(1, some + 1), *random.Random(20).sample(range(some + 1, 9000), some)]
        count = self.folder / "count"
        done = self.run_failing(program, f"{kind}:999999999", *arguments, only=only, count=count)
        self.assertEqual(done.returncode, 0, done.stderr)
        total = int(count.read_text())
        count.unlink()
        self.assertGreater(total, 2)
        # Of writing every call is of a kind of its own.
        if self.tried == "all" or (kind == "write" and total < 100):
            return range(1, total + 1)
        half = int(self.tried) // 2
        later = range(half + 1, total + 1)
        return [
            *range(1, min(half, total) + 1),
            *sorted(random.Random(20).sample(later, min(half, len(later)))),
        ]

    def told(self, done, where):
        """A documented end, by one sentence if it is a failure."""
        said = done.stderr.decode(errors="replace")
        self.assertIn(done.returncode, CODES, f"{where}: {said}")
        if done.returncode != 0:
            self.assertEqual(len(said.strip().splitlines()), 1, f"{where}: {said}")
            self.assertIn(" ", said, where)


class SetSweep:
    """Writes the set "new" into a folder that has the set "old", by command(folder, which)."""

    def make_sets(self):
        for which in ["old", "new"]:
            done = self.kiln(*self.command(which, which))
            self.assertEqual(done.returncode, 0, done.stderr)
        self.old = self.bytes_of(self.folder / "old")
        self.new = self.bytes_of(self.folder / "new")
        self.assertNotEqual(self.old, self.new)

    def fresh(self):
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        shutil.copytree(self.folder / "old", self.folder / "out")

    def whole(self, where):
        """Which set the folder has. A mixture is accepted by no reader, and mended by the next export."""
        if self.left_over():
            before = self.bytes_of(self.folder / "out")
            done = self.kiln("verify", "out")
            self.assertTrue(self.bytes_of(self.folder / "out") == before, f"{where}: reading changed the folder")
            if self.of_sets() not in (self.old, self.new):
                self.assertIn(done.returncode, (1, 3), f"{where}: a mixture is accepted")
            done = self.kiln("bake", OTHER, "-o", "out", "--export", "ckatlas")
            self.assertEqual(done.returncode, 0, f"{where}: {done.stderr}")
            self.assertIn(b"interrupted", done.stderr, where)
            (self.folder / "out" / f"{OTHER.stem}.ckatlas").unlink()
        found = self.of_sets()
        self.assertTrue(found in (self.old, self.new), f"{where}: a mixture: {sorted(found)}")
        return found == self.new

    def of_sets(self):
        return {n: b for n, b in self.bytes_of(self.folder / "out").items() if not n.startswith(WORK)}

    def left_over(self):
        """Whether a work folder was left; a lock alone is taken over without a word."""
        return any(p.name.startswith(WORK) and p.is_dir() for p in (self.folder / "out").iterdir())

    def sweep(self, kind, only="kiln"):
        arguments = self.command("out", "new")
        self.fresh()
        failed = 0
        for point in self.points(kind, KILN, *arguments, only=only):
            for further in ["", "+"]:
                where = f"{kind}:{point}{further} in {only}"
                self.fresh()
                done = self.run_failing(KILN, f"{kind}:{point}{further}", *arguments, only=only)
                self.told(done, where)
                is_new = self.whole(where)
                # A set that was published is read once more; where that fails, it is there and whole.
                if kind == "write":
                    self.assertEqual(is_new, done.returncode == 0, f"{where}: {done.stderr}")
                failed += done.returncode != 0
        self.assertGreater(failed, 5)

    def test_memory_fails(self):
        self.sweep("memory")

    def test_writing_fails(self):
        self.sweep("write")

    def test_reading_fails(self):
        self.sweep("read")

    def test_killed_anywhere_leaves_one_set(self):
        arguments = self.command("out", "new")
        self.fresh()
        kept = 0
        for point in self.points("write", KILN, *arguments):
            where = f"killed at write {point}"
            self.fresh()
            done = self.run_failing(KILN, f"write:{point}!", *arguments)
            self.assertEqual(done.returncode, -signal.SIGKILL, where)
            kept += not self.whole(where)
            again = self.kiln(*arguments)
            self.assertEqual(again.returncode, 0, again.stderr)
            self.assertTrue(self.bytes_of(self.folder / "out") == self.new, where)
        self.assertGreater(kept, 5)


class FailingBakes(SetSweep, SweepTest):
    """Bakes of other clips into a folder that has a set."""

    def setUp(self):
        super().setUp()
        self.make_sets()

    def command(self, folder, which):
        clips = {"old": ONE, "new": TWO}[which]
        return ["bake", RIG, "-o", folder, "--clips", clips, "--export", "ckatlas,json,png"]

    def test_memory_of_the_reader_fails(self):
        self.sweep("memory", only="kiln-import")


class FailingExports(SetSweep, SweepTest):
    """Exports of baked sets, in other formats, into a folder that has one."""

    def setUp(self):
        super().setUp()
        for which, clips in [("old", ONE), ("new", TWO)]:
            done = self.kiln("bake", RIG, "-o", f"{which}.baked", "--clips", clips)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.make_sets()

    def command(self, folder, which):
        return ["export", f"{which}.baked", "-o", folder, "--export", "json,png,exr"]


class FailingSaves(SweepTest):
    """Saves of a project over another one, which take little time."""

    tried = os.environ.get("CK_POINTS", "30")

    def setUp(self):
        super().setUp()
        shutil.copytree(PROJECT.parent, self.folder / "place")
        self.path = self.folder / "place" / "p.crowd"
        self.texts = {}
        for title in ["Old", "New"]:
            done = subprocess.run([SAVE, PROJECT, self.path, title], capture_output=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.texts[title] = self.path.read_bytes()
        self.names = {p.name for p in self.path.parent.iterdir()}

    def fresh(self):
        self.path.write_bytes(self.texts["Old"])

    def save(self, failing):
        return self.run_failing(SAVE, failing, self.path, self.path, "New", only=Path(SAVE).name)

    def points_of(self, kind):
        self.fresh()
        return self.points(kind, SAVE, self.path, self.path, "New", only=Path(SAVE).name)

    def test_calls_fail(self):
        for kind in ["memory", "write", "read"]:
            failed = 0
            for point in self.points_of(kind):
                for further in ["", "+"]:
                    self.fresh()
                    where = f"{kind}:{point}{further}"
                    done = self.save(where)
                    self.told(done, where)
                    expected = self.texts["Old" if done.returncode else "New"]
                    self.assertEqual(self.path.read_bytes(), expected, f"{where}: {done.stderr}")
                    failed += done.returncode != 0
            self.assertGreater(failed, 1, kind)

    def test_killed_anywhere_keeps_the_project(self):
        kills = 0
        while kills < 200:
            for point in self.points_of("write"):
                self.fresh()
                done = self.save(f"write:{point}!")
                self.assertEqual(done.returncode, -signal.SIGKILL)
                text = self.path.read_bytes()
                self.assertIn(text, self.texts.values(), f"killed at write {point}")
                kills += 1
        # The next save removes what the kills have left.
        self.assertEqual(self.save("write:999999999").returncode, 0)
        self.assertEqual({p.name for p in self.path.parent.iterdir()}, self.names)


if __name__ == "__main__":
    unittest.main()
