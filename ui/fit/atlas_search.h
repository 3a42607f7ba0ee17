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

// Searches the settings of the smallest atlas for the first character (core/fit/fit.h), in the
// background and with low priority. Its rows are there as soon as they are measured, and those of a
// search that was stopped stay. Errors are those of the reading that the view draws.
class AtlasSearch : public QObject {
  Q_OBJECT

 public:
  // Both must outlive it.
  AtlasSearch(Document& document, const Session& session, QObject* parent = nullptr);

  // Does nothing while whyNot().
  void start(const FitLimits& limits);
  void stop();
  bool isRunning() const { return tasks_.isBusy(); }
  // Why nothing can be searched now; empty if it can.
  QString whyNot() const;

  // Of the last search. Without `best` and unstopped, `advice` says what would fit.
  const FitResult& result() const { return result_; }
  const FitLimits& limits() const { return limits_; }
  bool isAsked() const { return asked_.has_value(); }  // whether there was one
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
  // What a search depends on besides its limits.
  struct Inputs {
    CharacterPtr character;
    BakeSettings settings;  // what is searched has its defaults
    ScreenView screen;
    bool operator==(const Inputs&) const = default;
  };
  std::optional<Inputs> inputs() const;
  void follow();
  void add(const FitRow& row);
  void take(const Result<FitResult>& result);
  void edit(const BakeSettings& found, const std::string& droppedClip);

  Document& document_;
  const Session& session_;
  FitLimits limits_;
  FitResult result_;
  std::optional<Inputs> asked_;
  bool wasCurrent_ = false;
  int number_ = 0;  // of the search, so that rows of an earlier one are known
  TaskRunner tasks_;
};

// The settings of a row in a few words: "P16, 15 Hz, 2 influences".
QString fitSettingsText(const BakeSettings& settings);

}  // namespace ck::ui
