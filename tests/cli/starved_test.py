"""A kiln that has less than usual: closed streams, few descriptors, no second process, little memory. It ends by a code
of docs/cli.md, and by one sentence where it failed; what was written before is whole.
"""

import os
import resource
import shutil
import subprocess
import unittest

from kiln_driver import KILN, SAMPLE, KilnTest

CODES = {0, 3, 4, 5, 6}
MIB = 1 << 20


class Starved(KilnTest):
    def limited(self, limits, *arguments, program=KILN, **more):
        def limit():
            for what, most in limits.items():
                resource.setrlimit(what, (most, most))

        return subprocess.run(
            [program, *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
            timeout=300, preexec_fn=limit, **more,
        )

    def told(self, done, where, codes=CODES):
        """A documented end, by one sentence if it is a failure. Libraries and warnings may have said something before."""
        said = done.stderr.decode(errors="replace")
        self.assertIn(done.returncode, codes, f"{where}: {said}")
        ours = [line for line in said.splitlines() if line.startswith("kiln: ")]
        self.assertEqual(len(ours), 1 if done.returncode else 0, f"{where}: {said}")
        if ours:
            self.assertEqual(said.strip().splitlines()[-1], ours[0])

    def test_closed_streams_are_told_and_mix_with_no_file(self):
        bake = [KILN, "bake", str(SAMPLE), "--clips", "walk", "-o"]
        subprocess.run([*bake, "usual"], cwd=self.folder, check=True, capture_output=True)
        usual = self.bytes_of(self.folder / "usual")
        for closed in [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]:
            with self.subTest(closed=closed):
                done = subprocess.run([*bake, "out"], cwd=self.folder, capture_output=True, timeout=60,
                                      preexec_fn=lambda: [os.close(stream) for stream in closed])
                self.assertEqual(done.returncode, 4 if 1 in closed else 0, done.stderr)
                if 1 in closed and 2 not in closed:
                    self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)
                    self.assertIn(b"standard output: it is closed", done.stderr)
                self.assertEqual(self.bytes_of(self.folder / "out"), usual)
                shutil.rmtree(self.folder / "out")

    def test_rejects_a_full_standard_output_with_a_sentence(self):
        for more in [[], ["--json"]]:
            with open("/dev/full", "wb") as full:
                done = subprocess.run([KILN, "info", str(SAMPLE), *more], stdout=full, stderr=subprocess.PIPE)
            self.told(done, more, {4})
            self.assertIn(b"No space left on device", done.stderr)

    def test_few_descriptors_end_in_a_sentence(self):
        self.document("bake", SAMPLE, "-o", "out", "--clips", "walk")
        old = self.bytes_of(self.folder / "out")
        self.document("bake", SAMPLE, "-o", "new", "--clips", "walk,idle")
        new = self.bytes_of(self.folder / "new")
        failed = 0
        for most in [4, 5, 6, 8, 12, 16, 18, 20, 24, 32]:
            limits = {resource.RLIMIT_NOFILE: most}
            done = self.limited(limits, "bake", SAMPLE, "-o", "out", "--clips", "walk,idle")
            self.told(done, f"bake with {most}")
            failed += done.returncode != 0
            found = self.bytes_of(self.folder / "out")
            self.assertEqual(found, old if done.returncode else new, f"bake with {most}")
            if done.returncode == 0:
                shutil.rmtree(self.folder / "out")
                self.document("bake", SAMPLE, "-o", "out", "--clips", "walk")
        self.assertGreater(failed, 2)
        for most in [8, 24, 32]:
            done = self.limited({resource.RLIMIT_NOFILE: most}, "render", SAMPLE, "-o", "o.png", "--size", "64x64")
            self.told(done, f"render with {most}")

    def test_without_a_second_process_or_thread(self):
        self.document("bake", SAMPLE, "-o", "set", "--clips", "walk")
        self.document("export", "set", "-o", "usual")
        # The limit does not hold for root.
        other = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        self.folder.chmod(0o777)
        limits = {resource.RLIMIT_NPROC: 1}
        try:
            done = self.limited(limits, "info", SAMPLE, **other)
        except PermissionError:
            self.skipTest("the programs cannot be run by another user here")
        # It needs kiln-import.
        self.told(done, "info", {6})
        self.assertIn(b"does not start", done.stderr)
        done = self.limited(limits, "export", "set", "-o", "again", **other)
        self.told(done, "export", {0, 6})  # 6 where it would start kiln-import
        if done.returncode == 0:
            self.assertEqual(self.bytes_of(self.folder / "again"), self.bytes_of(self.folder / "usual"))

    def test_little_memory_ends_in_a_sentence(self):
        self.document("bake", SAMPLE, "-o", "out", "--clips", "walk")
        old = self.bytes_of(self.folder / "out")
        least = next(mib for mib in range(16, 1024, 16)
                     if self.limited({resource.RLIMIT_AS: mib * MIB}, "--version").returncode == 0)
        ends = set()
        for mib in [*range(least, least + 64, 16), 4096]:
            done = self.limited({resource.RLIMIT_AS: mib * MIB}, "bake", SAMPLE, "-o", "out", "--clips", "walk")
            self.told(done, f"bake with {mib} MiB")
            self.assertEqual(self.bytes_of(self.folder / "out"), old)
            ends.add(done.returncode == 0)
        self.assertEqual(ends, {False, True})

    def test_drawing_with_little_memory_ends_in_a_sentence(self):
        """The driver, which may crash, included."""
        for mib in [256, 384, 448, 512, 640, 1024]:
            (self.folder / "o.png").unlink(missing_ok=True)
            done = self.limited({resource.RLIMIT_AS: mib * MIB}, "render", SAMPLE, "-o", "o.png", "--size", "640x360")
            self.told(done, f"with {mib} MiB")
            self.assertEqual((self.folder / "o.png").exists(), done.returncode == 0)

    def test_rejects_a_picture_that_memory_does_not_hold(self):
        for most in [2048, 4096]:
            done = self.limited({resource.RLIMIT_AS: most * MIB}, "render", SAMPLE, "-o", "o.png", "--size", "16384x16384")
            self.told(done, f"with {most} MiB", {3})
            self.assertIn(b"16384 x 16384", done.stderr)
            self.assertIn(b"memory", done.stderr)
            self.assertFalse((self.folder / "o.png").exists())

    def test_two_bakes_into_one_folder_take_turns(self):
        sets = []
        for clips in ["walk", "idle,walk"]:
            self.document("bake", SAMPLE, "-o", "alone", "--clips", clips)
            sets.append(self.bytes_of(self.folder / "alone"))
        for _ in range(6):
            both = [
                subprocess.Popen([KILN, "bake", str(SAMPLE), "-o", "out", "--clips", clips], cwd=self.folder,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                for clips in ["walk", "idle,walk"]
            ]
            for bake in both:
                _, said = bake.communicate(timeout=120)
                self.assertEqual(bake.returncode, 0, said)
            self.assertIn(self.bytes_of(self.folder / "out"), sets)


if __name__ == "__main__":
    unittest.main()
