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

}  // namespace ck::ui
