#include "ui/windows/diagnostics_menu.h"

#include <QActionGroup>

#include "core/project/project.h"
#include "render/methods/palette/palette_read.h"
#include "render/morph/morph_accumulator.h"
#include "ui/document/document.h"
#include "ui/document/playback.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/parts/bind.h"
#include "ui/viewport/viewport_widget.h"
#include "ui/windows/choice_menu.h"
#include "ui/windows/main_actions.h"

namespace ck::ui {
namespace {

QActionGroup* groupOf(QMenu& menu) {
  auto* group = menu.findChild<QActionGroup*>();
  return group != nullptr ? group : new QActionGroup(&menu);
}

}  // namespace

DiagnosticsMenu::DiagnosticsMenu(Document& document, const Session& session,
                                 const Playback& playback, ViewportWidget& viewport,
                                 QWidget* parent)
    : QMenu(tr("&Diagnostics"), parent), document_(document), viewport_(viewport) {
  setToolTipsVisible(true);
  addReading(session, playback);
  addSeparator();
  addPalette();
  addSeparator();
  addMorphs();
}

void DiagnosticsMenu::addReading(const Session& session, const Playback& playback) {
  compact_ = addAction(tr("&Compact records"));
  compact_->setCheckable(true);
  compact_->setProperty("ownTip", tr("Method atlas: an actor is its place and one frame number, "
                                     "and shows the nearest frame"));
  bindTruth(
      *compact_, document_, tr("Reading between frames"),
      [](const Project& p) { return p.view.pose.sampling == Sampling::Compact; },
      [](Project& p, bool on) {
        p.view.pose.sampling = on ? Sampling::Compact : Sampling::AsBaked;
      });
  const auto offer = [this, &session, &playback] {
    PoseSettings asked = document_.project().view.pose;
    asked.sampling = Sampling::Compact;
    const bool fading = playback.crowd() && playback.crowd()->fadingActors() > 0;
    const QString refusal = sentenceOf(render::whyNotSampled(asked, session.entries(), fading));
    setEnabledBecause(*compact_, refusal.isEmpty(), refusal);
    // A checked entry stays enabled, so that it can be unchecked.
    compact_->setEnabled(refusal.isEmpty() || compact_->isChecked());
  };
  connect(&document_, &Document::changed, this, offer);
  connect(&session, &Session::changed, this, offer);
  connect(&playback, &Playback::crowdChanged, this, offer);
  offer();

  for (const render::ReferencePtr& reference : render::comparedReferences()) {
    QAction* compared = addAction(textOf(reference->title));
    compared->setCheckable(true);
    compared->setToolTip(sentenceOf(reference->tip));
    connect(compared, &QAction::triggered, this,
            [this](bool on) { viewport_.setViewMode(on ? ViewMode::Compared : ViewMode::Baked); });
    connect(&viewport_, &ViewportWidget::viewModeChanged, compared, [this, compared, reference] {
      compared->setChecked(viewport_.reference() == reference);
    });
  }
}

void DiagnosticsMenu::addPalette() {
  const QList<ChoiceMenu::Entry> entries = {
      {tr("&As is faster here"), int(PaletteRead::Auto),
       tr("As was measured when the view was made; the log says how")},
      {tr("Through a &texture buffer"), int(PaletteRead::TextureBuffer),
       tr("Methods palette and live, OpenGL 3.3")},
      {tr("From a &storage buffer"), int(PaletteRead::StorageBuffer),
       tr("Methods palette and live, OpenGL 4.3")}};
  auto* reads = new ChoiceMenu(
      tr("&Palette is read"), document_, entries,
      {tr("Reading of the palette"), [](const Project& p) { return int(p.view.pose.paletteRead); },
       [](Project& p, int read) { p.view.pose.paletteRead = PaletteRead(read); }},
      this);
  addMenu(reads);
  connect(&viewport_, &ViewportWidget::ready, reads, [this, reads] {
    if (viewport_.renderer() == nullptr) return;
    constexpr PaletteRead kStorage = PaletteRead::StorageBuffer;
    reads->offer(int(kStorage),
                 sentenceOf(render::whyNotRead(kStorage, viewport_.renderer()->facts())));
  });
  QAction* packed = addAction(tr("Packed &influences"));
  packed->setToolTip(
      tr("Method live: joint and half of the weight in one float; the log says what weights lose"));
  packed->setCheckable(true);
  bindTruth(
      *packed, document_, tr("Packed influences"),
      [](const Project& p) { return p.view.pose.packedInfluences; },
      [](Project& p, bool on) { p.view.pose.packedInfluences = on; });
}

template <class Change>
QAction* DiagnosticsMenu::addWay(QMenu& menu, const QString& text, const QString& tip,
                                 Change change) {
  QActionGroup* group = groupOf(menu);
  QAction* action = menu.addAction(text);
  action->setCheckable(true);
  action->setChecked(group->actions().isEmpty());
  action->setProperty("ownTip", tip);
  setEnabledBecause(*action, true, {});
  group->addAction(action);
  connect(action, &QAction::triggered, this, [this, change] {
    AccumulatorSettings accumulator = viewport_.accumulator();
    change(accumulator);
    viewport_.setAccumulator(accumulator);
  });
  return action;
}

// How the view adds up the morph targets of the first selected actor.
void DiagnosticsMenu::addMorphs() {
  QMenu* sums = addMenu(tr("&Morph sums"));
  QMenu* batches = addMenu(tr("Morph &targets a pass"));
  for (QMenu* menu : {sums, batches}) menu->setToolTipsVisible(true);
  const auto addSums = [&](const QString& text, const QString& tip, MorphSums kind,
                           MorphPath path) {
    return addWay(*sums, text, tip, [batches, kind, path](AccumulatorSettings& accumulator) {
      accumulator.sums = kind;
      accumulator.path = path;
      batches->setEnabled(path == MorphPath::Feedback);
    });
  };
  integers_ = addSums(tr("&Integers"), tr("Transform feedback that never drifts"), MorphSums::Fixed,
                      MorphPath::Feedback);
  addSums(tr("&Floats"), tr("Transform feedback, made anew every few seconds"), MorphSums::Float,
          MorphPath::Feedback);
  compute_ = addSums(tr("&Compute"), tr("Integers by a compute shader, OpenGL 4.3"),
                     MorphSums::Fixed, MorphPath::Compute);
  for (int batch = kLargestMorphBatch; batch >= 1; --batch) {
    addWay(*batches, QStringLiteral("&%1").arg(batch),
           tr("How many targets one pass of transform feedback adds"),
           [batch](AccumulatorSettings& accumulator) { accumulator.batch = batch; });
  }
  QAction* onlyChanged = addAction(tr("&Only changed targets"));
  onlyChanged->setCheckable(true);
  onlyChanged->setChecked(true);
  onlyChanged->setToolTip(
      tr("Adds only targets whose weight has changed to what is there; else all anew"));
  connect(onlyChanged, &QAction::toggled, this, [this](bool on) {
    AccumulatorSettings accumulator = viewport_.accumulator();
    accumulator.onlyChanged = on;
    viewport_.setAccumulator(accumulator);
  });
  connect(&viewport_, &ViewportWidget::ready, this, &DiagnosticsMenu::offerCompute);
}

void DiagnosticsMenu::offerCompute() {
  if (viewport_.renderer() == nullptr) return;
  const QString refusal = sentenceOf(render::whyNotAccumulated(MorphPath::Compute, MorphSums::Fixed,
                                                               viewport_.renderer()->facts()));
  setEnabledBecause(*compute_, refusal.isEmpty(), refusal);
  if (!refusal.isEmpty() && compute_->isChecked()) integers_->trigger();
}

}  // namespace ck::ui
