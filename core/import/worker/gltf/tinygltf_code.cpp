// The implementation of tinygltf. It has its own file because its header affects later includes,
// and because it uses <fstream> without including it if file access is disabled.
#include <fstream>

#define TINYGLTF_IMPLEMENTATION
#include <tiny_gltf.h>
