#include "core/a/one.h"
