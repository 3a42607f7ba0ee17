#include "ui/bake/bake_panel.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QFrame>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QStyle>

#include "core/project/characters.h"
#include "ui/bake/bake_fields.h"
#include "ui/bake/bake_presets.h"
#include "ui/document/document.h"
#include "ui/document/playback.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/parts/bind.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr double kUsualRateHz = 30.0;
constexpr int kUsualFrames = 32;
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

QString errorLines(const QString& title, const ErrorFigures& error) {
  const QLocale locale;
  return BakePanel::tr("%1: <b>%2 mm</b>, 99 % below %3<br>&nbsp; %4, %5, at %6 s")
      .arg(title, locale.toString(error.maxMm, 'f', 2), locale.toString(error.p99Mm, 'f', 2),
           textOf(error.worstClip).toHtmlEscaped(), textOf(error.worstJoint).toHtmlEscaped(),
           locale.toString(error.worstTimeSeconds, 'f', 2));
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
  const QLocale locale;
  const double kilobytes = double(bytes) / 1024.0;
  if (kilobytes < 1000.0) return BakePanel::tr("%1 KB").arg(locale.toString(kilobytes, 'f', 0));
  return BakePanel::tr("%1 MB").arg(locale.toString(kilobytes / 1024.0, 'f', 1));
}

BakePanel::BakePanel(Document& document, Session& session, const Playback& playback,
                     QWidget* parent)
    : QWidget(parent),
      document_(document),
      session_(session),
      playback_(playback),
      components_(makeComponentsBox(document)),
      ranges_(makeRangeBox(document)),
      tile_(makeTileBox(document)),
      powerOfTwo_(makePowerOfTwoBox(document)),
      interpolate_(new QCheckBox(tr("I&nterpolate frames"))),
      cost_(figures()),
      error_(figures()),
      member_(figures()),
      stateIcon_(new QLabel),
      stateText_(new QLabel),
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
  stateText_->setObjectName(QStringLiteral("figures"));
  stateText_->setWordWrap(true);
  auto* bottom = new QHBoxLayout;
  bottom->setContentsMargins(10, 6, 10, 10);
  bottom->setSpacing(8);
  bottom->addWidget(bake_);
  bottom->addSpacing(2);
  bottom->addWidget(stateIcon_);
  bottom->addWidget(stateText_, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(scroll, 1);
  layout->addLayout(bottom);

  connect(&document, &Document::changed, this, &BakePanel::showFields);
  connect(&session, &Session::costChanged, this, &BakePanel::showCost);
  connect(&session, &Session::errorChanged, this, &BakePanel::showError);
  connect(&session, &Session::bakeStateChanged, this, &BakePanel::showState);
  connect(error_, &QLabel::linkActivated, this, [this] { session_.measureAgain(); });
  connect(member_, &QLabel::linkActivated, this,
          [this] { session_.measureAgain(playback_.shownCharacter()); });
  showFields();
  showCost();
  showError();
  connect(&playback, &Playback::shownCharacterChanged, this, &BakePanel::showMember);
  connect(&document, &Document::changed, this, &BakePanel::showMember);
  connect(&session, &Session::changed, this, &BakePanel::showMember);
  connect(&session, &Session::errorChanged, this, &BakePanel::showMember);
  showState();
  showMember();
}

QWidget* BakePanel::makePage() {
  auto* page = new QWidget;
  page->setObjectName(QStringLiteral("panel"));
  auto* form = new QFormLayout(page);
  form->setContentsMargins(10, 6, 10, 8);
  form->setHorizontalSpacing(10);
  form->setVerticalSpacing(6);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  bindTruth(*interpolate_, document_, tr("Interpolation"),
            ofBake([](const BakeSettings& b) { return b.interpolate; }),
            toBake([](BakeSettings& b, bool v) { b.interpolate = v; }));
  form_ = form;
  form->addRow(member_);
  form->addRow(tr("&Preset"), makePresetBox(document_));
  makeMemberBake();
  form->insertRow(0, tr("Ba&ked as"), memberBake_);
  // The cost is shown above the settings that determine it.
  form->addRow(tr("Cost"), cost_);
  form->addRow(tr("Error"), error_);
  form->addRow(tr("&Encoding"), makeEncodingBox(document_));
  form->addRow(tr("Co&mponents"), components_);
  form->addRow(tr("Ran&ges"), ranges_);
  form->addRow(tr("La&yout"), makeLayout());
  form->addRow(tr("Text&ure"), makeSize());
  form->addRow(QString(), powerOfTwo_);
  form->addRow(tr("F&rames"), makeTiming());
  form->addRow(QString(), interpolate_);
  form->addRow(tr("&Influences"), makeInfluencesBox(document_));
  form->addRow(tr("Rea&ding"), makeReadingBox(document_));
  // In a narrow panel the boxes shrink and elide their text.
  for (QComboBox* box : page->findChildren<QComboBox*>()) {
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(5);
  }
  return page;
}

