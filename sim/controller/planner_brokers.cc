// Brokers: registration, heartbeats, fencing, activation.
#include "sim/controller/planner.h"

namespace wt::controller {
namespace {

bool same_registration(const BrokerState& broker, const RegisterBroker& request) {
  return broker.incarnation == request.incarnation && broker.endpoints == request.endpoints &&
         broker.rack == request.rack && broker.features == request.features &&
         broker.profile == request.profile;
}

Error stale_epoch(BrokerId broker, std::int64_t broker_epoch) {
  return Error(ErrorCode::stale_broker_epoch, "Broker " + std::to_string(broker) +
                                                  " is not registered with broker epoch " +
                                                  std::to_string(broker_epoch));
}

}  // namespace

bool Planner::knows_epoch(BrokerId broker, std::int64_t broker_epoch) const {
  const BrokerState* state = image().broker(broker);
  return state != nullptr && state->broker_epoch == broker_epoch;
}

RegisterBroker::Response Planner::plan(const RegisterBroker& request, bool has_session, bool declared_dead) {
  RegisterBroker::Response response;
  if (request.cluster_id != options_.cluster_id) {
    response.error =
        Error(ErrorCode::inconsistent_cluster_id,
              "Expected cluster ID " + options_.cluster_id + ", but got cluster ID " + request.cluster_id);
    return response;
  }
  const BrokerState* existing = image().broker(request.broker);
  if (existing != nullptr) {
    const bool other_process = existing->incarnation != request.incarnation;
    if (has_session && other_process && !existing->shutting_down) {
      response.error =
          Error(ErrorCode::duplicate_broker_registration,
                "Another broker is registered with that broker id. If the broker was recently restarted this "
                "should self-resolve once the heartbeat manager expires the broker's session.");
      return response;
    }
    // Sent again because the answer was lost or a controller has started: the registration stands.
    if (same_registration(*existing, request) && !declared_dead) {
      response.broker_epoch = existing->broker_epoch;
      return response;
    }
    fence(request.broker);
  }
  RegisterBrokerRecord record;
  record.broker = request.broker;
  record.incarnation = request.incarnation;
  record.broker_epoch = image().end_offset();
  record.endpoints = request.endpoints;
  record.rack = request.rack;
  record.features = request.features;
  record.profile = request.profile;
  response.broker_epoch = record.broker_epoch;
  emit(std::move(record));
  return response;
}

BrokerHeartbeat::Response Planner::plan(const BrokerHeartbeat& request, bool declared_dead) {
  BrokerHeartbeat::Response response;
  if (declared_dead || !knows_epoch(request.broker, request.broker_epoch)) {
    response.error = stale_epoch(request.broker, request.broker_epoch);
    return response;
  }
  const BrokerState& broker = *image().broker(request.broker);
  response.is_caught_up = request.metadata_offset > broker.broker_epoch;
  if (request.want_shut_down) {
    if (broker.active()) start_shutdown(broker);
    response.should_shut_down = !leads_anything(request.broker);
  } else if (request.want_fence) {
    fence(request.broker);
  } else if (broker.fenced && response.is_caught_up && matches_activation(image(), broker)) {
    unfence(broker);
  }
  response.is_fenced = image().broker(request.broker)->fenced;
  return response;
}

void Planner::fence(BrokerId broker) {
  const BrokerState* state = image().broker(broker);
  if (state == nullptr || state->fenced) return;
  emit(FenceBrokerRecord{broker, state->broker_epoch});
  leave_isrs(broker);
}

void Planner::unfence(const BrokerState& broker) {
  const BrokerId id = broker.broker;  // what is emitted may change the image that it is part of
  emit(UnfenceBrokerRecord{id, broker.broker_epoch});
  join_isrs(id);
}

void Planner::start_shutdown(const BrokerState& broker) {
  const BrokerId id = broker.broker;
  emit(ShutdownBrokerRecord{id, broker.broker_epoch});
  leave_isrs(id);
}

UnregisterBroker::Response Planner::plan(const UnregisterBroker& request) {
  UnregisterBroker::Response response;
  const BrokerState* broker = image().broker(request.broker);
  if (broker == nullptr) {
    response.error = Error(ErrorCode::broker_id_not_registered,
                           "Broker ID " + std::to_string(request.broker) + " is not currently registered");
    return response;
  }
  const std::int64_t broker_epoch = broker->broker_epoch;
  fence(request.broker);
  emit(UnregisterBrokerRecord{request.broker, broker_epoch});
  response.end_offset = image().end_offset();
  return response;
}

AllocateProducerIds::Response Planner::plan(const AllocateProducerIds& request) {
  AllocateProducerIds::Response response;
  if (!knows_epoch(request.broker, request.broker_epoch)) {
    response.error = stale_epoch(request.broker, request.broker_epoch);
    return response;
  }
  response.first_producer_id = image().next_producer_id();
  response.count = options_.producer_id_block;
  const std::int64_t next = response.first_producer_id + options_.producer_id_block;
  emit(ProducerIdsRecord{request.broker, request.broker_epoch, next});
  return response;
}

void Planner::activate(const std::set<BrokerId>& live) {
  const ActivationReport report = activation_report(image(), live, options_.activation_brokers);
  auto record = activation_record(image(), report);
  if (record) emit(std::move(*record));
}

void Planner::bootstrap() {
  for (const auto& [name, level] : options_.features) emit(FeatureLevelRecord{name, level});
  for (const auto& [key, value] : options_.broker_default_configs)
    emit(ConfigRecord{ConfigResourceType::broker, "", key, value});
  for (const UserScramRecord& user : options_.scram_users) emit(user);
}

}  // namespace wt::controller
