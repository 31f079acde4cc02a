#include "run/cost.hpp"

#include "base/counted.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/processor.hpp"
#include "run/options.hpp"
#include "run/record.hpp"
#include "stats/counter_stream.hpp"
#include "text/sentence.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <thread>

namespace senteval::run {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view usual_words =
    "the of and to in a is that for it was on are as with his they at be this from have or by one "
    "had not but what all were when we there can an your which their said if do will each about "
    "how up out them then she many some so these would other into has more her two like him see "
    "time could no make than first been its who now people my made over did down only way find "
    "water long little very after words called just where most know get through back much before";

double seconds_since(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// A process as /proc reports it.
struct Process {
    int parent = 0;
    double seconds = 0; ///< with those of its children that have ended
};

std::map<int, Process> all_processes()
{
    std::map<int, Process> all;
    std::error_code error;
    for (std::filesystem::directory_iterator at("/proc", error), end; !error && at != end;
         at.increment(error)) {
        const int number = std::atoi(at->path().filename().c_str());
        std::ifstream file(at->path() / "stat");
        std::string line;
        if (number <= 0 || !std::getline(file, line))
            continue;
        std::istringstream fields(line.substr(line.rfind(')') + 1)); // names may hold anything
        std::vector<std::string> all_fields{std::istream_iterator<std::string>(fields), {}};
        if (all_fields.size() < 15)
            continue;
        double ticks = 0;
        for (std::size_t field = 11; field < 15; ++field) // utime, stime, cutime, cstime
            ticks += std::strtod(all_fields[field].c_str(), nullptr);
        all[number] = {std::atoi(all_fields[1].c_str()),
                       ticks / static_cast<double>(sysconf(_SC_CLK_TCK))};
    }
    return all;
}

/// 0 where the system does not tell.
std::uint64_t peak_bytes_of(int process)
{
    std::ifstream file(fmt::format("/proc/{}/status", process));
    constexpr std::string_view key = "VmHWM:";
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(key))
            return std::strtoull(line.c_str() + key.size(), nullptr, 10) * 1024;
    return 0;
}

/// The begun document: whose cost it is, and where.
results::Cost begun(const encoder::Identity& encoder, const CostOptions& options)
{
    results::Cost cost;
    cost.program = "senteval " SENTEVAL_PROGRAM_VERSION;
    cost.encoder = encoder;
    cost.where = computer_name();
    cost.threads = options.threads;
    return cost;
}

/// The sentences as a run gives them to an encoder, through one matrix.
class Work {
public:
    Work(encoder::Encoder& encoder, const CostOptions& options)
        : encoder_(encoder), options_(options)
    {
        for (const std::string& one : cost_sentences())
            sentences_.push_back(
                {one, static_cast<std::uint32_t>(std::ranges::count(one, ' ') + 1)});
        std::ranges::stable_sort(sentences_, {}, &text::Sentence::tokens);
        encoder.prepare("cost", sentences_, context(options.threads));
        dimension_ = encoder.dimension();
        vectors_.resize(sentences_.size() * dimension_);
    }

    [[nodiscard]] std::size_t dimension() const { return dimension_; }
    [[nodiscard]] std::size_t size() const { return sentences_.size(); }

    void encode_one_batch() { encode_batch(0, options_.threads); }

    void encode_all()
    {
        const bool is_concurrent = encoder_.capabilities().concurrent;
        base::parallel_for((size() + batch() - 1) / batch(), is_concurrent ? options_.threads : 1,
                           [&](std::size_t number) {
                               if (options_.stop.stop_requested())
                                   throw base::Cancelled();
                               encode_batch(number, is_concurrent ? 1 : options_.threads);
                           });
    }

private:
    [[nodiscard]] std::size_t batch() const
    {
        return std::max<std::size_t>(options_.batch_size, 1);
    }
    [[nodiscard]] encoder::CallContext context(unsigned threads) const
    {
        return {threads, options_.stop, {}};
    }
    void encode_batch(std::size_t number, unsigned threads)
    {
        const std::size_t first = number * batch();
        encoder_.encode(std::span(sentences_).subspan(first, std::min(batch(), size() - first)),
                        &vectors_[first * dimension_], context(threads));
    }

