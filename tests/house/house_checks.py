#!/usr/bin/env python3
"""The rules of the house that a reader of the sources can check (ARCHITECTURE.md, "Layers").

house_checks.py CHECK ROOT    prints every fault of the tree ROOT, and exits with 1 where there is one
house_checks.py test FOLDER   holds the checks against trees with faults: FOLDER/CHECK/expected.txt
                              lists what CHECK has to print for FOLDER/CHECK
"""
import re
import sys
from pathlib import Path

LAYERS = ["core", "render", "ui", "app"]

# (folder, what must not be included, files that may, why)
FORBIDDEN = [
    ("core", r"<Q[A-Z]|<Qt", None, "core knows no Qt"),
    ("core", r"<epoxy/|<GL/|<EGL/|<GLES", None, "core knows no OpenGL"),
    ("core", r'"(render|ui|app)/', None, "core lies below render, ui and app"),
    ("core", r"<assimp/|<tiny_gltf|<stb_image|<draco/|<webp/", r"^core/import/worker/.*\.cpp$",
     "rig files are parsed in the worker only"),
    ("core", r"<zstd", r"^core/(import/worker|container)/.*\.cpp$",
     "packed bytes are unpacked in the worker and in containers only"),
    ("core", r"<meshoptimizer", r"^core/(import/worker|detail)/.*\.cpp$",
     "meshes are unpacked in the worker and simplified in detail only"),
    ("core", r'"core/import/worker/', r"^core/import/worker/", "the worker is a program of its own"),
    ("render", r"<Q[A-Z]|<Qt", None, "render knows no Qt"),
    ("render", r'"(ui|app)/', None, "render lies below ui and app"),
    ("render", r'"core/(project|stage)/', None, "the renderer never sees the project"),
    ("render", r"<epoxy/|<GL/|<EGL/|<GLES", r"\.cpp$", "OpenGL stays in the sources of render"),
    ("ui", r"<epoxy/|<GL/|<EGL/|<GLES", None, "ui draws through render"),
    ("ui", r'"app/', None, "ui lies below app"),
    ("(render|ui|app)", r"<assimp/|<tiny_gltf|<stb_image|<draco/|<webp/|<zstd", None,
     "rig files are parsed in the worker only"),
    ("(core|render|ui)", r"<nlohmann/(?!json_fwd)|<Imf|<OpenEXR/|<png.h|<meshoptimizer|<uv.h|<xxhash|<zstd|<CLI/"
     r"|<spdlog/", r"\.cpp$", "a library of an inner matter in a header"),
]

# Sources without a header of their own name: programs and the commands of kiln, which commands.h
# lists.
ALONE = r"app/(\w+_main|commands/\w+_command)\.cpp"

# The code for measuring, and the two files that may know of it.
MEASURING = ("render/reference/", "app/bench/")
REGISTRATIONS = ("render/references.cpp", "app/kiln_main.cpp")

# The most files in one folder, its README.md included.
FILES_OF_A_ROOM = 40

# Where pages of docs are cited.
CITING = [*LAYERS, "cmake", "docs", "players", "resources", "scripts", "shaders", "tests"]
TEXTS = {".h", ".cpp", ".glsl", ".vert", ".frag", ".comp", ".cmake", ".txt", ".py", ".sh", ".md", ".qss"}

# docs/techniques.md 1.4, where the number may stand on the next line of a comment; core/bake/seam.h,
# except what is called NAME or abc for an example; [text](page.md).
CITED_PAGE = re.compile(r"\b(docs/[\w-]+\.md|[A-Z][A-Z_]{3,}\.md)\b(?:[\s/#*]+(\d+\.\d+)\b)?")
CITED_SOURCE = re.compile(r"(?<![\w./-])((?:app|cmake|core|render|scripts|shaders|tests|ui)/[\w./-]+"
                          r"\.(?:h|cpp|glsl|vert|frag|comp|cmake|py|sh))\b")
LINK = re.compile(r"\]\(([\w./-]+)(?:#[\w-]*)?\)")

# The header of the precompiled ones that declares what is used. A source that lacks the include
# compiles with the precompiled headers and fails without them.
DECLARES = {
    "<algorithm>": r"std::(ranges::)?(clamp|sort|stable_sort|any_of|all_of|none_of|find|find_if|fill|"
                   r"copy|count_if|lower_bound|upper_bound|transform|min|max)\(",
    "<array>": r"std::array\b",
    "<cmath>": r"std::(sqrt|abs|floor|ceil|round|cos|sin|acos|asin|atan2|pow|exp|fmod|hypot|isfinite)\b",
    "<cstddef>": r"std::byte\b",
    "<cstdint>": r"std::u?int(8|16|32|64)_t\b",
    "<filesystem>": r"std::filesystem\b",
    "<functional>": r"std::function\b",
    "<map>": r"std::map\b",
    "<memory>": r"std::(unique_ptr|shared_ptr|weak_ptr|make_unique|make_shared)\b",
    "<optional>": r"std::(optional|nullopt)\b",
    "<span>": r"std::span\b",
    "<string>": r"std::(string|to_string)\b",
    "<string_view>": r"std::string_view\b",
    "<utility>": r"std::(pair|move|exchange|forward)\b",
    "<vector>": r"std::vector\b",
    "<fmt/...>": r"\bfmt::",
    "<glm/...>": r"\bglm::",
    "<tl/...>": r"\btl::(un)?expected\b",
}


