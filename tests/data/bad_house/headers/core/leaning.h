// std::map is only spoken of here.
std::vector<tl::expected<glm::vec3, int>> all();
