// past.hpp -- what earlier results, computed on this machine, tell of what is to come.
#pragma once

#include "core/json.hpp"
#include "task/task.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace senteval::run {

/// A guess, and the factor by which the truth may well lie above or below.
struct Guess {
    double value = 1;
    double factor = 1;
};

class Past {
public:
    /// Takes those documents that were computed on this machine.
    explicit Past(std::vector<core::Json> documents);

    /// Compares what fits of a whole task took with fit_seconds(), whose factor is learned from that.
    void learn(const std::string& task, const task::Size& size);

    /// By which fit_seconds() has to be multiplied here: as the task's own results tell, else those of
    /// the same protocol, else all.
    [[nodiscard]] Guess fit_factor(const std::string& task, const core::Json& settings) const;

    /// Of an encoder, by its fingerprint: on that task, or on every task that it was on.
    [[nodiscard]] std::optional<std::size_t> dimension(const std::string& encoder,
                                                       const std::string& task) const;

    /// Of one thread, by sentence.
    [[nodiscard]] std::optional<double> encode_seconds(const std::string& encoder) const;

    /// Fits that were learned from.
    [[nodiscard]] std::size_t fits() const noexcept { return all_.size(); }

    /// Fits that were left out: they were of parts of the data (--limit).
    [[nodiscard]] std::size_t limited() const noexcept { return limited_; }

private:
    struct Pace {
        double seconds = 0;
        double sentences = 0;
    };

    std::vector<core::Json> documents_;
    std::map<std::string, Pace> encoding_;                                 ///< by encoder
    std::map<std::string, std::map<std::string, std::size_t>> dimensions_; ///< by encoder and task
    // Logarithms of measured / told:
    std::map<std::string, std::vector<double>> by_task_;     ///< and classifier
    std::map<std::string, std::vector<double>> by_protocol_; ///< and classifier
    std::vector<double> all_;
    std::size_t limited_ = 0;
};

} // namespace senteval::run
