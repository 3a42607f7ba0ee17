// ck_save_project FROM TO TITLE: reads a project, gives its first character that title, and saves
// it as TO. It does as the editor when it saves, for tests that end it or let its calls fail. Exit
// codes are those of kiln.
#include <clocale>
#include <csignal>
#include <cstdio>

#include "core/project/project_json.h"
#include "core/system/memory_reserve.h"
#include "core/system/standard_streams.h"

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  std::setlocale(LC_ALL, "");  // as Qt does for the editor
  std::signal(SIGXFSZ, SIG_IGN);
  ck::keepMemoryReserve("");
  try {
    auto project = ck::readProjectFile(argv[1]);
    if (!project) return std::fprintf(stderr, "%s\n", project.error().message.c_str()), 3;
    project->characters.front().title = argv[3];
    const auto saved = ck::writeProjectFile(*project, argv[2]);
    if (!saved) return std::fprintf(stderr, "%s\n", saved.error().message.c_str()), 4;
    return 0;
  } catch (...) {
    return ck::lastWords("");
  }
}
