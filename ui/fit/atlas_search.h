#pragma once

#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "core/fit/fit.h"
#include "ui/document/task_runner.h"

namespace ck::ui {

class Document;
class Session;
class ShownCharacter;

// Searches the settings of the smallest atlas for the shown character (core/fit/fit.h), in the
// background and with low priority. Rows are there as soon as they are measured, and those of a
// search that was stopped stay. A search goes on while another character is shown, which has the
// rows of its own last search. Errors are those of the reading that the view draws.
class AtlasSearch : public QObject {
  Q_OBJECT

 public:
  // All must outlive it.
  AtlasSearch(const Document& document, const Session& session, ShownCharacter& shown,
              QObject* parent = nullptr);

  // Does nothing while whyNot(). Ends a search for another character.
  void start(const FitLimits& limits);
  void stop();
  bool isRunning() const;  // for the shown character
  // Why nothing can be searched now; empty if it can.
  QString whyNot() const;

  // The result of the last search for the shown character. Without `best` and unstopped, `advice`
  // says what would fit.
  const FitResult& result() const { return shownSearch().result; }
  const FitLimits& limits() const { return shownSearch().limits; }
  bool isAsked() const {
    return shownSearch().asked.character != nullptr;
  }  // whether there was one
  // Whether clips and what else is not searched are still those of the last search.
  bool isCurrent() const;

  // Sets what was searched as a row has it, in one undo step.
  void use(const FitRow& row);
  // The same, without the clip that the advice drops.
  void use(const FitAdvice& advice);

 signals:
  void changed();
  void progressed(double fraction, const QString& step);
  void failed(const ck::Error& error);

 private:
  // The inputs that a search depends on besides its limits.
  struct Inputs {
    CharacterPtr character;
    BakeSettings settings;  // what is searched has its defaults
    ScreenView screen;
    bool operator==(const Inputs&) const = default;
  };
  struct Search {
    Inputs asked = {};
    FitLimits limits = {};
    FitResult result = {};
    int number = 0;  // increases, so that rows of an earlier search are known
  };
  const Search& shownSearch() const;
  Search* searchOf(int number);
  std::optional<Inputs> inputs() const;
  void follow();
  void add(Search& search, const FitRow& row);
  void edit(const BakeSettings& found, const std::string& droppedClip);

  const Document& document_;
  const Session& session_;
  ShownCharacter& shown_;
  std::vector<Search> searches_;  // the last one of every character
  int running_ = 0;               // the number of the search that runs or ran last
  TaskRunner tasks_;
};

// The settings of a row in a few words: "P16, 15 Hz, 2 influences".
QString fitSettingsText(const BakeSettings& settings);

}  // namespace ck::ui
