return Json::parse(text);
