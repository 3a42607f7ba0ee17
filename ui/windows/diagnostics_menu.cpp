#include "ui/windows/diagnostics_menu.h"

#include "render/methods/palette/palette_read.h"
#include "render/morph/morph_accumulator.h"
#include "ui/document/document.h"
#include "ui/document/playback.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/parts/bind.h"
#include "ui/viewport/viewport_widget.h"
#include "ui/windows/choice_menu.h"

namespace ck::ui {
namespace {

QAction* addSwitch(QMenu& menu, const QString& text, const QString& tip) {
  QAction* action = menu.addAction(text);
  action->setCheckable(true);
  action->setToolTip(tip);
  return action;
}

void addCompactRecords(QMenu& menu, Document& document, const Session& session,
                       const Playback& playback) {
  QAction* compact = addSwitch(menu, QMenu::tr("&Compact records"), {});
  setOwnTip(*compact, QMenu::tr("Method atlas: an actor is its place and one frame number, and "
                                "shows the nearest frame"));
  bindTruth(
      *compact, document, QMenu::tr("Reading between frames"),
      [](const Project& p) { return p.view.pose.sampling == Sampling::Compact; },
      [](Project& p, bool on) {
        p.view.pose.sampling = on ? Sampling::Compact : Sampling::AsBaked;
      });
  const auto offer = [compact, &document, &session, &playback] {
    PoseSettings asked = document.project().view.pose;
    asked.sampling = Sampling::Compact;
    const bool fading = playback.crowd() && playback.crowd()->fadingActors() > 0;
    const QString refusal = sentenceOf(render::whyNotSampled(asked, session.entries(), fading));
    setEnabledBecause(*compact, refusal.isEmpty(), refusal);
    // A checked entry stays enabled, so that it can be unchecked.
    compact->setEnabled(refusal.isEmpty() || compact->isChecked());
  };
  QObject::connect(&document, &Document::changed, compact, offer);
  QObject::connect(&session, &Session::changed, compact, offer);
  QObject::connect(&playback, &Playback::crowdChanged, compact, offer);
  offer();
}

void addReferences(QMenu& menu, ViewportWidget& viewport) {
  for (const render::ReferencePtr& reference : render::comparedReferences()) {
    QAction* compared = addSwitch(menu, textOf(reference->title), sentenceOf(reference->tip));
    QObject::connect(compared, &QAction::triggered, &viewport, [&viewport](bool on) {
      viewport.setViewMode(on ? ViewMode::Compared : ViewMode::Baked);
    });
    QObject::connect(&viewport, &ViewportWidget::viewModeChanged, compared,
                     [&viewport, compared, reference] {
                       compared->setChecked(viewport.reference() == reference);
                     });
  }
}

void addPalette(QMenu& menu, Document& document, ViewportWidget& viewport) {
  QMenu* reads = menu.addMenu(QMenu::tr("&Palette is read"));
  reads->setToolTipsVisible(true);
  auto* choices =
      new ChoiceGroup(*reads, document, QMenu::tr("Reading of the palette"),
                      {{QMenu::tr("&As is faster here"), int(PaletteRead::Auto),
                        QMenu::tr("As was measured when the view was made; the log says how")},
                       {QMenu::tr("Through a &texture buffer"), int(PaletteRead::TextureBuffer),
                        QMenu::tr("Methods palette and live, OpenGL 3.3")},
                       {QMenu::tr("From a &storage buffer"), int(PaletteRead::StorageBuffer),
                        QMenu::tr("Methods palette and live, OpenGL 4.3")}},
                      &PoseSettings::paletteRead);
  QObject::connect(&viewport, &ViewportWidget::ready, choices, [&viewport, choices] {
    if (viewport.renderer() == nullptr) return;
    constexpr PaletteRead kStorage = PaletteRead::StorageBuffer;
    choices->offer(int(kStorage),
                   sentenceOf(render::whyNotRead(kStorage, viewport.renderer()->facts())));
  });
  QAction* packed = addSwitch(menu, QMenu::tr("Packed &influences"),
                              QMenu::tr("Method live: joint and half of the weight in one float; "
                                        "the log says what weights lose"));
  bindTruth(
      *packed, document, QMenu::tr("Packed influences"),
      [](const Project& p) { return p.view.pose.packedInfluences; },
      [](Project& p, bool on) { p.view.pose.packedInfluences = on; });
}

// Ways to add up morph targets.
enum MorphSum { Integers, Floats, Compute };

MorphSum morphSumOf(const AccumulatorSettings& accumulator) {
  if (accumulator.path == MorphPath::Compute) return Compute;
  return accumulator.sums == MorphSums::Float ? Floats : Integers;
}

// How the view adds up the morph targets of the first selected actor.
void addMorphs(QMenu& menu, ViewportWidget& viewport) {
  const auto change = [&viewport](const auto& edit) {
    AccumulatorSettings accumulator = viewport.accumulator();
    edit(accumulator);
    viewport.setAccumulator(accumulator);
  };
  QMenu* sums = menu.addMenu(QMenu::tr("&Morph sums"));
  QMenu* batches = menu.addMenu(QMenu::tr("Morph &targets a pass"));
  for (QMenu* each : {sums, batches}) each->setToolTipsVisible(true);
  const auto setSum = [batches, change](int sum) {
    change([sum](AccumulatorSettings& accumulator) {
      accumulator.sums = sum == Floats ? MorphSums::Float : MorphSums::Fixed;
      accumulator.path = sum == Compute ? MorphPath::Compute : MorphPath::Feedback;
    });
    batches->setEnabled(sum != Compute);
  };
  auto* choices = new ChoiceGroup(
      *sums,
      {{QMenu::tr("&Integers"), Integers, QMenu::tr("Transform feedback that never drifts")},
       {QMenu::tr("&Floats"), Floats, QMenu::tr("Transform feedback, made anew every few seconds")},
       {QMenu::tr("&Compute"), Compute, QMenu::tr("Integers by a compute shader, OpenGL 4.3")}},
      [&viewport] { return int(morphSumOf(viewport.accumulator())); }, setSum);
  QList<Choice> sizes;
  for (int batch = kLargestMorphBatch; batch >= 1; --batch) {
    sizes.append({QStringLiteral("&%1").arg(batch), batch,
                  QMenu::tr("How many targets one pass of transform feedback adds")});
  }
  new ChoiceGroup(
      *batches, sizes, [&viewport] { return viewport.accumulator().batch; },
      [change](int batch) { change([batch](AccumulatorSettings& a) { a.batch = batch; }); });
  QAction* onlyChanged = addSwitch(
      menu, QMenu::tr("&Only changed targets"),
      QMenu::tr("Adds only targets whose weight has changed to what is there; else all anew"));
  onlyChanged->setChecked(true);
  QObject::connect(onlyChanged, &QAction::toggled, &viewport, [change](bool on) {
    change([on](AccumulatorSettings& accumulator) { accumulator.onlyChanged = on; });
  });
  QObject::connect(&viewport, &ViewportWidget::ready, choices, [&viewport, choices] {
    if (viewport.renderer() == nullptr) return;
    const QString refusal = sentenceOf(render::whyNotAccumulated(
        MorphPath::Compute, MorphSums::Fixed, viewport.renderer()->facts()));
    choices->offer(Compute, refusal);
    const bool isCompute = viewport.accumulator().path == MorphPath::Compute;
    if (!refusal.isEmpty() && isCompute) choices->actions()[Integers]->trigger();
  });
}

}  // namespace

QMenu* makeDiagnosticsMenu(Document& document, const Session& session, const Playback& playback,
                           ViewportWidget& viewport, QWidget* parent) {
  auto* menu = new QMenu(QMenu::tr("&Diagnostics"), parent);
  menu->setToolTipsVisible(true);
  addCompactRecords(*menu, document, session, playback);
  addReferences(*menu, viewport);
  menu->addSeparator();
  addPalette(*menu, document, viewport);
  menu->addSeparator();
  addMorphs(*menu, viewport);
  return menu;
}

}  // namespace ck::ui
