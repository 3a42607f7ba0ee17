#include "ui/windows/variant_menu.h"

#include <QActionGroup>
#include <QLabel>
#include <QWidgetAction>

#include "ui/document/document.h"
#include "ui/document/playback.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/viewport/view_words.h"
#include "ui/windows/main_actions.h"

namespace ck::ui {
namespace {

constexpr Sampling kSamplings[] = {Sampling::AsBaked, Sampling::Interpolated,
                                   Sampling::HardwareLinear, Sampling::Nearest};
constexpr int kInfluences[] = {0, 4, 2, 1};
constexpr SkinOn kProcessors[] = {SkinOn::Auto, SkinOn::Gpu, SkinOn::Cpu};
constexpr int kTurns[] = {1, 2, 4, 8};

QString influencesTitle(int influences) {
  if (influences == 0) return VariantMenu::tr("As baked");
  return counted(influences, VariantMenu::tr("influence"), VariantMenu::tr("influences"));
}

QString processorTitle(SkinOn skinOn) {
  switch (skinOn) {
    case SkinOn::Auto:
      return VariantMenu::tr("Whichever is faster");
    case SkinOn::Gpu:
      return VariantMenu::tr("Graphics card");
    case SkinOn::Cpu:
      return VariantMenu::tr("Processor");
  }
  return {};
}

QString turnsTitle(int every) {
  if (every == 1) return VariantMenu::tr("In every tick");
  if (every == 2) return VariantMenu::tr("In every other tick, in turn");
  return VariantMenu::tr("In every %1th tick, in turn").arg(every);
}

}  // namespace

VariantMenu::VariantMenu(Document& document, const Session& session, const Playback& playback,
                         QWidget* parent)
    : QMenu(parent),
      document_(document),
      session_(session),
      playback_(playback),
      samplings_(new QActionGroup(this)),
      influences_(new QActionGroup(this)),
      processors_(new QActionGroup(this)),
      turns_(new QActionGroup(this)) {
  setToolTipsVisible(true);
  addHeading(tr("Between frames"));
  for (const Sampling sampling : kSamplings) {
    QAction* action = samplings_->addAction(samplingTitle(sampling));
    action->setCheckable(true);
    action->setData(int(sampling));
    connect(action, &QAction::triggered, this, [this, sampling] {
      document_.edit(tr("Reading between frames"),
                     [sampling](Project& p) { p.view.pose.sampling = sampling; });
    });
  }
  addActions(samplings_->actions());
  addInfluences();
  addProcessors();
  addTurns();
  connect(&document, &Document::changed, this, &VariantMenu::refresh);
  connect(&session, &Session::changed, this, &VariantMenu::refresh);
  connect(&playback, &Playback::crowdChanged, this, &VariantMenu::refresh);
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

void VariantMenu::addInfluences() {
  addHeading(tr("Influences per vertex"));
  for (const int influences : kInfluences) {
    QAction* action = influences_->addAction(influencesTitle(influences));
    action->setCheckable(true);
    action->setData(influences);
    connect(action, &QAction::triggered, this, [this, influences] {
      document_.edit(tr("Influences in the view"),
                     [influences](Project& p) { p.view.pose.influences = influences; });
    });
  }
  addActions(influences_->actions());
}

void VariantMenu::addProcessors() {
  addHeading(tr("Vertices are skinned on"));
  for (const SkinOn skinOn : kProcessors) {
    QAction* action = processors_->addAction(processorTitle(skinOn));
    action->setCheckable(true);
    action->setData(int(skinOn));
    connect(action, &QAction::triggered, this, [this, skinOn] {
      document_.edit(tr("Where vertices are skinned"),
                     [skinOn](Project& p) { p.view.pose.skinOn = skinOn; });
    });
  }
  addActions(processors_->actions());
}

void VariantMenu::addTurns() {
  addHeading(tr("Actors are posed anew"));
  for (const int every : kTurns) {
    QAction* action = turns_->addAction(turnsTitle(every));
    action->setCheckable(true);
    action->setData(every);
    connect(action, &QAction::triggered, this, [this, every] {
      document_.edit(tr("How often actors are posed"),
                     [every](Project& p) { p.view.pose.updateEvery = every; });
    });
  }
  addActions(turns_->actions());
}

QList<QAction*> VariantMenu::samplings() const {
  return samplings_->actions();
}

QList<QAction*> VariantMenu::influences() const {
  return influences_->actions();
}

QList<QAction*> VariantMenu::processors() const {
  return processors_->actions();
}

QList<QAction*> VariantMenu::turns() const {
  return turns_->actions();
}

bool VariantMenu::isFading() const {
  return playback_.crowd() && playback_.crowd()->fadingActors() > 0;
}

render::DrawableView VariantMenu::drawableOf(const PoseSettings& pose) const {
  return render::renderSettingsFor({.pose = pose}, session_.entries(), isFading(),
                                   {.software = softwareGl_});
}

QString VariantMenu::words() const {
  const PoseSettings drawn = drawableOf(document_.project().view.pose).settings.pose;
  const PoseSettings pose = render::settledFor(drawn, session_.atlas().get());
  return tr("%1, %2").arg(samplingTitle(pose.sampling)).arg(pose.influences);
}

void VariantMenu::setSoftwareGl(bool software) {
  if (software == softwareGl_) return;
  softwareGl_ = software;
  refresh();
}

// Shows for every entry the cost that it has together with the other choices.
void VariantMenu::refresh() {
  const PoseSettings& now = document_.project().view.pose;
  const Atlas* atlas = session_.atlas().get();
  const auto show = [&](QAction& action, const PoseSettings& asked, bool refusable) {
    action.setChecked(asked == now);
    const PoseSettings drawn = render::settledFor(drawableOf(asked).settings.pose, atlas);
    const QString cost = atlas ? tr("%1 per vertex")
                                     .arg(counted(fetchesOf(drawn, *atlas, isFading(), softwareGl_),
                                                  tr("texel fetch"), tr("texel fetches")))
                               : tr("Costs are known after baking");
    action.setProperty("ownTip", cost);
    const QString refusal =
        refusable ? sentenceOf(render::whyNotSampled(asked, session_.entries(), isFading()))
                  : QString();
    setEnabledBecause(action, refusal.isEmpty(), refusal);
  };
  for (QAction* action : samplings_->actions()) {
    PoseSettings asked = now;
    asked.sampling = Sampling(action->data().toInt());
    show(*action, asked, true);
  }
  // A refused sampling does not disable the influences.
  for (QAction* action : influences_->actions()) {
    PoseSettings asked = now;
    asked.influences = action->data().toInt();
    show(*action, asked, false);
  }
  refreshSkinning();
  emit wordsChanged();
}

void VariantMenu::refreshSkinning() {
  const PoseSettings& view = document_.project().view.pose;
  const MethodOptions& obeys = methodInfo(view.method).obeys;
  const auto onlyFor = [](bool MethodOptions::*option) {
    return tr("For %1 only").arg(textOf(methodsObeying(option, &MethodInfo::title)));
  };
  for (QAction* action : processors_->actions()) {
    const bool automatic = SkinOn(action->data().toInt()) == SkinOn::Auto;
    action->setChecked(action->data().toInt() == int(view.skinOn));
    action->setProperty("ownTip", automatic
                                      ? tr("The processor where OpenGL runs in software, which "
                                           "would skin slower than the processor does by itself")
                                      : QString());
    setEnabledBecause(*action, obeys.skinOn, onlyFor(&MethodOptions::skinOn));
  }
  for (QAction* action : turns_->actions()) {
    action->setChecked(action->data().toInt() == view.updateEvery);
    action->setProperty("ownTip", tr("Each actor moves on in every picture, whatever its pose"));
    setEnabledBecause(*action, obeys.updateEvery, onlyFor(&MethodOptions::updateEvery));
  }
}

}  // namespace ck::ui
