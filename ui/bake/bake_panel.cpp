#include "ui/bake/bake_panel.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyle>

#include "core/project/characters.h"
#include "ui/bake/bake_presets.h"
#include "ui/bake/error_fields.h"
#include "ui/document/document.h"
#include "ui/document/playback.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

// In a member's box, after the presets' numbers.
constexpr int kCustom = -1;
constexpr int kAsOwnRig = -2;

bool sameSettings(BakeSettings a, BakeSettings b) {
  a.clips.clear();
  b.clips.clear();
  return a == b;
}

// A label that wraps and is never clipped. Form layouts use an outdated height or width of a label,
// which lets widgets overlap; this label reports the height for its current width.
class Figures : public QLabel {
 public:
  Figures() { setWordWrap(true); }

  bool hasHeightForWidth() const override { return false; }
  QSize sizeHint() const override { return {QLabel::sizeHint().width(), heightForWidth(width())}; }
  QSize minimumSizeHint() const override {
    return {QLabel::minimumSizeHint().width(), heightForWidth(width())};
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QLabel::resizeEvent(event);
    if (event->oldSize().width() != width()) updateGeometry();
  }
};

// A vertical scroll area that is at least as wide as its content.
class PageScroll : public QScrollArea {
 public:
  QSize minimumSizeHint() const override {
    const int width = widget()->minimumSizeHint().width();
    return {width + verticalScrollBar()->sizeHint().width(),
            QScrollArea::minimumSizeHint().height()};
  }
};

QLabel* figures() {
  auto* label = new Figures;
  label->setObjectName(QStringLiteral("figures"));
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  return label;
}

// The state of a measurement that was cancelled or failed, with a link to restart it.
QString notMeasured() {
  return BakePanel::tr("Not measured. <a href=\"measure\">Measure it</a>");
}

// Labels accept focus by Tab only while they contain a link.
void showFigures(QLabel& label, const QString& text) {
  Qt::TextInteractionFlags flags = Qt::TextSelectableByMouse;
  if (text.contains(QLatin1String("<a "))) {
    flags |= Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard;
  }
  label.setTextInteractionFlags(flags);
  label.setText(text);
}

}  // namespace

QString sizeText(std::size_t bytes) {
  const double kilobytes = double(bytes) / 1024.0;
  if (kilobytes < 1000.0) return BakePanel::tr("%1 KB").arg(fixedText(kilobytes, 0));
  return BakePanel::tr("%1 MB").arg(fixedText(kilobytes / 1024.0, 1));
}

BakePanel::BakePanel(Document& document, Session& session, const Playback& playback,
                     QWidget* parent)
    : QWidget(parent),
      document_(document),
      session_(session),
      playback_(playback),
      cost_(figures()),
      error_(figures()),
      member_(figures()),
      stateIcon_(new QLabel),
      stateText_(styledLabel("figures")),
      bake_(new QPushButton(icon("film", Qt::white), tr(" Bake   Ctrl+B"))) {
  setObjectName(QStringLiteral("panel"));
  auto* scroll = new PageScroll;
  scroll->setWidget(makePage());
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);

  bake_->setObjectName(QStringLiteral("primary"));
  bake_->setAccessibleName(tr("Bake"));
  connect(bake_, &QPushButton::clicked, &session, &Session::bakeNow);
  stateText_->setWordWrap(true);
  auto* bottom = rowOf({bake_, stateIcon_, {stateText_, 1}}, 8);
  bottom->setContentsMargins(10, 6, 10, 10);
  bottom->insertSpacing(1, 2);
  layOutColumn(*this, {}, 0, {{scroll, 1}, bottom});

  connect(&session, &Session::costChanged, this, &BakePanel::showCost);
  connect(&session, &Session::errorChanged, this, &BakePanel::showError);
  connect(&session, &Session::bakeStateChanged, this, &BakePanel::showState);
  connect(error_, &QLabel::linkActivated, this, [this] { session_.measureAgain(); });
  connect(member_, &QLabel::linkActivated, this,
          [this] { session_.measureAgain(playback_.shownCharacter()); });
  showCost();
  connect(&playback, &Playback::shownCharacterChanged, this, &BakePanel::showMember);
  connect(&document, &Document::changed, this, &BakePanel::showMember);
  connect(&document, &Document::changed, this, [this](const Project& before, const Project& now) {
    if (before.errorLimits != now.errorLimits) showError();
  });
  connect(&session, &Session::changed, this, &BakePanel::showMember);
  connect(&session, &Session::errorChanged, this, &BakePanel::showMember);
  showMember();
}

