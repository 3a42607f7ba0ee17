// The book, whose place this is.
