"""Files in a stranger's folder under names of ours: nothing is read as an order, nothing of others is touched.

FAILING_CALLS names the library that lets calls fail (tests/support/failing_calls.cpp). CK_POINTS is how many points of
a sweep are tried; all of them with CK_POINTS=all.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import unittest
from pathlib import Path

from kiln_driver import KILN, SAMPLE, KilnTest

LIBRARY = os.environ.get("FAILING_CALLS", "")
POINTS = os.environ.get("CK_POINTS", "12")
SAMPLES = Path(os.environ["CK_SOURCE_DIR"]) / "resources" / "samples"


class PlantedTest(KilnTest):
    """Folders of a set with planted work folders, journals and locks."""

    def setUp(self):
        super().setUp()
        self.home = self.folder / "home"
        (self.home / "keys").mkdir(parents=True)
        (self.home / "letter.txt").write_text("mine")
        (self.home / "keys" / "id").write_text("mine")
        self.set = self.home / "set"
        self.document("bake", SAMPLE, "-o", str(self.set), "--clips", "walk", "--export", "ckatlas,json")
        (self.set / "thesis.mesh.glb").write_text("mine")

    def plants(self):
        """Journals of the forms that programs of before acted on, in folders of every kind of name."""
        mark = ".crowdkiln-00000000-00000000-f0000000-1-1-abcdef"
        forms = {
            "delete the folder above": b"\0..\0z",
            "delete files inside": b"nhumanoid.ckatlas\0nthesis.mesh.glb\0",
            "in JSON": json.dumps({
                "format": "crowdkiln-journal", "folder": {"inode": "0" * 16, "born": "0" * 16},
                "work": {"inode": "0" * 16, "born": "0" * 16},
                "entries": [{"name": "humanoid.ckatlas", "wasThere": False, "inode": "0" * 16}],
                "seal": "0" * 16}).encode(),
        }
        for name in [".crowdkiln-planted", ".crowdkiln-backup", mark]:
            for what, journal in forms.items():
                yield f"{name}: {what}", name, journal

    def test_no_command_acts_on_planted_journals(self):
        for where, name, journal in self.plants():
            work = self.set / name
            work.mkdir(mode=0o700)
            (work / "journal").write_bytes(journal)
            (work / "old").symlink_to(self.home / "keys")
            before = self.bytes_of(self.home)
            for command in (["verify", self.set], ["render", self.set, "-o", "x.png", "--size", "32x32"],
                            ["info", self.set], ["export", self.set, "-o", self.folder / "away", "--export", "json,png"]):
                done = self.kiln(*map(str, command))
                self.assertEqual(self.bytes_of(self.home), before, f"{where}: {command[0]}: {done.stderr}")
            done = self.kiln("bake", SAMPLE, "-o", str(self.set), "--clips", "walk", "--export", "ckatlas,json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.bytes_of(self.home), before, f"{where}: bake")
            shutil.rmtree(work)

    def test_links_at_names_of_the_set_are_replaced(self):
        for name in ["humanoid.ckatlas", "humanoid.atlas.json", "humanoid.mesh.glb", "humanoid.three"]:
            path = self.set / name
            if path.exists():
                path.unlink()
            path.symlink_to(self.home / "keys" if name.endswith("three") else self.home / "letter.txt")
        done = self.kiln("bake", SAMPLE, "-o", str(self.set), "--clips", "walk", "--export", "ckatlas,three")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.home / "letter.txt").read_text(), "mine")
        self.assertEqual(os.listdir(self.home / "keys"), ["id"])
        self.assertFalse(any(path.is_symlink() for path in self.set.iterdir()))


class Shows:
    """Exports of a project with several characters, which are one: of two projects with the same names of files."""

    rigs = [SAMPLES / "humanoid.glb", SAMPLES / "animal.glb"]

    def setUp(self):
        super().setUp()
        self.shows = {}
        for which, encoding in [("old", "P16"), ("new", "T16")]:
            place = self.folder / which
            place.mkdir()
            for rig in self.rigs:
                shutil.copy(rig, place / rig.name)
            project = {"format": "crowdkiln-project", "version": 1, "minReader": 1, "needs": "0.1",
                       "characters": [{"title": rig.stem, "sources": [{"path": rig.name}],
                                       "bake": {"encoding": encoding}} for rig in self.rigs],
                       "actors": {"count": 2, "character": [0, 1]}}
            (place / "show.crowd").write_text(json.dumps(project))
            self.document(*self.command(which, which + ".set"))
            self.shows[which] = self.bytes_of(self.folder / f"{which}.set")

    def command(self, which, folder):
        return ["export", f"{which}/show.crowd", "-o", folder, "--export", "ckatlas,json"]

    def run_failing(self, failing, *arguments, count=None):
        environment = {**os.environ, "LD_PRELOAD": LIBRARY, "CK_FAILING": failing, "CK_FAILING_IN": "kiln"}
        if count:
            environment["CK_FAILING_COUNT"] = str(count)
        return subprocess.run([KILN, *arguments], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=120)

    def of_sets(self):
        return {n: b for n, b in self.bytes_of(self.folder / "out").items() if not n.startswith(".crowdkiln-")}

    def fresh(self):
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        shutil.copytree(self.folder / "old.set", self.folder / "out")

    def calls_of_an_export(self):
        """How often an export changes files or folders."""
        count = self.folder / "count"
        self.fresh()
        self.run_failing("write:999999999", *self.command("new", "out"), count=count)
        self.assertTrue(self.of_sets() == self.shows["new"])
        return int(count.read_text())

    def is_mixed(self, where):
        """Whether a kill left a mixture, which no reader accepts."""
        left = self.of_sets()
        if left in self.shows.values():
            return False
        verified = self.kiln("verify", "out")
        self.assertEqual(verified.returncode, 1, f"{where}: {verified.stderr} {verified.stdout}")
        self.assertTrue(self.of_sets() == left, f"{where}: reading changed the folder")
        return True


@unittest.skipUnless(LIBRARY, "the library that lets calls fail is not built with sanitizers")
class CastTest(Shows, KilnTest):
    """Exports that are killed, or for which the system has no locks."""

    def test_kills_of_a_cast_leave_no_accepted_mixture(self):
        total = self.calls_of_an_export()
        points = range(1, total + 1)
        if POINTS != "all":
            # Files are replaced before the work folder is removed by the last calls.
            points = sorted({*range(total - 23, total - 8), *random.Random(4).sample(points, int(POINTS) // 4)})
        mixed = 0
        for point in points:
            self.fresh()
            done = self.run_failing(f"write:{point}!", *self.command("new", "out"))
            self.assertEqual(done.returncode, -signal.SIGKILL, f"write {point}")
            mixed += self.is_mixed(f"write {point}")
            again = self.kiln(*self.command("old", "out"))
            self.assertEqual(again.returncode, 0, again.stderr)
            names = sorted(self.bytes_of(self.folder / "out"))
            self.assertEqual(names, sorted(self.shows["old"]), f"write {point}")
            self.assertTrue(self.of_sets() == self.shows["old"], f"write {point}")
        self.assertGreater(mixed, 3)

    def test_exports_without_locks_of_the_system_take_turns(self):
        environment = {**os.environ, "LD_PRELOAD": LIBRARY, "CK_FAILING": "lock:1+", "CK_FAILING_IN": "kiln"}
        for _ in range(3):
            both = [subprocess.Popen([KILN, *self.command(which, "out")], cwd=self.folder, env=environment,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE) for which in self.shows]
            for export in both:
                _, said = export.communicate(timeout=120)
                self.assertEqual(export.returncode, 0, said)
            self.assertTrue(self.bytes_of(self.folder / "out") in list(self.shows.values()))


if __name__ == "__main__":
    unittest.main()
