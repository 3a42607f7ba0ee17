#include "ui/windows/dialogs.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QOpenGLWidget>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>
#include <tl/expected.hpp>

#include "core/base/version.h"
#include "ui/document/text.h"
#include "ui/parts/number_field.h"
#include "ui/parts/panel_parts.h"

namespace ck::ui {
namespace {

constexpr double kUsualFadeSeconds = 0.5;

QString text(const char* words) {
  return QCoreApplication::translate("Help", words);
}

void showText(QWidget& window, const QString& title, const QString& html, const QSize& size) {
  auto* dialog = new QDialog(&window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(title);
  auto* browser = new QTextBrowser;
  browser->setAccessibleName(title);
  browser->setHtml(html);
  browser->setOpenExternalLinks(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
  auto* layout = new QVBoxLayout(dialog);
  layout->setContentsMargins(14, 14, 14, 12);
  layout->addWidget(browser);
  layout->addWidget(buttons);
  dialog->resize(size.boundedTo(window.size()));
  dialog->open();
}

QString row(const QString& what, const QString& keys) {
  return QStringLiteral(
             "<tr><td style='padding:3px 26px 3px 0'>%1</td>"
             "<td style='padding:3px 0;color:#9accff'>%2</td></tr>")
      .arg(what.toHtmlEscaped(), keys.toHtmlEscaped());
}

// The name of an action, and where its key works if not in the whole window.
QString nameOf(const QAction& action) {
  QString name = action.text();
  name.remove(QLatin1Char('&'));
  if (action.shortcutContext() != Qt::WidgetWithChildrenShortcut) return name;
  const bool inView = std::ranges::any_of(action.associatedObjects(), [](const QObject* one) {
    return qobject_cast<const QOpenGLWidget*>(one) != nullptr;
  });
  return (inView ? text("%1 (in the viewport)") : text("%1 (in its panel)")).arg(name);
}

}  // namespace

FadeDialog::FadeDialog(const QStringList& clips, int actors, QWidget* parent)
    : QDialog(parent),
      clip_(new QComboBox),
      seconds_(numberBox(0.0, 60.0, 0.1, tr(" s"))),
      phase_(new QComboBox),
      eased_(new QCheckBox(tr("&Eased: slow at both ends"))) {
  setWindowTitle(tr("Fade %1").arg(counted(actors, tr("actor"), tr("actors"))));
  clip_->addItems(clips);
  seconds_->setValue(kUsualFadeSeconds);
  numberFieldOf(seconds_)->setDefaultNumber(kUsualFadeSeconds);
  phase_->addItem(tr("where its own clock is"), int(FadePhase::Own));
  phase_->addItem(tr("where the first clip is"), int(FadePhase::Synced));
  phase_->addItem(tr("at its start"), int(FadePhase::Start));
  phase_->setCurrentIndex(1);
  phase_->setToolTip(tr("Walks that are synced keep step; a jump wants its start"));
  eased_->setChecked(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  buttons->button(QDialogButtonBox::Ok)->setText(tr("&Fade now"));
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* form = new QFormLayout(this);
  form->addRow(tr("&To"), clip_);
  form->addRow(tr("&Over"), seconds_);
  form->addRow(tr("&Begins"), phase_);
  form->addRow(QString(), eased_);
  form->addRow(buttons);
}

FadeRequest FadeDialog::request() const {
  return {.clip = clip_->currentIndex(),
          .seconds = seconds_->value(),
          .phase = FadePhase(phase_->currentData().toInt()),
          .eased = eased_->isChecked()};
}

void showAbout(QWidget& window) {
  const QString html =
      text(
          "<h2>Crowdkiln %1</h2><p>Bakes skinned clips into a texture and plays thousands of "
          "actors from it in one draw.</p><p>MIT licence. Built on Qt, OpenGL through libepoxy, "
          "Assimp, tinygltf, glm, fmt, spdlog, tl::expected, nlohmann-json, CLI11, libuv, "
          "OpenEXR, libpng, zlib, zstd, xxHash and meshoptimizer.</p><p>Icons: Lucide (ISC). "
          "Font: Inter (SIL Open Font License 1.1).</p>")
          .arg(QLatin1String(version()));
  showText(window, text("About Crowdkiln"), html, QSize(520, 320));
}

void showCheatSheet(QWidget& window, const QList<QAction*>& actions) {
  QString html = QStringLiteral("<h3>%1</h3><table>").arg(text("Viewport"));
  html += row(text("Orbit"), text("Middle mouse, Alt + left, Space + left, or Ctrl + arrows"));
  html +=
      row(text("Pan"), text("Shift + middle, Alt + middle, Shift + Space + left, or two fingers"));
  html += row(text("Zoom"), text("Wheel, Ctrl + middle, Alt + right, pinch, or + and -"));
  html += row(text("Where the window manager takes Alt"), text("Ctrl + Alt does the same"));
  html += row(text("Fly"), text("Hold right: W A S D, Q down, E up; wheel: speed, Shift: faster"));
  html += row(text("Select an actor"), text("Left; Shift adds, Ctrl toggles"));
  html += row(text("Select a box of actors"), text("Left drag; Shift adds, Ctrl takes away"));
  html += row(text("Frame the selection"), text("F, or double click"));
  html += row(text("Move the selected actors over the ground"), text("Drag one of them"));
  html += row(text("While a handle is dragged"),
              text("Ctrl snaps, Shift is finer, digits set the value, Esc takes back"));
  html += row(text("Move the line of a divided view"),
              text("Drag it; double click: to the middle; Esc: back"));
  html += row(text("Scale of the error colours"), text("Wheel or double click on the legend"));
  html += QStringLiteral("</table><h3>%1</h3><table>").arg(text("Keys"));
  for (const QAction* action : actions) {
    if (action->shortcut().isEmpty()) continue;
    html += row(nameOf(*action), action->shortcut().toString(QKeySequence::NativeText));
  }
  html += QStringLiteral("</table>");
  html += QStringLiteral("<h3>%1</h3><table>").arg(text("Fields of many actors"));
  html += row(text("Random between two values"), QStringLiteral("R(0,1)"));
  html += row(text("Ramp over the selection"), QStringLiteral("L(0,1)"));
  html += row(text("By place: a wave around the middle of the crowd"),
              QStringLiteral("-a/72 + R(-0.03,0.03)"));
  html += row(text("Look at a place"), QStringLiteral("look(0,0)"));
  html += row(text("Change what is there"), QStringLiteral("+=0.1   -=0.1   *=2   /=2"));
  html += QStringLiteral("</table>");
  showText(window, text("Keys and mouse"), html, QSize(560, 640));
}

}  // namespace ck::ui
