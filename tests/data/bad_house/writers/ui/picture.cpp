image.save(&buffer, "PNG");
image.save(path, "PNG");
painter.save();
file.open(QIODevice::WriteOnly);
