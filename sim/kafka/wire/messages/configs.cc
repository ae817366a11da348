#include "sim/kafka/wire/messages/configs.h"

namespace wt::kafka {

using schema::since;

// One field a line.
// clang-format off
WT_STRUCT(DescribeConfigsRequest::DescribeConfigsResource,
    WT_FIELD(resource_type),
    WT_FIELD(resource_name),
    WT_FIELD(configuration_keys).or_null());
WT_MESSAGE(DescribeConfigsRequest, 1, 4, 4,
    WT_FIELD(resources),
    WT_FIELD(include_synonyms),
    WT_FIELD(include_documentation).in(since(3)));

WT_STRUCT(DescribeConfigsResponse::DescribeConfigsSynonym,
    WT_FIELD(name),
    WT_FIELD(value).or_null(),
    WT_FIELD(source));
WT_STRUCT(DescribeConfigsResponse::DescribeConfigsResourceResult,
    WT_FIELD(name),
    WT_FIELD(value).or_null(),
    WT_FIELD(read_only),
    WT_FIELD(config_source).ignorable(),
    WT_FIELD(is_sensitive),
    WT_FIELD(synonyms).ignorable(),
    WT_FIELD(config_type).in(since(3)).ignorable(),
    WT_FIELD(documentation).in(since(3)).or_null().ignorable());
WT_STRUCT(DescribeConfigsResponse::DescribeConfigsResult,
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(resource_type),
    WT_FIELD(resource_name),
    WT_FIELD(configs));
WT_MESSAGE(DescribeConfigsResponse, 1, 4, 4,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(results));

WT_STRUCT(AlterConfigsRequest::AlterableConfig,
    WT_FIELD(name),
    WT_FIELD(value).or_null());
WT_STRUCT(AlterConfigsRequest::AlterConfigsResource,
    WT_FIELD(resource_type),
    WT_FIELD(resource_name),
    WT_FIELD(configs));
WT_MESSAGE(AlterConfigsRequest, 0, 2, 2,
    WT_FIELD(resources),
    WT_FIELD(validate_only));

WT_STRUCT(AlterConfigsResponse::AlterConfigsResourceResponse,
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(resource_type),
    WT_FIELD(resource_name));
WT_MESSAGE(AlterConfigsResponse, 0, 2, 2,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(responses));

WT_STRUCT(IncrementalAlterConfigsRequest::AlterableConfig,
    WT_FIELD(name),
    WT_FIELD(config_operation),
    WT_FIELD(value).or_null());
WT_STRUCT(IncrementalAlterConfigsRequest::AlterConfigsResource,
    WT_FIELD(resource_type),
    WT_FIELD(resource_name),
    WT_FIELD(configs));
WT_MESSAGE(IncrementalAlterConfigsRequest, 0, 1, 1,
    WT_FIELD(resources),
    WT_FIELD(validate_only));

WT_STRUCT(IncrementalAlterConfigsResponse::AlterConfigsResourceResponse,
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(resource_type),
    WT_FIELD(resource_name));
WT_MESSAGE(IncrementalAlterConfigsResponse, 0, 1, 1,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(responses));

}  // namespace wt::kafka