    encoder::Encoder& encoder_;
    const CostOptions& options_;
    std::vector<text::Sentence> sentences_;
    std::size_t dimension_ = 0;
    std::vector<float> vectors_;
};

} // namespace

const std::vector<std::string>& cost_sentences()
{
    static const std::vector<std::string> all = [] {
        constexpr std::size_t count = 1000;
        constexpr std::size_t shortest = 5;
        constexpr double lengths = 25;
        std::istringstream stream{std::string(usual_words)};
        const std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
        stats::CounterStream random(1111, 0);
        std::vector<std::string> sentences(count);
        for (std::string& sentence : sentences) {
            const auto length = shortest + static_cast<std::size_t>(random.uniform() * lengths);
            for (std::size_t at = 0; at < length; ++at)
                sentence += (at == 0 ? "" : " ") +
                            words[static_cast<std::size_t>(random.uniform() *
                                                           static_cast<double>(words.size()))];
        }
        return sentences;
    }();
    return all;
}

std::string computer_name()
{
    return fmt::format("{}, {}", base::processor_name(),
                       base::counted(std::thread::hardware_concurrency(), "processor"));
}

std::vector<int> children()
{
    std::vector<int> own;
    for (const auto& [number, process] : all_processes())
        if (process.parent == getpid())
            own.push_back(number);
    return own;
}

Usage usage_of(const std::vector<int>& processes)
{
    const auto all = all_processes();
    std::vector<int> tree = processes;
    for (std::size_t at = 0; at < tree.size(); ++at)
        for (const auto& [number, process] : all)
            if (process.parent == tree[at])
                tree.push_back(number);
    Usage usage;
    for (const int process : tree)
        if (const auto found = all.find(process); found != all.end()) {
            usage.seconds += found->second.seconds;
            usage.peak_bytes += peak_bytes_of(process);
        }
    return usage;
}

std::optional<results::Cost> measure_cost(const PlannedEncoder& planned,
                                          const encoder::Logger& logger,
                                          const CostOptions& options)
{
    constexpr double long_enough = 0.5;
    PlannedEncoder isolated = planned;
    if (!isolated.service)
        isolated.service.emplace();
    const auto others = children();
    const auto begin = Clock::now();
    const EncoderSource source = source_of(isolated, logger, {options.threads, options.stop, {}});
    results::Cost cost = begun(source.identity, options);
    const auto is_known = [&] { return options.is_known && options.is_known(cost); };
    if (!source.states_identity && is_known())
        return std::nullopt;
    const auto encoder = source.create();
    cost = begun(encoder->identity(), options);
    if (source.states_identity && is_known())
        return std::nullopt;
    Work work(*encoder, options);
    const double start = seconds_since(begin);
    const auto before_first = Clock::now();
    work.encode_one_batch();
    const double first_call = seconds_since(before_first);

    std::vector<int> own = children();
    std::erase_if(own,
                  [&](int process) { return std::ranges::find(others, process) != others.end(); });
    const double seconds_before = usage_of(own).seconds;
    const auto before = Clock::now();
    double encoded = 0;
    double clock = 0;
    while (clock < long_enough) {
        work.encode_all();
        encoded += static_cast<double>(work.size());
        clock = seconds_since(before);
    }
    const Usage usage = usage_of(own);
    const double processor = usage.seconds - seconds_before;
    cost.sentences = work.size();
    cost.batch_size = options.batch_size;
    cost.dimension = work.dimension();
    cost.seconds_to_start = start;
    cost.seconds_of_first_call = first_call;
    cost.sentences_per_second = encoded / clock;
    if (processor > 0) // ticks of a hundredth
        cost.sentences_per_processor_second = encoded / processor;
    cost.peak_bytes = usage.peak_bytes;
    cost.date = utc_now();
    cost.computer = this_computer();
    return cost;
}

} // namespace senteval::run
