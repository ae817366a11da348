// Kafka record batches (magic 2), all parts: header and splitting, records, validation, building.
#pragma once

#include "sim/formats/batch_builder.h"
#include "sim/formats/batch_header.h"
#include "sim/formats/batch_validation.h"
#include "sim/formats/record.h"
