// Base64 text; lives where the layers below can use it too.
#pragma once

#include "sim/formats/base64.h"
