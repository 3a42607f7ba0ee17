#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "tests/support/test_program.h"
#include "tests/ui/both_characters.h"
#include "ui/bake/bake_fields.h"
#include "ui/bake/bake_panel.h"
#include "ui/bake/bake_presets.h"
#include "ui/bake/verdict.h"
#include "ui/document/document.h"
#include "ui/document/session.h"
#include "ui/document/task_runner.h"
#include "ui/document/text.h"
#include "ui/files/export_dialog.h"
#include "ui/parts/fold.h"
#include "ui/parts/panel_parts.h"
#include "ui/playback/playback.h"
#include "ui/theme/theme.h"

using namespace ck::ui;
using ck::BakeSettings;
using ck::Project;
using ck::test::kPatienceMs;
using ck::test::tested;
using ck::test::testedIn;
using ck::test::untested;

namespace {

struct Desk {
  Document document;
  TaskRunner tasks;
  Session session{document, tasks};
  Playback playback{document, session};
  BakePanel panel{document, session, playback};
};

// The box that has an entry of this text.
QComboBox* boxWith(QWidget& panel, const QString& entry) {
  for (QComboBox* box : panel.findChildren<QComboBox*>()) {
    if (box->findText(entry) >= 0) return box;
  }
  return nullptr;
}

QString allText(QWidget& panel) {
  QString text;
  for (QLabel* label : panel.findChildren<QLabel*>()) text += label->text() + '\n';
  return text.replace("&nbsp;", " ");
}

}  // namespace

