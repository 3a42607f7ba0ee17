#pragma once

#include <QTest>

namespace ck::test {

using TestRun = int (*)(int argc, char** argv);

// Makes `run` what the program does when its first argument is `name`. Called before main().
bool addTestClass(const char* name, TestRun run);

// Stands for the application object of tests that need none.
struct NoApplication {
  NoApplication(int&, char**) {}
};

template <class Test, class Application = NoApplication>
int runTestClass(int argc, char** argv) {
  [[maybe_unused]] const Application application(argc, argv);
  Test test;
  return QTest::qExec(&test, argc, argv);
}

}  // namespace ck::test

// Adds a test class to the program of its folder. One program links and compiles faster than one
// for every class. Tests that need an application object name its type as well:
// CK_TEST(tst_bind, QApplication). The program is called as `ck_tests_core tst_bake [OPTIONS]`,
// with the options of QtTest; without an argument it lists its classes.
#define CK_TEST(Class, ...)                             \
  [[maybe_unused]] static const bool ck_added_##Class = \
      ck::test::addTestClass(#Class, ck::test::runTestClass<Class __VA_OPT__(, ) __VA_ARGS__>);
