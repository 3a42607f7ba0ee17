#include "core/given.h"
std::vector<int> all();
