#include "encoder/prompted.hpp"

#include "encoder/prefixes.hpp"

#include <deque>
#include <utility>
#include <vector>

namespace senteval::encoder {
namespace {

/// Sentences behind their prompts.
struct Prompted {
    Prompted(std::span<const text::Sentence> given, const Prompts& prompts)
        : sentences(given.begin(), given.end())
    {
        for (text::Sentence& sentence : sentences)
            if (const auto prompt = prompts.find(sentence.role); prompt != prompts.end()) {
                sentence.text = texts.emplace_back(put_before(prompt->second, sentence));
                sentence.role = text::Role::as_is;
            }
    }

    std::deque<std::string> texts;
    std::vector<text::Sentence> sentences;
};

} // namespace

void PromptedEncoder::prepare(std::string_view task,
                              std::span<const text::Sentence> samples,
                              const CallContext& context)
{
    if (prompts_.empty() || !has_prepare())
        return encoder_.prepare(task, samples, context);
    encoder_.prepare(task, Prompted(samples, prompts_).sentences, context);
}

void PromptedEncoder::encode(std::span<const text::Sentence> batch,
                             float* out,
                             const CallContext& context)
{
    if (prompts_.empty())
        return encoder_.encode(batch, out, context);
    encoder_.encode(Prompted(batch, prompts_).sentences, out, context);
}

} // namespace senteval::encoder
