#include "encoder/culprit.hpp"

#include "encoder/sentences.hpp"

#include <bit>

namespace senteval::encoder {
namespace {

using Clock = std::chrono::steady_clock;
using Sentences = std::span<const text::Sentence>;

class TimeIsUp {};

class Search {
public:
    Search(Sentences sentences,
           const Again& again,
           const CallContext& context,
           Clock::duration budget)
        : sentences_(sentences),
          again_(again),
          context_(context),
          end_(Clock::now() + budget),
          calls_left_(3 + static_cast<int>(std::bit_width(sentences.size())))
    {
    }

    std::string run()
    {
        const Sentences first = sentences_.first(1);
        if (fails(first))
            return fails(sentences_.last(1)) ? "; other sentences cause it, too" : blame(first);
        Sentences part = sentences_;
        while (part.size() > 1) {
            const Sentences half = part.first(part.size() / 2);
            part = fails(half) ? half : part.subspan(half.size());
        }
        return fails(part) ? blame(part) : "; no sentence causes it alone";
    }

private:
    static std::string blame(Sentences one)
    {
        return "; the sentence that causes it: " + shown(one.front().text);
    }

    bool fails(Sentences part)
    {
        const auto now = Clock::now();
        if (now >= end_)
            throw TimeIsUp();
        context_.deadline = now + (end_ - now) / calls_left_--;
        try {
            again_(part, context_);
            return false;
        } catch (const base::Cancelled&) {
            throw;
        } catch (const std::exception&) {
            return true;
        }
    }

    Sentences sentences_;
    const Again& again_;
    CallContext context_;
    Clock::time_point end_;
    int calls_left_; ///< at most
};

} // namespace

std::string culprit_text(Sentences sentences,
                         const Again& again,
                         const CallContext& context,
                         std::chrono::milliseconds budget)
{
    if (sentences.size() <= 1)
        return "";
    try {
        return Search(sentences, again, context, budget).run();
    } catch (const TimeIsUp&) {
        return "; the search for the sentence that causes it took too long";
    }
}

} // namespace senteval::encoder
