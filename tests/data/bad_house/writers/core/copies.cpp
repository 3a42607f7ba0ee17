// std::ofstream in a comment is none.
fs::copy_file(from, to);
fs::rename(a, b);
