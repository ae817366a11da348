#include "sim/kafka/wire/messages/acls.h"

namespace wt::kafka {

// One field a line.
// clang-format off
WT_MESSAGE(DescribeAclsRequest, 1, 3, 2,
    WT_FIELD(resource_type_filter),
    WT_FIELD(resource_name_filter).or_null(),
    WT_FIELD(pattern_type_filter),
    WT_FIELD(principal_filter).or_null(),
    WT_FIELD(host_filter).or_null(),
    WT_FIELD(operation),
    WT_FIELD(permission_type));

WT_STRUCT(DescribeAclsResponse::AclDescription,
    WT_FIELD(principal),
    WT_FIELD(host),
    WT_FIELD(operation),
    WT_FIELD(permission_type));
WT_STRUCT(DescribeAclsResponse::DescribeAclsResource,
    WT_FIELD(resource_type),
    WT_FIELD(resource_name),
    WT_FIELD(pattern_type),
    WT_FIELD(acls));
WT_MESSAGE(DescribeAclsResponse, 1, 3, 2,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(resources));

WT_STRUCT(CreateAclsRequest::AclCreation,
    WT_FIELD(resource_type),
    WT_FIELD(resource_name),
    WT_FIELD(resource_pattern_type),
    WT_FIELD(principal),
    WT_FIELD(host),
    WT_FIELD(operation),
    WT_FIELD(permission_type));
WT_MESSAGE(CreateAclsRequest, 1, 3, 2,
    WT_FIELD(creations));

WT_STRUCT(CreateAclsResponse::AclCreationResult,
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null());
WT_MESSAGE(CreateAclsResponse, 1, 3, 2,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(results));

WT_STRUCT(DeleteAclsRequest::DeleteAclsFilter,
    WT_FIELD(resource_type_filter),
    WT_FIELD(resource_name_filter).or_null(),
    WT_FIELD(pattern_type_filter),
    WT_FIELD(principal_filter).or_null(),
    WT_FIELD(host_filter).or_null(),
    WT_FIELD(operation),
    WT_FIELD(permission_type));
WT_MESSAGE(DeleteAclsRequest, 1, 3, 2,
    WT_FIELD(filters));

WT_STRUCT(DeleteAclsResponse::DeleteAclsMatchingAcl,
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(resource_type),
    WT_FIELD(resource_name),
    WT_FIELD(pattern_type),
    WT_FIELD(principal),
    WT_FIELD(host),
    WT_FIELD(operation),
    WT_FIELD(permission_type));
WT_STRUCT(DeleteAclsResponse::DeleteAclsFilterResult,
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(matching_acls));
WT_MESSAGE(DeleteAclsResponse, 1, 3, 2,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(filter_results));

}  // namespace wt::kafka
