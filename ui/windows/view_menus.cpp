#include "ui/windows/view_menus.h"

#include <QLabel>
#include <QWidgetAction>
#include <utility>

#include "render/methods/palette/palette_read.h"
#include "render/morph/morph_accumulator.h"
#include "render/skinning/method_offers.h"
#include "ui/actions/action_table.h"
#include "ui/document/document.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/parts/bind.h"
#include "ui/parts/panel_parts.h"
#include "ui/playback/playback.h"
#include "ui/viewport/viewport_frame.h"
#include "ui/viewport/viewport_widget.h"

namespace ck::ui {
namespace {

QMenu& addMenu(QMenu& menu, const QString& title) {
  QMenu& inner = *menu.addMenu(title);
  inner.setToolTipsVisible(true);
  return inner;
}

QList<Choice> choicesOf(const ViewOption& row) {
  QList<Choice> choices;
  for (const ViewChoice& choice : row.menu.choices) {
    choices.append({textOf(choice.title), choice.value, textOf(choice.tip)});
  }
  return choices;
}

QString idOf(const ViewOption& row) {
  return QStringLiteral("view.") + textOf(row.file.key);
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

void addCompactRecords(ActionTable& actions, QMenu& menu, Document& document,
                       const Session& session, const Playback& playback) {
  QAction* compact = actions.addSwitch(
      menu, {"view.compactRecords", QMenu::tr("&Compact records"),
             QMenu::tr("Method atlas: an actor is its place and one frame number, and shows the "
                       "nearest frame")});
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

void addReferences(ActionTable& actions, QMenu& menu, ViewportWidget& viewport) {
  for (const render::ReferencePtr& reference : render::comparedReferences()) {
    const std::string id = "view.reference." + reference->title;
    QAction* compared =
        actions.addSwitch(menu, {id.c_str(), textOf(reference->title), sentenceOf(reference->tip)});
    QObject::connect(compared, &QAction::triggered, &viewport, [&viewport](bool on) {
      viewport.setViewMode(on ? ViewMode::Compared : ViewMode::Baked);
    });
    QObject::connect(&viewport, &ViewportWidget::viewModeChanged, compared,
                     [&viewport, compared, reference] {
                       compared->setChecked(viewport.reference() == reference);
                     });
  }
}

// The menu of a setting of the view, with the entries of its row.
QMenu& addSetting(ActionTable& actions, QMenu& menu, Document& document, const ViewOption& row) {
  QMenu& inner = addMenu(menu, textOf(row.menu.title));
  new ChoiceGroup(actions, inner, document, row);
  return inner;
}

void addPalette(ActionTable& actions, QMenu& menu, Document& document, ViewportWidget& viewport) {
  QMenu& reads = addSetting(actions, menu, document, viewOption("paletteRead"));
  auto* choices = reads.findChild<ChoiceGroup*>();
  QObject::connect(&viewport, &ViewportWidget::ready, choices, [&viewport, choices] {
    if (viewport.renderer() == nullptr) return;
    constexpr PaletteRead kStorage = PaletteRead::StorageBuffer;
    choices->offer(int(kStorage),
                   sentenceOf(render::whyNotRead(kStorage, viewport.renderer()->facts())));
  });
  addSwitch(actions, menu, document, viewOption("packedInfluences"));
}

// Ways to add up morph targets.
enum MorphSum { Integers, Floats, Compute };

MorphSum morphSumOf(const AccumulatorSettings& accumulator) {
  if (accumulator.path == MorphPath::Compute) return Compute;
  return accumulator.sums == MorphSums::Float ? Floats : Integers;
}

// How the view adds up the morph targets of the first selected actor.
void addMorphs(ActionTable& actions, QMenu& menu, ViewportWidget& viewport) {
  const auto change = [&viewport](const auto& edit) {
    AccumulatorSettings accumulator = viewport.accumulator();
    edit(accumulator);
    viewport.setAccumulator(accumulator);
  };
  QMenu& sums = addMenu(menu, QMenu::tr("&Morph sums"));
  QMenu& batches = addMenu(menu, QMenu::tr("Morph &targets a pass"));
  const auto setSum = [&batches, change](int sum) {
    change([sum](AccumulatorSettings& accumulator) {
      accumulator.sums = sum == Floats ? MorphSums::Float : MorphSums::Fixed;
      accumulator.path = sum == Compute ? MorphPath::Compute : MorphPath::Feedback;
    });
    batches.setEnabled(sum != Compute);
  };
  auto* choices = new ChoiceGroup(
      actions, "view.morphSums", sums,
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
      actions, "view.morphBatch", batches, sizes,
      [&viewport] { return viewport.accumulator().batch; },
      [change](int batch) { change([batch](AccumulatorSettings& a) { a.batch = batch; }); });
  QAction* onlyChanged = actions.addSwitch(
      menu, {"view.onlyChangedMorphs", QMenu::tr("&Only changed targets"),
             QMenu::tr("Adds only targets whose weight has changed to what is there; else all "
                       "anew")});
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

QAction* addSwitch(ActionTable& actions, QMenu& menu, Document& document, const ViewOption& row,
                   const ActionKeys& keys, const char* icon) {
  QAction* action = actions.addSwitch(
      menu, {idOf(row), textOf(row.menu.title), textOf(row.menu.tip), keys, icon});
  bindTruth(
      *action, document, QString(), [&row](const Project& p) { return row.get(p.view) != 0.0; },
      [&row](Project& p, bool on) { row.set(p.view, on ? 1.0 : 0.0); });
  return action;
}

ChoiceGroup::ChoiceGroup(ActionTable& actions, const QString& id, QMenu& menu,
                         const QList<Choice>& choices, std::function<double()> get,
                         const std::function<void(double)>& set)
    : QActionGroup(&menu), get_(std::move(get)) {
  setExclusionPolicy(ExclusionPolicy::ExclusiveOptional);
  for (const Choice& choice : choices) {
    QAction* action = addAction(choice.text);
    action->setObjectName(QStringLiteral("%1.%2").arg(id).arg(choice.value));
    action->setCheckable(true);
    action->setData(choice.value);
    setOwnTip(*action, choice.tip);
    connect(action, &QAction::triggered, this, [this, set, value = choice.value] {
      set(value);
      refresh();
    });
    actions.take(*action);
  }
  menu.addActions(this->actions());
  refresh();
}

ChoiceGroup::ChoiceGroup(ActionTable& actions, const QString& id, QMenu& menu, Document& document,
                         const QList<Choice>& choices, const Get& get, const Set& set)
    : ChoiceGroup(
          actions, id, menu, choices, [&document, get] { return get(document.project()); },
          // A choice of the view is no undo step, so it needs no text.
          [&document, set](double value) {
            document.edit({}, [&](Project& project) { set(project, value); });
          }) {
  connect(&document, &Document::changed, this, &ChoiceGroup::refresh);
}

ChoiceGroup::ChoiceGroup(ActionTable& actions, QMenu& menu, Document& document,
                         const ViewOption& row, const QList<Choice>& choices)
    : ChoiceGroup(
          actions, idOf(row), menu, document, choices,
          [&row](const Project& p) { return row.get(p.view); },
          [&row](Project& p, double value) { row.set(p.view, value); }) {}

ChoiceGroup::ChoiceGroup(ActionTable& actions, QMenu& menu, Document& document,
                         const ViewOption& row)
    : ChoiceGroup(actions, menu, document, row, choicesOf(row)) {}

void ChoiceGroup::offer(int value, const QString& refusal) {
  for (QAction* action : actions()) {
    if (action->data().toInt() == value) setEnabledBecause(*action, refusal.isEmpty(), refusal);
  }
}

void ChoiceGroup::refresh() {
  const double value = get_();
  for (QAction* action : actions()) action->setChecked(action->data().toDouble() == value);
}

QMenu* addViewSettings(ActionTable& actions, QMenu& menu, Document& document) {
  for (const char* key : {"shadows", "tickRateHz"}) {
    addSetting(actions, menu, document, viewOption(key));
  }
  QList<Choice> details = {{QMenu::tr("&Off: all of every actor"), 0,
                            QMenu::tr("Every actor by its whole mesh, however small it is")}};
  for (const double pixels : {0.5, 1.0, 2.0, 4.0}) {
    const QString off = about(pixels, QMenu::tr("pixel"), QMenu::tr("pixels"));
    details.append({QMenu::tr("Off by up to %1").arg(off), pixels,
                    QMenu::tr("Far actors of large crowds by simpler meshes, pictures and points "
                              "that are off by no more than this")});
  }
  new ChoiceGroup(
      actions, QStringLiteral("view.detail"), addMenu(menu, QMenu::tr("&Level of detail")),
      document, details,
      [](const Project& p) {
        const DetailSettings& detail = p.view.detail;
        return detail.mode == DetailMode::Full ? 0.0 : detail.pixels;
      },
      [](Project& p, double pixels) {
        p.view.detail.mode = pixels == 0.0 ? DetailMode::Full : DetailMode::Auto;
        if (pixels > 0.0) p.view.detail.pixels = pixels;
      });
  for (const char* key : {"detail.keepsUp", "facesWithinMeters"}) {
    addSetting(actions, menu, document, viewOption(key));
  }
  return &addSetting(actions, menu, document, viewOption("errorScaleMm"));
}

VariantMenu::VariantMenu(ActionTable& actions, Document& document, const Session& session,
                         const Playback& playback, const ViewportWidget& viewport, QWidget* parent)
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
  samplings_ = new ChoiceGroup(actions, *this, document, viewOption("sampling"), samplings);
  addHeading(tr("Influences per vertex"));
  influences_ = new ChoiceGroup(actions, *this, document, viewOption("influences"));
  addHeading(tr("Vertices are skinned on"));
  processors_ = new ChoiceGroup(actions, *this, document, viewOption("skinOn"));
  addHeading(tr("Actors are posed anew"));
  turns_ = new ChoiceGroup(actions, *this, document, viewOption("updateEvery"));
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
  auto* label = plainLabel(text);
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
  return render::settledFor(drawn.settings.view.pose,
                            session_.atlas(playback_.shownCharacter()).get());
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

void fillDiagnosticsMenu(ActionTable& actions, QMenu& menu, Document& document,
                         const Session& session, const Playback& playback,
                         ViewportWidget& viewport) {
  menu.setToolTipsVisible(true);
  addCompactRecords(actions, menu, document, session, playback);
  addReferences(actions, menu, viewport);
  menu.addSeparator();
  addPalette(actions, menu, document, viewport);
  menu.addSeparator();
  addMorphs(actions, menu, viewport);
}

}  // namespace ck::ui
