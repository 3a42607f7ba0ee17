#include "ui/start/start_page.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QSettings>
#include <QToolButton>
#include <algorithm>

#include "core/import/rig_format.h"
#include "core/stage/pipeline.h"
#include "core/system/files.h"
#include "ui/document/text.h"
#include "ui/parts/panel_parts.h"
#include "ui/start/recent_files.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

const QString kAtStart = QStringLiteral("atStart");
constexpr QSize kPicture(224, 126);  // of a card
constexpr int kCardWidth = 240;
constexpr int kGap = 10;
constexpr int kMostRecent = 8;  // cards; the menu has all

// The bundled projects. The picture of each lies beside it.
struct Sample {
  const char* project;
  const char* picture;
  const char* title;
  const char* tip;
};
constexpr Sample kSamples[] = {
    {"plaza/plaza.crowd", "plaza/plaza.png",
     QT_TRANSLATE_NOOP("ck::ui::StartPage", "Plaza: people"),
     QT_TRANSLATE_NOOP("ck::ui::StartPage", "Open the bundled crowd of people")},
    {"meadow/meadow.crowd", "meadow/meadow.png",
     QT_TRANSLATE_NOOP("ck::ui::StartPage", "Meadow: deer"),
     QT_TRANSLATE_NOOP("ck::ui::StartPage", "Open the bundled herd of deer")},
};

}  // namespace

AtStart atStart() {
  const int kept = QSettings().value(kAtStart, -1).toInt();
  if (kept >= int(AtStart::FirstSample) && kept <= int(AtStart::LastFile)) return AtStart(kept);
  return recentFiles().isEmpty() ? AtStart::FirstSample : AtStart::StartPage;
}

void setAtStart(AtStart choice) {
  QSettings().setValue(kAtStart, int(choice));
}

StartPage::StartPage(QWidget* parent)
    : QScrollArea(parent),
      recentHeading_(styledLabel("heading")),
      recent_(new QGridLayout),
      samplesHeading_(styledLabel("heading")),
      samples_(new QGridLayout) {
  setObjectName(QStringLiteral("startPage"));
  setWidgetResizable(true);
  setAccessibleName(tr("Start page"));
  auto* page = new QWidget;
  page->setObjectName(QStringLiteral("startPage"));
  auto* title = richLabel(tr("<h2>Drop a rig or a project here</h2>"));
  auto* formats = styledLabel("muted");
  formats->setText(textOf(rigFormatNames()) + tr(", or a .crowd project"));
  formats->setWordWrap(true);
  auto* import = new QPushButton(icon("import"), tr("Import a rig..."));
  import->setObjectName(QStringLiteral("primary"));
  auto* open = new QPushButton(icon("folder-open"), tr("Open a project..."));
  connect(import, &QPushButton::clicked, this, &StartPage::importAsked);
  connect(open, &QPushButton::clicked, this, &StartPage::openAsked);
  atStart_ = named(new QComboBox, tr("When Crowdkiln starts"),
                   tr("What is shown when the program is started without a file"));
  atStart_->addItem(tr("show this page"), int(AtStart::StartPage));
  atStart_->addItem(tr("open the last file"), int(AtStart::LastFile));
  atStart_->addItem(tr("open the plaza"), int(AtStart::FirstSample));
  connect(atStart_, &QComboBox::activated, this,
          [this] { setAtStart(AtStart(atStart_->currentData().toInt())); });
  recentHeading_->setText(tr("Opened last"));
  samplesHeading_->setText(tr("Samples"));
  for (QGridLayout* grid : {recent_, samples_}) {
    grid->setSpacing(kGap);
    grid->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  }
  layOutColumn(*page, QMargins(28, 20, 28, 20), 10,
               {title,
                formats,
                rowOf({import, open, {}}, kGap),
                recentHeading_,
                recent_,
                samplesHeading_,
                samples_,
                rowOf({labelFor(atStart_, tr("&When Crowdkiln starts:")), atStart_, {}}, kGap),
                {}});
  setWidget(page);
  refresh();
}

QToolButton* StartPage::addCard(const QString& title, const QString& tip, const QImage& picture,
                                const char* iconName) {
  auto* card = named(new QToolButton, title, tip);
  card->setObjectName(QStringLiteral("card"));
  card->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
  card->setFocusPolicy(Qt::StrongFocus);
  card->setIconSize(kPicture);
  QPixmap shown(kPicture * devicePixelRatioF());
  shown.setDevicePixelRatio(devicePixelRatioF());
  if (picture.isNull()) {
    shown.fill(colors::kBase);
    QPainter painter(&shown);
    constexpr int kIcon = 40;
    icon(QLatin1String(iconName), colors::kMuted)
        .paint(&painter, (kPicture.width() - kIcon) / 2, (kPicture.height() - kIcon) / 2, kIcon,
               kIcon);
  } else {
    shown = QPixmap::fromImage(
        picture.scaled(shown.size(), Qt::KeepAspectRatioByExpanding, Qt::SmoothTransformation));
    shown.setDevicePixelRatio(devicePixelRatioF());
  }
  card->setIcon(shown);
  card->setText(card->fontMetrics().elidedText(title, Qt::ElideMiddle, kPicture.width()));
  card->setFixedWidth(kCardWidth);
  return card;
}

void StartPage::refresh() {
  for (QList<QToolButton*>* cards : {&recentCards_, &sampleCards_}) {
    qDeleteAll(*cards);
    cards->clear();
  }
  for (const QString& path : recentFiles().mid(0, kMostRecent)) {
    const QFileInfo file(path);
    const bool there = file.exists();
    const QString when = QLocale().toString(file.lastModified(), QLocale::ShortFormat);
    const QString tip =
        there ? tr("%1\nSaved %2").arg(QDir::toNativeSeparators(path), when)
              : tr("%1\nThis file is not there any more").arg(QDir::toNativeSeparators(path));
    QToolButton* card = addCard(there ? file.fileName() : tr("%1 (missing)").arg(file.fileName()),
                                tip, pictureOf(path), "users");
    card->setEnabled(there);
    connect(card, &QToolButton::clicked, this, [this, path] { emit fileAsked(path); });
    recentCards_ << card;
  }
  for (const Sample& sample : kSamples) {
    if (findSample(sample.project).empty()) continue;
    const auto picture = findSample(sample.picture);
    QToolButton* card =
        addCard(tr(sample.title), tr(sample.tip),
                picture.empty() ? QImage() : QImage(textOf(pathText(picture))), "package-open");
    connect(card, &QToolButton::clicked, this,
            [this, project = QByteArray(sample.project)] { emit sampleAsked(project); });
    sampleCards_ << card;
  }
  atStart_->setCurrentIndex(atStart_->findData(int(atStart())));
  recentHeading_->setVisible(!recentCards_.isEmpty());
  samplesHeading_->setVisible(!sampleCards_.isEmpty());
  placeCards();
}

void StartPage::placeCards() {
  const int columns = std::max(1, (viewport()->width() - 56 + kGap) / (kCardWidth + kGap));
  const auto place = [columns](QGridLayout& grid, const QList<QToolButton*>& cards) {
    for (int i = 0; i < cards.size(); ++i) grid.addWidget(cards[i], i / columns, i % columns);
  };
  place(*recent_, recentCards_);
  place(*samples_, sampleCards_);
}

void StartPage::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  placeCards();
}

void StartPage::showEvent(QShowEvent* event) {
  QScrollArea::showEvent(event);
  refresh();
}

}  // namespace ck::ui
