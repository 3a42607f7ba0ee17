// One more property of an actor is one more row of the table of columns: it is then in project
// files, in the table of actors, in filters and in the editor's fields. The documents must name it.
#include <QFile>
#include <QTest>
#include <set>

#include "core/project/actors_json.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"
#include "ui/actors/actor_editor.h"
#include "ui/actors/actor_filter.h"
#include "ui/actors/actor_model.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/parts/number_edit.h"
#include "ui/theme/theme.h"

using namespace ck::ui;
using ck::Actor;
using ck::ActorColumn;
using ck::Project;

namespace {

// Kept in the height of the place, of which it is the tenfold.
const ActorColumn kDummy = {.key = "dummySteps",
                            .kind = ck::ActorKind::Whole,
                            .title = "Dummy steps",
                            .tip = "How many steps up it stands",
                            .unit = "steps",
                            .range = {-50.0, 50.0},
                            .fileRange = {-100.0, 100.0},
                            .decimals = 0,
                            .stream = 1000,
                            .get = [](const Actor& a) { return std::round(10.0 * a.position.y); },
                            .set = [](Actor& a, double v) { a.position.y = float(0.1 * v); }};

std::vector<ActorColumn> columnsWithDummy() {
  std::vector<ActorColumn> columns(ck::actorColumns().begin(), ck::actorColumns().end());
  columns.push_back(kDummy);
  return columns;
}

Project fourActors() {
  Project project;
  project.characters.front().clips = {{.name = "walk"}};
  project.actors = ck::ActorList(std::vector<Actor>(4));
  return project;
}

QString textOfDocument(const char* name) {
  QFile file(QStringLiteral(CK_SOURCE_DIR "/docs/") + QLatin1String(name));
  if (!file.open(QIODevice::ReadOnly)) qFatal("%s is missing", name);
  return QString::fromUtf8(file.readAll());
}

// The parts of a column that the documents do not name.
QStringList missingInDocuments(std::span<const ActorColumn> columns) {
  const QString project = textOfDocument("project.md");
  const QString editor = textOfDocument("editor.md");
  QStringList missing;
  for (const ActorColumn& column : columns) {
    const QString key = QString::fromUtf8(column.key.data(), qsizetype(column.key.size()));
    if (!project.contains(QStringLiteral("`%1`").arg(key))) missing << key;
    const QString row =
        QStringLiteral("| %1 | `%2` | %3 |").arg(columnTitle(column), key, columnTip(column));
    if (!editor.contains(row)) missing << row;
  }
  return missing;
}

}  // namespace

class tst_actor_columns : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp); }

  void titlesAndStreamsAreTakenOnce() {
    std::set<std::string_view> titles;
    std::set<int> streams;
    for (const ActorColumn& column : ck::actorColumns()) {
      QVERIFY2(titles.insert(column.title).second, column.title.data());
      QVERIFY(column.get != nullptr && column.set != nullptr);
      QVERIFY(isNumber(column) == (column.stream != 0));
      if (isNumber(column)) QVERIFY2(streams.insert(column.stream).second, column.title.data());
    }
  }

  void everyValueComesBack() {
    for (const ActorColumn& column : ck::actorColumns()) {
      Actor actor;
      // A time that an actor has with a command only.
      if (column.title == "Since") actor.commands = {{}};
      const Actor before = actor;
      const double usual = column.get(actor);
      for (const double value : {1.0, 0.0, usual}) {
        column.set(actor, value);
        QCOMPARE(column.get(actor), value);
      }
      QVERIFY2(actor == before, column.title.data());
    }
  }

  void documentsNameEveryColumn() {
    const QStringList missing = missingInDocuments(ck::actorColumns());
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u'\n')));
    QCOMPARE(missingInDocuments({&kDummy, 1}).size(), 2);
  }

  void oneMoreColumnIsInProjectFiles() {
    const auto columns = columnsWithDummy();
    Project project = fourActors();
    QVERIFY(ck::actorsToJson(project.actors, columns).find("dummySteps") == std::string::npos);
    Actor raised;
    raised.position.y = 2.0f;
    project.actors.set(1, raised);
    const std::string text = ck::actorsToJson(project.actors, columns);
    QVERIFY(text.find("\"dummySteps\": [0,20,0,0]") != std::string::npos);
    const auto read = [&columns](const std::string& json, Project& into) {
      const auto document = ck::JsonDocument::parse(json);
      std::optional<ck::Error> problem;
      ck::JsonFields fields(document->root(), "actors.", problem);
      into.actors = ck::ActorList(ck::readActors(fields, into, columns));
      return problem;
    };
    Project back = fourActors();
    QVERIFY(!read(text, back));
    QVERIFY(back == project);
    const auto problem = read(R"({"count": 1, "dummySteps": 101})", back);
    QVERIFY(problem.has_value());
    QCOMPARE(problem->message,
             std::string("actors.dummySteps[0] is not a whole number between -100 and 100"));
  }

  void oneMoreColumnIsInTableFilterAndEditor() {
    const auto columns = columnsWithDummy();
    Document document;
    document.replace(fourActors(), {});
    Selection selection(document);
    ActorModel model(document, nullptr, columns);
    ActorFilter filter(model);
    ActorEditor editor(document, model, filter, selection);

    const int section = model.sectionOf("Dummy steps");
    QCOMPARE(section, model.sectionOf("By hand") + 1);
    QCOMPARE(model.headerData(section, Qt::Horizontal, Qt::ToolTipRole).toString(),
             QString("How many steps up it stands; steps, -50 to 50"));
    QVERIFY(model.setData(model.index(2, section), 7.4, Qt::EditRole));
    QCOMPARE(model.index(2, section).data().toString(), QString("7"));
    QCOMPARE(filter.setFilter("dummysteps>5"), QString());
    QCOMPARE(filter.actors(), std::vector<int>{2});
    filter.setFilter({});

    NumberEdit* field = nullptr;
    for (NumberEdit* each : editor.findChildren<NumberEdit*>()) {
      if (each->accessibleName() == "Dummy steps") field = each;
    }
    QVERIFY(field != nullptr);
    selection.selectAll();
    emit field->entered("L(0,9)");
    for (int actor = 0; actor < 4; ++actor) {
      QCOMPARE(kDummy.get(model.actor(actor)), 3.0 * actor);
    }
    emit field->entered("*=100");
    QCOMPARE(kDummy.get(model.actor(3)), 50.0);
  }
};

CK_TEST(tst_actor_columns, QApplication)
#include "tst_actor_columns.moc"
