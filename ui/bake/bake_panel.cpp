#include "ui/bake/bake_panel.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>

#include "core/stage/pipeline.h"
#include "core/view/drawn_as.h"
#include "ui/bake/bake_presets.h"
#include "ui/bake/error_fields.h"
#include "ui/bake/preset_box.h"
#include "ui/bake/preset_figures.h"
#include "ui/bake/verdict.h"
#include "ui/document/document.h"
#include "ui/document/live_bake.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/parts/figures_label.h"
#include "ui/parts/fold.h"
#include "ui/parts/panel_parts.h"
#include "ui/playback/playback.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

// A vertical scroll area that is at least as wide as its content.
class PageScroll : public QScrollArea {
 public:
  QSize minimumSizeHint() const override {
    const int width = widget()->minimumSizeHint().width();
    return {width + verticalScrollBar()->sizeHint().width(),
            QScrollArea::minimumSizeHint().height()};
  }
};

// The state of a measurement that was cancelled or failed, with a link to restart it.
QString notMeasured() {
  return BakePanel::tr("Not measured. <a href=\"measure\">Measure it</a>");
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
      shown_(document, session, playback),
      presets_(new PresetFigures(document, session, shown_, this)),
      costLine_(new VerdictLine(tr("Cost"))),
      vertexLine_(new VerdictLine(tr("Error at vertices"))),
      screenLine_(new VerdictLine(tr("Error on the screen"))),
      cost_(new FiguresLabel),
      error_(new FiguresLabel),
      whose_(new FiguresLabel),
      stateIcon_(plainLabel()),
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
  connect(bake_, &QPushButton::clicked, this, [this] { session_.bakeNow(shown_.number()); });
  stateText_->setWordWrap(true);
  auto* find = iconButton(QStringLiteral("search"),
                          tr("Find the settings of the smallest atlas (Ctrl+Shift+B)"),
                          tr("Find the smallest atlas"));
  connect(find, &QToolButton::clicked, this, &BakePanel::finderAsked);
  auto* live = iconButton(
      QStringLiteral("refresh-cw"),
      tr("Live: bake again whenever a setting changes; actors play the old atlas meanwhile "
         "(Ctrl+Alt+L)"),
      tr("Live bake"));
  live->setCheckable(true);
  live->setChecked(session.live().isOn());
  connect(live, &QToolButton::toggled, &session.live(), &LiveBake::setOn);
  connect(&session.live(), &LiveBake::switched, live, &QToolButton::setChecked);
  auto* bottom = rowOf({bake_, live, find, stateIcon_, {stateText_, 1}}, 8);
  bottom->setContentsMargins(10, 6, 10, 10);
  bottom->insertSpacing(3, 2);
  layOutColumn(*this, {}, 0, {{scroll, 1}, bottom});

  connect(presets_, &PresetFigures::changed, this, &BakePanel::showVerdicts);
  connect(&session, &Session::costChanged, this, &BakePanel::showCost);
  connect(&session, &Session::errorChanged, this, &BakePanel::showError);
  connect(&session, &Session::bakeStateChanged, this, &BakePanel::showState);
  connect(error_, &QLabel::linkActivated, this, &BakePanel::onErrorLink);
  connect(vertexLine_, &VerdictLine::linkActivated, this, &BakePanel::onErrorLink);
  connect(&document, &Document::changed, this, [this](const Project& before, const Project& now) {
    if (before.errorLimits != now.errorLimits || before.view != now.view) showError();
  });
  connect(&shown_, &ShownCharacter::changed, this, &BakePanel::showCharacter);
  showCharacter();
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
  form_->addRow(whose_);
  // Cost and error stand above the settings that decide them.
  form_->addRow(tr("Cost"), costLine_);
  form_->addRow(tr("Error"), vertexLine_);
  form_->addRow(QString(), screenLine_);
  const auto addExplained = [this](const QString& text, const QString& tip, QWidget* row) {
    form_->addRow(text, row);
    form_->labelForField(row)->setToolTip(tip);
  };
  addExplained(tr("Seen from"),
               tr("For the error in pixels: how far away the characters are, how many pixels the "
                  "picture is high, and its vertical field of view. It does not move the camera, "
                  "and nothing is baked anew"),
               makeScreenRow(document_));
  addExplained(
      tr("Limits"),
      tr("The largest errors to accept: at the vertices, at the shell (%1 cm from joints), "
         "and on the screen. 0: any")
          .arg(fixedText(100.0 * kShellMeters, 0)),
      makeLimitRow(document_));
  preset_ = makePresetBox(document_, shown_, *presets_);
  form_->addRow(tr("&Preset"), preset_);
  form_->addRow(new Fold(QStringLiteral("bake"), tr("Details"), makeDetails(), false));
  // In a narrow panel the boxes shrink and elide their text.
  for (QComboBox* box : page->findChildren<QComboBox*>()) {
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(5);
  }
  return page;
}

