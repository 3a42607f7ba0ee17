"""The pictures and figures of kiln, and how it ends when things go wrong."""

import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from kiln_driver import KILN, SAMPLE, SHARED, KilnTest, differing, read_glb, read_png


class Render(KilnTest):
    SMALL = ["--size", "320x180", "--actors", "12"]

    def test_rejects_a_place_that_cannot_be_written(self):
        self.render(SAMPLE, "-o", "probe.png", *self.SMALL)
        self.refused("render", SAMPLE, "-o", "none/o.png", *self.SMALL, code=4)

    def test_crowd_is_one_draw_and_covers_pixels(self):
        document = self.render(SAMPLE, "-o", "o.png", *self.SMALL)
        self.assertEqual(document["actors"], 12)
        self.assertEqual(document["draws"], 1)
        self.assertEqual(document["method"], "palette")
        self.assertGreater(document["coveredPixels"], 300)
        width, height, raw = read_png(self.folder / "o.png")
        self.assertEqual((width, height), (320, 180))
        self.assertGreater(len(set(raw[i : i + 3] for i in range(0, len(raw), 4))), 200)
        empty = self.render(SAMPLE, "-o", "e.png", "--size", "320x180", "--actors", "0")
        self.assertEqual(empty["coveredPixels"], 0)

    def test_same_picture_twice_and_another_later(self):
        self.render(SAMPLE, "-o", "a.png", *self.SMALL, "--time", "1")
        self.render(SAMPLE, "-o", "b.png", *self.SMALL, "--time", "1")
        self.render(SAMPLE, "-o", "c.png", *self.SMALL, "--time", "1.2")
        self.render(SAMPLE, "-o", "d.png", *self.SMALL, "--time", "1", "--seed", "5")
        pictures = [(self.folder / f"{n}.png").read_bytes() for n in "abcd"]
        self.assertEqual(pictures[0], pictures[1])
        self.assertNotEqual(pictures[0], pictures[2])
        self.assertNotEqual(pictures[0], pictures[3])

    def test_folder_draws_as_the_file_does(self):
        self.document("bake", SAMPLE, "-o", "atlas")
        self.render(SAMPLE, "-o", "a.png", *self.SMALL)
        self.render("atlas", "-o", "b.png", *self.SMALL)
        self.assertEqual(
            (self.folder / "a.png").read_bytes(), (self.folder / "b.png").read_bytes()
        )

    def test_options_bake_a_folder_again(self):
        self.document("bake", SAMPLE, "-o", "atlas", "--clips", "walk")
        for option in (["--encoding", "T8"], ["--height", "2"]):
            drawn = self.render("atlas", "-o", "a.png", *self.SMALL, *option)
            self.assertEqual(drawn["overridden"], [option[0][2:]])
            self.render(SAMPLE, "-o", "b.png", *self.SMALL, "--clips", "walk", *option)
            self.assertEqual((self.folder / "a.png").read_bytes(), (self.folder / "b.png").read_bytes())

    def test_methods_and_views_draw(self):
        for arguments in [["--method", "cpu"], ["--view", "source"], ["--view", "split"],
                          ["--view", "error"], ["--view", "motion"],
                          ["--shadows", "soft"], ["--shadows", "off"],
                          ["--formation", "scatter"],
                          ["--interpolate", "off", "--influences", "1"]]:
            with self.subTest(arguments=arguments):
                document = self.render(SAMPLE, "-o", "o.png", *self.SMALL, *arguments)
                self.assertGreater(document["coveredPixels"], 300)

    def test_tangents_are_shown_or_refused(self):
        self.refused("render", SAMPLE, "-o", "o.png", "--view", "tangents", code=3, says="tangents")
        sphere = SHARED / "models/animated_morph_sphere/AnimatedMorphSphere.gltf"
        if not sphere.exists():
            self.skipTest("the shared test rigs are not there")
        document = self.render(sphere, "-o", "o.png", *self.SMALL, "--view", "tangents")
        self.assertGreater(document["coveredPixels"], 300)

    def test_props_stand_in_the_scene(self):
        bare = self.render(SAMPLE, "-o", "a.png", *self.SMALL)
        placed = self.render(SAMPLE, "-o", "b.png", *self.SMALL, "--prop", f"{SAMPLE}@1.5,-1,90,2",
                             "--prop", SAMPLE)
        self.assertEqual((bare["props"], placed["props"]), (0, 2))
        self.assertEqual(placed["draws"], bare["draws"] + 1)
        pictures = [read_png(self.folder / name)[2] for name in ("a.png", "b.png")]
        self.assertGreater(differing(*pictures, 8), 0.01)

    def test_rejects_props_that_cannot_be_placed(self):
        self.refused("render", SAMPLE, "-o", "o.png", "--prop", "no.glb@1,2", code=3, says="no.glb")
        self.refused("render", SAMPLE, "-o", "o.png", "--prop", f"{SAMPLE}@1,2,0,0", code=2,
                     says="scale")

    def test_a_project_with_a_missing_prop_is_drawn_without_it(self):
        project = {"format": "crowdkiln-project", "version": 1, "minReader": 1, "needs": "0.1",
                   "characters": [{"sources": [{"path": str(SAMPLE)}]}], "actors": {"count": 1},
                   "props": [{"path": "gone.glb", "position": [1, 0, 0]},
                             {"path": str(SAMPLE), "position": [2, 0, 0]}]}
        (self.folder / "set.crowd").write_text(json.dumps(project))
        document = self.render("set.crowd", "-o", "o.png", "--size", "320x180")
        self.assertEqual(document["props"], 1)
        self.assertEqual([n["code"] for n in document["notes"] if n["code"] == "PropMissing"],
                         ["PropMissing"])

    def test_costs_are_written_pass_by_pass(self):
        self.render(SAMPLE, "-o", "o.png", *self.SMALL, "--stats", "costs.csv")
        lines = (self.folder / "costs.csv").read_text().splitlines()
        self.assertEqual(lines[0], "figure,value,unit")
        names = [line.split(",")[0] for line in lines]
        for name in ["tick cpu", "shadows cpu", "crowd cpu", "ground cpu"]:
            self.assertIn(name, names)
        self.assertIn("actors,12,", lines)

    def test_rejects_a_sheet_of_motion(self):
        self.refused("render", SAMPLE, "-o", "o.png", "--sheet", "3", "--view", "motion", code=2)
        for asked in (["--with", SAMPLE], ["--fade-to", "walk"], ["--vary-morph", "smile"],
                      ["--morph-near", "3"]):
            self.refused("render", SAMPLE, "-o", "o.png", "--sheet", "3", *asked, code=2,
                         says="--sheet")
        for asked in (["--fade", "0.3"], ["--fade-seconds", "1"]):
            self.refused("render", SAMPLE, "-o", "o.png", *asked, code=2, says="--fade-to")

    def test_faces_are_shown_near_the_camera(self):
        closeup = [*self.SMALL, "--camera", "0,1.6,2:0,1.6,0", "--vary-morph", "smile"]
        shown = [self.render(SAMPLE, "-o", f"{near}.png", *closeup, "--morph-near", near)["facesShown"]
                 for near in ["0", "3", "1000"]]
        self.assertEqual(shown[0], 0)
        self.assertLess(shown[1], shown[2])
        self.assertGreaterEqual(shown[2], 11)  # one of twelve may have drawn no smile
        self.assertNotEqual((self.folder / "0.png").read_bytes(),
                            (self.folder / "1000.png").read_bytes())
        self.refused("render", SAMPLE, "-o", "o.png", "--morph-near", "-1", code=2,
                     says="--morph-near")

    def test_fades_pass_to_the_second_clip(self):
        clips = [clip["name"] for clip in self.document("info", SAMPLE)["clips"]]
        fade = ["--fade-to", clips[-1], "--fade-seconds", "1", "--fade-at", "2"]
        counts = []
        for seconds in ["1.9", "2.5", "3.5"]:
            document = self.render(SAMPLE, "-o", seconds + ".png", *self.SMALL, *fade,
                                   "--time", seconds)
            counts.append(document["fadingActors"])
        self.assertEqual(counts, [0, 12, 0])
        self.render(SAMPLE, "-o", "none.png", *self.SMALL, "--time", "1.9")
        # Actors that will fade are uploaded, others are computed by the driver: places are rounded otherwise.
        pictures = [read_png(self.folder / name)[2] for name in ("1.9.png", "none.png")]
        self.assertEqual(differing(*pictures, 2), 0)
        self.render(SAMPLE, "-o", "blends.png", *self.SMALL, *fade, "--time", "2.5",
                    "--view", "blends")
        self.render(SAMPLE, "-o", "masked.png", *self.SMALL, *fade, "--time", "2.5",
                    "--method", "live", "--mask", "head")
        self.render(SAMPLE, "-o", "whole.png", *self.SMALL, *fade, "--time", "2.5",
                    "--method", "live")
        self.assertNotEqual((self.folder / "masked.png").read_bytes(),
                            (self.folder / "whole.png").read_bytes())

    def test_events_are_listed_with_their_times(self):
        clips = self.document("info", SAMPLE)["clips"]
        walk = next(clip["durationSeconds"] for clip in clips if clip["name"] == "walk")
        options = ["--clips", "walk", "--event", f"walk:{walk / 2}=step", "--event", "walk:0=left"]
        one = ["--actors", "1", "--size", "64x64", "--time", str(2.75 * walk), "--events"]
        self.document("bake", SAMPLE, "-o", "atlas", *options)
        for source in ([SAMPLE, *options], ["atlas"]):
            document = self.render(*source, "-o", "o.png", *one)
            self.assertEqual(document["eventsPassed"], len(document["events"]))
            # The actor sets out somewhere in the clip, at a rate of its own that is near 1; from one
            # event to the next it is half of the clip.
            events = document["events"]
            self.assertIn(len(events), (4, 5, 6, 7))
            steps = [b["seconds"] - a["seconds"] for a, b in zip(events, events[1:])]
            for a, b, step in zip(events, events[1:], steps):
                self.assertNotEqual(a["name"], b["name"])
                self.assertAlmostEqual(step, steps[0], places=5)
            self.assertTrue(walk / 2 / 1.11 < steps[0] < walk / 2 / 0.89, steps)
            self.assertEqual({event["clip"] for event in events}, {"walk"})
        self.assertNotIn("events", self.render("atlas", "-o", "o.png", *one[:-1]))

    def test_rejects_events_where_they_do_nothing(self):
        event = ["--event", "walk:0=step"]
        render = ["render", "-o", "o.png", "--size", "32x32", *event]
        self.refused(*render, SAMPLE, "--clips", "idle", code=2, says="left out by --clips")
        self.refused("bake", SAMPLE, "-o", "o", "--clips", "idle", *event, code=2,
                     says="left out by --clips")
        self.refused("render", "-o", "o.png", SAMPLE, "--sheet", "4", *event, code=2, says="--sheet")

    def test_events_name_the_actor_of_the_project(self):
        sample = Path(SAMPLE).resolve()
        project = json.loads((sample.parent / "plaza" / "plaza.crowd").read_text())
        character = project["characters"][0]
        character["sources"] = [{"path": str(sample)}]
        for clip in character["clips"]:
            clip["events"] = [{"name": "step", "seconds": 0.2}]
        count = project["actors"]["count"]
        project["actors"]["on"] = [i >= count - 8 for i in range(count)]
        (self.folder / "hidden.crowd").write_text(json.dumps(project))
        document = self.render("hidden.crowd", "-o", "o.png", "--size", "32x32", "--time", "9",
                               "--events")
        self.assertEqual({event["actor"] for event in document["events"]},
                         set(range(count - 8, count)))

    def test_events_of_hours_are_all_counted(self):
        clips = self.document("info", SAMPLE)["clips"]
        walk = next(clip["durationSeconds"] for clip in clips if clip["name"] == "walk")
        rounds = 9000  # more than one question to the crowd is answered with
        options = ["--clips", "walk", "--event", f"walk:{walk / 2}=step", "--actors", "1"]
        document = self.render(
            SAMPLE, "-o", "o.png", *options, "--size", "32x32", "--time", str(rounds * walk)
        )
        self.assertTrue(0.89 * rounds < document["eventsPassed"] < 1.11 * rounds)

    def test_pictures_between_ticks_show_the_last_one(self):
        def at(name, *time):
            document = self.render(SAMPLE, "-o", name, *self.SMALL, *time)
            return document["posedAtSeconds"], (self.folder / name).read_bytes()

        tick = at("t.png", "--time", "0.5")
        self.assertEqual(at("a.png", "--time", "0.6", "--tick-rate", "4"), tick)
        self.assertEqual(at("b.png", "--time", "0.5", "--tick-rate", "4"), tick)
        self.assertNotEqual(at("c.png", "--time", "0.6")[1], tick[1])
        self.refused("render", SAMPLE, "-o", "o.png", "--tick-rate", "-1", code=2)
        self.assertEqual(at("d.png", "--time", "0.5", "--tick-rate", "0"), tick)

    def test_skinned_vertices_keep_within_their_memory(self):
        prepass = ["--method", "prepass", "--skin-on", "gpu", "--size", "64x64"]
        document = self.render(SAMPLE, "-o", "o.png", *prepass, "--actors", "4")
        each = document["skinningBytes"] / 4
        actors = int(2 * 1024 * 1024 / each) + 20
        crowd = [SAMPLE, "-o", "o.png", *prepass, "--actors", str(actors)]
        self.assertGreater(self.render(*crowd)["skinningBytes"], 2 * 1024 * 1024)
        self.refused("render", *crowd, "--prepass-mb", "1", code=3, error="LimitExceeded",
                     says="room for %d actors of this character in the 1.000 MiB"
                     % (1024 * 1024 // (16 * document["verticesPerActor"])))

    def test_rejects_fades_to_what_is_not_there(self):
        clip = self.document("info", SAMPLE)["clips"][0]["name"]
        for wrong in [["--fade-to", "no such clip"], ["--fade-seconds", "1"],
                      ["--fade-to", clip, "--mask", "tail fin"],
                      ["--fade-to", clip, "--fade", "1.5"],
                      ["--fade-to", clip, "--fade-phase", "late"]]:
            self.refused("render", SAMPLE, "-o", "o.png", *self.SMALL, *wrong, code=2)

    def test_cpu_shows_what_the_atlas_shows(self):
        fixed = [*self.SMALL, "--camera", "4,2,6:0,1,0", "--no-grid", "--time", "0.37"]
        self.render(SAMPLE, "-o", "a.png", *fixed)
        self.render(SAMPLE, "-o", "b.png", *fixed, "--method", "cpu")
        first, second = read_png(self.folder / "a.png")[2], read_png(self.folder / "b.png")[2]
        self.assertLess(differing(first, second, 24), 0.002)
        self.render(SAMPLE, "-o", "c.png", *fixed[:-1], "0.57")
        later = read_png(self.folder / "c.png")[2]
        self.assertGreater(differing(first, later, 24), 0.005)

    def test_sheet_has_a_row_per_clip(self):
        document = self.render(SAMPLE, "-o", "o.png", "--sheet", "3", "--size", "60x80")
        self.assertEqual(document["rows"], [a["name"] for a in read_glb(SAMPLE)["animations"]])
        self.assertEqual(document["size"], [180, 80 * len(document["rows"])])


    def test_characters_mix_by_their_shares(self):
        doe = SAMPLE.parent / "animal.glb"
        self.refused("render", SAMPLE, "--with", "none.glb", "-o", "o.png", code=3, says="none.glb")
        alone = self.render(SAMPLE, "-o", "a.png", *self.SMALL)
        self.assertNotIn("cast", alone)
        mixed = self.render(SAMPLE, "--with", f"{doe}=0.5", "-o", "b.png", *self.SMALL)
        self.assertEqual(
            mixed["cast"], [{"title": "humanoid", "actors": 8}, {"title": "animal", "actors": 4}]
        )
        self.assertEqual((mixed["actors"], mixed["draws"]), (12, 2))
        said = self.kiln("render", SAMPLE, "--with", doe, "-o", "b.png", *self.SMALL, "--errors")
        lines = said.stdout.decode().splitlines()[1:]
        titles = [line for line in lines if not line.startswith("    ") and ", drawn " in line]
        self.assertEqual(
            titles, ["  humanoid, drawn through a palette:", "  animal, drawn through a palette:"]
        )
        for words in ["error, through a palette:", "error, joint by joint:"]:
            self.assertEqual(sum(words in line for line in lines), 2)
        for words in ["vertices: ", "shell, 3 cm from joints: ", "screen, 5 m away, "]:
            found = [line for line in lines if line.strip().startswith(words)]
            self.assertEqual(len(found), 4)
            for line in found:
                self.assertRegex(line, r"\d (mm|px) at most, p99 \d")
        self.assertNotEqual((self.folder / "a.png").read_bytes(), (self.folder / "b.png").read_bytes())

    def test_projects_are_drawn_and_described_with_their_cast(self):
        doe = SAMPLE.parent / "animal.glb"
        project = json.loads((SAMPLE.parent / "plaza" / "plaza.crowd").read_text())
        project["characters"][0]["sources"] = [{"path": str(SAMPLE)}]
        clips = [{"name": a["name"]} for a in read_glb(doe)["animations"]]
        # The second is one that the file had once.
        clips.insert(1, {"name": "Fly"})
        meshes = [m["name"] for m in read_glb(SAMPLE)["meshes"]]
        project["characters"] += [
            {"title": "doe", "sources": [{"path": os.path.relpath(doe, self.folder)}], "clips": clips},
            {"title": "bare", "hiddenMeshes": meshes[:1], "variantOf": 0},
        ]
        actors = {"count": 6, "character": [0, 1, 2, 0, 1, 2], "clip": [0, 2, 1, 3, 1, 0]}
        actors["position"] = [x for i in range(6) for x in (1.5 * i, 0, 0)]
        project["actors"] = actors
        (self.folder / "mixed.crowd").write_text(json.dumps(project))
        info = self.document("info", "mixed.crowd")
        self.assertEqual([c["title"] for c in info["cast"]], ["humanoid", "doe", "bare"])
        self.assertEqual([c["actors"] for c in info["cast"]], [2, 2, 2])
        self.assertEqual([c["variant"] for c in info["cast"]], [False, False, True])
        self.assertEqual(Path(info["cast"][1]["source"]).resolve(), doe.resolve())
        drawn = self.render("mixed.crowd", "-o", "a.png", "--size", "320x180")
        self.assertEqual([c["actors"] for c in drawn["cast"]], [2, 2, 2])
        self.assertGreater(drawn["coveredPixels"], 300)
        self.assertNotIn("errors", drawn)
        errors = self.render("mixed.crowd", "-o", "a.png", *self.SMALL, "--errors")["errors"]
        self.assertEqual([e["title"] for e in errors], ["humanoid", "doe", "bare"])
        baked = [self.document("bake", rig, "-o", "atlas") for rig in (SAMPLE, doe)]
        for one, witness in zip(errors, [*baked, baked[0]]):
            for reading in ("error", "errorDirect"):
                self.assertEqual(one[reading], witness[reading])
        self.assertEqual({e["reading"] for e in errors}, {"palette"})
        # The error is measured as the view draws.
        project["view"] = {"method": "atlas", "influences": 1, "screen": {"distanceMeters": 10}}
        (self.folder / "mixed.crowd").write_text(json.dumps(project))
        one = self.render("mixed.crowd", "-o", "a.png", *self.SMALL, "--errors")["errors"][0]
        self.assertEqual((one["reading"], one["error"]["pixels"]["atMeters"]), ("direct", 10))
        # Largest errors are looked for at other moments where fewer influences are drawn.
        most = errors[0]["error"]["maxMm"]
        self.assertAlmostEqual(one["error"]["maxMm"], most, delta=0.001 * most)
        self.assertGreater(one["error"]["vertex"]["maxMm"], 2 * errors[0]["error"]["vertex"]["maxMm"])
        near = self.render("mixed.crowd", "-o", "a.png", *self.SMALL, "--errors", "--sampling",
                           "nearest", "--screen-distance", "2")["errors"][0]
        self.assertEqual(near["error"]["pixels"]["atMeters"], 2)
        self.assertGreater(near["errorDirect"]["maxMm"], one["errorDirect"]["maxMm"])
        self.refused("render", "mixed.crowd", "-o", "a.png", "--screen-distance", "2", code=2,
                     says="--errors")
        project["view"] = {}
        (self.folder / "mixed.crowd").write_text(json.dumps(project))
        again = self.render("mixed.crowd", "-o", "b.png", *self.SMALL)
        self.assertEqual([c["actors"] for c in again["cast"]], [4, 4, 4])
        project["characters"][1]["sources"] = [{"path": "gone.glb"}]
        (self.folder / "mixed.crowd").write_text(json.dumps(project))
        self.refused("render", "mixed.crowd", "-o", "o.png", code=3, says="doe: ")


class Faults(KilnTest):
    def test_rejects_missing_empty_and_odd_files(self):
        (self.folder / "empty.glb").write_bytes(b"")
        (self.folder / "one.glb").write_bytes(b"g")
        os.mkfifo(self.folder / "pipe.glb")
        os.symlink("/dev/zero", self.folder / "zero.glb")
        self.refused("info", "none.glb", code=3, error="FileNotFound", says="none.glb")
        for name in ["empty.glb", "one.glb", "pipe.glb", "zero.glb", "."]:
            with self.subTest(name=name):
                error = self.refused("info", name, code=3)
                self.assertNotEqual(error["code"], "ImportCrashed")

    def test_rejects_truncated_rigs_in_every_command(self):
        data = SAMPLE.read_bytes()
        for share in [0.001, 0.01, 0.3, 0.7, 0.999]:
            (self.folder / "cut.glb").write_bytes(data[: int(len(data) * share)])
            with self.subTest(share=share):
                self.refused("info", "cut.glb", code=3, says="cut.glb")
        for command in [["bake", "cut.glb", "-o", "o"], ["render", "cut.glb", "-o", "o.png"],
                        ["pose", "cut.glb"], ["bench", "bake", "cut.glb"]]:
            with self.subTest(command=command[0]):
                self.refused(*command, code=3, says="cut.glb")
        self.assertEqual([p.name for p in self.folder.iterdir()], ["cut.glb"])

    def test_failure_leaves_the_old_set_as_it_was(self):
        self.document("bake", SAMPLE, "-o", "o", "--clips", "walk")
        before = self.bytes_of(self.folder / "o")
        (self.folder / "humanoid.glb").write_bytes(SAMPLE.read_bytes()[:5000])
        self.refused("bake", "humanoid.glb", "-o", "o", code=3)
        self.assertEqual(self.bytes_of(self.folder / "o"), before)

    def test_missing_worker_is_ours(self):
        self.refused(
            "info", SAMPLE, code=6, error="ImportNoWorker",
            CROWDKILN_IMPORT_WORKER=str(self.folder / "nothing"),
        )


class Interrupt(KilnTest):
    LONG = ["--rate", "4000"]

    def awaits_interrupts(self, running):
        self.assertIsNone(running.poll(), "it ended before it was interrupted")
        blocked = re.search(r"SigBlk:\s*(\w+)", Path(f"/proc/{running.pid}/status").read_text())[1]
        return int(blocked, 16) >> (signal.SIGINT - 1) & 1  # for the thread that waits for it

    def interrupted(self, *arguments):
        running = subprocess.Popen(
            [KILN, *map(str, arguments)], cwd=self.folder, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        # Before kiln awaits the signal, the signal itself ends it. A busy machine is slow to start a program.
        while not self.awaits_interrupts(running):
            time.sleep(0.01)
        time.sleep(0.6)
        self.assertIsNone(running.poll(), "it ended before it was interrupted")
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 130, err)
        return out

    def test_rejects_to_leave_anything_half_written(self):
        self.document("bake", SAMPLE, "-o", "o", "--clips", "walk")
        before = self.bytes_of(self.folder / "o")
        out = self.interrupted("bake", SAMPLE, "-o", "o", *self.LONG, "--json")
        self.assertEqual(json.loads(out)["error"]["code"], "Cancelled")
        self.assertEqual(self.bytes_of(self.folder / "o"), before)
        self.interrupted("bake", SAMPLE, "-o", "new", *self.LONG)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["o"])

    def test_rejects_from_the_first_moment_on(self):
        """Before main() the signal itself ends the program, which a shell tells as 130, too."""
        for milliseconds in range(0, 80, 2):
            running = subprocess.Popen([KILN, "bake", str(SAMPLE), "-o", "new", *self.LONG], cwd=self.folder,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       # Programs in the background may have been told to ignore it.
                                       preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
            time.sleep(milliseconds / 1000)
            running.send_signal(signal.SIGINT)
            out, err = running.communicate(timeout=60)
            self.assertIn(running.returncode, (130, -signal.SIGINT), err)
            self.assertEqual(out, b"")
            if running.returncode == 130:
                self.assertEqual(err.decode(), "kiln: interrupted; nothing was written\n")
            self.assertEqual(list(self.folder.iterdir()), [])


class Surroundings(KilnTest):
    def test_rejects_no_path(self):
        name = "b\u00e4r \u2713 'x' $(y) =1.glb"
        shutil.copy(SAMPLE, self.folder / name)
        info = self.document("info", name)
        self.assertEqual(info["file"], name)
        folder = "\u00fcber / \u96e8"
        document = self.document("bake", name, "-o", folder, "--clips", "walk")
        self.assertEqual(
            set(self.bytes_of(self.folder / folder)), {f["name"] for f in document["files"]}
        )
        self.assertTrue(document["name"].startswith("b\u00e4r_\u2713"))
        self.document("verify", folder)

    def locales(self):
        """Environments with the locales that write numbers or letters otherwise."""
        for name in ["de_DE", "fr_FR", "tr_TR", "ar_EG"]:
            made = shutil.which("localedef") and subprocess.run(
                ["localedef", "-i", name, "-f", "UTF-8", str(self.folder / f"{name}.UTF-8")],
                capture_output=True,
            )
            if not made or not (self.folder / f"{name}.UTF-8").is_dir():
                self.skipTest(f"the locale {name} cannot be made here")
            locale = {"LC_ALL": f"{name}.UTF-8", "LOCPATH": str(self.folder)}
            says = "import locale; locale.setlocale(locale.LC_ALL, ''); print(f'{1.5:n}')"
            done = subprocess.run([sys.executable, "-c", says], env={**os.environ, **locale}, capture_output=True)
            self.assertEqual(done.stdout.strip(), b"1.5" if name == "ar_EG" else b"1,5", done.stderr)
            yield locale

    def test_locale_changes_no_byte(self):
        options = ["--height", "1.75", "--export", "ckatlas,png,json", "--clips", "run"]
        plain = self.document("bake", SAMPLE, "-o", "a", *options)
        for locale in self.locales():
            with self.subTest(locale=locale):
                self.assertEqual(self.document("bake", SAMPLE, "-o", "b", *options, **locale), plain)
                self.assertEqual(self.bytes_of(self.folder / "a"), self.bytes_of(self.folder / "b"))

    @unittest.skipUnless(os.environ.get("SAVE_PROJECT"), "what saves as the editor does is not built with sanitizers")
    def test_locale_changes_no_project(self):
        folder = self.folder / "place"
        shutil.copytree(SAMPLE.parent / "meadow", folder)
        own = folder / "meadow.crowd"
        document = json.loads(own.read_text())
        document["playbackSpeed"] = 1234567.25 / 2**20
        own.write_text(json.dumps(document))

        def saved(name, **locale):
            done = subprocess.run([os.environ["SAVE_PROJECT"], own, folder / name, "I title"],
                                  env={**os.environ, "LC_ALL": "C", **locale}, capture_output=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            return (folder / name).read_bytes()

        plain = saved("plain.crowd")
        self.assertIn(b"1.177375", plain)
        for locale in self.locales():
            with self.subTest(locale=locale):
                self.assertEqual(saved("other.crowd", **locale), plain)
                # It reads what it wrote.
                shutil.copy(folder / "other.crowd", own)
                self.assertEqual(saved("again.crowd", **locale), plain)

    def test_standard_error_is_free_of_progress_unless_it_is_a_terminal(self):
        self.assertNotIn(b"\r", self.kiln("bake", SAMPLE, "-o", "o", "--rate", "500").stderr)

        def on_terminal(*extra):
            ours, theirs = pty.openpty()
            process = subprocess.Popen(
                [KILN, "bake", str(SAMPLE), "-o", "o", "--rate", "500", *extra],
                cwd=self.folder, stdout=subprocess.DEVNULL, stderr=theirs,
            )
            os.close(theirs)
            seen = b""
            while True:
                try:
                    some = os.read(ours, 4096)
                except OSError:
                    break
                if not some:
                    break
                seen += some
            os.close(ours)
            self.assertEqual(process.wait(timeout=60), 0)
            return seen

        self.assertIn(b" %  ", on_terminal())
        self.assertEqual(on_terminal("--quiet"), b"")


class Bench(KilnTest):
    def test_rejects_what_is_not_measured(self):
        self.refused("bench", "weather", code=2, says="bake")
        self.refused("bench", "growth", SAMPLE, code=2, says="leave")

    def test_growth_wants_nothing_but_graphics(self):
        # Away from the samples, and in a moment: the measuring itself takes minutes.
        alone = shutil.copy(KILN, self.folder / "alone")
        done = subprocess.run([alone, "bench", "growth"], capture_output=True, timeout=60,
                              env={**os.environ, "__EGL_VENDOR_LIBRARY_FILENAMES": "/nowhere"})
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn(b"EGL", done.stderr)

    def test_rows_say_what_was_measured(self):
        document = self.document("bench", "crowd", SAMPLE)
        self.assertEqual({r["actors"] for r in document["rows"]}, {10000, 100000, 1000000})
        for row in document["rows"]:
            self.assertGreater(row["unitsPerSecond"], 0)
            if row.get("method") != "book":
                self.assertGreater(row["ratioToLimit"], 0)
                self.assertGreater(row["ratioToBook"], 0)
            self.assertGreaterEqual(row["runs"], 5)
            self.assertGreaterEqual(row["spread"], 0)
        kinds = sorted(r.get("variant", "book") for r in document["rows"])
        self.assertEqual(kinds, ["book"] * 3 + ["standing"] * 3 + ["standing, changing ticks"] * 3 + ["walking"] * 3 +
                         ["walking, changing ticks"] * 3)
        self.assertGreater(document["limits"]["copyGBs"], 0)
        self.assertGreaterEqual(document["machine"]["cores"], 1)

    def test_methods_are_measured_beside_the_book_and_a_trivial_shader(self):
        document = self.document("bench", "methods", "--quick")
        rows = {(r["method"], r.get("encoding", "")): r for r in document["rows"]}
        for wanted in [("book", ""), ("trivial", ""), ("palette", "P16"), ("atlas", "P16"),
                       ("live", ""), ("cpu", ""), ("matrix", "M32")]:
            self.assertIn(wanted, rows)
        self.assertIn("storedDiffering", rows[("palette", "P16")])
        for row in rows.values():
            self.assertEqual(row["actors"], 80)
            for figure in ["frameMs", "vertexStageMs", "trianglesPerSecond", "verticesPerSecond", "ratioToBook"]:
                self.assertGreater(row[figure], 0)
        # The same poses: what differs are edges and the book's own timing, not bodies.
        for key in [("palette", "P16"), ("matrix", "M32"), ("cpu", "")]:
            row = rows[key]
            self.assertGreater(row["pixelsCovered"], 10000)
            self.assertLess(row["pixelsDiffering"], row["pixelsCovered"] / 10)
        self.assertEqual(rows[("matrix", "M32")]["fetches"], 24)
        self.assertEqual(rows[("palette", "P16")]["fetches"], 12)

    def test_morphs_are_added_up_in_every_way(self):
        document = self.document("bench", "morphs", "--quick")
        sums = [r for r in document["rows"] if r["name"] == "morphs"]
        self.assertEqual({r["changed"] for r in sums}, {1, 50})
        ways = {"feedback", "feedback-floats", "feedback-all", "cpu"}
        if "computeMissing" not in document:
            ways.add("compute")
        self.assertEqual({r["method"] for r in sums}, ways)
        for row in sums:
            if row["method"] == "feedback":
                self.assertEqual(row["passes"], -(-row["changed"] // row["batch"]))
            if row["method"] == "feedback-all":
                self.assertEqual(row["passes"], 8)
        faces = [r for r in document["rows"] if r["name"] == "faces"]
        self.assertEqual({r["variant"] for r in faces}, {"none", "all near"})
        for row in faces:
            self.assertEqual(row["actors"], 80)
            self.assertGreater(row["vertexStageMs"], 0)
        done = self.kiln("bench", "morphs", "--quick", "--json", MESA_GL_VERSION_OVERRIDE="4.1",
                         MESA_GLSL_VERSION_OVERRIDE="410",
                         MESA_EXTENSION_OVERRIDE="-GL_ARB_compute_shader")
        self.assertEqual(done.returncode, 0)
        if b"Mesa" in done.stdout:
            self.assertIn("OpenGL 4.3", json.loads(done.stdout)["computeMissing"])

    def test_sample_is_taken_where_no_file_is_named(self):
        document = self.document("bench", "bake")
        self.assertEqual(document["rows"][0]["name"], "bake")

    def test_a_bake_is_measured_beside_the_book_and_a_copy(self):
        rows = self.document("bench", "bake", SAMPLE)["rows"]
        ours = [r for r in rows if r["name"] == "bake" and "method" not in r]
        self.assertEqual([r["threads"] for r in ours], [1, 2])
        rivals = {r["method"]: r for r in rows if "method" in r}
        self.assertEqual(set(rivals), {"book", "copy"})
        self.assertEqual(rivals["copy"]["atlasBytes"], ours[0]["atlasBytes"])
        # Three texels of floats a joint and frame, of the same poses.
        self.assertEqual(rivals["book"]["atlasBytes"] % 48, 0)
        self.assertLess(rivals["book"]["errorMm"], 0.5)
        for row, clock in zip(ours, ["processorMs", "wallMs"]):
            for rival, ratio in [("book", "ratioToBook"), ("copy", "ratioToLimit")]:
                faster = rivals[rival]["processorMs"] / row[clock]
                self.assertLess(abs(row[ratio] - faster), 1e-6 * faster)
        phases = [r for r in rows if r["name"] == "phase"]
        self.assertEqual([r["variant"] for r in phases], ["plan", "pose", "bounds", "encode"])
        beside = [r for r in rows if r["name"] == "beside"]
        self.assertEqual([r["variant"] for r in beside], ["error", "cost"])
        for row in phases + beside:
            self.assertAlmostEqual(row["share"], row["processorMs"] / ours[0]["processorMs"], 6)


class Display(KilnTest):
    """The editor where it has no display."""

    def test_rejects_to_start_with_a_sentence(self):
        clean = {k: v for k, v in os.environ.items()
                 if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
        for more, says in [({}, "neither DISPLAY"), ({"DISPLAY": ":98765"}, "':98765'"),
                           ({"QT_QPA_PLATFORM": "paper"}, "'paper'"),
                           ({"QT_QPA_PLATFORM": "xcb"}, "DISPLAY names no display"),
                           ({"QT_QPA_PLATFORM": "xcb", "DISPLAY": ":98765"}, "':98765'"),
                           ({"QT_QPA_PLATFORM": "offscreen"}, "'offscreen'"),
                           ({"QT_QPA_PLATFORM": "minimal"}, "'minimal'")]:
            with self.subTest(more=more):
                done = subprocess.run(
                    [Path(KILN).with_name("crowdkiln"), SAMPLE], env={**clean, **more},
                    cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
                sentence = done.stderr.decode()
                self.assertEqual(done.returncode, 5, sentence)
                self.assertEqual(sentence.count("\n"), 1, sentence)
                self.assertTrue(sentence.startswith("crowdkiln: no window can be opened: "))
                self.assertIn(says, sentence)
                self.assertIn("kiln, which needs no display", sentence)
                self.assertEqual(done.stdout, b"")


if __name__ == "__main__":
    unittest.main()
