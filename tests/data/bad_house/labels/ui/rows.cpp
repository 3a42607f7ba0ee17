// Not a new QLabel.
auto* title = new QLabel(nameOf(file));
auto* name = plainLabel(nameOf(file));
