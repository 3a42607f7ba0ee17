#include <assimp/scene.h>
#include <meshoptimizer.h>
#include <nlohmann/json.hpp>
