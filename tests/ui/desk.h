#pragma once

#include <QApplication>
#include <QFile>
#include <QSignalSpy>
#include <QString>
#include <QTest>
#include <vector>

#include "core/base/log.h"
#include "core/project/characters.h"
#include "tests/support/import_worker.h"
#include "tests/support/rigs.h"
#include "ui/document/atlas_exports.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"
#include "ui/document/task_runner.h"
#include "ui/playback/playback.h"
#include "ui/theme/theme.h"

namespace ck::test {

inline constexpr int kPatienceMs = 60'000;

// A bundled sample by its path below the folder of the samples.
inline QString sample(const char* name) {
  return QString::fromStdString((sampleHumanoid().parent_path() / name).string());
}

// For initTestCase() of whatever reads the bundled samples; fails where they are not there.
inline void startWithSamples() {
  setLogToStderr(false);
  ui::applyTheme(*qApp);
  useBuiltImportWorker();
  QVERIFY(QFile::exists(sample("animal.glb")));
}

// Writes the atlases of a desk's characters, and gives the files that hold texels and the sidecars.
template <class AnyDesk>
Result<std::vector<ExportedFile>> exported(const AnyDesk& desk, const QString& folder,
                                           const std::string& name,
                                           const ExportSettings& settings = {}) {
  const auto atlases = ui::atlasesToExport(desk.document.project(), desk.session);
  const auto sets =
      exportCast(atlases, castSetNames(atlases, name), folder.toStdString(), settings, nullptr, {});
  if (!sets) return tl::unexpected(sets.error());
  std::vector<ExportedFile> files;
  for (const CastSet& set : sets->sets) {
    files.insert(files.end(), set.written.files.begin(), set.written.files.end());
  }
  return files;
}

// The editor without its window: the humanoid, which blinks and smiles, and what is added to it.
struct Desk {
  ui::Document document;
  ui::TaskRunner tasks;
  ui::Session session{document, tasks};
  ui::Playback playback{document, session};
  ui::Selection selection{document};
  QSignalSpy notices{&session, &ui::Session::noticed};

  const Project& project() const { return document.project(); }

  bool open() {
    session.importRig({sample("humanoid.glb")});
    return QTest::qWaitFor([this] { return session.atlas(0) != nullptr; }, kPatienceMs);
  }
  // The doe, which has clips of its own and no morph targets.
  bool addDoe() { return addMember("animal.glb"); }
  // A bundled rig or project, the first besides the own rig.
  bool addMember(const char* name) {
    session.addCharacters({sample(name)});
    return QTest::qWaitFor([this] { return project().characters.size() == 2; }, kPatienceMs);
  }
  // It is baked again, with its first clip alone and another encoding.
  void tickOneOfDoe() {
    document.edit("One clip", [](Project& project) {
      std::vector<ProjectClip> clips = project.characters[1].clips;
      for (ProjectClip& clip : clips) clip.ticked = false;
      clips[0].ticked = true;
      BakeSettings bake;
      bake.encoding = Encoding::T16;
      project.characters[1].bake = bake;
      ck::setClips(project, 1, clips);
    });
    session.bakeNow(1);
  }
  // Of every character.
  std::vector<int> counts() const {
    std::vector<int> all(std::size_t(characterCount(project())), 0);
    for (std::size_t i = 0; i < project().actors.size(); ++i) {
      ++all[std::size_t(project().actors[i].character)];
    }
    return all;
  }
  std::vector<int> actorsOf(int character) const {
    std::vector<int> all;
    for (std::size_t i = 0; i < project().actors.size(); ++i) {
      if (project().actors[i].character == character) all.push_back(int(i));
    }
    return all;
  }
};

}  // namespace ck::test
