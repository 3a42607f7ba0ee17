// A header that breaks the rules on purpose, so that the checks are seen to fail.
#include <QString>
#include "render/reference/book_skinner.h"
