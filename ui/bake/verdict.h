#pragma once

#include <QColor>
#include <QString>
#include <QWidget>
#include <optional>

class QLabel;

namespace ck {
struct BakeCost;
struct Project;
}  // namespace ck

namespace ck::ui {

class FiguresLabel;

// How good a figure of a bake is. It is always shown as an icon, a word and a colour together.
enum class Verdict {
  Good,  // at most the limit
  Look,  // at most twice the limit: look at the picture before you accept it
  Bad,
};

// A value that is not a number is bad.
Verdict verdictOf(double value, double limit);

// The limits by which errors are judged: those of the project, or, where it has none, 1 pixel on
// the screen, and at the vertices the millimetres that the pixels are at the project's distance of
// view.
double pixelLimit(const Project& project);
double vertexLimitMm(const Project& project);

// Textures with a side above this need a look: WebGL and older devices stop there.
inline constexpr int kUsualTextureSide = 8192;
Verdict costVerdict(const BakeCost& cost);

QString verdictWord(Verdict verdict);
QColor verdictColor(Verdict verdict);
QString verdictIcon(Verdict verdict);  // a name for icon()

// A line of an icon, the word in its colour, and a text that wraps.
class VerdictLine : public QWidget {
  Q_OBJECT

 public:
  // `name` is the accessible name.
  explicit VerdictLine(const QString& name, QWidget* parent = nullptr);

  // Without a verdict there is the text alone. `text` is rich text.
  void show(std::optional<Verdict> verdict, const QString& text, const QString& tip = {});
  // A refusal: a bad verdict with `word` for its word, and the text in red.
  void refuse(const QString& word, const QString& text);

 signals:
  void linkActivated(const QString& link);

 private:
  void showAs(std::optional<Verdict> verdict, const QString& word, const QString& style,
              const QString& text, const QString& tip);

  QString name_;
  QLabel* icon_;
  QLabel* word_;
  FiguresLabel* text_;
};

}  // namespace ck::ui
