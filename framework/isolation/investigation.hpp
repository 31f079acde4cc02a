// investigation.hpp -- who killed the process of an encoder: the batches that were at work are encoded
// again, one after the other, in a new process; where it was prepare(), it is prepared again.
//
// Of several batches at work on several threads any may be guilty, whichever was the first to notice.
// Alone, and in their order, each answers for itself. Of the guilty one the smallest part that still kills
// is sought, halving it, so that a sentence can be named.
#pragma once

#include "isolation/calls.hpp"
#include "isolation/limits.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace senteval::isolation {

/// How to bring a new process to where the old one was. All of it outlives the investigation.
struct Recipe {
    const Service& service;
    const Order& order;
    const SharedBuffer& samples;
    const Prepared* prepared; ///< nullptr: nothing was
    std::size_t columns;      ///< 0: it was not asked for its dimension
};

/// A call that was at work when the process died.
struct Suspect {
    Operation operation{};
    std::span<const text::Sentence> batch;
    float* rows = nullptr;      ///< of encode(): where its result belongs
    std::string_view task = {}; ///< of prepare()
};

/// What became of a suspect.
struct Verdict {
    std::string guilt;    ///< why the process died of it; empty: it does no harm
    bool is_done = false; ///< its rows are written
};

class Investigation {
public:
    Investigation(const Recipe& recipe, std::stop_token stop);

    /// One verdict for each suspect of a death, in their order. Throws core::Cancelled.
    std::vector<Verdict> examine(const Death& death, std::span<const Suspect> suspects);

private:
    using Sentences = std::span<const text::Sentence>;

    [[nodiscard]] bool may_go_on() const;
    [[nodiscard]] Waiting waiting() const;
    void start();
    void perform(const Suspect& suspect, Sentences part, const Waiting& waiting);
    /// How the process died of it, if it did.
    std::optional<Death> run(const Suspect& suspect, Sentences part);
    [[nodiscard]] bool halve(const Suspect& suspect, Sentences& part, Death& death);
    [[nodiscard]] std::string blame(const Suspect& suspect, Death death);
    [[nodiscard]] bool is_alone(const Suspect& suspect, Sentences part);

    const Recipe& recipe_;
    std::stop_token stop_;
    std::chrono::steady_clock::time_point begin_;
    std::chrono::milliseconds budget_;
    int starts_ = 0;
    std::vector<std::unique_ptr<Lane>> lanes_;
    SharedBuffer parts_{1};                   ///< of what prepare() was shown
    bool some_do_no_harm_ = false;            ///< parts of the suspect at hand
    bool is_about_prepare_ = false;           ///< processes see the parts in place of the samples
    std::unique_ptr<EncoderProcess> process_; ///< ready, or none
};

} // namespace senteval::isolation