QWidget* BakePanel::makePage() {
  auto* page = new QWidget;
  page->setObjectName(QStringLiteral("panel"));
  form_ = new QFormLayout(page);
  form_->setContentsMargins(10, 6, 10, 8);
  form_->setHorizontalSpacing(10);
  form_->setVerticalSpacing(6);
  form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form_->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  form_->addRow(member_);
  form_->addRow(tr("&Preset"), makePresetBox(document_));
  makeMemberBake();
  form_->insertRow(0, tr("Ba&ked as"), memberBake_);
  // The cost is shown above the settings that determine it.
  form_->addRow(tr("Cost"), cost_);
  form_->addRow(tr("Error"), error_);
  form_->addRow(tr("Seen from"), makeScreenRow(document_));
  form_->addRow(tr("Limits"), makeLimitRow(document_));
  boxes_ = addBakeRows(*form_, document_);
  // In a narrow panel the boxes shrink and elide their text.
  for (QComboBox* box : page->findChildren<QComboBox*>()) {
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(5);
  }
  return page;
}

void BakePanel::showCost() {
  const Result<BakeCost>* cost = session_.cost();
  const bool refused = cost && !*cost;
  if (cost_->objectName() != QLatin1String(refused ? "wrong" : "figures")) {
    cost_->setObjectName(refused ? QStringLiteral("wrong") : QStringLiteral("figures"));
    cost_->style()->polish(cost_);
  }
  showLosses(*boxes_.components, cost);
  showState();
  if (!cost) {
    cost_->setText(session_.character() ? tr("Tick a clip to see what it costs")
                                        : tr("No rig yet"));
  } else if (refused) {
    cost_->setText(textOf(cost->error().message).toHtmlEscaped());
  } else {
    cost_->setText(costText(**cost, document_.project().characters.front().bake.interpolate));
    boxes_.interpolate->setToolTip(
        tr("Smoother at few frames a second. Costs %1 more fetches per vertex")
            .arg((*cost)->fetchesInterpolated - (*cost)->fetchesNearest));
  }
}

void BakePanel::showError() {
  if (!session_.atlas()) {
    showFigures(*error_, tr("Known after baking"));
    return;
  }
  if (!session_.error()) {
    showFigures(*error_, session_.isMeasuring()                      ? tr("Measuring...")
                         : session_.bakeState() == BakeState::Baking ? tr("Known after baking")
                                                                     : notMeasured());
    error_->setToolTip({});
    return;
  }
  // The palette reading computes joints relative to their parents, which is more accurate for fast
  // rotations. The method Atlas and most engines read each joint by itself. Both errors are shown.
  const BakeError& error = *session_.error();
  const QString last =
      session_.bakeState() == BakeState::Outdated ? tr("Of the last bake:<br>") : QString();
  showFigures(*error_, last + errorText(error, document_.project()));
  error_->setToolTip(
      tr("Distance between the source and what is drawn, between frames too: at the vertices, with "
         "influences and morph targets as they are drawn; %1 cm around every joint, whatever the "
         "mesh is; and in pixels, seen as is set below. Through a palette joints are relative to "
         "their parents, usually %2 mm off at vertices; joint by joint is what the method Atlas "
         "and most engines draw, usually %3 mm off")
          .arg(fixedText(100.0 * kShellMeters, 0), fixedText(error.palette.vertices.rms, 2),
               fixedText(error.direct.vertices.rms, 2)));
}

