"""The host where the reader of files ends, answers nonsense, takes too much, or its system offers less
(docs/faults.md).

FAILING_CALLS is set where workers are confined, so not with sanitizers (tests/cli/failing_test.py).
"""

import ctypes
import errno
import json
import os
import platform
import re
import shutil
import signal
import struct
import subprocess
import time
import unittest
from pathlib import Path

from kiln_driver import KILN, SAMPLE, KilnTest


@unittest.skipUnless(os.environ.get("FAILING_CALLS"), "workers with sanitizers are not confined")
class WorkerFaults(KilnTest):
    """The reader of files ends, or its system offers less."""

    def running_worker(self):
        """A kiln that waits for its stopped worker, and the worker, which has confined itself before."""
        command = [KILN, "info", str(SAMPLE), "--json"]
        for _ in range(50):  # a worker may end before it is seen
            kiln = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            while kiln.poll() is None:
                for child in self.children(kiln.pid):
                    status = self.status(child)
                    if "kiln-import" in status and "Seccomp:\t2" in status:
                        os.kill(child, signal.SIGSTOP)
                        return kiln, child
            kiln.communicate()
        self.fail("no worker was seen")

    def children(self, pid):
        try:
            tasks = list(Path(f"/proc/{pid}/task").iterdir())
            return [int(c) for task in tasks for c in (task / "children").read_text().split()]
        except OSError:
            return []

    def status(self, pid):
        try:
            return Path(f"/proc/{pid}/status").read_text()
        except OSError:
            return ""

    def ends(self, pid):
        for _ in range(1000):
            status = self.status(pid)
            if not status or "State:\tZ" in status:
                return True
            time.sleep(0.01)
        return False

    def test_rejects_the_file_where_the_worker_is_killed(self):
        """Fault 54."""
        kiln, worker = self.running_worker()
        os.kill(worker, signal.SIGKILL)
        out, _ = kiln.communicate(timeout=60)
        self.assertEqual(kiln.returncode, 3)
        self.assertEqual(json.loads(out)["error"]["code"], "ImportCrashed")
        self.assertEqual(set(json.loads(out)), {"error"})

    def test_worker_ends_with_the_program(self):
        """Fault 58."""
        kiln, worker = self.running_worker()
        kiln.kill()
        kiln.communicate(timeout=60)
        self.assertTrue(self.ends(worker))

    def test_worker_of_root_gives_up_its_rights(self):
        """It becomes a user without an account where it may still be ended then, and has no capability in any case."""
        if os.geteuid() != 0:
            self.skipTest("this is not root")
        kiln, worker = self.running_worker()
        status = self.status(worker)
        kiln.kill()
        kiln.communicate(timeout=60)
        self.assertIn("CapEff:\t" + 16 * "0", status)
        own = next(line for line in self.status(os.getpid()).splitlines() if line.startswith("CapEff"))
        may_kill = int(own.split()[1], 16) & 1 << 5
        open_to_all = all(folder.stat().st_mode & 0o001 for folder in SAMPLE.resolve().parents)
        if may_kill and open_to_all:
            self.assertIn(f"Uid:\t{0x7FFEC0DE}\t", status)

    @staticmethod
    def refuse(*calls, code=errno.ENOSYS):
        """Makes system calls fail by ENOSYS, as a system without them does (seccomp(2), classic BPF); with a code of 0
        they do nothing and succeed."""
        libc = ctypes.CDLL(None)
        rows = [(0x20, 0, 0, 0)]  # load the number of the call, compare it, and allow or refuse
        rows += [(0x15, len(calls) - i, 0, call) for i, call in enumerate(calls)]
        rows += [(0x06, 0, 0, 0x7FFF0000), (0x06, 0, 0, 0x00050000 | code)]
        packed = b"".join(struct.pack("<HBBI", *row) for row in rows)

        def install():
            code = ctypes.create_string_buffer(packed)
            program = ctypes.create_string_buffer(struct.pack("<H6xQ", len(rows), ctypes.addressof(code)))
            # PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP with SECCOMP_MODE_FILTER
            if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, program, 0, 0) != 0:
                raise OSError("no filter can be installed")

        return install

    def on_older_system(self, *words, calls=(444,)):
        """Runs kiln where neither Landlock (call 444) nor, if named, filters (317 of x86-64) can be had."""
        if platform.machine() != "x86_64":
            self.skipTest("the numbers of the system calls are those of x86-64")
        return subprocess.run([KILN, *map(str, words)], capture_output=True, timeout=120, cwd=self.folder,
                              preexec_fn=self.refuse(*calls))

    def sandbox_notes(self, document):
        return [note["message"] for note in document["notes"] if note["code"] == "SandboxMissing"]

    def test_older_systems_import_with_a_note(self):
        """Fault 59."""
        for calls, says in [((444,), "no Landlock"), ((444, 317), "no seccomp filter")]:
            done = self.on_older_system("info", SAMPLE, calls=calls)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stderr.decode(), f"(?m)^warning: .*{says}.*\\[SandboxMissing\\]$")
            done = self.on_older_system("pose", SAMPLE, "--json", calls=calls)
            [message] = self.sandbox_notes(json.loads(done.stdout))
            self.assertIn(says, message)
        done = subprocess.run([KILN, "info", str(SAMPLE), "--json"], capture_output=True, timeout=60)
        self.assertEqual(self.sandbox_notes(json.loads(done.stdout)), [])

    def self_test(self, *filters):
        """How the attempts of kiln-import --self-test end where each of these filters holds: its exit code and a set of
        attempts for each end."""
        if platform.machine() != "x86_64":
            self.skipTest("the numbers of the system calls are those of x86-64")
        done = subprocess.run([Path(KILN).parent / "kiln-import", "--self-test"], capture_output=True, timeout=120,
                              preexec_fn=lambda: [install() for install in filters])
        ends = {}
        for attempt, end in re.findall(r"(?m)^((?:reader|other program): .*): (.*)$", done.stdout.decode()):
            ends.setdefault(end.split(",")[0], set()).add(attempt)
        return done.returncode, ends

    def test_the_self_test_excuses_only_what_a_missing_wall_stops(self):
        """Fault 59: each wall that is there is tried, and one that only says so is found out."""
        code, whole = self.self_test()
        self.assertEqual((code, set(whole)), (0, {"refused", "the process is ended"}))
        code, without_landlock = self.self_test(self.refuse(444))
        self.assertEqual(code, 0)
        left_out = without_landlock.pop("not tried")
        self.assertEqual(set(without_landlock), {"refused", "the process is ended"})
        self.assertIn("other program: read a file outside of the folder", left_out)
        self.assertNotIn("other program: change the rights of a file", left_out)
        self.assertFalse([attempt for attempt in left_out if attempt.startswith("reader")])
        code, without_filter = self.self_test(self.refuse(317))
        self.assertEqual((code, set(without_filter)), (0, {"refused", "not tried"}))
        self.assertIn("other program: change the rights of a file", without_filter["not tried"])
        self.assertFalse(left_out & without_filter["not tried"])
        # Landlock that does nothing, also where another wall is missing.
        for filters in [[self.refuse(446, code=0)], [self.refuse(446, code=0), self.refuse(317)]]:
            code, ends = self.self_test(*filters)
            self.assertEqual(code, 6)
            self.assertIn("other program: read a file outside of the folder", ends["NOT PREVENTED"])

    def test_walls_are_heard_before_the_file_is_read_alone(self):
        """Fault 59: a worker that its file has taken over writes no words into reports."""
        shutil.copy(KILN, self.folder / "kiln")
        worker = self.folder / "kiln-import"
        real = Path(KILN).parent / "kiln-import"
        for first, later, heard in [
            (["<b>send money</b>", "landlock", "x" * 3000], [], "(this system has no Landlock)"),
            ([], ["seccomp"], None),
        ]:
            messages = [json.dumps({"missing": names}) for names in [first, later]]
            worker.write_text("#!/bin/sh\n" + "".join(f"echo '{text}' >&2\n" for text in messages)
                              + f"exec {real} \"$@\"\n")
            worker.chmod(0o755)
            done = subprocess.run([self.folder / "kiln", "info", str(SAMPLE), "--json"], capture_output=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            notes = self.sandbox_notes(json.loads(done.stdout))
            self.assertEqual(len(notes), 1 if heard else 0, notes)
            self.assertTrue(not heard or heard in notes[0], notes)

    def test_no_file_of_a_set_speaks_of_the_machine(self):
        """Fault 59."""
        older = self.on_older_system("bake", SAMPLE, "-o", "older", "--json")
        self.assertEqual(older.returncode, 0, older.stderr)
        self.assertEqual(len(self.sandbox_notes(json.loads(older.stdout))), 1)
        subprocess.run([KILN, "bake", str(SAMPLE), "-o", "usual", "--quiet"], cwd=self.folder, check=True, timeout=120)
        files = sorted(p.relative_to(self.folder / "usual") for p in (self.folder / "usual").rglob("*") if p.is_file())
        self.assertGreater(len(files), 1)
        for file in files:
            self.assertEqual((self.folder / "older" / file).read_bytes(), (self.folder / "usual" / file).read_bytes(), file)

    def test_rejects_to_read_where_the_sandbox_is_required(self):
        """Fault 112, for every command that reads a rig."""
        for command, *more in [["info"], ["pose"], ["bake", "-o", "out"], ["fit", "--max-error", "1"],
                               ["export", "-o", "out"], ["verify"], ["render", "-o", "out.png"]]:
            done = self.on_older_system(command, SAMPLE, *more, "--require-sandbox", "--json")
            self.assertEqual(done.returncode, 6, (command, done.stderr))
            error = json.loads(done.stdout)["error"]
            self.assertEqual(error["code"], "ImportNoWorker")
            self.assertIn("no Landlock", error["message"])
        self.assertEqual(os.listdir(self.folder), [])
        done = subprocess.run([KILN, "info", str(SAMPLE), "--require-sandbox"], capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_rejects_an_answer_that_is_none(self):
        """Fault 53: something else has the worker's name."""
        shutil.copy(KILN, self.folder / "kiln")
        worker = self.folder / "kiln-import"
        for text, code, error in [
            ("#!/bin/sh\necho hello\n", 3, "ImportBadResult"),
            ("no program", 6, "ImportNoWorker"),
            (None, 6, "ImportNoWorker"),
        ]:
            worker.unlink(missing_ok=True)
            if text:
                worker.write_text(text)
                worker.chmod(0o755)
            done = subprocess.run([self.folder / "kiln", "info", str(SAMPLE), "--json"],
                                  capture_output=True, timeout=60)
            self.assertEqual(json.loads(done.stdout)["error"]["code"], error)
            self.assertEqual(done.returncode, code)


    def test_rejects_a_worker_of_another_version(self):
        """Fault 53: the real worker's answer with another version of the form in its head."""
        shutil.copy(KILN, self.folder / "kiln")
        worker = self.folder / "kiln-import"
        real = Path(KILN).parent / "kiln-import"
        worker.write_text(
            "#!/usr/bin/env python3\nimport subprocess, sys\n"
            f"done = subprocess.run([{str(real)!r}, *sys.argv[1:]], stdout=subprocess.PIPE)\n"
            "answer = bytearray(done.stdout)\nanswer[4:8] = (9999).to_bytes(4, 'little')\n"
            "sys.stdout.buffer.write(answer)\nsys.exit(done.returncode)\n")
        worker.chmod(0o755)
        done = subprocess.run([self.folder / "kiln", "info", str(SAMPLE), "--json"],
                              capture_output=True, timeout=60)
        error = json.loads(done.stdout)["error"]
        self.assertEqual(error["code"], "ImportNoWorker", error["message"])
        self.assertIn("another version of the program; install both together", error["message"])
        self.assertEqual(done.returncode, 6)

    def test_rejects_rows_without_bytes_before_they_fill_memory(self):
        """Fault 102: half a kilobyte that speaks of 20 million vertices, and what its worker takes."""
        rows = {"count": 19_999_999, "componentType": 5126, "type": "VEC4"}
        accessors = [{**rows, "type": "VEC3"}, {**rows, "componentType": 5123}, rows]
        attributes = {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}
        (self.folder / "r.gltf").write_text(json.dumps({
            "asset": {"version": "2.0"}, "scenes": [{"nodes": [0, 1]}], "nodes": [{"mesh": 0, "skin": 0}, {}],
            "skins": [{"joints": [1]}], "meshes": [{"primitives": [{"attributes": attributes}]}],
            "accessors": accessors}))
        program = subprocess.Popen([KILN, "info", "r.gltf", "--json"], cwd=self.folder, stdout=subprocess.PIPE)
        said = program.stdout.read()
        # The processes that the program waited for are part of its use.
        _, status, use = os.wait4(program.pid, 0)
        program.returncode = os.waitstatus_to_exitcode(status)
        program.stdout.close()
        self.assertEqual(program.returncode, 3)
        self.assertEqual(json.loads(said)["error"]["code"], "LimitExceeded", said)
        self.assertLess(use.ru_maxrss, 200_000)

    def test_rejects_products_of_sane_matrices_that_are_not(self):
        """Fault 103: a bind matrix below the limit, which the file's unit takes beyond it."""
        text = (Path(os.environ["CK_SOURCE_DIR"]) / "tests/data/rigs/strip.fbx").read_text()
        for largest, code in [("9e12", None), ("9e14", "InvalidInput")]:
            changed, count = re.subn(r"(Transform: \*16 {\s*a: )1,", rf"\g<1>{largest},", text, count=1)
            self.assertEqual(count, 1)
            (self.folder / "r.fbx").write_text(changed)
            done = subprocess.run([KILN, "info", "r.fbx", "--json"], cwd=self.folder, capture_output=True, timeout=60)
            error = json.loads(done.stdout).get("error", {})
            self.assertEqual(error.get("code"), code, error)
            if code:
                self.assertIn("bind matrix", error["message"])
                self.assertEqual(done.returncode, 3)

    def test_needs_its_library_for_collada_alone(self):
        """Fault 53: the worker without kiln-assimp.so beside it."""
        for program in ["kiln", "kiln-import"]:
            shutil.copy(Path(KILN).parent / program, self.folder / program)
        rig = Path(os.environ["CK_SOURCE_DIR"]) / "tests/data/rigs/strip.dae"
        done = subprocess.run([self.folder / "kiln", "info", str(rig), "--json"],
                              capture_output=True, timeout=60)
        error = json.loads(done.stdout)["error"]
        self.assertEqual(error["code"], "ImportNoWorker", error["message"])
        self.assertIn("kiln-assimp.so", error["message"])
        self.assertEqual(done.returncode, 6)
        done = subprocess.run([self.folder / "kiln", "info", str(SAMPLE)], capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
