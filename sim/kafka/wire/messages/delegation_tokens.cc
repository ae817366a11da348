#include "sim/kafka/wire/messages/delegation_tokens.h"

namespace wt::kafka {

using schema::since;

// One field a line.
// clang-format off
WT_STRUCT(CreateDelegationTokenRequest::CreatableRenewers,
    WT_FIELD(principal_type),
    WT_FIELD(principal_name));
WT_MESSAGE(CreateDelegationTokenRequest, 1, 3, 2,
    WT_FIELD(owner_principal_type).in(since(3)).or_null(),
    WT_FIELD(owner_principal_name).in(since(3)).or_null(),
    WT_FIELD(renewers),
    WT_FIELD(max_lifetime_ms));

WT_MESSAGE(CreateDelegationTokenResponse, 1, 3, 2,
    WT_FIELD(error_code),
    WT_FIELD(principal_type),
    WT_FIELD(principal_name),
    WT_FIELD(token_requester_principal_type).in(since(3)),
    WT_FIELD(token_requester_principal_name).in(since(3)),
    WT_FIELD(issue_timestamp_ms),
    WT_FIELD(expiry_timestamp_ms),
    WT_FIELD(max_timestamp_ms),
    WT_FIELD(token_id),
    WT_FIELD(hmac),
    WT_FIELD(throttle_time_ms));

WT_MESSAGE(RenewDelegationTokenRequest, 1, 2, 2,
    WT_FIELD(hmac),
    WT_FIELD(renew_period_ms));

WT_MESSAGE(RenewDelegationTokenResponse, 1, 2, 2,
    WT_FIELD(error_code),
    WT_FIELD(expiry_timestamp_ms),
    WT_FIELD(throttle_time_ms));

WT_MESSAGE(ExpireDelegationTokenRequest, 1, 2, 2,
    WT_FIELD(hmac),
    WT_FIELD(expiry_time_period_ms));

WT_MESSAGE(ExpireDelegationTokenResponse, 1, 2, 2,
    WT_FIELD(error_code),
    WT_FIELD(expiry_timestamp_ms),
    WT_FIELD(throttle_time_ms));

WT_STRUCT(DescribeDelegationTokenRequest::DescribeDelegationTokenOwner,
    WT_FIELD(principal_type),
    WT_FIELD(principal_name));
WT_MESSAGE(DescribeDelegationTokenRequest, 1, 3, 2,
    WT_FIELD(owners).or_null());

WT_STRUCT(DescribeDelegationTokenResponse::DescribedDelegationTokenRenewer,
    WT_FIELD(principal_type),
    WT_FIELD(principal_name));
WT_STRUCT(DescribeDelegationTokenResponse::DescribedDelegationToken,
    WT_FIELD(principal_type),
    WT_FIELD(principal_name),
    WT_FIELD(token_requester_principal_type).in(since(3)),
    WT_FIELD(token_requester_principal_name).in(since(3)),
    WT_FIELD(issue_timestamp),
    WT_FIELD(expiry_timestamp),
    WT_FIELD(max_timestamp),
    WT_FIELD(token_id),
    WT_FIELD(hmac),
    WT_FIELD(renewers));
WT_MESSAGE(DescribeDelegationTokenResponse, 1, 3, 2,
    WT_FIELD(error_code),
    WT_FIELD(tokens),
    WT_FIELD(throttle_time_ms));

}  // namespace wt::kafka
