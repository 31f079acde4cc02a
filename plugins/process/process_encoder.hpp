// process_encoder.hpp -- sentences as the vectors that a program of any language answers.
#pragma once

#include "process/client.hpp"
#include "process/command.hpp"

#include <senteval/encoder.hpp>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace senteval::process {

/// The program to start, and how.
struct Launch {
    Command command;
    std::size_t processes = 1;
    bool is_one_by_one = true; ///< the user wants no more than one at a time
    ClientOptions options;
};

/// Asks client programs (sdk/clients/README.md), as many at a time as `processes` says. A client that
/// breaks the protocol fails the call that asked it and is replaced for the next.
class ProcessEncoder {
public:
    static constexpr sdk::Descriptor descriptor{
        .id = "senteval.process",
        .name = "Another program",
        .version = "1.0",
        .description =
            "Any program that answers sentences with vectors over a small protocol on its standard "
            "streams: Python, Node, anything.",
        .license = "MIT",
        .capabilities = SENTEVAL_CAP_CONCURRENT_BATCHER | SENTEVAL_CAP_BATCH_INVARIANT |
                        SENTEVAL_CAP_DETERMINISTIC,
    };
    static constexpr auto params = std::array{
        senteval_param_spec{
            sizeof(senteval_param_spec),
            SENTEVAL_PARAM_REQUIRED,
            "command",
            "The program and its arguments, split as by a shell; nothing is expanded. - is the "
            "program that started this one, with a socket as its standard input.",
            {SENTEVAL_TYPE_STRING, 0, {.string = {nullptr, 0}}}},
        sdk::param("shell", false, "Leave the command to /bin/sh -c."),
        sdk::no_effect(sdk::path_param(
            "folder", "Where the command runs; the current folder where it is not given.", 0)),
        sdk::path_param("files",
                        "Files and folders that the vectors depend on beside the files that the "
                        "command names: their content counts for the identity.",
                        SENTEVAL_PARAM_LIST),
        sdk::no_effect(sdk::param("processes",
                                  0,
                                  "Programs at a time; 0: one for each thread of the host, at most "
                                  "4, since each loads the model.")),
        sdk::no_effect(sdk::param(
            "stall_seconds",
            600.0,
            "Seconds after which a program that neither reads nor writes is ended; 0: never.")),
    };

    explicit ProcessEncoder(const sdk::Setup& setup);
    ProcessEncoder(const sdk::Setup& setup, Launch launch);
    ProcessEncoder(const ProcessEncoder&) = delete; // clients point to the command
    ProcessEncoder& operator=(const ProcessEncoder&) = delete;
    ~ProcessEncoder() = default;

    const std::string& identity() const { return identity_; }
    bool ignores_prepare() const { return !hello_.wants_prepare || !hello_.prepare_matters; }
    std::uint32_t capabilities() const;

    const Hello& hello() const { return hello_; }
    std::size_t dimension() const;
    void prepare(sdk::Call& call, const sdk::Task& task, sdk::Batch samples);
    void encode(sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const
    {
        encode_as(call, sdk::Role::as_is, batch, out);
    }
    void encode_as(sdk::Call& call, sdk::Role role, sdk::Batch batch, sdk::Matrix out) const;

private:
    using ClientPointer = std::unique_ptr<Client>;

    ClientPointer start(const Client::Stop& stop) const;
    ClientPointer take(const sdk::Call& call) const;
    void give_back(ClientPointer client) const;

    sdk::Host host_;
    Launch launch_;
    Hello hello_;
    std::string identity_;
    std::optional<std::size_t> dimension_;

    mutable std::mutex mutex_;
    mutable std::condition_variable returned_;
    mutable std::vector<ClientPointer> idle_;
    mutable std::size_t running_ = 0; ///< clients, idle or at work
};

} // namespace senteval::process
