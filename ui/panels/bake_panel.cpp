#include "ui/panels/bake_panel.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QFrame>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>

#include "ui/document/document.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/panels/bind.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr double kUsualRateHz = 30.0;
constexpr int kUsualFrames = 32;

QLabel* figures() {
  auto* label = new QLabel;
  label->setObjectName(QStringLiteral("figures"));
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  return label;
}

QComboBox* encodingBox(Document& document) {
  auto* box = new QComboBox;
  for (const EncodingInfo& encoding : allEncodings()) {
    box->addItem(textOf(encoding.name), int(encoding.encoding));
    box->setItemData(box->count() - 1, textOf(encoding.summary), Qt::ToolTipRole);
  }
  box->setToolTip(BakePanel::tr("How a joint's pose becomes texels. %1")
                      .arg(textOf(encodingInfo(document.project().bake.encoding).summary)));
  bindChoice(
      *box, document, BakePanel::tr("Encoding"),
      [](const Project& p) { return int(p.bake.encoding); },
      [](Project& p, int v) { p.bake.encoding = Encoding(v); });
  return box;
}

QComboBox* layoutBox(Document& document) {
  auto* box = new QComboBox;
  box->addItem(BakePanel::tr("Rows"), int(LayoutKind::Rows));
  box->setToolTip(BakePanel::tr("Where the frames lie in the texture. Rows: one frame a row"));
  bindChoice(
      *box, document, BakePanel::tr("Layout"), [](const Project& p) { return int(p.bake.layout); },
      [](Project& p, int v) { p.bake.layout = LayoutKind(v); });
  return box;
}

QComboBox* influencesBox(Document& document) {
  auto* box = new QComboBox;
  for (const int count : {1, 2, 4}) {
    box->addItem(BakePanel::tr("%1 per vertex").arg(count), count);
  }
  box->setToolTip(BakePanel::tr("Joints that may pull a vertex: fewer fetches, less soft bends"));
  bindChoice(
      *box, document, BakePanel::tr("Influences"),
      [](const Project& p) { return p.bake.influences; },
      [](Project& p, int v) { p.bake.influences = v; });
  return box;
}

}  // namespace

QString sizeText(std::size_t bytes) {
  const QLocale locale;
  const double kilobytes = double(bytes) / 1024.0;
  if (kilobytes < 1000.0) return BakePanel::tr("%1 KB").arg(locale.toString(kilobytes, 'f', 0));
  return BakePanel::tr("%1 MB").arg(locale.toString(kilobytes / 1024.0, 'f', 1));
}