class Tree:
    """The sources of the product below a folder, by their path from there."""

    def __init__(self, root):
        self.text = {}
        for layer in [*LAYERS, "shaders"]:
            for path in sorted((root / layer).rglob("*")):
                if path.suffix in (".h", ".cpp", ".glsl") and path.is_file():
                    self.text[path.relative_to(root).as_posix()] = path.read_text()
        # As written, with their brackets or quotes.
        self.includes = {name: re.findall(r'^#include +([<"][^>"]+[>"])', text, re.M)
                         for name, text in self.text.items()}

    def own_includes(self, name):
        """The files of the tree that a file includes."""
        return [line.strip('"') for line in self.includes[name] if line.strip('"') in self.text]

    def sources(self, endings=(".h", ".cpp")):
        return [name for name in self.text
                if name.endswith(endings) and not name.startswith("shaders/")]


def layers(root):
    """Includes that a layer must not have, and circles of includes between folders."""
    tree = Tree(root)
    for name in tree.sources():
        for folder, pattern, allowed, why in FORBIDDEN:
            if re.match(folder + "/", name) and not (allowed and re.search(allowed, name)):
                for line in tree.includes[name]:
                    if re.match(pattern, line):
                        yield f"{name}: #include {line} ({why})"
    arrows = {}  # folder -> folder -> one file that includes the other
    for name in tree.sources():
        for other in tree.own_includes(name):
            start, end = (file.rpartition("/")[0] for file in (name, other))
            if start != end:
                arrows.setdefault(start, {}).setdefault(end, name)
    for circle in circles(arrows):
        yield "circle of folders: " + ", ".join(
            f"{start} -> {end} ({arrows[start][end]})"
            for start, end in zip(circle, circle[1:] + circle[:1]))


def circles(arrows):
    """One circle through every folder that lies on one; each circle once, the shortest first."""
    found = {}
    for start in sorted(arrows):
        ways = [[start]]
        seen = {start}
        while ways:
            way = ways.pop(0)
            for end in sorted(arrows.get(way[-1], {})):
                if end == start:
                    found.setdefault(frozenset(way), way)
                    ways = []
                    break
                if end not in seen:
                    seen.add(end)
                    ways.append([*way, end])
    return sorted(found.values(), key=lambda circle: (len(circle), circle))


def headers(root):
    """Sources start with the header of their name; nobody leans on the precompiled headers."""
    tree = Tree(root)
    for name in tree.sources((".cpp",)):
        own = name.removesuffix(".cpp") + ".h"
        if own in tree.text:
            if tree.includes[name][:1] != [f'"{own}"']:
                yield f"{name}: the first include is not its own header"
        elif not re.fullmatch(ALONE, name):
            yield f"{name}: has no header of its own name"
    for name in tree.sources():
        seen = {name}
        waiting = [name]
        lines = set()
        while waiting:
            file = waiting.pop()
            lines.update(tree.includes[file])
            fresh = set(tree.own_includes(file)) - seen
            seen |= fresh
            waiting += fresh
        code = re.sub(r"//.*", "", tree.text[name])
        for header, pattern in DECLARES.items():
            used = re.search(pattern, code)
            if used and not any(line.startswith(header.rstrip(".>")) for line in lines):
                yield f"{name}: {used.group(0)} without #include {header}"


def sizes(root):
    """A file that is too long has more than one reason to change."""
    for folder in [*LAYERS, "shaders", "tests"]:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".h", ".cpp", ".glsl", ".vert", ".frag", ".comp", ".py"):
                continue
            name = path.relative_to(root).as_posix()
            if name.startswith("tests/data/bad_house/"):
                continue
            count = path.read_bytes().count(b"\n")
            limit = 250 if path.suffix == ".h" else 700
            if count > limit:
                yield f"{name}: {count} lines, the limit is {limit}"


def rooms(root):
    """A folder with too many files holds more than one idea, and nobody knows their place in it."""
    for layer in [*LAYERS, "shaders"]:
        for folder in sorted({path.parent for path in (root / layer).rglob("*") if path.is_file()}):
            count = sum(1 for path in folder.iterdir() if path.is_file())
            if count > FILES_OF_A_ROOM:
                name = folder.relative_to(root).as_posix()
                yield f"{name}: {count} files, the limit is {FILES_OF_A_ROOM}"


def reference(root):
    """The product needs nothing that is for measuring, and does not speak of the write-up's book."""
    tree = Tree(root)
    for name in tree.sources():
        if name.startswith(MEASURING) or name in REGISTRATIONS:
            continue
        for line in tree.text[name].splitlines():
            included = re.match(r'#include "(render/reference|app/bench)/', line)
            named = re.search(r"[Bb]ook[A-Z(]|\b[Bb]ook\b", line)
            # The preset Book-compatible is the artist's.
            if included or (named and not name.startswith("ui/bake/bake_presets")):
                yield f"{name}: {line.strip()}"


