#!/usr/bin/env python3
"""Fails when a page or a source file that code or documents cite does not exist, or a page has no
section of the cited number. Usage: check_citations.py ROOT. Citations look like
docs/techniques.md 1.4 or core/bake/seam.h, or, in Markdown, like [text](page.md). Sections are
headings that begin with their number."""
import pathlib
import re
import sys

FOLDERS = ("app", "cmake", "core", "docs", "render", "resources", "scripts", "shaders", "tests", "ui")
ENDINGS = {".h", ".cpp", ".glsl", ".vert", ".frag", ".comp", ".cmake", ".txt", ".py", ".sh", ".md", ".qss"}
# A section's number may stand on the next line of a comment.
CITED = re.compile(r"\b(docs/[\w-]+\.md|[A-Z][A-Z_]{3,}\.md)\b(?:[\s/#*]+(\d+\.\d+)\b)?")
SOURCE = re.compile(r"(?<![\w./-])((?:app|cmake|core|render|scripts|shaders|tests|ui)/[\w./-]+"
                    r"\.(?:h|cpp|glsl|vert|frag|comp|cmake|py|sh))\b")
EXAMPLE = re.compile(r"NAME|\babc\b")  # in "How to add ..."
LINKED = re.compile(r"\]\(([\w./-]+)(?:#[\w-]*)?\)")
SECTION = re.compile(r"^#+ (\d+\.\d+) ", re.MULTILINE)


def files_of(root):
    yield from root.glob("*.md")
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            inside = path.relative_to(root)
            if path.suffix in ENDINGS and inside.parts[:3] != ("tests", "data", "bad_house"):
                yield path


def faults_of(root):
    sections = {}
    for path in files_of(root):
        text = path.read_text(encoding="utf-8")
        where = path.relative_to(root)
        for match in CITED.finditer(text):
            page, section = match.groups()
            if page not in sections:
                cited = root / page
                sections[page] = SECTION.findall(cited.read_text("utf-8")) if cited.exists() else None
            if sections[page] is None:
                yield f"{where}: there is no {page}"
            elif section and section not in sections[page]:
                yield f"{where}: {page} has no section {section}"
        for target in SOURCE.findall(text) if path.suffix != ".txt" else ():
            if not (root / target).exists() and not EXAMPLE.search(target):
                yield f"{where}: there is no {target}"
        for target in LINKED.findall(text) if path.suffix == ".md" else ():
            if not (path.parent / target).exists():
                yield f"{where}: there is no {target}"


faults = list(faults_of(pathlib.Path(sys.argv[1])))
print("\n".join(faults))
sys.exit(1 if faults else 0)
