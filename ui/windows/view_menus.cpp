#include "ui/windows/view_menus.h"

#include <QLabel>
#include <QWidgetAction>
#include <cmath>

#include "render/methods/palette/palette_read.h"
#include "render/morph/morph_accumulator.h"
#include "render/skinning/method_offers.h"
#include "ui/actions/action_table.h"
#include "ui/document/document.h"
#include "ui/document/playback.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/parts/bind.h"
#include "ui/viewport/viewport_frame.h"
#include "ui/viewport/viewport_widget.h"

namespace ck::ui {
namespace {

QMenu& addMenu(QMenu& menu, const QString& title) {
  QMenu& inner = *menu.addMenu(title);
  inner.setToolTipsVisible(true);
  return inner;
}

// -1, which no entry has, for a number with decimals.
int wholeOf(double number) {
  return number == std::floor(number) && number < 1e9 ? int(number) : -1;
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
      *compact, document, QMenu::tr("Reading between frames"),
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

void addPalette(ActionTable& actions, QMenu& menu, Document& document, ViewportWidget& viewport) {
  QMenu& reads = addMenu(menu, QMenu::tr("&Palette is read"));
  auto* choices =
      new ChoiceGroup(actions, "view.paletteRead", reads, document,
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
  QAction* packed = actions.addSwitch(
      menu, {"view.packedInfluences", QMenu::tr("Packed &influences"),
             QMenu::tr("Method live: joint and half of the weight in one float; the log says what "
                       "weights lose")});
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
      [&viewport] { return int(morphSumOf(viewport.accumulator())); }, setSum);
  QList<Choice> sizes;
  for (int batch = kLargestMorphBatch; batch >= 1; --batch) {
    sizes.append({QStringLiteral("&%1").arg(batch), batch,
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

ChoiceGroup::ChoiceGroup(ActionTable& actions, const char* id, QMenu& menu,
                         const QList<Choice>& choices, std::function<int()> get,
                         const std::function<void(int)>& set)
    : QActionGroup(&menu), get_(std::move(get)) {
  setExclusionPolicy(ExclusionPolicy::ExclusiveOptional);
  for (const Choice& choice : choices) {
    QAction* action = addAction(choice.text);
    action->setObjectName(QStringLiteral("%1.%2").arg(QLatin1String(id)).arg(choice.value));
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

ChoiceGroup::ChoiceGroup(ActionTable& actions, const char* id, QMenu& menu, Document& document,
                         const QList<Choice>& choices, const Get& get, const Set& set)
    : ChoiceGroup(
          actions, id, menu, choices, [&document, get] { return get(document.project()); },
          // A choice of the view is no undo step, so it needs no text.
          [&document, set](int value) {
            document.edit({}, [&](Project& project) { set(project, value); });
          }) {
  connect(&document, &Document::changed, this, &ChoiceGroup::refresh);
}

void ChoiceGroup::offer(int value, const QString& refusal) {
  for (QAction* action : actions()) {
    if (action->data().toInt() == value) setEnabledBecause(*action, refusal.isEmpty(), refusal);
  }
}

void ChoiceGroup::refresh() {
  const int value = get_();
  for (QAction* action : actions()) action->setChecked(action->data().toInt() == value);
}

QMenu* addViewSettings(ActionTable& actions, QMenu& menu, Document& document) {
  const auto add = [&](const char* id, const QString& title, const QList<Choice>& some,
                       const ChoiceGroup::Get& get, const ChoiceGroup::Set& set) {
    QMenu& inner = addMenu(menu, title);
    new ChoiceGroup(actions, id, inner, document, some, get, set);
    return &inner;
  };
  QList<Choice> choices;
  add(
      "view.shadows", QMenu::tr("&Shadows"),
      {{QMenu::tr("&Automatic"), int(Shadows::Auto),
        QMenu::tr("Cascades on a graphics card, for crowds of up to 40 million triangles; soft "
                  "ones beyond and in software OpenGL")},
       {QMenu::tr("&Cascades"), int(Shadows::Cascades),
        QMenu::tr("Shadow maps of the key light: bodies cast on the ground and on each other")},
       {QMenu::tr("&Soft"), int(Shadows::Soft),
        QMenu::tr("The spread of the joints on the ground: two quads an actor")},
       {QMenu::tr("&None"), int(Shadows::Off), QMenu::tr("Nothing is cast")}},
      [](const Project& p) { return int(p.view.shadows); },
      [](Project& p, int shadows) { p.view.shadows = Shadows(shadows); });
  choices = {{QMenu::tr("&Every picture"), 0,
              QMenu::tr("Actors are posed for every picture of a crowd that has moved on")}};
  for (const int hertz : {60, 30, 20, 10, 5}) {
    choices.append({QMenu::tr("%1 times a second").arg(hertz), hertz,
                    QMenu::tr("Between two ticks poses and places stay, and pictures cost their "
                              "drawing alone")});
  }
  add(
      "view.tickRate", QMenu::tr("&Poses a second"), choices,
      [](const Project& p) { return wholeOf(p.view.tickRateHz); },
      [](Project& p, int hertz) { p.view.tickRateHz = hertz; });
  choices = {{QMenu::tr("&Off: all of every actor"), 0,
              QMenu::tr("Every actor by its whole mesh, however small it is")}};
  for (const double pixels : {0.5, 1.0, 2.0, 4.0}) {
    const QString off = about(pixels, QMenu::tr("pixel"), QMenu::tr("pixels"));
    choices.append({QMenu::tr("Off by up to %1").arg(off), int(pixels * 2.0),
                    QMenu::tr("Far actors of large crowds by simpler meshes, pictures and points "
                              "that are off by no more than this")});
  }
  add(
      "view.detail", QMenu::tr("&Level of detail"), choices,
      [](const Project& p) {
        const DetailSettings& detail = p.view.detail;
        return detail.mode == DetailMode::Full ? 0 : wholeOf(detail.pixels * 2.0);
      },
      [](Project& p, int halves) {
        p.view.detail.mode = halves == 0 ? DetailMode::Full : DetailMode::Auto;
        if (halves > 0) p.view.detail.pixels = halves * 0.5;
      });
  add(
      "view.keepUp", QMenu::tr("&Where the computer is too slow"),
      {{QMenu::tr("&Keep up: less detail"), 1,
        QMenu::tr("While the crowd plays, more pixels may be off, until pictures come quickly")},
       {QMenu::tr("&All detail: slower pictures"), 0,
        QMenu::tr("Pictures take as long as they take")}},
      [](const Project& p) { return int(p.view.detail.keepsUp); },
      [](Project& p, int keepsUp) { p.view.detail.keepsUp = keepsUp != 0; });
  choices.clear();
  for (const int meters : {5, 10, 25, 50, 100}) {
    choices.append({QMenu::tr("Up to %1 m").arg(meters), meters,
                    QMenu::tr("Actors further from the eye keep the default shape")});
  }
  choices.append({QMenu::tr("&Everywhere"), 1'000'000,
                  QMenu::tr("However far away: costs most in large crowds")});
  add(
      "view.faces", QMenu::tr("&Faces are shown"), choices,
      [](const Project& p) { return wholeOf(p.view.pose.morphs.nearMeters); },
      [](Project& p, int meters) { p.view.pose.morphs.nearMeters = meters; });
  constexpr double kParts = 1000.0;  // entries count thousandths of a millimetre
  choices = {{QMenu::tr("&Fit"), 0,
              QMenu::tr("The least of 1, 2 and 5 times a power of ten that no vertex "
                        "in the view exceeds")}};
  for (const double mm : {0.01, 0.1, 0.5, 1.0, 5.0, 10.0, 50.0, 100.0}) {
    choices.append({QMenu::tr("%1 mm").arg(mm), int(std::lround(mm * kParts)),
                    QMenu::tr("Vertices that far from the source, or farther, have the last "
                              "colour of the error view")});
  }
  return add(
      "view.errorScale", QMenu::tr("&Error colours up to"), choices,
      [](const Project& p) { return wholeOf(std::round(p.view.errorScaleMm * 1e6) / 1e3); },
      [](Project& p, int parts) { p.view.errorScaleMm = parts / kParts; });
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
    samplings.append({samplingTitle(sampling), int(sampling)});
  }
  samplings_ = new ChoiceGroup(actions, "view.sampling", *this, document, samplings,
                               &PoseSettings::sampling);
  addHeading(tr("Influences per vertex"));
  influences_ = new ChoiceGroup(actions, "view.influences", *this, document,
                                {{tr("As baked"), 0},
                                 {tr("4 influences"), 4},
                                 {tr("2 influences"), 2},
                                 {tr("1 influence"), 1}},
                                &PoseSettings::influences);
  addHeading(tr("Vertices are skinned on"));
  processors_ = new ChoiceGroup(
      actions, "view.skinOn", *this, document,
      {{tr("Whichever is faster"), int(SkinOn::Auto),
        tr("The processor where OpenGL runs in software, which would skin slower than the "
           "processor does by itself")},
       {tr("Graphics card"), int(SkinOn::Gpu)},
       {tr("Processor"), int(SkinOn::Cpu)}},
      &PoseSettings::skinOn);
  addHeading(tr("Actors are posed anew"));
  const QString inTurn = tr("Each actor moves on in every picture, whatever its pose");
  turns_ = new ChoiceGroup(actions, "view.posedEvery", *this, document,
                           {{tr("In every tick"), 1, inTurn},
                            {tr("In every other tick, in turn"), 2, inTurn},
                            {tr("In every 4th tick, in turn"), 4, inTurn},
                            {tr("In every 8th tick, in turn"), 8, inTurn}},
                           &PoseSettings::updateEvery);
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
  const auto offerTo = [&now](const ChoiceGroup& group, bool MethodOptions::*option) {
    const QString reason =
        tr("For %1 only").arg(textOf(methodsObeying(option, &MethodInfo::title)));
    for (QAction* action : group.actions()) {
      setEnabledBecause(*action, methodInfo(now.method).obeys.*option, reason);
    }
  };
  offerTo(*processors_, &MethodOptions::skinOn);
  offerTo(*turns_, &MethodOptions::updateEvery);
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