QWidget* BakePanel::makeLayout() {
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  QComboBox* kind = makeLayoutBox(document_);
  layout->addWidget(kind, 1);
  layout->addWidget(tile_, 1);
  row->setFocusProxy(kind);
  return row;
}

QWidget* BakePanel::makeSize() {
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  QSpinBox* width = makeSizeBox(document_, false);
  layout->addWidget(width, 1);
  layout->addWidget(new QLabel(QString(QChar(0x00d7))));
  layout->addWidget(makeSizeBox(document_, true), 1);
  row->setFocusProxy(width);
  return row;
}

QWidget* BakePanel::makeTiming() {
  timing_ = new QComboBox;
  timing_->addItem(tr("Key grid"), KeyGrid);
  timing_->addItem(tr("Rate"), Rate);
  timing_->addItem(tr("Count"), Frames);
  timing_->setToolTip(
      tr("Key grid: exactly where the source has keys. Rate: so many frames a second. Count: so "
         "many frames per clip"));
  rate_ = new QDoubleSpinBox;
  rate_->setRange(1.0, 240.0);
  rate_->setDecimals(2);
  rate_->setSuffix(tr(" fps"));
  rate_->setAccessibleName(tr("Frames per second"));
  bindNumber(*rate_, document_, tr("Frame rate"),
             ofBake([](const BakeSettings& b) { return b.rateHz > 0 ? b.rateHz : kUsualRateHz; }),
             toBake([](BakeSettings& b, double v) { b.rateHz = v; }));
  frames_ = new QSpinBox;
  frames_->setRange(2, 4096);
  frames_->setAccessibleName(tr("Frames per clip"));
  bindNumber(*frames_, document_, tr("Frames per clip"),
             ofBake([](const BakeSettings& b) { return b.frames > 0 ? b.frames : kUsualFrames; }),
             toBake([](BakeSettings& b, int v) { b.frames = v; }));
  bindChoice(*timing_, document_, tr("Frame timing"), ofBake([](const BakeSettings& b) {
    return b.frames > 0 ? Frames : b.rateHz > 0 ? Rate : KeyGrid;
  }),
             toBake([](BakeSettings& b, int v) {
               b.frames = v == Frames ? kUsualFrames : 0;
               b.rateHz = v == Rate ? kUsualRateHz : 0.0;
             }));
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  layout->addWidget(timing_, 1);
  layout->addWidget(rate_, 1);
  layout->addWidget(frames_, 1);
  row->setFocusProxy(timing_);
  return row;
}

// Settings that do not apply are disabled with a reason.
void BakePanel::showFields() {
  const BakeSettings& bake = document_.project().characters.front().bake;
  rate_->setVisible(bake.frames <= 0 && bake.rateHz > 0);
  frames_->setVisible(bake.frames > 0);
  const EncodingInfo& encoding = encodingInfo(bake.encoding);
  const QString name = textOf(encoding.name);
  setBoxEnabled(*components_, isPossible({bake.encoding, Components::Tr}),
                tr("%1 keeps the whole pose in %2 texels; nothing can be left out")
                    .arg(name)
                    .arg(encoding.texelsPerJoint));
  setBoxEnabled(*ranges_, rangesPerJoint({bake.encoding, Components::Trs}) > 0,
                tr("%1 stores plain numbers and needs no ranges").arg(name));
  setBoxEnabled(*tile_, bake.layout == LayoutKind::Tiles, tr("Only the layout tiles has tiles"));
  tile_->setVisible(bake.layout == LayoutKind::Tiles);
  setBoxEnabled(*powerOfTwo_, bake.layout == LayoutKind::Rows,
                tr("Tiles and linear are squares with a power of two for their side anyway"));
}