QWidget* BakePanel::makeDetails() {
  auto* details = new QWidget;
  auto* form = new QFormLayout(details);
  form->setContentsMargins(0, 0, 0, 0);
  form->setHorizontalSpacing(10);
  form->setVerticalSpacing(6);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
  boxes_ = addBakeRows(*form, shown_);
  form->addRow(tr("Texels"), cost_);
  form->addRow(tr("Errors"), error_);
  return details;
}

void BakePanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  presets_->setShown(true);
}

void BakePanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  presets_->setShown(false);
}

// Whose settings these are stands above them. Settings of another project are shown, and stay.
void BakePanel::showCharacter() {
  const QString why = shown_.whyNotEdited();
  whose_->showText(shown_.heading());
  whose_->setToolTip(why.isEmpty() ? tr("The character that is chosen in the panel Characters")
                                   : why);
  form_->setRowVisible(whose_, !shown_.heading().isEmpty());
  preset_->setEnabled(why.isEmpty());
  showCost();
}

void BakePanel::showCost() {
  const int character = shown_.number();
  const Result<BakeCost>* cost = session_.cost(character);
  showChosen(*boxes_.encoding, shown_.value(), cost);
  showLosses(*boxes_.components, cost);
  showState();
  if (!cost || !*cost) cost_->showText(tr("Not known"));
  if (!cost) {
    const bool there = session_.character(character) != nullptr;
    costLine_->show({}, !there && !session_.problem(character).isEmpty() ? tr("The rig is missing")
                        : !there                                         ? tr("No rig yet")
                        : anyClipTicked(shown_.value())                  ? tr("Counting...")
                                                        : tr("Tick a clip to see what it costs"));
  } else if (!*cost) {
    costLine_->refuse(tr("Refused"), textOf(cost->error().message).toHtmlEscaped());
  } else {
    const bool interpolates = shown_.value().bake.interpolate;
    costLine_->show(costVerdict(**cost), costLine(**cost, interpolates),
                    tr("The texture's bytes, its width and height, and the texels that a shader "
                       "fetches for a vertex where it reads the atlas itself, as the method "
                       "Atlas and most engines do.\nGood: both sides are at most %1 texels, which "
                       "every desktop "
                       "takes. Look: larger")
                        .arg(QLocale().toString(kUsualTextureSide)));
    cost_->showText(costText(**cost, interpolates));
    boxes_.interpolate->setToolTip(
        tr("Smoother at few frames a second. Costs %1 more fetches per vertex")
            .arg((*cost)->fetchesInterpolated - (*cost)->fetchesNearest));
  }
}

void BakePanel::onErrorLink(const QString& link) {
  const int character = shown_.number();
  const BakeError* error = session_.error(character);
  if (const ErrorFigure* figure = error ? worstOfLink(*error, link) : nullptr) {
    emit worstAsked(ErrorFigure(*figure), character);
  } else {
    session_.measureAgain(character);
  }
}

void BakePanel::showError() {
  showVerdicts();
  const BakeError* known = session_.error(shown_.number());
  if (!known) {
    error_->showText(tr("Known after baking"));
    error_->setToolTip({});
    return;
  }
  // The palette reading computes joints relative to their parents, which is more accurate for fast
  // rotations. The method Atlas and most engines read each joint by itself. Both errors are shown.
  const BakeError& error = *known;
  error_->showText(errorText(error, document_.project()));
  error_->setToolTip(
      tr("Distance between the source and what is drawn, between frames too: at the vertices, with "
         "influences and morph targets as they are drawn; %1 cm around every joint, whatever the "
         "mesh is; and in pixels, seen as is set above. Through a palette joints are relative to "
         "their parents, usually %2 mm off at vertices; joint by joint is what the method Atlas "
         "and most engines draw, usually %3 mm off")
          .arg(fixedText(100.0 * kShellMeters, 0), fixedText(error.palette.vertices.rms, 2),
               fixedText(error.direct.vertices.rms, 2)));
}

