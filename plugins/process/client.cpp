#include "process/client.hpp"

#include "base/lines.hpp"
#include "remote/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace senteval::process {

namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::size_t protocol = 1;
constexpr std::size_t longest_header = std::size_t{1} << 20U;
constexpr std::size_t longest_dimension = std::size_t{1} << 24U;
constexpr std::size_t longest_line = 4096; ///< of standard error
constexpr std::size_t kept_lines = 5;
constexpr std::chrono::milliseconds poll_interval(100); ///< between two looks whether to stop
constexpr std::chrono::seconds grace(2); ///< that a client has to end once a pipe is closed

static_assert(std::endian::native == std::endian::little,
              "the protocol's numbers are little-endian");

/// A pipe whose reader has gone raises SIGPIPE; within this scope it is only an error of write().
class NoPipeSignal {
public:
    NoPipeSignal()
    {
        sigemptyset(&pipe_);
        sigaddset(&pipe_, SIGPIPE);
        sigset_t pending;
        sigpending(&pending);
        was_pending_ = sigismember(&pending, SIGPIPE) == 1;
        pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }
    NoPipeSignal(const NoPipeSignal&) = delete;
    NoPipeSignal& operator=(const NoPipeSignal&) = delete;
    ~NoPipeSignal()
    {
        const timespec now{};
        if (!was_pending_)
            while (sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
            }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

private:
    sigset_t pipe_{};
    sigset_t before_{};
    bool was_pending_ = false;
};

/// `count`, `bytes` and the sentences of a request.
std::string request_of(std::string_view what, json more, sdk::Batch batch)
{
    if (!batch.tokenised())
        more["tokenised"] = false;
    std::string payload;
    for (const std::string_view sentence : batch) {
        if (sentence.size() > std::numeric_limits<std::uint32_t>::max())
            throw sdk::Error(SENTEVAL_UNSUPPORTED, "a sentence is longer than 4 GiB");
        const auto size = static_cast<std::uint32_t>(sentence.size());
        std::array<char, sizeof size> prefix{};
        std::memcpy(prefix.data(), &size, sizeof size);
        payload.append(prefix.data(), prefix.size()).append(sentence);
    }
    // The order of keys and the absence of spaces are promised to clients that have no JSON parser.
    std::string header = fmt::format(R"({{"request":"{}","count":{},"bytes":{})", what,
                                     batch.size(), payload.size());
    for (const auto& [key, value] : more.items())
        header += fmt::format(",\"{}\":{}", key, value.dump());
    return header + "}\n" + payload;
}

std::string shown_sentences(sdk::Batch batch)
{
    std::vector<std::string_view> all;
    std::ranges::copy(batch, std::back_inserter(all));
    return remote::sentences(all);
}

/// An unsigned member of an answer, if it has it.
std::optional<std::size_t> number_at(const json& answer, const char* key)
{
    const auto found = answer.find(key);
    if (found == answer.end() || !found->is_number_unsigned())
        return std::nullopt;
    return found->get<std::size_t>();
}

bool flag_at(const json& answer, const char* key)
{
    const auto found = answer.find(key);
    return found != answer.end() && found->is_boolean() && found->get<bool>();
}

std::string text_at(const json& answer, const char* key)
{
    const auto found = answer.find(key);
    return found != answer.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string dumped(const json& value)
{
    return remote::printable(value.dump(-1, ' ', false, json::error_handler_t::replace), 200);
}

/// Several lines of what a client says: the traceback of a script, say.
std::string lines_of(std::string_view text)
{
    constexpr std::size_t most = 8000;
    std::string shown;
    while (!text.empty()) {
        shown += (shown.empty() ? "" : "\n") + remote::printable(base::take_line(text), most);
        if (shown.size() > most)
            return shown + "\n...";
    }
    return shown;
}

} // namespace

Client::Client(const Command& command,
               const ClientOptions& options,
               sdk::Host host,
               const Stop& stop)
    : command_(command), options_(options), host_(host)
{
    start();
    const std::string request = fmt::format(R"({{"request":"hello","protocol":{},"threads":{}}})",
                                            protocol, options.threads);
    read_hello(ask("say hello", request + "\n", stop));
}

Client::~Client()
{
    input_.close(); // the end of the input is the end of the work
    if (usable_ && child_)
        (void)child_->wait(grace);
    receive_errors();
    log_errors(true);
}

void Client::start()
{
    try {
        if (command_.words.empty()) {
            input_ = base::Descriptor(dup(STDIN_FILENO));
            output_ = base::Descriptor(dup(STDIN_FILENO));
            fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
            return;
        }
        base::Pipe input;
        base::Pipe output;
        base::Pipe errors;
        child_.emplace(
            sdk::ChildCommand{.words = command_.words,
                              .folder = command_.folder,
                              .descriptors = {{input.reading.number(), STDIN_FILENO},
                                              {output.writing.number(), STDOUT_FILENO},
                                              {errors.writing.number(), STDERR_FILENO}}});
        input_ = std::move(input.writing);
        output_ = std::move(output.reading);
        error_output_ = std::move(errors.reading);
    } catch (const std::runtime_error& e) { // of a pipe or of the child
        throw sdk::Error(SENTEVAL_INTERNAL, fmt::format("'{}': {}", command_.text, e.what()));
    }
    for (const base::Descriptor* one : {&input_, &output_, &error_output_})
        fcntl(one->number(), F_SETFL, fcntl(one->number(), F_GETFL) | O_NONBLOCK);
}

void Client::read_hello(const json& answer)
{
    const auto spoken = number_at(answer, "protocol");
    if (spoken != protocol)
        fail(fmt::format("it speaks protocol {}, and this program speaks {}",
                         answer.contains("protocol") ? dumped(answer.at("protocol"))
                                                     : "of no number",
                         protocol));
    hello_.name = text_at(answer, "name");
    hello_.version = text_at(answer, "version");
    hello_.wants_prepare = flag_at(answer, "prepare");
    hello_.prepare_matters = answer.value("prepare_matters", json(true)) != json(false);
    hello_.batch_invariant = flag_at(answer, "batch_invariant");
    hello_.deterministic = flag_at(answer, "deterministic");
    hello_.takes_roles = flag_at(answer, "roles");
    hello_.reranks = flag_at(answer, "reranks");
    hello_.similarity = text_at(answer, "similarity");
    if (hello_.reranks && !hello_.wants_prepare)
        fail("a client that \"reranks\" needs \"prepare\", which shows it the query");
    if (hello_.name.empty() || hello_.version.empty())
        fail(fmt::format(
            "it must have a \"name\" and a \"version\", texts that are not empty; it answered {}",
            dumped(answer)));
    hello_.dimension = number_at(answer, "dimension");
    if (!hello_.dimension && hello_.wants_prepare && text_at(answer, "dimension") == "per task")
        return;
    if (!hello_.dimension || *hello_.dimension == 0 || *hello_.dimension > longest_dimension)
        fail(fmt::format("its \"dimension\" must be 1 to {}, or \"per task\" where \"prepare\" is "
                         "true; it answered {}",
                         longest_dimension, dumped(answer)));
}

std::size_t Client::prepare(const sdk::Task& task, sdk::Batch samples, const Stop& stop)
{
    const json more = {{"language", std::string(task.language)}, {"task", std::string(task.name)}};
    const json answer = ask(fmt::format("prepare for {} with {}", remote::printable(task.name, 100),
                                        shown_sentences(samples)),
                            request_of("prepare", more, samples), stop);
    const auto told = number_at(answer, "dimension");
    const bool differs = hello_.dimension && told && *told != *hello_.dimension;
    if (differs || (!hello_.dimension && !told) ||
        (told && (*told == 0 || *told > longest_dimension)))
        fail(fmt::format("its answer is {}, where \"dimension\" must be {}", dumped(answer),
                         hello_.dimension
                             ? fmt::format("{}, as it said before, or missing", *hello_.dimension)
                             : fmt::format("1 to {}", longest_dimension)));
    return told ? *told : *hello_.dimension;
}

void Client::encode(sdk::Role role, sdk::Batch batch, sdk::Matrix out, const Stop& stop)
{
    json more = json::object();
    if (hello_.takes_roles && role != sdk::Role::as_is)
        more["role"] = role == sdk::Role::query ? "query" : "document";
    const json answer =
        ask("encode " + shown_sentences(batch), request_of("encode", more, batch), stop);
    const auto rows = number_at(answer, "rows");
    const auto dimension = number_at(answer, "dimension");
    if (rows != batch.size() || dimension != out.cols())
        fail(fmt::format("it answered {} instead of {} rows of dimension {}", dumped(answer),
                         batch.size(), out.cols()));
    std::uint64_t size = 0;
    exchange({}, stop, [&] { return answer_.size() >= sizeof size; });
    std::memcpy(&size, answer_.data(), sizeof size);
    const std::size_t wanted = batch.size() * out.cols() * sizeof(float);
    if (size != wanted)
        fail(fmt::format("it announced {} bytes of numbers, and {} rows of dimension {} have {}",
                         size, batch.size(), out.cols(), wanted));
    exchange({}, stop, [&] { return answer_.size() >= sizeof size + wanted; });
    read_rows(std::string_view(answer_).substr(sizeof size, wanted), batch, out);
    answer_.erase(0, sizeof size + wanted);
}

void Client::read_rows(std::string_view bytes, sdk::Batch batch, sdk::Matrix out)
{
    const std::size_t row_bytes = out.cols() * sizeof(float);
    for (std::size_t i = 0; i < out.rows(); ++i) {
        const auto row = out.row(i);
        std::memcpy(row.data(), bytes.data() + i * row_bytes, row_bytes);
        const auto bad =
            std::ranges::find_if_not(row, [](float value) { return std::isfinite(value); });
        if (bad != row.end())
            fail(fmt::format("element {} of {} of the vector of {} is {}", bad - row.begin() + 1,
                             row.size(), remote::shown(batch[i], 80), *bad));
    }
}

/// Sends a request and reads the header of its answer.
json Client::ask(const std::string& asked, const std::string& request, const Stop& stop)
{
    asked_ = asked;
    last_errors_.clear();
    std::size_t end = std::string::npos;
    exchange(request, stop, [&] {
        end = answer_.find('\n');
        if (end == std::string::npos && answer_.size() > longest_header)
            fail(fmt::format("it wrote {}, and no end of a line", remote::shown(answer_)));
        return end != std::string::npos;
    });
    const std::string header = answer_.substr(0, end);
    answer_.erase(0, end + 1);
    json answer;
    try {
        answer = remote::read_json(header);
    } catch (const std::runtime_error& e) {
        fail(fmt::format(
            "it answered {}, which {}; a client writes nothing but its answers to standard output",
            remote::shown(header), e.what()));
    }
    if (!answer.is_object())
        fail(fmt::format("it answered {}, which is no JSON object", remote::shown(header)));
    if (const auto error = answer.find("error"); error != answer.end())
        throw sdk::Error(
            failure_status(),
            fmt::format("'{}', asked to {}, says: {}", command_.text, asked_,
                        error->is_string() ? lines_of(error->get<std::string>()) : dumped(*error)));
    return answer;
}

/// Writes the request and reads until `is_complete`, which looks at answer_.
void Client::exchange(std::string_view request,
                      const Stop& stop,
                      const std::function<bool()>& is_complete)
{
    last_byte_ = Clock::now();
    while (!(request.empty() || input_ended_) || !is_complete()) {
        if (output_ended_)
            died();
        if (stop()) {
            end_child();
            throw sdk::Cancelled();
        }
        if (options_.stall.count() > 0 && Clock::now() - last_byte_ > options_.stall)
            fail(fmt::format(
                "it neither read nor wrote a byte for {:g} s (parameter 'stall_seconds'){}",
                std::chrono::duration<double>(options_.stall).count(),
                answer_.empty() ? "" : ", after " + remote::shown(answer_, 80)));
        if (!request.empty() && answer_.size() > longest_header)
            fail(fmt::format("it wrote {} and did not read its request",
                             remote::shown(answer_, 80)));
        wait_for_bytes(request);
        send(request);
        receive();
        receive_errors();
    }
}

void Client::wait_for_bytes(std::string_view request)
{
    const bool sending = !request.empty() && !input_ended_;
    std::array<pollfd, 3> all{
        {{output_.number(), POLLIN, 0},
         {error_output_.number(), POLLIN, 0}, // poll() passes over those below 0
         {sending ? input_.number() : -1, POLLOUT, 0}}};
    (void)poll(all.data(), all.size(), static_cast<int>(poll_interval.count()));
}

void Client::send(std::string_view& request)
{
    if (request.empty() || input_ended_)
        return;
    const NoPipeSignal guard;
    const ssize_t written = ::write(input_.number(), request.data(), request.size());
    if (written > 0) {
        request.remove_prefix(static_cast<std::size_t>(written));
        last_byte_ = Clock::now();
    } else if (written < 0 && errno != EAGAIN && errno != EINTR) {
        input_ended_ = true; // it may have said why
    }
}

/// Reads the pipe: all that a program wrote before it ended is there; a child that it left behind may keep the pipe
/// open.
void Client::receive()
{
    const bool has_ended = child_ && child_->wait(std::chrono::milliseconds(0)).has_value();
    std::array<char, 65536> block; // NOLINT: filled by read()
    const ssize_t got = ::read(output_.number(), block.data(), block.size());
    if (got > 0) {
        answer_.append(block.data(), static_cast<std::size_t>(got));
        last_byte_ = Clock::now();
    } else if (got == 0 || has_ended || (errno != EAGAIN && errno != EINTR)) {
        output_ended_ = true;
    }
}

void Client::receive_errors()
{
    std::array<char, 4096> block; // NOLINT: filled by read()
    for (int blocks = 0; error_output_.number() >= 0 && blocks < 64; ++blocks) {
        const ssize_t got = ::read(error_output_.number(), block.data(), block.size());
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            break;
        if (got <= 0) {
            error_output_.close();
            break;
        }
        errors_.append(block.data(), static_cast<std::size_t>(got));
        log_errors(false);
    }
}

/// Logs the lines of its standard error that have ended, or all there is. A progress bar's lines end in a
/// carriage return.
void Client::log_errors(bool all)
{
    for (;;) {
        const std::size_t end = std::min(errors_.find_first_of("\n\r"), longest_line);
        if (errors_.size() <= end && !(all && !errors_.empty()))
            return;
        const std::string line =
            remote::printable(std::string_view(errors_).substr(0, end), longest_line);
        const bool ended = end < errors_.size() && end < longest_line;
        errors_.erase(0, std::min(errors_.size(), end + (ended ? 1 : 0)));
        if (line.empty())
            continue;
        host_.info(fmt::format("'{}' says: {}", command_.text, line));
        last_errors_.push_back(line.substr(0, 500));
        if (last_errors_.size() > kept_lines)
            last_errors_.pop_front();
    }
}

/// Call where its standard output has come to an end.
void Client::died()
{
    if (!child_)
        fail("it has closed the connection");
    // A program that ends has closed its output just before.
    auto ending = child_->wait(poll_interval);
    for (auto waited = poll_interval; !ending && waited < grace; waited += poll_interval) {
        receive_errors();
        ending = child_->wait(poll_interval);
    }
    std::string what = ending ? "it " + ending->text()
                              : fmt::format("it closed its standard output and did not end within "
                                            "{} s",
                                            grace.count());
    if (!answer_.empty())
        what +=
            fmt::format(", after {} of an answer that is not whole", remote::shown(answer_, 80));
    fail(what);
}

/// A program that does not say hello is no fault of this library.
senteval_status Client::failure_status() const noexcept
{
    return hello_.name.empty() ? SENTEVAL_UNSUPPORTED : SENTEVAL_INTERNAL;
}

void Client::end_child()
{
    usable_ = false;
    if (child_)
        (void)child_->end();
}

void Client::fail(const std::string& what)
{
    end_child();
    receive_errors();
    log_errors(true);
    std::string message = fmt::format("'{}' was asked to {}: {}", command_.text, asked_, what);
    for (std::size_t i = 0; i < last_errors_.size(); ++i)
        message += (i == 0 ? "; its standard error ends in: " : " | ") + last_errors_[i];
    throw sdk::Error(failure_status(), message);
}

} // namespace senteval::process
