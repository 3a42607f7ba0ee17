#!/usr/bin/env python3
"""longest_tests.py COUNT TESTS.xml: prints the tests that took longest, from what `ctest --output-junit` wrote, and how
long the tests of each kind took."""
import sys
import xml.etree.ElementTree as xml
from collections import Counter


def kind(name):
    """The first part of a name that stands for many tests; tst_NAME_gl33 and tst_NAME_gl41 are two kinds."""
    ending = name.rpartition("_")[2]
    return ending if ending in ("gl33", "gl41", "scaled") else name.split("_")[0]


def main():
    tests = [(float(one.get("time")), one.get("name")) for one in xml.parse(sys.argv[2]).iter("testcase")]
    print(f"The longest of {len(tests)} tests, by the clock:")
    for seconds, name in sorted(tests, reverse=True)[:int(sys.argv[1])]:
        print(f"{seconds:8.1f} s  {name}")
    kinds = Counter()
    for seconds, name in tests:
        kinds[kind(name)] += seconds
    print("By kind: " + ", ".join(f"{name} {seconds:.0f} s" for name, seconds in kinds.most_common()))


main()
