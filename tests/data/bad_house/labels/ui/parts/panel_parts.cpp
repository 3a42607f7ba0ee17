auto* label = new QLabel(text);
