#include "core/c/one.h"
