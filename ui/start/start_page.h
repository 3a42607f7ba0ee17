#pragma once

#include <QScrollArea>

class QComboBox;
class QGridLayout;
class QLabel;
class QToolButton;

namespace ck::ui {

// The reaction of the program when it is started without a file.
enum class AtStart { FirstSample, StartPage, LastFile };
AtStart atStart();
void setAtStart(AtStart choice);

// The page that the view shows while there is no rig: the files that were opened last, the bundled
// samples with their pictures, and other actions.
class StartPage : public QScrollArea {
  Q_OBJECT

 public:
  explicit StartPage(QWidget* parent = nullptr);

  // Shows the files as they are now.
  void refresh();

 signals:
  void fileAsked(const QString& path);
  void sampleAsked(const QByteArray& project);  // as ProjectFiles::openSample()
  void openAsked();
  void importAsked();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  QToolButton* addCard(const QString& title, const QString& tip, const QImage& picture,
                       const char* iconName);
  void placeCards();

  QComboBox* atStart_;
  QLabel* recentHeading_;
  QGridLayout* recent_;
  QLabel* samplesHeading_;
  QGridLayout* samples_;
  QList<QToolButton*> recentCards_;
  QList<QToolButton*> sampleCards_;
};

}  // namespace ck::ui
