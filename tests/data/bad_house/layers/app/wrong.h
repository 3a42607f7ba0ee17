#include <tiny_gltf.h>
