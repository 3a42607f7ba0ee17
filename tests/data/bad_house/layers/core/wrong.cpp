#include <assimp/scene.h>
#include <nlohmann/json.hpp>
