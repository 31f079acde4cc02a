// client.hpp -- one running client program and its side of the protocol (sdk/clients/README.md).
#pragma once

#include "base/descriptor.hpp"
#include "process/command.hpp"

#include <senteval/child.hpp>
#include <senteval/encoder.hpp>

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace senteval::process {

/// A client's description of itself.
struct Hello {
    std::string name;
    std::string version;
    std::optional<std::size_t> dimension; ///< nothing: the answer to every prepare tells it
    bool wants_prepare = false;
    bool prepare_matters = true; ///< to vectors
    bool batch_invariant = false;
    bool deterministic = false;
    bool takes_roles = false;
    bool reranks = false;   ///< documents, by the query that prepare() shows
    std::string similarity; ///< empty: it states none

    bool operator==(const Hello&) const = default;
};

/// Options of clients, and limits of time.
struct ClientOptions {
    unsigned threads = 1;              ///< that the client is told to use
    std::chrono::milliseconds stall{}; ///< the most without a byte read or written; 0: for ever
};

/// A client at work. Where a call throws, is_usable() says whether the client only told an error, or was
/// ended. Calls on one object do not overlap; they may come from any thread.
class Client {
public:
    /// Says whether to stop; asked several times a second.
    using Stop = std::function<bool()>;

    /// Starts the program, unless it runs already, and hears what it says of itself. Throws sdk::Error,
    /// sdk::Cancelled.
    Client(const Command& command, const ClientOptions& options, sdk::Host host, const Stop& stop);
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    ~Client();

    [[nodiscard]] const Hello& hello() const noexcept { return hello_; }

    /// Whether it may be asked again: true until it broke the protocol, ended, or was ended.
    [[nodiscard]] bool is_usable() const noexcept { return usable_; }

    /// Shows it a task's sentences; returns the dimension that holds from now on.
    std::size_t prepare(const sdk::Task& task, sdk::Batch samples, const Stop& stop);

    /// Fills `out`, whose columns are what the client's dimension is. The role is sent to a client that takes it.
    void encode(sdk::Role role, sdk::Batch batch, sdk::Matrix out, const Stop& stop);

private:
    void start();
    nlohmann::json ask(const std::string& asked, const std::string& request, const Stop& stop);
    void read_hello(const nlohmann::json& answer);
    void read_rows(std::string_view bytes, sdk::Batch batch, sdk::Matrix out);

    void
    exchange(std::string_view request, const Stop& stop, const std::function<bool()>& is_complete);
    void wait_for_bytes(std::string_view request);
    void send(std::string_view& request);
    void receive();
    void receive_errors();
    void log_errors(bool all);
    void end_child();
    [[noreturn]] void died();
    [[noreturn]] void fail(const std::string& what);
    [[nodiscard]] senteval_status failure_status() const noexcept;

    const Command& command_;
    ClientOptions options_;
    sdk::Host host_;
    base::Descriptor input_;
    base::Descriptor output_;
    base::Descriptor error_output_;
    std::optional<sdk::Child> child_;
    Hello hello_;
    bool usable_ = true;
    std::string asked_;  ///< what it was asked last, for messages
    std::string answer_; ///< read from it, not used yet
    std::string errors_; ///< the beginning of a line of its standard error
    std::deque<std::string> last_errors_;
    bool output_ended_ = false;
    bool input_ended_ = false;
    std::chrono::steady_clock::time_point last_byte_;
};

} // namespace senteval::process