def citations(root):
    """Pages, their numbered headings, and sources that code and documents cite are there."""
    sections = {}
    for path in [*root.glob("*.md"), *(path for folder in CITING
                                       for path in sorted((root / folder).rglob("*")))]:
        name = path.relative_to(root).as_posix()
        if path.suffix not in TEXTS or name.startswith("tests/data/bad_house/"):
            continue
        text = path.read_text()
        for page, section in CITED_PAGE.findall(text):
            if page not in sections:
                cited = root / page
                sections[page] = cited.is_file() and re.findall(r"^#+ (\d+\.\d+) ", cited.read_text(), re.M)
            if sections[page] is False:
                yield f"{name}: there is no {page}"
            elif section and section not in sections[page]:
                yield f"{name}: {page} has no section {section}"
        for target in CITED_SOURCE.findall(text) if path.suffix != ".txt" else ():
            if not (root / target).exists() and not re.search(r"NAME|\babc\b", target):
                yield f"{name}: there is no {target}"
        for target in LINK.findall(text) if path.suffix == ".md" else ():
            if not (path.parent / target).exists():
                yield f"{name}: there is no {target}"


# Calls that may write through a link. A rename replaces the link.
WRITING = re.compile(
    r"\b(?:std::ofstream|std::fstream|fopen|mkstemp|mkostemp|QSaveFile|WriteOnly|copy_file|create_hard_link|O_CREAT)\b"
    r"|\b(?:fs|filesystem)::(?:copy|create_symlink|copy_symlink)\b|\.save\((?!&buffer\b|text\b|\))")
# Where files are written: the one function, the folder of sets, and attempts to escape that must fail.
WRITERS = {"core/system/files.cpp", "core/system/folder_handle.cpp", "core/export/set/foreign_files.cpp",
           "core/import/worker/confinement/escape_attempts.cpp"}


def writers(root):
    """Only a few sources write files, so that links of strangers are followed nowhere."""
    for folder in ("core", "render", "ui", "app"):
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix not in (".cpp", ".h") or name in WRITERS:
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                call = WRITING.search(line.split("//")[0])
                if call:
                    yield f"{name}:{number}: {call.group(0)} writes files; use core/system/files.h"


# Where text becomes JSON: the one reader, which limits nesting, what reads its output, and the worker in its prison.
PARSERS = ("core/base/json_text.cpp", "core/base/json_fields.cpp", "core/import/worker/gltf/")


def parsers(root):
    """Bytes of strangers are read as JSON by one function, which refuses what a parser alone lets through."""
    for folder in ("core", "render", "ui", "app"):
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix not in (".cpp", ".h") or name.startswith(PARSERS):
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if re.search(r"[Jj]son::parse\(|QJsonDocument::fromJson", line.split("//")[0]):
                    yield f"{name}:{number}: parses JSON; use parseJson() or JsonDocument"


def labels(root):
    """Qt guesses whether a text is HTML, and names in files may look like it: labels say which they are."""
    for path in sorted((root / "ui").rglob("*.cpp")):
        name = path.relative_to(root).as_posix()
        if name == "ui/parts/panel_parts.cpp":
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.search(r"\bnew QLabel\b", line.split("//")[0]):
                yield f"{name}:{number}: makes a QLabel; use plainLabel() or richLabel()"


# How a comment or the text of a Python function must not begin: it would hide its subject.
RIDDLE = re.compile(r'(?:^|\s)(?://[/!]?|#|/?\*\*?|""") *'
                    r'((?:What|Of what|That which|Those that|Of all that|By what|With what) .*)')
VOICED = {".h", ".cpp", ".glsl", ".vert", ".frag", ".comp", ".hlsl", ".wgsl", ".cmake", ".py", ".sh", ".js",
          ".mjs", ".ts"}


def voice(root):
    """Comments begin with their subject, the thing that they describe, and not with "What ..."."""
    for folder in CITING:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if name.startswith("tests/data/bad_house/") or (
                    path.suffix not in VOICED and path.name != "CMakeLists.txt"):
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                riddle = RIDDLE.search(line)
                if riddle:
                    yield f"{name}:{number}: {riddle.group(1)}"


CHECKS = {check.__name__: check
          for check in (layers, headers, sizes, rooms, reference, citations, writers, parsers, labels, voice)}


def test(folder):
    for name, check in CHECKS.items():
        expected = (folder / name / "expected.txt").read_text().splitlines()
        printed = list(check(folder / name))
        for line in expected:
            if line not in printed:
                yield f"{name} overlooks: {line}"
        for line in printed:
            if line not in expected:
                yield f"{name} also says: {line}"


def main():
    check = CHECKS.get(sys.argv[1], test)
    faults = list(check(Path(sys.argv[2])))
    print(*faults, sep="\n", end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
