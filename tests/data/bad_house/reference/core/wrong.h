#include "render/reference/book_skinner.h"

// bookkeeping is fine, the book is not
int bookFrames();
