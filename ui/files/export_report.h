#pragma once

#include <QDialog>
#include <span>

#include "core/stage/cast_export.h"

namespace ck::ui {

// Shows what an export has written: the steps to play it in each engine, from the README that lies
// beside the engine's files, with buttons that open the folder and the page and copy the steps.
class ExportReport : public QDialog {
  Q_OBJECT

 public:
  // Reads the READMEs of the sets below `folder`.
  ExportReport(const QString& folder, std::span<const CastSet> sets, std::size_t count,
               QWidget* parent = nullptr);
};

}  // namespace ck::ui
