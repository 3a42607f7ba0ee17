#include "tests/support/test_program.h"

#include <cstdio>
#include <map>
#include <string>

namespace ck::test {
namespace {

std::map<std::string, TestRun>& testClasses() {
  static std::map<std::string, TestRun> classes;
  return classes;
}

}  // namespace

bool addTestClass(const char* name, TestRun run) {
  return testClasses().emplace(name, run).second;
}

}  // namespace ck::test

int main(int argc, char** argv) {
  const auto& classes = ck::test::testClasses();
  if (argc < 2) {
    for (const auto& [name, run] : classes) std::puts(name.c_str());
    return 0;
  }
  const auto named = classes.find(argv[1]);
  if (named == classes.end()) {
    std::fprintf(stderr, "%s: there is no test class %s here\n", argv[0], argv[1]);
    return 2;
  }
  // The class takes the program's place as the first argument, and so names the application.
  return named->second(argc - 1, argv + 1);
}
