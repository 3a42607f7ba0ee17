// Json::parse() in a comment is none.
auto json = nlohmann::json::parse(text);
