#include "check/sentences.hpp"

#include "base/error.hpp"
#include "check/host.hpp"
#include "text/sentence_lines.hpp"

#include <fmt/format.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <new>
#include <utility>

namespace senteval::check {

Sentences::Sentences(std::vector<std::string> texts, std::uint32_t flags)
    : texts_(std::move(texts)), flags_(flags)
{
    for (const std::string& text : texts_)
        views_.push_back({text.data(), text.size()});
}

std::string Sentences::shown() const
{
    constexpr std::size_t most = 3;
    std::string result = "[";
    for (std::size_t i = 0; i < std::min(size(), most); ++i)
        result += (i == 0 ? "" : ", ") + check::shown((*this)[i]);
    if (size() > most)
        result += fmt::format(", ... {} in all", size());
    return result + "]";
}

Texts::Texts()
    : ordinary_{
          // Short: some encoders take long for each word.
          "the cat", "rain", "small dog", "old .", "14 ?", "a", "dogs run", "\" who",
      }
{
}

Texts::Texts(const std::filesystem::path& known)
{
    constexpr std::size_t most = 64;
    std::ifstream file(known, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    for (auto& [line, role] : text::read_sentence_lines(known.string(), bytes))
        if (known_.size() < most && role == text::Role::none && !line.empty() &&
            std::ranges::find(known_, line) == known_.end())
            known_.push_back(std::move(line));
    if (known_.empty())
        throw base::UsageError("there are no sentences to try in '{}'", known.string());
    ordinary_ = many(Texts().ordinary().size());
}

std::vector<std::string> Texts::many(std::size_t count) const
{
    std::vector<std::string> many;
    for (std::size_t i = 0; i < count; ++i)
        many.push_back(!are_free() ? known_[i % known_.size()]
                                   : ordinary_[i % ordinary_.size()] + " " +
                                         ordinary_[(i / 5 + 3) % ordinary_.size()] + " " +
                                         std::to_string(i % 97));
    return many;
}

GuardedMemory::GuardedMemory(std::string_view text)
{
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    size_ = (text.size() + page - 1) / page * page;
    region_ = mmap(nullptr, size_ + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (region_ == MAP_FAILED)
        throw std::bad_alloc();
    mprotect(region_, size_, PROT_READ | PROT_WRITE);
    char* const begin = static_cast<char*>(region_) + size_ - text.size();
    std::ranges::copy(text, begin);
    view_ = {text.empty() ? nullptr : begin, text.size()};
}

GuardedMemory::GuardedMemory(GuardedMemory&& other) noexcept
    : region_(std::exchange(other.region_, nullptr)), size_(other.size_), view_(other.view_)
{
}

GuardedMemory::~GuardedMemory()
{
    if (region_ != nullptr)
        munmap(region_, size_ + static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
}

void GuardedMemory::protect() noexcept
{
    mprotect(region_, size_, PROT_READ);
}

void GuardedMemory::take_away() noexcept
{
    mprotect(region_, size_, PROT_NONE);
    region_ = nullptr;
}

std::vector<GuardedMemory> guarded(const std::vector<std::string>& texts)
{
    return {texts.begin(), texts.end()};
}

Sentences sentences_in(const std::vector<GuardedMemory>& memory)
{
    std::vector<senteval_string> views;
    for (const GuardedMemory& one : memory)
        views.push_back(one.view());
    return Sentences(std::move(views));
}

std::size_t hash_of(const Vectors& vectors)
{
    return std::hash<std::string_view>{}({reinterpret_cast<const char*>(vectors.values.data()),
                                          vectors.values.size() * sizeof(float)});
}

encoder::Difference difference(const Vectors& a, const Vectors& b)
{
    if (a.dimension != b.dimension || a.values.size() != b.values.size())
        return {std::numeric_limits<double>::infinity(), 0};
    encoder::Difference most;
    for (std::size_t row = 0; row < a.values.size() / a.dimension; ++row)
        if (const auto here = encoder::difference(a.row(row), b.row(row)); here.size > most.size)
            most = {here.size, row * a.dimension + here.at};
    return most;
}

} // namespace senteval::check
