"""Folders of strangers whose entries are not of the kind that their names say: each read and write ends in a sentence or
well, waits for nothing, and touches nothing of others.
"""

import json
import os
import shutil
import threading
import unittest
from pathlib import Path

from kiln_driver import KilnTest

STRIP = Path(os.environ["CK_SOURCE_DIR"]) / "tests" / "data" / "rigs" / "strip.gltf"
FORMATS = ["--export", "ckatlas,json,png,glb"]


class OddPlaces(KilnTest):
    def setUp(self):
        super().setUp()
        shutil.copy(STRIP, self.folder / "strip.gltf")
        (self.folder / "letter").write_text("mine")

    def bake(self, *more, folder="out", code=0):
        done = self.kiln("bake", "strip.gltf", "-o", folder, *more)
        self.assertEqual(done.returncode, code, (more, done.stderr))
        return done

    def project(self, *characters, name="p.crowd"):
        source = {"sources": [{"path": "strip.gltf"}]}
        (self.folder / name).write_text(json.dumps({
            "format": "crowdkiln-project", "version": 1, "minReader": 1, "needs": "0.1",
            "characters": [{**({} if "variantOf" in one else source), **one} for one in characters],
            "actors": {"count": len(characters), "character": list(range(len(characters)))}}))

    def test_rejects_pipes_of_any_name(self):
        """Nobody writes to them, so who waits for their bytes waits without end."""
        self.project({"title": "one"})
        for name in ["f.crowd", "f.json", "f.gltf", "f.blend", "f.png", "f.actors.json", "f.actors.csv"]:
            os.mkfifo(self.folder / name)
        small = ["--size", "32x32"]
        for code, *words in [
            (3, "info", "f.crowd"), (3, "info", "f.gltf"), (3, "info", "f.blend"), (3, "bake", "f.crowd", "-o", "o"),
            (2, "bake", "strip.gltf", "-o", "o", "--settings", "f.json"),
            (3, "bake", "strip.gltf", "f.gltf", "-o", "o"),
            (3, "bake", "strip.gltf", "strip.gltf", "-o", "o", "--map", "f.json"),
            (3, "render", "p.crowd", "-o", "x.png", "--place", "f.actors.json", *small),
            (3, "render", "p.crowd", "-o", "x.png", "--place", "f.actors.csv", *small),
            (4, "bake", "strip.gltf", "-o", "f.png"),
        ]:
            self.refused(*words, code=code)

    def test_rejects_pipes_in_the_place_of_a_set(self):
        self.bake(*FORMATS)
        for name in sorted(os.listdir(self.folder / "out")):
            path = self.folder / "out" / name
            path.rename(self.folder / "kept")
            os.mkfifo(path)
            self.refused("verify", "out", code=3)
            self.assertLessEqual(self.kiln("export", "out", "-o", "away", "--export", "json").returncode, 3)
            path.unlink()
            (self.folder / "kept").rename(path)

    def test_entries_in_the_place_of_a_set_stay_or_are_replaced(self):
        """Links and pipes are replaced, whatever they lead to; folders of others stay."""
        self.bake(*FORMATS)
        for name in sorted(os.listdir(self.folder / "out")):
            path = self.folder / "out" / name
            for target in ["../letter", "../nowhere", "/dev/full", None]:
                path.unlink()
                path.symlink_to(target) if target else os.mkfifo(path)
                self.bake(*FORMATS)
                self.assertTrue(path.is_file() and not path.is_symlink(), (name, target))
            path.unlink()
            path.mkdir()
            (path / "letter").write_text("mine")
            self.bake(*FORMATS, code=4)
            self.assertEqual((path / "letter").read_text(), "mine")
            shutil.rmtree(path)
            self.bake(*FORMATS)
        self.assertEqual((self.folder / "letter").read_text(), "mine")
        self.assertFalse((self.folder / "nowhere").exists())

    def test_rejects_devices_in_the_place_of_a_folder(self):
        os.mkfifo(self.folder / "pipe")
        (self.folder / "link").symlink_to("/dev/null")
        for place in ["/dev/null", "/dev/full", "pipe", "letter", "link", "letter/x", "/proc/self/fd"]:
            self.bake(folder=place, code=4)
        self.assertEqual((self.folder / "letter").read_text(), "mine")

    def test_a_sidecar_lets_no_file_of_others_be_removed(self):
        """A planted sidecar lists files that no set has, and the user cleans up with --only."""
        self.bake(*FORMATS)
        out = self.folder / "out"
        sidecar = json.loads((out / "strip.atlas.json").read_text())
        own = sidecar["files"][0]
        (out / "sub").mkdir()
        (out / "link").symlink_to("..")
        names = ["thesis.png", "sub/thesis.png", "../letter", "link/letter", "sub", "strip.mesh.glb/../../letter"]
        for name in names[:2]:
            (out / name).write_text("mine")
        for name in names:
            sidecar["files"] = [{**own, "name": name}]
            (out / "strip.atlas.json").write_text(json.dumps(sidecar))
            self.bake("--export", "ckatlas,json", "--only")
            for kept in [out / "thesis.png", out / "sub" / "thesis.png", self.folder / "letter"]:
                self.assertEqual(kept.read_text(), "mine", name)
            self.assertTrue((out / "link").is_symlink())

    def test_titles_name_no_place(self):
        for title in ["..", ".", "/etc/x", "a/b", ".crowdkiln-lock", "x" * 300, "a\0b", "\u202egnp", "-rf", "strip.atlas"]:
            self.project({"title": "one"}, {"title": title})
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            done = self.kiln("export", "p.crowd", "-o", "out", "--export", "ckatlas,three")
            self.assertEqual(done.returncode, 0, (title, done.stderr))
            self.assertEqual(sorted(os.listdir(self.folder)), ["letter", "out", "p.crowd", "strip.gltf"], title)
            for name in os.listdir(self.folder / "out"):
                self.assertRegex(name, r"^p[-.]", title)

    def test_rejects_characters_in_circles(self):
        for variants in [[0], [None, 2, 1], [None, 1], [None, -5], [1]]:
            self.project(*[{"title": f"t{i}", **({} if of is None else {"variantOf": of})} for i, of in enumerate(variants)])
            self.refused("info", "p.crowd", code=3, says="variantOf")
        for names in [["p.crowd"], ["p.crowd", "q.crowd"]]:
            for name, source in zip(names, names[1:] + names[:1]):
                self.project({"sources": [{"path": source}]}, name=name)
            self.refused("bake", "p.crowd", "-o", "out", code=3)

    def test_links_in_circles_end(self):
        (self.folder / "again").symlink_to(".")
        (self.folder / "root").symlink_to("/")
        (self.folder / "self.gltf").symlink_to("self.gltf")
        self.bake()
        self.refused("info", "self.gltf", code=3)
        self.refused("bake", "strip.gltf", "-o", "again/self.gltf", code=4)

    def test_files_that_grow_while_they_are_read_end_in_a_sentence(self):
        self.bake(*FORMATS)
        self.project({"title": "one"})
        for path in [self.folder / "strip.gltf", self.folder / "p.crowd", *sorted((self.folder / "out").iterdir())]:
            whole = path.read_bytes()
            is_over = threading.Event()

            def grow(path=path, is_over=is_over):
                size = 0
                with open(path, "ab", buffering=0) as file:
                    while not is_over.is_set() and size < 1 << 28:
                        size += file.write(b" " * 4096)

            growing = threading.Thread(target=grow)
            growing.start()
            try:
                for words in [["info", "p.crowd"], ["bake", "p.crowd", "-o", "away"], ["verify", "out"]]:
                    done = self.kiln(*words)
                    self.assertIn(done.returncode, {0, 1, 3}, (path.name, words, done.stderr))
                    self.assertEqual(len(done.stderr.strip().splitlines()) if done.returncode == 3 else 1, 1, done.stderr)
            finally:
                is_over.set()
                growing.join()
            path.write_bytes(whole)


if __name__ == "__main__":
    unittest.main()