BakePanel::BakePanel(Document& document, Session& session, QWidget* parent)
    : QWidget(parent),
      document_(document),
      session_(session),
      interpolate_(new QCheckBox(tr("I&nterpolate frames"))),
      cost_(figures()),
      error_(figures()),
      stateIcon_(new QLabel),
      stateText_(new QLabel),
      bake_(new QPushButton(icon("film", Qt::white), tr(" Bake   Ctrl+B"))) {
  setObjectName(QStringLiteral("panel"));
  auto* page = new QWidget;
  page->setObjectName(QStringLiteral("panel"));
  auto* form = new QFormLayout(page);
  form->setContentsMargins(10, 6, 10, 8);
  form->setHorizontalSpacing(10);
  form->setVerticalSpacing(7);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  form->addRow(tr("&Encoding"), encodingBox(document));
  form->addRow(tr("La&yout"), layoutBox(document));
  form->addRow(tr("&Influences"), influencesBox(document));
  QWidget* timing = makeTiming();
  form->addRow(tr("F&rames"), timing);
  bindTruth(
      *interpolate_, document, tr("Interpolation"),
      [](const Project& p) { return p.bake.interpolate; },
      [](Project& p, bool v) { p.bake.interpolate = v; });
  form->addRow(QString(), interpolate_);
  form->addRow(tr("Cost"), cost_);
  form->addRow(tr("Error"), error_);

  // Narrow panels cut the words in the boxes, not the boxes.
  for (QComboBox* box : page->findChildren<QComboBox*>()) {
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(5);
  }

  auto* scroll = new QScrollArea;
  scroll->setWidget(page);
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

  connect(&document, &Document::changed, this, &BakePanel::showTiming);
  connect(&session, &Session::costChanged, this, &BakePanel::showCost);
  connect(&session, &Session::bakeErrorChanged, this, &BakePanel::showError);
  connect(&session, &Session::bakeStateChanged, this, &BakePanel::showState);
  showTiming();
  showCost();
  showError();
  showState();
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
  bindNumber(
      *rate_, document_, tr("Frame rate"),
      [](const Project& p) { return p.bake.rateHz > 0 ? p.bake.rateHz : kUsualRateHz; },
      [](Project& p, double v) { p.bake.rateHz = v; });
  frames_ = new QSpinBox;
  frames_->setRange(2, 4096);
  frames_->setAccessibleName(tr("Frames per clip"));
  bindNumber(
      *frames_, document_, tr("Frames per clip"),
      [](const Project& p) { return p.bake.frames > 0 ? p.bake.frames : kUsualFrames; },
      [](Project& p, int v) { p.bake.frames = v; });
  bindChoice(
      *timing_, document_, tr("Frame timing"),
      [](const Project& p) {
        return p.bake.frames > 0 ? Frames : p.bake.rateHz > 0 ? Rate : KeyGrid;
      },
      [](Project& p, int v) {
        p.bake.frames = v == Frames ? kUsualFrames : 0;
        p.bake.rateHz = v == Rate ? kUsualRateHz : 0.0;
      });
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

void BakePanel::showTiming() {
  const BakeSettings& bake = document_.project().bake;
  rate_->setVisible(bake.frames <= 0 && bake.rateHz > 0);
  frames_->setVisible(bake.frames > 0);
}

void BakePanel::showCost() {
  if (!session_.cost()) {
    cost_->setText(session_.character() ? tr("Tick a clip to see what it costs")
                                        : tr("No rig yet"));
    return;
  }
  if (!*session_.cost()) {
    cost_->setText(textOf(session_.cost()->error().message));
    return;
  }
  const BakeCost& cost = **session_.cost();
  const QLocale locale;
  const bool interpolates = document_.project().bake.interpolate;
  int frames = 0;
  for (const auto& clip : cost.clips) frames += clip.frames;
  cost_->setText(tr("<b>%1</b>, %2 x %3 texels<br>%4 fetches per vertex<br>%5 frames of %6")
                     .arg(sizeText(cost.bytes))
                     .arg(cost.width)
                     .arg(cost.height)
                     .arg(interpolates ? cost.fetchesInterpolated : cost.fetchesNearest)
                     .arg(locale.toString(frames),
                          counted(qlonglong(cost.clips.size()), tr("clip"), tr("clips"))));
  interpolate_->setToolTip(tr("Smoother at few frames a second. Costs %1 more fetches per vertex")
                               .arg(cost.fetchesInterpolated - cost.fetchesNearest));
}

void BakePanel::showError() {
  if (!session_.atlas()) {
    error_->setText(tr("Known after baking"));
    return;
  }
  if (!session_.bakeError()) {
    error_->setText(tr("Measuring..."));
    return;
  }
  // The viewport reads each joint by itself, as most engines do; a palette reads it relative to its
  // parent, which follows fast turns better. Both are true of the same atlas.
  const ErrorFigures& shown = session_.bakeError()->direct;
  const ErrorFigures& palette = session_.bakeError()->palette;
  const QLocale locale;
  const QString last =
      session_.bakeState() == BakeState::Outdated ? tr("Of the last bake:<br>") : QString();
  error_->setText(last + tr("<b>%1 mm</b> at most as drawn here<br>in %2, %3, at %4 s<br>"
                            "<b>%5 mm</b> read through a palette")
                             .arg(locale.toString(shown.maxMm, 'f', 2),
                                  textOf(shown.worstClip).toHtmlEscaped(),
                                  textOf(shown.worstJoint).toHtmlEscaped(),
                                  locale.toString(shown.worstTimeSeconds, 'f', 2),
                                  locale.toString(palette.maxMm, 'f', 2)));
  error_->setToolTip(
      tr("Distance between the source and the decoded atlas, 3 cm around every "
         "joint, between frames too. As drawn here 99 % stay below %1 mm and the "
         "usual is %2 mm; through a palette (joints relative to their parents) "
         "%3 and %4 mm")
          .arg(locale.toString(shown.p99Mm, 'f', 2), locale.toString(shown.rmsMm, 'f', 2),
               locale.toString(palette.p99Mm, 'f', 2), locale.toString(palette.rmsMm, 'f', 2)));
}

void BakePanel::showState() {
  struct Shown {
    const char* icon;
    QColor color;
    QString text;
    bool enabled;
  };
  const auto shown = [this]() -> Shown {
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
                                  : shown.text);
  showError();
}

}  // namespace ck::ui
