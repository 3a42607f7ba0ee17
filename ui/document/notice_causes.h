#pragma once

#include "ui/document/notices.h"
#include "ui/document/session.h"

namespace ck::ui {

class Document;

// Notices with their causes (Notice::cause).

// About the characters of the project as they are now: other settings, an undo or another project
// end it.
Notice aboutCharacters(const Document& document, Notice notice);

// About files that were read or refused. Where the project has them: until it has not, or they are
// read after all, or refused. Else until something else is imported or opened.
Notice aboutFiles(const Session& session, const LoadedPtr& loaded, Notice notice);

// The message that readers of files were not confined (sandboxNotes()), once for each set of walls
// that this process has missed. It stays until it is closed.
std::optional<Notice> sandboxNotice();

// The notice that actors play clips that the files of a character lack, with an offer to let them
// play its first clip; as long as it is so. Nothing if they have all.
std::optional<Notice> missingClipsNotice(Document& document, const Session& session, int number);

// The consequences for the project of files that were read: clips that are gone, which is written
// to the log, too, and, where the project `opens`, files that differ from those of its last save.
std::vector<Notice> changeNotices(Document& document, const Session& session,
                                  const LoadedPtr& loaded, bool opens);

}  // namespace ck::ui
