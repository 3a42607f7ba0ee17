"""Files that are wrong in one place: tests/cli/refusal_tables.py says what comes of each. Every refusal is one sentence with
the file, the place and what is wrong there."""

import ctypes
import ctypes.util
import json
import os
import shutil
import struct
import unittest
from pathlib import Path

import refusal_tables as tables
from atlas_fields import Fields
from kiln_driver import KilnTest
from refusal_tables import changed

STRIP = Path(os.environ["CK_SOURCE_DIR"]) / "tests" / "data" / "rigs" / "strip.gltf"


def sealed(data):
    """The file with the checksum that fits; None where the library is missing."""
    library = ctypes.util.find_library("xxhash")
    if library is None:
        return None
    hashes = ctypes.CDLL(library)
    hashes.XXH3_64bits.restype = ctypes.c_uint64
    body = bytes(data[:-8])
    return body + struct.pack("<Q", hashes.XXH3_64bits(body, ctypes.c_size_t(len(body))))


class RefusedTables(KilnTest):
    def expect(self, error, words, *arguments):
        """One sentence that begins with the name of the file; the right code; the words."""
        done = self.kiln(*arguments, "--json")
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        document = json.loads(done.stdout)["error"]
        message = document["message"]
        self.assertEqual(document["code"], error, message)
        for word in words:
            self.assertIn(word, message)
        self.assertNotIn("\n", message)
        self.assertLess(len(message), 700, message)

    def rows(self, base, rows, name, *arguments):
        """Runs the rows of a document that is written to a file."""
        path = self.folder / name
        before = path.read_bytes() if path.exists() else None
        for place, value, error, words in rows:
            with self.subTest(place=place, value=str(value)[:40]):
                path.write_text(json.dumps(changed(base, place, value)))
                # A sidecar may fit itself and not its picture.
                file = [] if any(".png" in word for word in words) else [path.name]
                self.expect(error, file + words, *arguments)
        if before is not None:
            path.write_bytes(before)

    def project(self):
        shutil.copy(STRIP, self.folder)
        (self.folder / "p.crowd").write_text(json.dumps(tables.PROJECT))
        self.document("info", "p.crowd")

    def test_rejects_projects(self):
        self.project()
        self.rows(tables.PROJECT, tables.PROJECTS, "p.crowd", "info", "p.crowd")

    def test_rejects_texts_of_projects(self):
        self.project()
        whole = json.dumps(tables.PROJECT)
        for old, new, error, words in tables.PROJECT_TEXTS:
            with self.subTest(new=new[:40]):
                self.assertIn(old, whole)
                (self.folder / "p.crowd").write_text(whole.replace(old, new, 1))
                self.expect(error, ["p.crowd", *words], "info", "p.crowd")

    def test_rejects_sidecars(self):
        """Of a set without .ckatlas, which is read by its JSON and its picture."""
        self.document("bake", STRIP, "-o", "set", "--export", "png")
        self.document("verify", "set")
        base = json.loads((self.folder / "set" / "strip.atlas.json").read_text())
        self.rows(base, tables.SIDECARS, "set/strip.atlas.json", "verify", "set")

    def test_rejects_atlases(self):
        """One place after the other, with a checksum that fits."""
        self.document("bake", STRIP, "-o", "set", "--export", "ckatlas")
        path = self.folder / "set" / "strip.ckatlas"
        whole = path.read_bytes()
        self.document("export", "set", "-o", "out")
        if sealed(whole) is None:
            self.skipTest("libxxhash is not there")
        self.assertEqual(sealed(whole), whole)
        fields = Fields(whole)
        for place, value, words in tables.CKATLAS:
            with self.subTest(place=place, value=str(value)):
                at, form = fields.places[place]
                data = bytearray(whole)
                struct.pack_into("<" + form, data, at, value)
                path.write_bytes(sealed(data))
                self.expect("InvalidInput", ["strip.ckatlas: ", "; bake or export it again", *words],
                            "export", "set", "-o", "out")

    def test_rejects_atlases_cut_or_with_more(self):
        self.document("bake", STRIP, "-o", "set", "--export", "ckatlas")
        path = self.folder / "set" / "strip.ckatlas"
        whole = path.read_bytes()
        changes = [(whole[:20], "ends within its header"), (whole[:-1], "should have"),
                   (whole + b"x", "should have"), (b"CKATLAZ" + whole[7:], "not a .ckatlas file"),
                   (whole[:100] + b"\xff" + whole[101:], "checksum")]
        for data, words in changes:
            with self.subTest(words=words):
                path.write_bytes(data)
                self.expect("InvalidInput", ["strip.ckatlas: ", "; bake or export it again", words],
                            "export", "set", "-o", "out")
        data = bytearray(whole)
        struct.pack_into("<I", data, 8, 99)
        path.write_bytes(data)
        self.expect("Unsupported", ["strip.ckatlas: ", "version 99", "reads up to", "a newer Crowdkiln opens it"],
                    "export", "set", "-o", "out")

    def placed(self, file):
        return "render", "p.crowd", "--place", file, "--size", "16x16", "-o", "p.png"

    def test_rejects_tables_of_actors(self):
        self.project()
        self.document("bake", "p.crowd", "-o", ".")
        for text, error, words in tables.CSV:
            with self.subTest(text=text):
                (self.folder / "a.actors.csv").write_text(text)
                self.expect(error, ["a.actors.csv", *words], *self.placed("a.actors.csv"))

    def test_rejects_lists_of_actors(self):
        self.project()
        self.document("export", "p.crowd", "-o", "out")
        base = json.loads((self.folder / "out" / "p.actors.json").read_text())
        self.rows(base, tables.PLACEMENTS, "a.actors.json", *self.placed("a.actors.json"))


if __name__ == "__main__":
    unittest.main()
