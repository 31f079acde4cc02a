#include "process/process_encoder.hpp"

#include "remote/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <future>
#include <utility>

namespace senteval::process {

namespace {

constexpr std::chrono::milliseconds step{100}; ///< between two looks whether to stop

/// Number of processes: that of threads, but four by default, since each loads the model.
std::size_t processes_from(const sdk::Setup& setup)
{
    constexpr unsigned by_default = 4;
    const auto given = remote::within<std::int64_t>(setup.params, "processes", 0, 0, 256);
    return given > 0 ? static_cast<std::size_t>(given)
                     : std::clamp(setup.call.thread_budget(), 1U, by_default);
}

ClientOptions options_from(const sdk::Setup& setup, std::size_t processes)
{
    const double stall = remote::within(setup.params, "stall_seconds", 600.0, 0.0, 1e6);
    return {std::max(1U, setup.call.thread_budget() / static_cast<unsigned>(processes)),
            std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(stall * 1000)))};
}

std::filesystem::path folder_from(const sdk::Params& params)
{
    const auto given = params.find<std::string>("folder");
    return given ? std::filesystem::path(*given) : std::filesystem::current_path();
}

/// The host reads them for the identity, and takes a path where nothing is for a name.
void require_files(const sdk::Params& params)
{
    for (const auto& path : params.all<std::string>("files")) {
        std::error_code unknown;
        if (!path.empty() && !std::filesystem::exists(path, unknown))
            throw sdk::Error(SENTEVAL_NOT_FOUND,
                             fmt::format("parameter 'files': there is no '{}'", path));
    }
}

Launch launch_from(const sdk::Setup& setup)
{
    require_files(setup.params);
    Command command =
        make_command(setup.params.require<std::string>("command"), folder_from(setup.params),
                     setup.params.get<bool>("shell", false));
    const bool is_one = command.words.empty() || setup.params.get("processes", 0) == 1;
    const std::size_t processes = is_one ? 1 : processes_from(setup);
    return {std::move(command), processes, is_one, options_from(setup, processes)};
}

} // namespace

ProcessEncoder::ProcessEncoder(const sdk::Setup& setup) : ProcessEncoder(setup, launch_from(setup))
{
}

ProcessEncoder::ProcessEncoder(const sdk::Setup& setup, Launch launch)
    : host_(setup.host), launch_(std::move(launch))
{
    auto first = std::make_unique<Client>(launch_.command, launch_.options, host_,
                                          [&] { return setup.call.cancelled(); });
    hello_ = first->hello();
    dimension_ = hello_.dimension;
    const bool is_caller = launch_.command.words.empty();
    nlohmann::json identity{{"unseen", "program"},
                            {"client", {{"name", hello_.name}, {"version", hello_.version}}},
                            {"program", is_caller ? "" : launch_.command.words.front()},
                            {"files", launch_.command.files}};
    if (!hello_.similarity.empty())
        identity["similarity"] = hello_.similarity;
    if (hello_.reranks)
        identity["reranks"] = true;
    identity_ = identity.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    idle_.push_back(std::move(first));
    running_ = 1;
}

std::uint32_t ProcessEncoder::capabilities() const
{
    std::uint32_t lacks = 0;
    if (launch_.is_one_by_one) // not where the host has one thread: that is not the encoder's
        lacks |= SENTEVAL_CAP_CONCURRENT_BATCHER;
    if (!hello_.batch_invariant)
        lacks |= SENTEVAL_CAP_BATCH_INVARIANT;
    if (!hello_.deterministic)
        lacks |= SENTEVAL_CAP_DETERMINISTIC;
    return descriptor.capabilities & ~lacks;
}

std::size_t ProcessEncoder::dimension() const
{
    if (!dimension_)
        throw sdk::Error(SENTEVAL_UNSUPPORTED,
                         fmt::format("'{}' has a dimension only when it is prepared for a task",
                                     launch_.command.text));
    return *dimension_;
}

ProcessEncoder::ClientPointer ProcessEncoder::start(const Client::Stop& stop) const
{
    auto client = std::make_unique<Client>(launch_.command, launch_.options, host_, stop);
    if (client->hello() != hello_)
        throw sdk::Error(
            SENTEVAL_INTERNAL,
            fmt::format("'{}' describes itself differently than when it was started before",
                        launch_.command.text));
    return client;
}

/// Every client is shown the task, at the same time; nothing is left of an earlier one where one fails.
void ProcessEncoder::prepare(sdk::Call& call, const sdk::Task& task, sdk::Batch samples)
{
    if (!hello_.wants_prepare)
        return;
    auto clients = std::exchange(idle_, {});
    clients.resize(launch_.processes);
    running_ = 0;
    dimension_.reset();
    std::atomic<bool> stopped{false};
    const Client::Stop is_stopped = [&] { return stopped.load(); };
    std::vector<std::future<std::size_t>> dimensions;
    for (ClientPointer& client : clients)
        dimensions.push_back(std::async(std::launch::async, [&] {
            if (client == nullptr)
                client = start(is_stopped);
            return client->prepare(task, samples, is_stopped);
        }));
    for (const auto& one : dimensions) // only this thread may ask the call
        while (one.wait_for(step) != std::future_status::ready)
            stopped = stopped || call.cancelled();
    for (ClientPointer& client : clients)
        if (client != nullptr && client->is_usable())
            idle_.push_back(std::move(client));
    running_ = idle_.size();
    const std::size_t first = dimensions.front().get();
    for (std::size_t i = 1; i < dimensions.size(); ++i)
        if (const std::size_t other = dimensions[i].get(); other != first)
            throw sdk::Error(SENTEVAL_INTERNAL,
                             fmt::format("of the processes of '{}', prepared for one task, one "
                                         "says dimension {}, another {}",
                                         launch_.command.text, first, other));
    dimension_ = first;
}

void ProcessEncoder::encode_as(sdk::Call& call,
                               sdk::Role role,
                               sdk::Batch batch,
                               sdk::Matrix out) const
{
    if (batch.empty())
        return;
    ClientPointer client = take(call);
    try {
        client->encode(role, batch, out, [&] { return call.cancelled(); });
    } catch (...) {
        give_back(std::move(client));
        throw;
    }
    give_back(std::move(client));
}

/// An idle client, or a new one, or the next that comes back.
ProcessEncoder::ClientPointer ProcessEncoder::take(const sdk::Call& call) const
{
    std::unique_lock lock(mutex_);
    for (;;) {
        call.check_cancelled();
        if (!idle_.empty()) {
            ClientPointer client = std::move(idle_.back());
            idle_.pop_back();
            return client;
        }
        if (hello_.wants_prepare && running_ == 0)
            throw sdk::Error(SENTEVAL_INTERNAL,
                             fmt::format("'{}' has ended since it was prepared for this task",
                                         launch_.command.text));
        if (!hello_.wants_prepare && running_ < launch_.processes)
            break;
        returned_.wait_for(lock, step);
    }
    ++running_;
    lock.unlock();
    try {
        return start([&] { return call.cancelled(); });
    } catch (...) {
        give_back(nullptr);
        throw;
    }
}

void ProcessEncoder::give_back(ClientPointer client) const
{
    const bool usable = client != nullptr && client->is_usable();
    {
        const std::lock_guard lock(mutex_);
        if (usable)
            idle_.push_back(std::move(client));
        else
            --running_;
    }
    returned_.notify_one();
}

} // namespace senteval::process
