// PLAIN (RFC 4616): one message with user and password.
#pragma once

#include "sim/kafka/sasl/mechanism.h"

namespace wt::kafka::sasl {

class PlainExchange final : public Exchange {
 public:
  Step evaluate(std::string_view message, const Users& users) override;
};

}  // namespace wt::kafka::sasl
