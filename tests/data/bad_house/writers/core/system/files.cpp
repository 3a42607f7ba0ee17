int file = ::open(name, O_CREAT | O_EXCL);
