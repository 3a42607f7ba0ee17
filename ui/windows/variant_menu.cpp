#include "ui/windows/variant_menu.h"

#include <QActionGroup>

#include "ui/document/document.h"
#include "ui/document/playback.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/viewport/view_variant.h"
#include "ui/windows/main_actions.h"

namespace ck::ui {
namespace {

constexpr ViewSampling kSamplings[] = {ViewSampling::AsBaked, ViewSampling::Interpolated,
                                       ViewSampling::HardwareLinear, ViewSampling::Nearest,
                                       ViewSampling::Compact};
constexpr int kInfluences[] = {0, 4, 2, 1};

QString influencesTitle(int influences) {
  if (influences == 0) return VariantMenu::tr("As baked");
  return counted(influences, VariantMenu::tr("influence"), VariantMenu::tr("influences"));
}

}  // namespace

VariantMenu::VariantMenu(Document& document, const Session& session, const Playback& playback,
                         QWidget* parent)
    : QMenu(parent),
      document_(document),
      session_(session),
      playback_(playback),
      samplings_(new QActionGroup(this)),
      influences_(new QActionGroup(this)) {
  setToolTipsVisible(true);
  addSection(tr("Between frames"));
  for (const ViewSampling sampling : kSamplings) {
    const QString title = sampling == ViewSampling::AsBaked
                              ? tr("As baked")
                              : samplingTitle(samplingOf(document.project(), sampling));
    QAction* action = samplings_->addAction(title);
    action->setCheckable(true);
    action->setData(int(sampling));
    connect(action, &QAction::triggered, this, [this, sampling] {
      document_.edit(tr("Reading between frames"),
                     [sampling](Project& p) { p.view.sampling = sampling; });
    });
  }
  addActions(samplings_->actions());
  addSection(tr("Influences per vertex"));
  for (const int influences : kInfluences) {
    QAction* action = influences_->addAction(influencesTitle(influences));
    action->setCheckable(true);
    action->setData(influences);
    connect(action, &QAction::triggered, this, [this, influences] {
      document_.edit(tr("Influences in the view"),
                     [influences](Project& p) { p.view.influences = influences; });
    });
  }
  addActions(influences_->actions());
  connect(&document, &Document::changed, this, &VariantMenu::refresh);
  connect(&session, &Session::atlasChanged, this, &VariantMenu::refresh);
  connect(&playback, &Playback::crowdChanged, this, &VariantMenu::refresh);
  refresh();
}

QList<QAction*> VariantMenu::samplings() const {
  return samplings_->actions();
}

QList<QAction*> VariantMenu::influences() const {
  return influences_->actions();
}

QString VariantMenu::words() const {
  const bool fading = playback_.crowd() && playback_.crowd()->fadingActors() > 0;
  const auto variant = viewVariant(document_.project(), session_.atlas().get(), fading).variant;
  return tr("%1, %2").arg(samplingTitle(variant.sampling)).arg(variant.influences);
}

// Says for every entry what it would cost together with what else is chosen.
void VariantMenu::refresh() {
  const Project& project = document_.project();
  const Atlas* atlas = session_.atlas().get();
  const bool fading = playback_.crowd() && playback_.crowd()->fadingActors() > 0;
  const auto show = [&](QAction& action, const Project& asked, bool chosen) {
    action.setChecked(chosen);
    const ViewVariant view = viewVariant(asked, atlas, fading);
    const QString cost =
        atlas ? tr("%1 texel fetches per vertex").arg(fetchesOf(project, *atlas, view.variant))
              : tr("Costs are known after baking");
    action.setProperty("ownTip", cost);
    setEnabledBecause(action, view.refusal.isEmpty(), view.refusal);
  };
  for (QAction* action : samplings_->actions()) {
    Project asked = project;
    asked.view.sampling = ViewSampling(action->data().toInt());
    show(*action, asked, asked.view.sampling == project.view.sampling);
  }
  for (QAction* action : influences_->actions()) {
    Project asked = project;
    asked.view.influences = action->data().toInt();
    // A sampling that is refused is not the influences' fault.
    if (!viewVariant(asked, atlas, fading).refusal.isEmpty()) {
      asked.view.sampling = ViewSampling::AsBaked;
    }
    show(*action, asked, asked.view.influences == project.view.influences);
  }
  emit wordsChanged();
}

}  // namespace ck::ui