// The largest errors of the reading that the view draws. Where the settings are not those of the
// bake, its figures are no verdict on them; a preset's own may be known.
void BakePanel::showVerdicts() {
  const int character = shown_.number();
  const BakeState state = session_.bakeState(character);
  const bool stale = state == BakeState::Outdated;
  const auto preset = presetOf(shown_.value().bake);
  const PresetFigures::Figures* ahead = stale && preset ? presets_->of(*preset) : nullptr;
  const bool isAhead = ahead && ahead->error;
  const BakeError* error = isAhead ? &*ahead->error : session_.error(character);
  screenLine_->setVisible(error != nullptr);
  if (!error) {
    const bool comes = state == BakeState::Baking || !session_.atlas(character);
    return vertexLine_->show({}, comes                             ? tr("Known after baking")
                                 : session_.isMeasuring(character) ? tr("Measuring...")
                                                                   : notMeasured());
  }
  const bool isDirect = drawnReading(document_.project().view) == Reading::Direct;
  showFigures(isDirect ? error->direct : error->palette, isAhead ? Shown::Ahead
                                                         : stale ? Shown::Before
                                                                 : Shown::Baked);
}

void BakePanel::showFigures(const ErrorFigures& figures, Shown shown) {
  const Project& project = document_.project();
  const auto tip = [shown](const QString& what, const QString& limit, const QString& twice,
                           bool own) {
    if (shown == Shown::Before) {
      return tr("Of the last bake. The settings have changed since: bake to know their error");
    }
    return tr("%1\nGood: at most %2. Look: at most %3. Bad: more.\n%4")
        .arg(what, limit, twice,
             own ? tr("The limit is the one that is set below.")
                 : tr("No limit is set below, so it is 1 pixel, seen from the distance below."));
  };
  const auto verdict = [shown](double value, double limit) {
    return shown == Shown::Before ? std::nullopt : std::optional(verdictOf(value, limit));
  };
  const double mm = vertexLimitMm(project);
  const double pixels = pixelLimit(project);
  const QString when = shown == Shown::Before  ? tr(", before the change")
                       : shown == Shown::Ahead ? tr(", once baked")
                                               : QString();
  const QString most = figureText(figures.vertices.max).toHtmlEscaped();
  const bool isDirect = drawnReading(project.view) == Reading::Direct;
  // A figure of settings that are not baked has no moment to go to.
  const QString vertices =
      shown == Shown::Ahead
          ? tr("<b>%1 mm</b> at the worst vertex%2").arg(most, when)
          : tr("<b>%1 mm</b> at the <a href=\"%3\" style=\"color:%4\">worst vertex</a>%2")
                .arg(most, when, worstLink(isDirect), colors::kFocus.name());
  vertexLine_->show(
      verdict(figures.vertices.max, mm), vertices,
      tip(tr("The largest distance of a vertex between the source and what is drawn."),
          tr("%1 mm").arg(fixedText(mm, 2)), tr("%1 mm").arg(fixedText(2.0 * mm, 2)),
          project.errorLimits.vertexMm > 0.0));
  screenLine_->show(
      verdict(figures.screen.max, pixels),
      tr("<b>%1 px</b> at %2 m%3")
          .arg(figureText(figures.screen.max).toHtmlEscaped(),
               QLocale().toString(project.view.screen.distanceMeters, 'g', 4), when),
      tip(tr("The same distance in pixels, seen from the distance below."),
          tr("%1 px").arg(fixedText(pixels, 2)), tr("%1 px").arg(fixedText(2.0 * pixels, 2)),
          project.errorLimits.pixels > 0.0));
}

void BakePanel::showState() {
  const int character = shown_.number();
  struct State {
    const char* icon;
    QColor color;
    QString text;
    bool canBake = false;
  };
  const State states[] = {
      {"info", colors::kMuted,
       session_.problem(character).isEmpty() ? tr("Import a rig first") : tr("The rig is missing")},
      {"info", colors::kMuted, tr("Add clips first")},
      {"info", colors::kMuted, tr("Tick a clip first")},
      {"triangle-alert", colors::kWarning, tr("Not baked"), true},
      {"clock", colors::kFocus, tr("Baking...")},
      {"triangle-alert", colors::kWarning, tr("Outdated"), true},
      {"circle-check", colors::kGood, tr("Up to date"), true},
  };
  static_assert(std::size(states) == std::size_t(BakeState::UpToDate) + 1);
  const QString refusal = session_.refusal(character);
  const State state = refusal.isEmpty()
                          ? states[int(session_.bakeState(character))]
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
