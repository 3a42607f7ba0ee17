#pragma once

#include <QString>
#include <functional>
#include <string>
#include <vector>

#include "ui/document/notices.h"

namespace ck::ui {

class Document;

// Looks for the missing sources of the project that was opened (findSources()). Files with the same
// bytes are entered in one undo step, with a notice that offers to undo it; files with the name
// alone are offered. A file that the project uses already is not taken once more. The notices go
// when the sources are others.
std::vector<Notice> relinkMissing(Document& document);

// Gives the source `was` the path `now`, and other missing ones that lie beside it theirs, in one
// undo step. Returns what was found besides, or an empty text. If the file has other content than
// the known one, `ask` is asked first, and nothing is done where it says no.
QString locate(Document& document, const std::string& was, const std::string& now,
               const std::function<bool(const QString& question)>& ask);

}  // namespace ck::ui