void BakePanel::makeMemberBake() {
  memberBake_ = named(new QComboBox, tr("How the shown character is baked"),
                      tr("A preset, or all settings of the project's own rig as they stand now"));
  addPresets(*memberBake_);
  memberBake_->addItem(tr("Like the own rig"), kAsOwnRig);
  memberBake_->addItem(tr("Custom"), kCustom);
  connect(memberBake_, &QComboBox::activated, this, [this] {
    const int chosen = memberBake_->currentData().toInt();
    const int character = playback_.shownCharacter();
    if (chosen == kCustom || shareRig(document_.project(), character, 0)) return showMember();
    document_.edit(tr("Bake settings"), [&](Project& project) {
      BakeSettings& bake = project.characters[std::size_t(baseOf(project, character))].bake;
      bake = chosen == kAsOwnRig ? project.characters.front().bake
                                 : withPreset(bake, BakePreset(chosen));
    });
  });
}

// A preset has priority over the own rig's settings, which may be equal.
void BakePanel::showMemberBake(const BakeSettings& bake) {
  int shown = sameSettings(bake, document_.project().characters.front().bake) ? kAsOwnRig : kCustom;
  if (const auto preset = presetOf(bake)) shown = int(*preset);
  memberBake_->setCurrentIndex(memberBake_->findData(shown));
}

// The fields always edit the own rig, and the heading says so.
void BakePanel::showMember() {
  const int character = playback_.shownCharacter();
  const Project& project = document_.project();
  const bool other = !shareRig(project, character, 0);
  member_->setVisible(other);
  const ProjectCharacter& base = baseCharacter(project, character);
  const bool ofFile = other && !isFromProject(base);
  form_->setRowVisible(memberBake_, ofFile);
  if (!other) return;
  if (ofFile) showMemberBake(base.bake);
  QString text = tr("<b>%1</b>, baked %2")
                     .arg(textOf(characterTitle(project, character)).toHtmlEscaped(),
                          ofFile ? tr("by settings of its own") : tr("as its project says"));
  if (const auto* cost = session_.cost(character); cost && *cost) {
    text +=
        tr(": %1, %2 x %3").arg(sizeText((*cost)->bytes)).arg((*cost)->width).arg((*cost)->height);
  }
  if (const BakeError* error = session_.error(character)) {
    text += QStringLiteral("<br>") + errorText(*error, project);
  } else if (session_.atlas(character)) {
    text += QStringLiteral("<br>") +
            (session_.isMeasuring(character) ? tr("Measuring...") : notMeasured());
  }
  text += tr("<br>Below is how <b>%1</b> is baked.")
              .arg(textOf(characterTitle(project, 0)).toHtmlEscaped());
  showFigures(*member_, text);
}

void BakePanel::showState() {
  struct State {
    const char* icon;
    QColor color;
    QString text;
    bool canBake = false;
  };
  const State states[] = {
      {"info", colors::kMuted,
       session_.problem(0).isEmpty() ? tr("Import a rig first") : tr("The rig is missing")},
      {"info", colors::kMuted, tr("Add clips first")},
      {"info", colors::kMuted, tr("Tick a clip first")},
      {"triangle-alert", colors::kWarning, tr("Not baked"), true},
      {"clock", colors::kFocus, tr("Baking...")},
      {"triangle-alert", colors::kWarning, tr("Outdated"), true},
      {"circle-check", colors::kGood, tr("Up to date"), true},
  };
  static_assert(std::size(states) == std::size_t(BakeState::UpToDate) + 1);
  const QString refusal = session_.refusal();
  const State state = refusal.isEmpty()
                          ? states[int(session_.bakeState())]
                          : State{"circle-alert", colors::kError, tr("Refused: see Cost")};
  stateIcon_->setPixmap(icon(state.icon, state.color).pixmap(QSize(18, 18), devicePixelRatioF()));
  stateText_->setText(state.text);
  bake_->setEnabled(state.canBake);
  bake_->setToolTip(state.canBake       ? tr("Bake the ticked clips into the atlas (Ctrl+B)")
                    : refusal.isEmpty() ? state.text
                                        : refusal);
  showError();
}

}  // namespace ck::ui
