#include "sim/kafka/wire/messages/scram_credentials.h"

namespace wt::kafka {

// One field a line.
// clang-format off
WT_STRUCT(DescribeUserScramCredentialsRequest::UserName,
    WT_FIELD(name));
WT_MESSAGE(DescribeUserScramCredentialsRequest, 0, 0, 0,
    WT_FIELD(users).or_null());

WT_STRUCT(DescribeUserScramCredentialsResponse::CredentialInfo,
    WT_FIELD(mechanism),
    WT_FIELD(iterations));
WT_STRUCT(DescribeUserScramCredentialsResponse::DescribeUserScramCredentialsResult,
    WT_FIELD(user),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(credential_infos));
WT_MESSAGE(DescribeUserScramCredentialsResponse, 0, 0, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null(),
    WT_FIELD(results));

WT_STRUCT(AlterUserScramCredentialsRequest::ScramCredentialDeletion,
    WT_FIELD(name),
    WT_FIELD(mechanism));
WT_STRUCT(AlterUserScramCredentialsRequest::ScramCredentialUpsertion,
    WT_FIELD(name),
    WT_FIELD(mechanism),
    WT_FIELD(iterations),
    WT_FIELD(salt),
    WT_FIELD(salted_password));
WT_MESSAGE(AlterUserScramCredentialsRequest, 0, 0, 0,
    WT_FIELD(deletions),
    WT_FIELD(upsertions));

WT_STRUCT(AlterUserScramCredentialsResponse::AlterUserScramCredentialsResult,
    WT_FIELD(user),
    WT_FIELD(error_code),
    WT_FIELD(error_message).or_null());
WT_MESSAGE(AlterUserScramCredentialsResponse, 0, 0, 0,
    WT_FIELD(throttle_time_ms),
    WT_FIELD(results));

}  // namespace wt::kafka
