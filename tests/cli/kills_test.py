"""Programs that are killed over and over while they write, by the number of the call that changes files and by the time.

Of the label slow. CK_KILLS is how many kills a test makes, 1,000 if nothing is said. FAILING_CALLS and SAVE_PROJECT are as
in failing_test.py.
"""

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import time
import unittest
from collections import Counter
from pathlib import Path

from failing_test import PROJECT, SAVE
from kiln_driver import KILN, KilnTest
from strangers_test import LIBRARY, Shows

KILLS = int(os.environ.get("CK_KILLS", "1000"))
RIGS = Path(os.environ["CK_SOURCE_DIR"]) / "tests" / "data" / "rigs"


def killed_after(seconds, program, arguments, folder):
    running = subprocess.Popen([program, *map(str, arguments)], cwd=folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(seconds)
    running.kill()
    return running.wait()


@unittest.skipUnless(LIBRARY, "the library that lets calls fail is not built with sanitizers")
class KillsOfCasts(Shows, KilnTest):
    rigs = [RIGS / "strip.gltf", RIGS / "layered.fbx"]

    def test_no_reader_accepts_a_mixture(self):
        total = self.calls_of_an_export()
        start = time.monotonic()
        self.fresh()
        self.kiln(*self.command("new", "out"))
        duration = time.monotonic() - start
        chance = random.Random(7)
        ends = Counter()
        for kill in range(KILLS):
            self.fresh()
            if kill % 2 == 0:
                # Every third one meets the calls that replace files, which are the last but for a few.
                point = chance.randint(total - 25 if kill % 3 == 0 else 1, total)
                where = f"kill {kill}, at call {point}"
                self.run_failing(f"write:{point}!", *self.command("new", "out"))
            else:
                seconds = chance.uniform(0.0, 1.1 * duration)
                where = f"kill {kill}, after {seconds:.4f} s"
                killed_after(seconds, KILN, self.command("new", "out"), self.folder)
            mixed = self.is_mixed(where)
            ends["mixed" if mixed else "new" if self.of_sets() == self.shows["new"] else "old"] += 1
            if mixed or kill % 20 == 0:
                again = self.kiln(*self.command("old", "out"))
                self.assertEqual(again.returncode, 0, f"{where}: {again.stderr}")
                self.assertTrue(self.bytes_of(self.folder / "out") == self.shows["old"], where)
        print(f"{KILLS} kills of a cast's export, {total} calls: {dict(ends)}, no mixture accepted", flush=True)
        self.assertGreater(ends["old"], 0)


@unittest.skipUnless(LIBRARY, "the library that lets calls fail is not built with sanitizers")
class KillsOfSaves(KilnTest):
    def test_the_project_is_the_old_or_the_new_one(self):
        shutil.copytree(PROJECT.parent, self.folder / "place")
        path = self.folder / "place" / "p.crowd"
        texts = {}
        for title in ["Old", "New"]:
            subprocess.run([SAVE, PROJECT, path, title], check=True, capture_output=True)
            texts[title] = path.read_bytes()
        names = {p.name for p in path.parent.iterdir()}
        arguments = [path, path, "New"]
        count = self.folder / "count"
        environment = {**os.environ, "LD_PRELOAD": LIBRARY, "CK_FAILING": "write:999999999", "CK_FAILING_COUNT": str(count)}
        start = time.monotonic()
        subprocess.run([SAVE, *arguments], check=True, env=environment)
        duration = time.monotonic() - start
        total = int(count.read_text())
        chance = random.Random(8)
        ends = Counter()
        for kill in range(KILLS):
            path.write_bytes(texts["Old"])
            if kill % 2 == 0:
                point = 1 + kill // 2 % total
                where = f"kill {kill}, at call {point}"
                done = subprocess.run([SAVE, *arguments], env={**environment, "CK_FAILING": f"write:{point}!"})
                self.assertEqual(done.returncode, -signal.SIGKILL, where)
            else:
                seconds = chance.uniform(0.0, 1.1 * duration)
                where = f"kill {kill}, after {seconds:.4f} s"
                killed_after(seconds, SAVE, arguments, self.folder)
            text = path.read_bytes()
            self.assertIn(text, texts.values(), where)
            ends["new" if text == texts["New"] else "old"] += 1
        print(f"{KILLS} kills of a save, {total} calls: {dict(ends)}", flush=True)
        self.assertGreater(ends["old"], 0)
        # The next save removes what the kills have left.
        subprocess.run([SAVE, *arguments], check=True)
        self.assertEqual({p.name for p in path.parent.iterdir()}, names)


class LimitedSaves(KilnTest):
    """Saves and bakes with less memory, or on a disk that fills up, step by step."""

    def limited(self, what, most, program, *arguments):
        return subprocess.run([program, *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=300, preexec_fn=lambda: resource.setrlimit(what, (most, most)))

    def sweep(self, what, steps, program, arguments, fresh, found, old, new):
        """At every step there is the old work, by a sentence, or the new one."""
        fresh()
        ends = Counter()
        for most in steps:
            where = f"{what} of {most}"
            done = self.limited(what, most, program, *arguments)
            said = done.stderr.decode(errors="replace")
            self.assertEqual(found(), old if done.returncode else new, f"{where}: {said}")
            self.assertIn(done.returncode, {0, 3, 4, 6}, f"{where}: {said}")
            if done.returncode:
                self.assertIn(" ", said.strip(), where)
            else:
                fresh()
            ends[done.returncode == 0] += 1
        print(f"{program} under {len(steps)} limits: {dict(ends)}", flush=True)
        self.assertEqual(set(ends), {False, True}, ends)

    def test_saves(self):
        shutil.copytree(PROJECT.parent, self.folder / "place")
        path = self.folder / "place" / "p.crowd"
        project = json.loads(PROJECT.read_text())
        project["actors"] = {"count": 50000}
        large = self.folder / "place" / "large.crowd"
        large.write_text(json.dumps(project))
        texts = {}
        for title in ["Old", "New, longer"]:
            subprocess.run([SAVE, large, path, title], check=True, capture_output=True)
            texts[title] = path.read_bytes()
        old, new = texts.values()
        least = next(mib for mib in range(8, 2048, 2)
                     if self.limited(resource.RLIMIT_AS, mib << 20, SAVE).returncode == 2)  # it starts
        memory = [*range(least << 20, (least + 64) << 20, 2 << 20), 4 << 30]
        disk = [*range(0, len(new), max(len(new) // 16, 1)), 1 << 30]
        for what, steps in [(resource.RLIMIT_AS, memory), (resource.RLIMIT_FSIZE, disk)]:
            self.sweep(what, steps, SAVE, [path, path, "New, longer"], lambda: path.write_bytes(old), path.read_bytes, old, new)

    def test_a_million_actors_fit_into_a_gigabyte(self):
        """A project of a kilobyte whose actors share their weights and commands."""
        project = {"format": "crowdkiln-project", "version": 1, "minReader": 1, "needs": "0.1",
                   "characters": [{"sources": [{"path": "strip.gltf"}], "clips": [{"name": "rise"}]}],
                   "actors": {"count": 1000000, "commands": " ".join(f"reverse@{n}" for n in range(200)),
                              "morphs": {f"m{n:02}": 0.5 for n in range(50)}}}
        (self.folder / "million.crowd").write_text(json.dumps(project))
        done = self.limited(resource.RLIMIT_AS, 1 << 30, SAVE, "million.crowd", "again.crowd", "Million")
        self.assertEqual(done.returncode, 0, done.stderr)
        again = json.loads((self.folder / "again.crowd").read_text())["actors"]
        self.assertEqual(again["morphs"], project["actors"]["morphs"])
        self.assertEqual(again["commands"], project["actors"]["commands"])

    def test_bakes(self):
        rig = RIGS / "strip.gltf"
        sets = []
        for clips in ["rise", "bend,rise"]:
            self.document("bake", rig, "-o", "out", "--clips", clips)
            sets.append(self.bytes_of(self.folder / "out"))
        old, new = sets

        def fresh():
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            self.document("bake", rig, "-o", "out", "--clips", "rise")

        least = next(mib for mib in range(16, 2048, 8)
                     if self.limited(resource.RLIMIT_AS, mib << 20, KILN, "--version").returncode == 0)
        memory = [*range(least << 20, (least + 64) << 20, 4 << 20), 8 << 30]
        largest = max(map(len, new.values()))
        disk = [*range(0, largest, max(largest // 16, 1)), 1 << 30]
        for what, steps in [(resource.RLIMIT_AS, memory), (resource.RLIMIT_FSIZE, disk)]:
            self.sweep(what, steps, KILN, ["bake", rig, "-o", "out", "--clips", "bend,rise"], fresh,
                       lambda: self.bytes_of(self.folder / "out"), old, new)


if __name__ == "__main__":
    unittest.main()
