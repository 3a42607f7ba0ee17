#include <GL/gl.h>
#include <QString>

#include "app/wrong.h"
