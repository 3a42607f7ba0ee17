#include "ui/windows/view_menus.h"

#include <QLabel>
#include <QWidgetAction>
#include <utility>

#include "render/methods/palette/palette_read.h"
#include "render/morph/morph_accumulator.h"
#include "render/skinning/method_offers.h"
#include "ui/document/document.h"
#include "ui/document/playback.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/parts/bind.h"
#include "ui/viewport/viewport_frame.h"
#include "ui/viewport/viewport_widget.h"

namespace ck::ui {
namespace {

const char* const kOwnTip = "ownTip";

QMenu* makeMenu(const QString& title, QWidget* parent) {
  auto* menu = new QMenu(title, parent);
  menu->setToolTipsVisible(true);
  return menu;
}

QList<Choice> choicesOf(const ViewOption& row) {
  QList<Choice> choices;
  for (const ViewChoice& choice : row.menu.choices) {
    choices.append({textOf(choice.title), choice.value, textOf(choice.tip)});
  }
  return choices;
}

// Texel fetches for poses per vertex. `pose` is resolved for the atlas. `softwareGl`: vertices are
// skinned on the CPU by default.
int fetchesOf(const PoseSettings& pose, const Atlas& atlas, bool blend, bool softwareGl) {
  const bool onProcessor =
      pose.skinOn == SkinOn::Cpu || (pose.skinOn == SkinOn::Auto && softwareGl);
  if (onProcessor && methodInfo(pose.method).obeys.skinOn) return 1;  // of the skinned vertex
  return render::fetchesPerVertex(
      pose.method, atlas,
      {.sampling = pose.sampling, .influences = pose.influences, .blend = blend});
}

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
      *compact, document, QString(),
      [](const Project& p) { return p.view.pose.sampling == Sampling::Compact; },
      [](Project& p, bool on) {
        p.view.pose.sampling = on ? Sampling::Compact : Sampling::AsBaked;
      });
  const auto offer = [compact, &document, &session, &playback] {
    PoseSettings asked = document.project().view.pose;
    asked.sampling = Sampling::Compact;
    const QString refusal =
        sentenceOf(render::whyNotSampled(asked, session.entries(), playback.isFading()));
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
  QMenu* reads = makeSettingMenu(viewOption("paletteRead"), document, &menu);
  menu.addMenu(reads);
  auto* choices = reads->findChild<ChoiceGroup*>();
  QObject::connect(&viewport, &ViewportWidget::ready, choices, [&viewport, choices] {
    if (viewport.renderer() == nullptr) return;
    constexpr PaletteRead kStorage = PaletteRead::StorageBuffer;
    choices->offer(int(kStorage),
                   sentenceOf(render::whyNotRead(kStorage, viewport.renderer()->facts())));
  });
  const ViewOption& row = viewOption("packedInfluences");
  QAction* packed = addSwitch(menu, textOf(row.menu.title), textOf(row.menu.tip));
  bindSwitch(*packed, document, row);
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
      [&viewport] { return morphSumOf(viewport.accumulator()); }, setSum);
  QList<Choice> sizes;
  for (int batch = kLargestMorphBatch; batch >= 1; --batch) {
    sizes.append({QStringLiteral("&%1").arg(batch), double(batch),
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

void setOwnTip(QAction& action, const QString& tip) {
  action.setProperty(kOwnTip, tip);
  setEnabledBecause(action, true, {});
}

void setEnabledBecause(QAction& action, bool enabled, const QString& reason) {
  action.setEnabled(enabled);
  const QString own = action.property(kOwnTip).toString();
  action.setToolTip(enabled ? own : QStringLiteral("%1\n%2").arg(own, reason));
  action.setStatusTip(enabled ? own : reason);
}

void bindSwitch(QAction& action, Document& document, const ViewOption& row) {
  bindTruth(
      action, document, QString(), [&row](const Project& p) { return row.get(p.view) != 0.0; },
      [&row](Project& p, bool on) { row.set(p.view, on ? 1.0 : 0.0); });
}

ChoiceGroup::ChoiceGroup(QMenu& menu, const QList<Choice>& choices, std::function<double()> get,
                         const std::function<void(double)>& set)
    : QActionGroup(&menu), get_(std::move(get)) {
  setExclusionPolicy(ExclusionPolicy::ExclusiveOptional);
  for (const Choice& choice : choices) {
    QAction* action = addAction(choice.text);
    action->setCheckable(true);
    action->setData(choice.value);
    setOwnTip(*action, choice.tip);
    connect(action, &QAction::triggered, this, [this, set, value = choice.value] {
      set(value);
      refresh();
    });
  }
  menu.addActions(actions());
  refresh();
}

ChoiceGroup::ChoiceGroup(QMenu& menu, Document& document, const QString& undoText,
                         const QList<Choice>& choices, const Get& get, const Set& set)
    : ChoiceGroup(
          menu, choices, [&document, get] { return get(document.project()); },
          [&document, undoText, set](double value) {
            document.edit(undoText, [&](Project& project) { set(project, value); });
          }) {
  connect(&document, &Document::changed, this, &ChoiceGroup::refresh);
}

ChoiceGroup::ChoiceGroup(QMenu& menu, Document& document, const ViewOption& row,
                         const QList<Choice>& choices)
    : ChoiceGroup(
          menu, document, QString(), choices, [&row](const Project& p) { return row.get(p.view); },
          [&row](Project& p, double value) { row.set(p.view, value); }) {}

ChoiceGroup::ChoiceGroup(QMenu& menu, Document& document, const ViewOption& row)
    : ChoiceGroup(menu, document, row, choicesOf(row)) {}

void ChoiceGroup::offer(int value, const QString& refusal) {
  for (QAction* action : actions()) {
    if (action->data().toInt() == value) setEnabledBecause(*action, refusal.isEmpty(), refusal);
  }
}

void ChoiceGroup::refresh() {
  const double value = get_();
  for (QAction* action : actions()) action->setChecked(action->data().toDouble() == value);
}

QMenu* makeSettingMenu(const ViewOption& row, Document& document, QWidget* parent) {
  QMenu* menu = makeMenu(textOf(row.menu.title), parent);
  new ChoiceGroup(*menu, document, row);
  return menu;
}

QMenu* makeDetailMenu(Document& document, QWidget* parent) {
  QMenu* menu = makeMenu(QMenu::tr("&Level of detail"), parent);
  QList<Choice> choices = {{QMenu::tr("&Off: all of every actor"), 0,
                            QMenu::tr("Every actor by its whole mesh, however small it is")}};
  for (const double pixels : {0.5, 1.0, 2.0, 4.0}) {
    const QString off = about(pixels, QMenu::tr("pixel"), QMenu::tr("pixels"));
    choices.append({QMenu::tr("Off by up to %1").arg(off), pixels,
                    QMenu::tr("Far actors of large crowds by simpler meshes, pictures and points "
                              "that are off by no more than this")});
  }
  new ChoiceGroup(
      *menu, document, QMenu::tr("Level of detail"), choices,
      [](const Project& p) {
        const DetailSettings& detail = p.view.detail;
        return detail.mode == DetailMode::Full ? 0.0 : detail.pixels;
      },
      [](Project& p, double pixels) {
        p.view.detail.mode = pixels == 0.0 ? DetailMode::Full : DetailMode::Auto;
        if (pixels > 0.0) p.view.detail.pixels = pixels;
      });
  return menu;
}

VariantMenu::VariantMenu(Document& document, const Session& session, const Playback& playback,
                         const ViewportWidget& viewport, QWidget* parent)
    : QMenu(tr("&Reading of the atlas"), parent),
      document_(document),
      session_(session),
      playback_(playback),
      viewport_(viewport) {
  setToolTipsVisible(true);
  addHeading(tr("Between frames"));
  QList<Choice> samplings;
  for (const Sampling sampling :
       {Sampling::AsBaked, Sampling::Interpolated, Sampling::HardwareLinear, Sampling::Nearest}) {
    samplings.append({samplingTitle(sampling), double(sampling)});
  }
  samplings_ = new ChoiceGroup(*this, document, viewOption("sampling"), samplings);
  addHeading(tr("Influences per vertex"));
  influences_ = new ChoiceGroup(*this, document, viewOption("influences"));
  addHeading(tr("Vertices are skinned on"));
  processors_ = new ChoiceGroup(*this, document, viewOption("skinOn"));
  addHeading(tr("Actors are posed anew"));
  turns_ = new ChoiceGroup(*this, document, viewOption("updateEvery"));
  connect(&document, &Document::changed, this, &VariantMenu::refresh);
  connect(&session, &Session::changed, this, &VariantMenu::refresh);
  connect(&playback, &Playback::crowdChanged, this, &VariantMenu::refresh);
  connect(&playback, &Playback::shownCharacterChanged, this, &VariantMenu::refresh);
  connect(&viewport, &ViewportWidget::ready, this, &VariantMenu::refresh);
  refresh();
}

// This style does not draw the title of a QMenu section.
void VariantMenu::addHeading(const QString& text) {
  if (!actions().isEmpty()) addSeparator();
  auto* label = new QLabel(text);
  label->setObjectName(QStringLiteral("muted"));
  label->setContentsMargins(14, 5, 14, 3);
  auto* heading = new QWidgetAction(this);
  heading->setDefaultWidget(label);
  heading->setEnabled(false);
  addAction(heading);
}

bool VariantMenu::isSoftwareGl() const {
  return viewport_.renderer() && viewport_.renderer()->facts().software;
}

PoseSettings VariantMenu::settled(const PoseSettings& pose) const {
  const render::DrawableView drawn = render::renderSettingsFor(
      {.pose = pose}, session_.entries(), playback_.isFading(), {.software = isSoftwareGl()});
  return render::settledFor(drawn.settings.pose, session_.atlas(playback_.shownCharacter()).get());
}

QString VariantMenu::words() const {
  const PoseSettings pose = settled(document_.project().view.pose);
  return tr("%1, %2").arg(samplingTitle(pose.sampling)).arg(pose.influences);
}

void VariantMenu::showCost(QAction& action, const PoseSettings& asked) const {
  const Atlas* atlas = session_.atlas(playback_.shownCharacter()).get();
  if (atlas == nullptr) return setOwnTip(action, tr("Costs are known after baking"));
  const int fetches = fetchesOf(settled(asked), *atlas, playback_.isFading(), isSoftwareGl());
  setOwnTip(action,
            tr("%1 per vertex").arg(counted(fetches, tr("texel fetch"), tr("texel fetches"))));
}

void VariantMenu::refresh() {
  const PoseSettings& now = document_.project().view.pose;
  for (QAction* action : samplings_->actions()) {
    PoseSettings asked = now;
    asked.sampling = Sampling(action->data().toInt());
    showCost(*action, asked);
    const QString refusal =
        sentenceOf(render::whyNotSampled(asked, session_.entries(), playback_.isFading()));
    setEnabledBecause(*action, refusal.isEmpty(), refusal);
  }
  // A refused sampling does not disable the influences.
  for (QAction* action : influences_->actions()) {
    PoseSettings asked = now;
    asked.influences = action->data().toInt();
    showCost(*action, asked);
  }
  for (const auto& [group, key] :
       {std::pair{processors_, "skinOn"}, std::pair{turns_, "updateEvery"}}) {
    const auto obeyed = viewOption(key).effect.obeyed;
    const QString reason =
        tr("For %1 only").arg(textOf(methodsObeying(obeyed, &MethodInfo::title)));
    for (QAction* action : group->actions()) {
      setEnabledBecause(*action, methodInfo(now.method).obeys.*obeyed, reason);
    }
  }
  emit wordsChanged();
}

QMenu* makeDiagnosticsMenu(Document& document, const Session& session, const Playback& playback,
                           ViewportWidget& viewport, QWidget* parent) {
  QMenu* menu = makeMenu(QMenu::tr("&Diagnostics"), parent);
  addCompactRecords(*menu, document, session, playback);
  addReferences(*menu, viewport);
  menu->addSeparator();
  addPalette(*menu, document, viewport);
  menu->addSeparator();
  addMorphs(*menu, viewport);
  return menu;
}

}  // namespace ck::ui
