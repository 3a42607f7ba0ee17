#!/usr/bin/env python3
"""joined_sources.py SOURCE...: prints groups of sources that can be compiled together.

One group a line, its sources separated by "|". Two sources of a group define nothing of the same name in
unnamed namespaces, and no macro. Neighbours, which include the same headers, come together.
"""
import re
import sys

MOST_SOURCES = 24
MOST_BYTES = 300_000
UNNAMED = re.compile(r'^namespace \{\n(.*?)^\}  // namespace\n', re.S | re.M)
ALIAS = re.compile(r'^(?:using|namespace) (\w+) = (.*);', re.M)
TAKEN = re.compile(r'^using ([\w:]+::(\w+));', re.M)
OPENED = re.compile(r'^using namespace ([\w:]+);', re.M)
KIND = re.compile(r'(?:struct|class|enum class|enum|union|using|namespace)\s+(\w+)')
OTHER = re.compile(r'[^(={;\[]*?[\s&*]([A-Za-z_]\w*)\s*(?:$|[(={;\[])')
CLASS = re.compile(r'^class (\w+) ', re.M)
# Comments, texts and directives name nothing, and a name behind "." or "->" or of a namespace that is said is no name
# of an unnamed namespace.
SILENT = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|^#[^\n]*', re.M | re.S)
QUALIFIED = re.compile(r'(?:(?<!\.)\.|->|\w::)\s*~?\w+')
MACRO = re.compile(r'^#\s*define\s+(\w+)', re.M)
# Values of an enum without a scope.
VALUES = re.compile(r'^enum (?!class)[^{]*\{([^}]*)\}', re.M)


class Source:
    def __init__(self, path):
        self.path = path
        with open(path, encoding='utf-8') as file:
            text = file.read()
        self.bytes = len(text)
        said = SILENT.sub(' ', text)
        self.words = set(re.findall(r'\w+', QUALIFIED.sub(' ', said)))
        self.aliases = set(ALIAS.findall(text))
        self.taken = {name: whole for whole, name in TAKEN.findall(text)}
        self.opened = set(OPENED.findall(text))
        self.names = set(MACRO.findall(text)) | set(CLASS.findall(text))
        for body in UNNAMED.findall(text):
            for values in VALUES.findall(body):
                self.names.update(re.findall(r'\b(k\w+)', values))
            for line in body.split('\n'):
                if not line or line[0] in ' \t/})#:' or ALIAS.match(line) or OPENED.match(line):
                    continue
                found = KIND.match(line) or OTHER.match(line)
                if found:
                    self.names.add(found.group(1))

    def hides(self, other):
        """Whether a word of `other`, which may stand for something in its headers, is a name here."""
        mine = self.names | {name for name, _ in self.aliases - other.aliases}
        taken = any(other.taken.get(name, whole) != whole for name, whole in self.taken.items())
        # Whole namespaces that one source opens would make names of the others ambiguous.
        return taken or self.opened != other.opened or bool(mine & other.words)


def main():
    groups = []
    for source in map(Source, sorted(sys.argv[1:])):
        for group in reversed(groups):
            if (len(group) < MOST_SOURCES and sum(one.bytes for one in group) + source.bytes < MOST_BYTES
                    and not any(one.hides(source) or source.hides(one) for one in group)):
                break
        else:
            group = []
            groups.append(group)
        group.append(source)
    for group in groups:
        if len(group) > 1:
            print('|'.join(source.path for source in group))


main()
