#include "app/commands/json.h"

namespace ck::cli {

std::string documentText(const Json& document, int indent) {
  return document.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json notesJson(const Notes& notes) {
  return jsonList(notes, [](const Note& note) -> Json {
    return {{"level", noteLevelName(note.level)}, {"code", note.code}, {"message", note.message}};
  });
}

Json matrixJson(const glm::dmat4& matrix) {
  Json numbers = Json::array();
  for (int column = 0; column < 4; ++column) {
    for (int row = 0; row < 4; ++row) numbers.push_back(matrix[column][row]);
  }
  return numbers;
}

}  // namespace ck::cli
