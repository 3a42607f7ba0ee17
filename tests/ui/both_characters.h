#pragma once

#include <QTest>

#include "tests/ui/desk.h"

namespace ck::test {

// For initTestCase_data(): every test of the class runs for the first and for the second of two
// characters.
inline void addBothCharacters() {
  QTest::addColumn<int>("character");
  QTest::newRow("the first character") << 0;
  QTest::newRow("the second character") << 1;
}

// The character that the running test is about.
inline int tested() {
  QFETCH_GLOBAL(int, character);
  return character;
}
inline int untested() {
  return 1 - tested();
}
inline ProjectCharacter& testedIn(Project& project) {
  return project.characters[std::size_t(tested())];
}
inline const ProjectCharacter& testedIn(const Project& project) {
  return project.characters[std::size_t(tested())];
}

// Opens the humanoid as the tested character, which is shown, and the doe as the other one.
template <class AnyDesk>
bool openBoth(AnyDesk& desk) {
  const char* files[] = {"humanoid.glb", "animal.glb"};
  desk.session.importRig({sample(files[tested()])});
  if (!QTest::qWaitFor([&] { return desk.session.atlas(0) != nullptr; }, kPatienceMs)) return false;
  desk.session.addCharacters({sample(files[untested()])});
  const auto isReady = [&] {
    return desk.document.project().characters.size() == 2 && !desk.tasks.isBusy();
  };
  if (!QTest::qWaitFor(isReady, kPatienceMs)) return false;
  desk.playback.setShownCharacter(tested());
  return true;
}

}  // namespace ck::test
