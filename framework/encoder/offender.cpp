#include "encoder/offender.hpp"

#include "encoder/sentences.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <string>

namespace senteval::encoder {
namespace {

using Clock = std::chrono::steady_clock;
using Sentences = std::span<const text::Sentence>;

/// A call that fails after longer than this, for want of an answer as a rule, is not repeated.
constexpr std::chrono::seconds longest_call(30);
constexpr std::chrono::seconds least_budget(10);

class Search {
public:
    Search(Encoder& encoder,
           Sentences batch,
           float* out,
           const CallContext& context,
           Clock::duration budget)
        : encoder_(encoder),
          batch_(batch),
          out_(out),
          context_(context),
          end_(Clock::now() + budget)
    {
    }

    std::string run()
    {
        if (batch_.size() <= 1)
            return "";
        Sentences part = batch_;
        bool is_smallest = false;
        while (!is_smallest && part.size() > 1 && has_time())
            is_smallest = !halve(part);
        if (part.size() == 1)
            return said_of(part);
        if (!is_smallest)
            return part.size() == batch_.size()
                       ? ""
                       : fmt::format(
                             "; {} sentences beginning with {} do it, too (the search for a "
                             "smaller part was given up)",
                             part.size(), first_of(part));
        if (part.size() == batch_.size() && !fails(batch_))
            return fmt::format("; a second time the same {} sentences did no harm", part.size());
        return fmt::format("; it takes {} sentences, beginning with {}", part.size(),
                           first_of(part));
    }

private:
    [[nodiscard]] bool has_time() const { return Clock::now() < end_; }

    static std::string first_of(Sentences part) { return shown(part.front().text); }

    bool fails(Sentences part)
    {
        try {
            encoder_.encode(part, out_, context_);
        } catch (const core::Cancelled&) {
            throw;
        } catch (const std::exception&) {
            return true;
        }
        some_do_no_harm_ = true;
        return false;
    }

    std::string said_of(Sentences one)
    {
        if (!is_to_blame(one))
            return fmt::format("; from there on it fails whatever it is given, {} alone as well",
                               first_of(one));
        if (has_time() && !fails(one)) // it fails by what came before, say each second time
            return fmt::format("; {} alone failed once, and did no harm a second time",
                               first_of(one));
        return "; the sentence that does it: " + first_of(one);
    }

    /// Whether one half of the part fails, too: then that is the part.
    bool halve(Sentences& part)
    {
        for (const Sentences half : {part.first(part.size() / 2), part.subspan(part.size() / 2)})
            if (fails(half)) {
                part = half;
                return true;
            }
        return false;
    }

    /// An encoder that fails whatever it is given, say since its server is gone, has no culprit.
    bool is_to_blame(Sentences one)
    {
        // Halving looks at first halves first: the first sentence was found without any that did no harm.
        return some_do_no_harm_ || !has_time() || !fails(batch_.subspan(1, one.size()));
    }

    Encoder& encoder_;
    Sentences batch_;
    float* out_;
    const CallContext& context_;
    Clock::time_point end_;
    bool some_do_no_harm_ = false;
};

} // namespace

void encode_or_tell(Encoder& encoder,
                    std::span<const text::Sentence> batch,
                    float* out,
                    const CallContext& context)
{
    const auto begin = Clock::now();
    try {
        encoder.encode(batch, out, context);
    } catch (const core::Cancelled&) {
        throw;
    } catch (const Investigated&) {
        throw;
    } catch (const std::exception& e) {
        const auto took = Clock::now() - begin;
        const auto budget = std::max<Clock::duration>(least_budget, 2 * took);
        const std::string found =
            took < longest_call ? Search(encoder, batch, out, context, budget).run() : "";
        throw core::Error("{}{}", e.what(), found);
    }
}

} // namespace senteval::encoder
