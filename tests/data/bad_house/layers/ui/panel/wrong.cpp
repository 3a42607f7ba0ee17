#include <epoxy/gl.h>
#include <stb_image.h>

#include "app/wrong.h"
