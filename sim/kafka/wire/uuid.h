// Kafka's identifiers; the type lives where the layers below can use it too.
#pragma once

#include "sim/formats/uuid.h"
