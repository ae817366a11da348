#include "sim/kafka/wire/messages/client_quotas.h"

namespace wt::kafka {

// One field a line.
// clang-format off
WT_STRUCT(DescribeClientQuotasRequest::ComponentData,
    WT_FIELD(entity_type),
    WT_FIELD(match_type),
    WT_FIELD(match).or_null());
WT_MESSAGE(DescribeClientQuotasRequest, 0, 1, 1,
    WT_FIELD(components),
    WT_FIELD(strict));

WT_STRUCT(DescribeClientQuotasResponse::EntityData,
    WT_FIELD(entity_type),
    WT_FIELD(entity_name).or_null());
WT_STRUCT(DescribeClientQuotasResponse::ValueData,
    WT_FIELD(key),
    WT_FIELD(value));
WT_STRUCT(DescribeClientQuotasResponse::EntryData,
    WT_FIELD(entity),
    WT_FIELD(values));
WT_MESSAGE(DescribeClientQuotasResponse, 0, 1, 1,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(entries).or_null());

WT_STRUCT(AlterClientQuotasRequest::EntityData,
    WT_FIELD(entity_type),
    WT_FIELD(entity_name).or_null());
WT_STRUCT(AlterClientQuotasRequest::OpData,
    WT_FIELD(key),
    WT_FIELD(value),
    WT_FIELD(remove));
WT_STRUCT(AlterClientQuotasRequest::EntryData,
    WT_FIELD(entity),
    WT_FIELD(ops));
WT_MESSAGE(AlterClientQuotasRequest, 0, 1, 1,
    WT_FIELD(entries),
    WT_FIELD(validate_only));

WT_STRUCT(AlterClientQuotasResponse::EntityData,
    WT_FIELD(entity_type),
    WT_FIELD(entity_name).or_null());
WT_STRUCT(AlterClientQuotasResponse::EntryData,
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(entity));
WT_MESSAGE(AlterClientQuotasResponse, 0, 1, 1,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(entries));

}  // namespace wt::kafka