void BakePanel::showCost() {
  const Result<BakeCost>* cost = session_.cost();
  const bool refused = cost && !*cost;
  if (cost_->objectName() != QLatin1String(refused ? "wrong" : "figures")) {
    cost_->setObjectName(refused ? QStringLiteral("wrong") : QStringLiteral("figures"));
    cost_->style()->polish(cost_);
  }
  showLosses(*components_, cost);
  showState();
  if (!cost) {
    cost_->setText(session_.character() ? tr("Tick a clip to see what it costs")
                                        : tr("No rig yet"));
  } else if (refused) {
    cost_->setText(textOf(cost->error().message).toHtmlEscaped());
  } else {
    cost_->setText(costText(**cost, document_.project().characters.front().bake.interpolate));
    interpolate_->setToolTip(tr("Smoother at few frames a second. Costs %1 more fetches per vertex")
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
  showFigures(*error_, last + errorLines(tr("Palette"), error.palette) + QStringLiteral("<br>") +
                           errorLines(tr("Joint by joint"), error.direct));
  const QLocale locale;
  error_->setToolTip(
      tr("Distance between the source and the decoded atlas, 3 cm around every joint, between "
         "frames too. Through a palette, as the view draws by default, joints are relative to "
         "their "
         "parents, usually %1 mm off; joint by joint is what the method Atlas and most engines "
         "draw, usually %2 mm off")
          .arg(locale.toString(error.palette.rmsMm, 'f', 2),
               locale.toString(error.direct.rmsMm, 'f', 2)));
}

void BakePanel::makeMemberBake() {
  memberBake_ = new QComboBox;
  memberBake_->setAccessibleName(tr("How the shown character is baked"));
  memberBake_->setToolTip(
      tr("A preset, or all settings of the project's own rig as they stand now"));
  for (const BakePreset preset : kBakePresets) {
    memberBake_->addItem(presetName(preset), int(preset));
    memberBake_->setItemData(memberBake_->count() - 1, presetSummary(preset), Qt::ToolTipRole);
  }
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
    text += QStringLiteral("<br>") + errorLines(tr("Palette"), error->palette) +
            QStringLiteral("<br>") + errorLines(tr("Joint by joint"), error->direct);
  } else if (session_.atlas(character)) {
    text += QStringLiteral("<br>") +
            (session_.isMeasuring(character) ? tr("Measuring...") : notMeasured());
  }
  text += tr("<br>Below is how <b>%1</b> is baked.")
              .arg(textOf(characterTitle(project, 0)).toHtmlEscaped());
  showFigures(*member_, text);
}

void BakePanel::showState() {
  struct Shown {
    const char* icon;
    QColor color;
    QString text;
    bool enabled;
  };
  const auto shown = [this]() -> Shown {
    if (const QString refusal = session_.refusal(); !refusal.isEmpty()) {
      return {"circle-alert", colors::kError, tr("Refused: see Cost"), false};
    }
    switch (session_.bakeState()) {
      case BakeState::NoRig:
        return {"info", colors::kMuted, tr("Import a rig first"), false};
      case BakeState::NoClips:
        return {"info", colors::kMuted, tr("Add clips first"), false};
      case BakeState::NothingTicked:
        return {"info", colors::kMuted, tr("Tick a clip first"), false};
      case BakeState::Baking:
        return {"clock", colors::kFocus, tr("Baking..."), false};
      case BakeState::Missing:
        return {"triangle-alert", colors::kWarning, tr("Not baked"), true};
      case BakeState::Outdated:
        return {"triangle-alert", colors::kWarning, tr("Outdated"), true};
      default:
        return {"circle-check", colors::kGood, tr("Up to date"), true};
    }
  }();
  stateIcon_->setPixmap(icon(shown.icon, shown.color).pixmap(QSize(18, 18), devicePixelRatioF()));
  stateText_->setText(shown.text);
  bake_->setEnabled(shown.enabled);
  bake_->setToolTip(shown.enabled ? tr("Bake the ticked clips into the atlas (Ctrl+B)")
                    : session_.refusal().isEmpty() ? shown.text
                                                   : session_.refusal());
  showError();
}

}  // namespace ck::ui