class tst_bake_panel : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase_data() { ck::test::addBothCharacters(); }
  void initTestCase() {
    ck::test::startWithSamples();
    QLocale::setDefault(QLocale::c());
    QCoreApplication::setOrganizationName("CrowdkilnTest");
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path());
  }
  void cleanupTestCase() {
    for (auto& desk : desks_) desk.reset();
  }
  // Another test of the same character leaves its desk as it was.
  void init() {
    std::unique_ptr<Desk>& other = desks_[std::size_t(untested())];
    if (other) other->panel.hide();
    std::unique_ptr<Desk>& own = desks_[std::size_t(tested())];
    const bool isNew = own == nullptr;
    if (isNew) own = std::make_unique<Desk>();
    desk_ = own.get();
    if (isNew) QVERIFY(ck::test::openBoth(*desk_));
    others_ = desk_->document.project().characters[std::size_t(untested())];
    steps_ = desk_->document.undoStack().index();
    desk_->panel.resize(345, 700);
    desk_->panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&desk_->panel));
  }
  void cleanup() {
    // Nothing was done to the other character.
    QVERIFY(desk_->document.project().characters[std::size_t(untested())] == others_);
    while (desk_->document.undoStack().index() > steps_) desk_->document.undoStack().undo();
    desk_->document.setView([](Project& project) { project.view = {}; });
  }

  // Whose settings these are stands first.
  void theTitleComesFirst() {
    const auto titles = [this] {
      QStringList all;
      for (const auto* label : desk_->panel.findChildren<QLabel*>()) {
        if (label->isVisible() && label->text().startsWith("<b>")) all << label->text();
      }
      return all.value(0);
    };
    QCOMPARE(titles(), QString("<b>humanoid</b>"));
    QComboBox* preset = boxWith(desk_->panel, "Far crowd");
    desk_->document.edit("Own", [](Project& p) { testedIn(p).bake.rateHz = 23.0; });
    QCOMPARE(preset->currentText(), QString("Custom"));
    desk_->playback.setShownCharacter(untested());
    QCOMPARE(titles(), QString("<b>animal</b>"));
    QCOMPARE(preset->currentText(), QString("Balanced"));
    desk_->playback.setShownCharacter(tested());
    QCOMPARE(preset->currentText(), QString("Custom"));
  }

  // Ctrl+B and the button bake what is shown, and nothing else.
  void theButtonBakesTheShownCharacter() {
    const ck::AtlasPtr own = desk_->session.atlas(tested());
    const ck::AtlasPtr other = desk_->session.atlas(untested());
    desk_->document.edit("Own", [](Project& p) { testedIn(p).bake.rateHz = 5.0; });
    QTRY_VERIFY(desk_->session.bakeState(tested()) == BakeState::Outdated);
    QVERIFY(desk_->session.bakeState(untested()) == BakeState::UpToDate);
    QTest::mouseClick(desk_->panel.findChild<QPushButton*>("primary"), Qt::LeftButton);
    const auto isDone = [this] {
      return desk_->session.bakeState(tested()) == BakeState::UpToDate && !desk_->tasks.isBusy();
    };
    QTRY_VERIFY_WITH_TIMEOUT(isDone(), kPatienceMs);
    QVERIFY(desk_->session.atlas(tested()) != own);
    QVERIFY(desk_->session.atlas(untested()) == other);
    desk_->document.undoStack().undo();
    desk_->session.bakeNow(tested());
    QTRY_VERIFY_WITH_TIMEOUT(isDone(), kPatienceMs);
  }

  void rejectedSettingsAreSaidInPlaceWithWhatWouldFit() {
    auto* bake = desk_->panel.findChild<QPushButton*>("primary");
    QTRY_VERIFY(bake->isEnabled());
    desk_->document.edit("Small tiles", [](Project& p) {
      testedIn(p).bake.encoding = ck::Encoding::T32;
      testedIn(p).bake.layout = ck::LayoutKind::Tiles;
      testedIn(p).bake.tile = 16;
    });
    QTRY_VERIFY(!desk_->session.refusal(tested()).isEmpty());
    QVERIFY(!bake->isEnabled());
    QCOMPARE(bake->toolTip(), desk_->session.refusal(tested()));
    auto* said = desk_->panel.findChild<QLabel*>("wrong");
    QVERIFY(said);
    // 35 joints of two or three texels need 70 or 105 texels: tiles of 128 hold them.
    QVERIFY2(said->text().contains("tiles of 128"), qPrintable(said->text()));
    desk_->document.undoStack().undo();
    QTRY_VERIFY(bake->isEnabled());
    QVERIFY(!desk_->panel.findChild<QLabel*>("wrong"));
  }

  void everyEncodingIsOffered() {
    QComboBox* box = boxWith(desk_->panel, "P16");
    QVERIFY(box);
    QCOMPARE(box->count(), 1 + int(ck::allEncodings().size()));  // the first is automatic
    for (const ck::EncodingInfo& info : ck::allEncodings()) {
      const int at = box->findText(textOf(info.name));
      QVERIFY(at >= 0);
      QCOMPARE(box->itemData(at, Qt::ToolTipRole).toString(), sentenceOf(info.summary));
      QVERIFY(box->toolTip().contains(textOf(info.summary)));
    }
  }

  void everyExportFormatIsOffered() {
    const ExportDialog dialog(QDir::tempPath(), "set", false, ExportDialog::suggested());
    const auto boxes = dialog.findChildren<QCheckBox*>();
    const auto boxOf = [&](const QString& title) {
      const auto found = std::find_if(boxes.begin(), boxes.end(), [&](const QCheckBox* box) {
        return box->text().remove('&') == title;
      });
      return found == boxes.end() ? nullptr : *found;
    };
    QString texts;
    for (const QLabel* label : dialog.findChildren<QLabel*>()) texts += label->text() + '\n';
    for (const ck::ExportFormat& format : ck::kExportFormats) {
      const QCheckBox* box = boxOf(textOf(format.ending));
      QVERIFY2(box, format.ending.data());
      QCOMPARE(box->isChecked(), format.isSuggested);
      QVERIFY(texts.contains(sentenceOf(format.summary)));
      QCOMPARE(texts.contains("set" + textOf(format.ending)), format.isSuggested);
    }
    for (const ck::ExportTarget& target : ck::exportTargets()) {
      const QCheckBox* box = boxOf(textOf(target.title));
      QCOMPARE(box != nullptr, !ck::isNeutral(target));
      QCOMPARE(texts.contains("set" + textOf(target.ending)), ck::isNeutral(target));
      if (box == nullptr) continue;
      QVERIFY(!box->isChecked() && texts.contains(sentenceOf(target.summary)));
    }
    // Files that are always written have no box.
    const ck::ExportSettings settings = dialog.settings();
    QVERIFY(settings.targets.contains(ck::TargetKind::Glb));
    QVERIFY(settings.kinds.contains(ck::ExportKind::Json));
  }

  // Before anything is exported: a folder that cannot be one, a name that files cannot have, and a
  // file that the export reads.
  void whatIsWrongWithAnExportIsSaidAsItIsTyped() {
    const QTemporaryDir folder;
    QFile rig(folder.filePath("knight.mesh.glb"));
    QVERIFY(rig.open(QIODevice::WriteOnly));
    rig.close();
    ExportDialog dialog(folder.path(), "set", false, ExportDialog::suggested());
    ck::Project project;
    project.characters[0].sources = {{folder.filePath("knight.mesh.glb").toStdString()}};
    dialog.setProject(project, QString());
    const auto fields = dialog.findChildren<QLineEdit*>();
    const auto* wrong = dialog.findChild<QLabel*>("wrong");
    QPushButton* button = nullptr;
    for (auto* each : dialog.findChildren<QPushButton*>()) {
      if (each->text() == "Export") button = each;
    }
    QVERIFY(fields.size() >= 2 && wrong && button);
    const auto says = [&](const QString& words) {
      return !wrong->isHidden() && wrong->text().contains(words) && !button->isEnabled();
    };
    QVERIFY(wrong->isHidden() && button->isEnabled());
    fields[0]->setText(rig.fileName());
    QVERIFY(says("is a file, not a folder"));
    fields[0]->setText(folder.path());
    QVERIFY(wrong->isHidden() && button->isEnabled());
    fields[1]->setText("knight");
    QVERIFY2(says("knight.mesh.glb: is read for this export"), qPrintable(wrong->text()));
    QVERIFY(dialog.grab().save(QStringLiteral(CK_PICTURES_DIR "/export-wrong.png")));
    dialog.accept();
    QCOMPARE(dialog.result(), 0);
    fields[1]->setText("a/b");
    QVERIFY(wrong->isHidden() && button->isEnabled());
    bool isTold = false;
    for (const auto* label : dialog.findChildren<QLabel*>()) {
      isTold = isTold ||
               (!label->isHidden() &&
                label->text() == "Written as " + dialog.name() + ", which all file systems take");
    }
    QVERIFY(isTold && dialog.name() != "a/b");
  }

  void impostorsHaveABudget() {
    ExportDialog::Choice choice = ExportDialog::suggested();
    choice.impostorBytes = std::size_t{40} << 20;
    const ExportDialog dialog(QDir::tempPath(), "set", false, choice);
    auto* memory = dialog.findChild<QSpinBox*>();
    QVERIFY(memory && !memory->isVisibleTo(&dialog));
    QCOMPARE(memory->value(), 40);
    const QString title = textOf(ck::exportTarget(ck::TargetKind::Impostors).title);
    for (QCheckBox* box : dialog.findChildren<QCheckBox*>()) {
      if (box->text().remove('&') == title) box->setChecked(true);
    }
    QVERIFY(memory->isVisibleTo(&dialog));
    memory->setValue(3);
    QCOMPARE(dialog.choice().impostorBytes, std::size_t{3} << 20);
  }

  void rangesNamedByHandKeepTheirPreset() {
    ck::BakeSettings settings;
    settings.rangeMode = ck::rangeModeFor(settings);
    QVERIFY(presetOf(settings) == BakePreset::Balanced);
    settings.rangeMode = ck::RangeMode::Atlas;
    QVERIFY(!presetOf(settings));
  }

  void everyPresetIsOneStepAndIsKnownAgain_data() {
    QTest::addColumn<int>("preset");
    for (const BakePreset preset : kBakePresets) {
      QTest::newRow(qPrintable(presetName(preset))) << int(preset);
    }
  }
  void everyPresetIsOneStepAndIsKnownAgain() {
    QFETCH(int, preset);
    QComboBox* box = boxWith(desk_->panel, "Far crowd");
    QVERIFY(box);
    desk_->document.edit("Own", [](Project& p) { testedIn(p).bake.rateHz = 23.0; });
    QCOMPARE(box->currentText(), QString("Custom"));
    const int steps = desk_->document.undoStack().count();
    box->setCurrentIndex(box->findData(preset));
    QCOMPARE(desk_->document.undoStack().count(), steps + 1);
    QCOMPARE(int(*presetOf(testedIn(desk_->document.project()).bake)), preset);
    QVERIFY(!presetSummary(BakePreset(preset)).isEmpty());
    desk_->document.undoStack().undo();
    QCOMPARE(testedIn(desk_->document.project()).bake.rateHz, 23.0);
    QCOMPARE(box->currentText(), QString("Custom"));
  }

  void presetsAreWhatTheyAreCalled() {
    const BakeSettings far = withPreset({}, BakePreset::FarCrowd);
    QVERIFY(far.encoding == ck::Encoding::T8 && far.influences == 2 && !far.interpolate);
    const BakeSettings book = withPreset({}, BakePreset::BookCompatible);
    QVERIFY(book.encoding == ck::Encoding::T32 && book.layout == ck::LayoutKind::Tiles);
    QCOMPARE(book.tile, 256);
    QVERIFY(withPreset({}, BakePreset::Balanced) == BakeSettings{});
    BakeSettings limited;
    limited.maxTextureSize = 2048;
    limited.morphs = {12, 16};
    limited.clips = {{.name = "walk"}};
    for (const BakePreset preset : kBakePresets) {
      const BakeSettings made = withPreset(limited, preset);
      QCOMPARE(made.maxTextureSize, 2048);
      QVERIFY(made.morphs == limited.morphs);
      QVERIFY(made.clips == limited.clips);
    }
  }

  void whatDoesNotApplyIsDisabledAndSaysWhy() {
    QComboBox* components = boxWith(desk_->panel, "Position, rotation");
    QComboBox* ranges = boxWith(desk_->panel, "Per joint and clip");
    auto* powers = desk_->panel.findChildren<QCheckBox*>().first();
    if (!components) components = boxWith(desk_->panel, "Automatic");
    QVERIFY(components && ranges && powers);
    QVERIFY(!components->isEnabled());
    QVERIFY(components->toolTip().startsWith("P16 keeps the whole pose"));
    desk_->document.edit("T32", [](Project& p) { testedIn(p).bake.encoding = ck::Encoding::T32; });
    QVERIFY(components->isEnabled());
    QVERIFY(!ranges->isEnabled());
    QVERIFY(ranges->toolTip().startsWith("T32 stores plain numbers"));
    desk_->document.edit("Linear",
                         [](Project& p) { testedIn(p).bake.layout = ck::LayoutKind::Linear; });
    int refused = 0;
    for (QCheckBox* box : desk_->panel.findChildren<QCheckBox*>()) {
      refused += !box->isEnabled() && box->toolTip().startsWith("Tiles and linear");
    }
    QCOMPARE(refused, 1);
  }

  void theChosenEncodingIsNamed() {
    QTRY_VERIFY(boxWith(desk_->panel, "Auto (P16)"));
    QComboBox* box = boxWith(desk_->panel, "Auto (P16)");
    QCOMPARE(box->currentText(), QString("Auto (P16)"));
    box->setCurrentIndex(box->findText("U64"));
    QVERIFY(testedIn(desk_->document.project()).bake.encoding == ck::Encoding::U64);
    box->setCurrentIndex(0);
    QVERIFY(!testedIn(desk_->document.project()).bake.encoding);
    QTRY_COMPARE(box->currentText(), QString("Auto (P16)"));
  }

  void theCostFollowsTheSettingsBeforeBaking() {
    QTRY_VERIFY(allText(desk_->panel).contains("joints that fit"));
    // P16: two texels a joint, four influences; between two frames twice as many.
    QVERIFY(allText(desk_->panel).contains("Fetches: 8 nearest, <b>16</b>"));
    desk_->document.edit("Influences", [](Project& p) { testedIn(p).bake.influences = 1; });
    QTRY_VERIFY(allText(desk_->panel).contains("Fetches: 2 nearest, <b>4</b>"));
    QVERIFY(desk_->session.bakeState(tested()) == BakeState::Outdated);
  }

  void theErrorSaysBothReadings() {
    QTRY_VERIFY_WITH_TIMEOUT(desk_->session.error(tested()), kPatienceMs);
    const QString text = allText(desk_->panel);
    QVERIFY(text.contains("Joint by joint: <b>"));
    QVERIFY(text.contains("Palette, as drawn: <b>"));
    QVERIFY(text.contains("99 % below"));
    const ck::ErrorFigures& direct = desk_->session.error(tested())->direct;
    QVERIFY(text.contains(QString::fromStdString(direct.vertices.worstJoint)));
    const auto number = [](double value) { return figureText(value).toHtmlEscaped(); };
    QVERIFY(text.contains(number(direct.vertices.max) + " mm</b> at vertices"));
    QVERIFY(text.contains(number(direct.shell.max) + " mm at the shell (3 cm), " +
                          number(direct.screen.max) + " px"));
  }

  void theMethodSaysWhichReadingIsDrawn() {
    QTRY_VERIFY_WITH_TIMEOUT(desk_->session.error(tested()), kPatienceMs);
    desk_->document.edit("Method", [](Project& p) { p.view.pose.method = ck::Method::Atlas; });
    QVERIFY(allText(desk_->panel).contains("Joint by joint, as drawn: <b>"));
    QVERIFY(allText(desk_->panel).contains("Palette: <b>"));
    QVERIFY(!desk_->session.isMeasuring(tested()));
  }

  void figuresAboveALimitAreRed() {
    QTRY_VERIFY_WITH_TIMEOUT(desk_->session.error(tested()), kPatienceMs);
    const QString red = colors::kError.name();
    QVERIFY(!allText(desk_->panel).contains(red));
    auto* limit = desk_->panel.findChild<QWidget*>("panel");
    for (auto* box : desk_->panel.findChildren<QDoubleSpinBox*>()) {
      if (box->accessibleName() == "Limit on the screen") limit = box;
    }
    auto* pixels = qobject_cast<QDoubleSpinBox*>(limit);
    QVERIFY(pixels);
    QCOMPARE(pixels->text(), QString("Screen"));
    // Only the drawn reading counts.
    const double palette = desk_->session.error(tested())->palette.screen.max;
    pixels->setValue(std::ceil(palette * 100.0) / 100.0 + 0.01);
    QVERIFY(desk_->session.error(tested())->direct.screen.max > pixels->value());
    QVERIFY(!allText(desk_->panel).contains(red));
    desk_->document.edit("Method", [](Project& p) { p.view.pose.method = ck::Method::Atlas; });
    QVERIFY(allText(desk_->panel).contains(red));
  }

  void everyFieldIsOneUndoStep() {
    int changed = 0;
    for (QComboBox* box : desk_->panel.findChildren<QComboBox*>()) {
      if (!box->isEnabled() || box->findText("Custom") >= 0) continue;
      const int steps = desk_->document.undoStack().index();
      box->setCurrentIndex((box->currentIndex() + 1) % box->count());
      QCOMPARE(desk_->document.undoStack().index(), steps + 1);
      desk_->document.undoStack().undo();
      ++changed;
    }
    for (QSpinBox* box : desk_->panel.findChildren<QSpinBox*>()) {
      if (!box->isEnabled()) continue;
      const int steps = desk_->document.undoStack().index();
      box->setValue(box->value() + 64);
      QCOMPARE(desk_->document.undoStack().index(), steps + 1);
      desk_->document.undoStack().undo();
      ++changed;
    }
    QVERIFY(changed >= 7);
  }

  void errorsAreJudgedByTheirLimit() {
    // By the formula: at 5 m, 1080 pixels for 40 degrees, a pixel is 3.370 mm.
    Project project;
    const double mm = 1000.0 * 2.0 * 5.0 * std::tan(20.0 / 57.29577951308232) / 1080.0;
    QVERIFY(std::abs(vertexLimitMm(project) - mm) < 1e-6);
    QCOMPARE(pixelLimit(project), 1.0);
    QVERIFY(verdictOf(0.17, mm) == Verdict::Good && verdictOf(mm, mm) == Verdict::Good);
    QVERIFY(verdictOf(mm + 0.001, mm) == Verdict::Look);
    QVERIFY(verdictOf(2.0 * mm, mm) == Verdict::Look);
    QVERIFY(verdictOf(374.0, mm) == Verdict::Bad);
    QVERIFY(verdictOf(std::nan(""), mm) == Verdict::Bad);
    project.errorLimits = {.vertexMm = 400.0, .pixels = 0.25};
    QVERIFY(verdictOf(374.0, vertexLimitMm(project)) == Verdict::Good);
    QCOMPARE(pixelLimit(project), 0.25);
  }

  void theVerdictsFollowTheLimitsInWordsToo() {
    QTRY_VERIFY_WITH_TIMEOUT(desk_->session.error(tested()), kPatienceMs);
    const auto lines = desk_->panel.findChildren<VerdictLine*>();
    QCOMPARE(lines.size(), 3);
    const double pixels = desk_->session.error(tested())->palette.screen.max;
    const auto judged = [&](double limit) {
      desk_->document.edit("Limit", [&](Project& p) { p.errorLimits.pixels = limit; });
      return lines[2]->accessibleName();
    };
    QCOMPARE(judged(0.0), QString("Error on the screen: Good"));
    QCOMPARE(judged(pixels * 1.01), QString("Error on the screen: Good"));
    QCOMPARE(judged(pixels * 0.6), QString("Error on the screen: Look"));
    QCOMPARE(judged(pixels * 0.4), QString("Error on the screen: Bad"));
    QVERIFY(lines[2]->toolTip().contains("at most"));
    // Twice as far away a pixel is twice as large.
    const QString near = allText(*lines[2]);
    desk_->document.edit("Far", [](Project& p) { p.view.screen.distanceMeters *= 2.0; });
    QTRY_VERIFY(allText(*lines[2]) != near);
    QVERIFY(allText(*lines[2]).contains(figureText(pixels / 2.0).toHtmlEscaped() + " px"));
  }

  void costAndErrorComeFirstAndDetailsAreFolded() {
    const auto lines = desk_->panel.findChildren<VerdictLine*>();
    const auto top = [&](QWidget* w) { return w->mapTo(&desk_->panel, QPoint()).y(); };
    QVERIFY(top(lines[0]) < top(lines[1]) && top(lines[1]) < top(lines[2]));
    QVERIFY(top(lines[2]) < top(boxWith(desk_->panel, "Far crowd")));
    QComboBox* encoding = boxWith(desk_->panel, "P16");
    QVERIFY(!encoding->isVisible());
    auto* details = desk_->panel.findChild<Fold*>();
    QVERIFY(details && !details->isOpen());
    details->setOpen(true);
    QVERIFY(encoding->isVisible());
    QVERIFY(QSettings().value("folds/bake").toBool());
    QVERIFY(allText(desk_->panel).contains(encoding->itemData(0, Qt::ToolTipRole).toString()));
    // Wrapped sentences get their height when their width is known; then no row covers another.
    const auto rowsAreApart = [&] {
      int last = 0;
      for (QWidget* row : details->findChildren<QComboBox*>()) {
        const QWidget* column = row->parentWidget();
        if (!row->isVisible() || !qobject_cast<QLabel*>(column->children().last())) continue;
        const auto* meaning = static_cast<const QLabel*>(column->children().last());
        const int below = meaning->mapTo(details, QPoint()).y();
        if (row->mapTo(details, QPoint()).y() < last) return false;
        if (below < row->mapTo(details, QPoint(0, row->height())).y()) return false;
        if (meaning->height() < meaning->heightForWidth(meaning->width())) return false;
        last = below + meaning->height();
      }
      return last > 0;
    };
    QTRY_VERIFY(rowsAreApart());
    desk_->panel.grab().save(QStringLiteral(CK_PICTURES_DIR) + "/bake_panel_open.png");
    details->setOpen(false);
    desk_->panel.grab().save(QStringLiteral(CK_PICTURES_DIR) + "/bake_panel.png");
  }

  // Figures of the last bake are no verdict on other settings.
  void changedSettingsHaveNoVerdict() {
    QTRY_VERIFY_WITH_TIMEOUT(desk_->session.error(tested()), kPatienceMs);
    const auto lines = desk_->panel.findChildren<VerdictLine*>();
    QCOMPARE(lines[2]->accessibleName(), QString("Error on the screen: Good"));
    desk_->document.edit("Rate", [](Project& p) { testedIn(p).bake.rateHz = 7.0; });
    QTRY_VERIFY(desk_->session.bakeState(tested()) == BakeState::Outdated);
    QCOMPARE(lines[1]->accessibleName(), QString("Error at vertices"));
    QCOMPARE(lines[2]->accessibleName(), QString("Error on the screen"));
    QVERIFY(allText(*lines[1]).contains("before the change"));
    QVERIFY(allText(*lines[2]).contains("before the change"));
    desk_->document.undoStack().undo();
    QTRY_COMPARE(lines[2]->accessibleName(), QString("Error on the screen: Good"));
  }

  void smallFiguresAreNotZero() {
    QCOMPARE(figureText(0.0), QString("0.00"));
    QCOMPARE(figureText(0.004), QString("< 0.01"));
    QCOMPARE(figureText(0.006), QString("0.01"));
  }

  void presetsSayTheirErrorBeforeTheyAreTaken() {
    QComboBox* box = boxWith(desk_->panel, "Far crowd");
    const auto said = [&](BakePreset preset) {
      return box->itemData(box->findData(int(preset)), Qt::AccessibleTextRole).toString();
    };
    for (const BakePreset preset : kBakePresets) {
      QTRY_VERIFY2_WITH_TIMEOUT(!said(preset).contains("not measured"), qPrintable(said(preset)),
                                5 * kPatienceMs);
    }
    box->showPopup();
    box->view()->grab().save(QStringLiteral(CK_PICTURES_DIR) + "/bake_presets.png");
    box->hidePopup();
    // Taken, it is what it said, by the bake and the measurement of the session.
    const QString far = said(BakePreset::FarCrowd);
    box->setCurrentIndex(box->findData(int(BakePreset::FarCrowd)));
    QTRY_VERIFY(desk_->session.bakeState(tested()) == BakeState::Outdated);
    // Before it is baked the panel says the same, and does not lead to what is not there.
    const auto lines = desk_->panel.findChildren<VerdictLine*>();
    const QString screen = allText(*lines[2]);
    QVERIFY2(screen.contains("once baked") && far.contains(lines[2]->accessibleName().mid(21)),
             qPrintable(screen + lines[2]->accessibleName() + far));
    QVERIFY(!allText(*lines[1]).contains("<a "));
    desk_->session.bakeNow(tested());
    QTRY_VERIFY_WITH_TIMEOUT(desk_->session.bakeState(tested()) == BakeState::UpToDate,
                             kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(desk_->session.bakedError(tested()), kPatienceMs);
    const ck::BakeError& error = *desk_->session.bakedError(tested());
    QVERIFY2(far.contains(figureText(error.palette.screen.max) + " px"), qPrintable(far));
    QVERIFY2(far.contains(sizeText(desk_->session.atlas(tested())->texels.size())),
             qPrintable(far));
  }

 private:
  QTemporaryDir settings_;
  std::array<std::unique_ptr<Desk>, 2> desks_;
  Desk* desk_ = nullptr;  // that of the tested character
  ck::ProjectCharacter others_;
  int steps_ = 0;  // of the undo history, before the test
};

CK_TEST(tst_bake_panel, QApplication)
#include "tst_bake_panel.moc"
