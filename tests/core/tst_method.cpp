#include <QFile>
#include <QTest>
#include <set>

#include "core/project/project_json.h"
#include "core/skinning/method.h"
#include "tests/support/test_program.h"

using ck::kMethods;
using ck::Method;
using ck::MethodInfo;
using ck::MethodOptions;
using ck::methodsObeying;

// The table of methods, which all lists are made from.
class tst_method : public QObject {
  Q_OBJECT

 private slots:
  void rejectsUnknownNames() {
    QVERIFY(!ck::methodFromName("book"));
    QVERIFY(!ck::methodFromName(""));
  }

  void everyRowIsWhole() {
    std::set<std::string_view> names;
    for (const MethodInfo& info : kMethods) {
      QVERIFY(names.insert(info.name).second);
      QVERIFY(!info.title.empty() && !info.remark.empty() && !info.tip.empty());
      QVERIFY(!info.tip.ends_with('.'));
      QCOMPARE(ck::methodFromName(info.name), info.method);
      QCOMPARE(&ck::methodInfo(info.method), &info);
    }
  }

  void projectsKeepEveryMethod() {
    for (const MethodInfo& info : kMethods) {
      ck::Project project;
      project.view.pose.method = info.method;
      const auto read = ck::projectFromJson(ck::projectToJson(project, "/p"), "/p");
      QVERIFY(read.has_value());
      QVERIFY(read->view.pose.method == info.method);
    }
  }

  void theManualNamesEveryMethod() {
    QFile file(CK_SOURCE_DIR "/docs/cli.md");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const std::string manual = file.readAll().toStdString();
    for (const MethodInfo& info : kMethods) {
      const std::string quoted = "`" + std::string(info.name) + "`";
      const std::string option = "`--method " + std::string(info.name) + "`";
      QVERIFY2(manual.find(quoted) != std::string::npos || manual.find(option) != std::string::npos,
               info.name.data());
    }
  }

  void optionsAreToldInWords() {
    QCOMPARE(methodsObeying(&MethodOptions::masks), std::string("the method live"));
    QCOMPARE(methodsObeying(&MethodOptions::skinOn),
             std::string("the methods palette and prepass"));
    QCOMPARE(methodsObeying(&MethodOptions::sampling), std::string("all methods but live"));
    QCOMPARE(methodsObeying(&MethodOptions::hardwareLinear, &MethodInfo::title),
             std::string("the methods Atlas and Matrix"));
  }
};

CK_TEST(tst_method)
#include "tst_method.moc"
