#include "check/sentences.hpp"

#include "check/host.hpp"
#include "core/error.hpp"
#include "encoder/claims.hpp"

#include <fmt/format.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <new>
#include <utility>

namespace senteval::check {

Sentences::Sentences(std::vector<std::string> texts) : texts_(std::move(texts))
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
          "a small dog runs along the river",
          "the cat sleeps on the warm stone",
          "rain",
          "we walk home before the rain begins .",
          "two birds sing in the old tree",
          "numbers such as 3 and 14 are words , too",
          "the cat sleeps",
          "old stones and warm rain , old friends and a long way home",
          "a",
          "\" who is there ? \" she asked -- and nobody answered",
          "dogs run",
      }
{
}

Texts::Texts(const std::filesystem::path& known)
{
    constexpr std::size_t most = 64;
    std::ifstream file(known);
    for (std::string line; known_.size() < most && std::getline(file, line);) {
        if (line.ends_with('\r'))
            line.pop_back();
        if (!line.empty() && std::ranges::find(known_, line) == known_.end())
            known_.push_back(std::move(line));
    }
    if (known_.empty())
        throw core::UsageError("there are no sentences to try in '{}'", known.string());
    ordinary_ = many(Texts().ordinary().size());
}

std::vector<std::string> Texts::many(std::size_t count) const
{
    std::vector<std::string> many;
    for (std::size_t i = 0; i < count; ++i)
        many.push_back(!are_free() ? known_[i % known_.size()]
                                   : ordinary_[i % ordinary_.size()] + " " +
                                         ordinary_[(i * 7 + 3) % ordinary_.size()] + " " +
                                         ordinary_[(i / 5 + 7) % ordinary_.size()] + " " +
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
    protect(PROT_READ | PROT_WRITE);
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

void GuardedMemory::protect(int protection) noexcept
{
    if (size_ > 0)
        mprotect(region_, size_, protection);
}

double distance(const Vectors& a, const Vectors& b)
{
    if (a.dimension != b.dimension || a.values.size() != b.values.size())
        return std::numeric_limits<double>::infinity();
    double farthest = 0;
    for (std::size_t i = 0; i < a.rows(); ++i) {
        float apart = 0;
        float size = 0;
        for (std::size_t k = 0; k < a.dimension; ++k) {
            apart = std::max(apart, std::abs(a.row(i)[k] - b.row(i)[k]));
            size = std::max({size, std::abs(a.row(i)[k]), std::abs(b.row(i)[k])});
        }
        if (size > 0)
            farthest = std::max(farthest, static_cast<double>(apart) / size);
    }
    return farthest;
}

std::ptrdiff_t difference(std::span<const float> a, std::span<const float> b, bool bits)
{
    if (!bits) {
        const auto at = encoder::beyond_rounding(a, b);
        return at ? static_cast<std::ptrdiff_t>(*at) : -1;
    }
    for (std::size_t k = 0; k < a.size(); ++k)
        if (std::bit_cast<std::uint32_t>(a[k]) != std::bit_cast<std::uint32_t>(b[k]))
            return static_cast<std::ptrdiff_t>(k);
    return -1;
}

} // namespace senteval::check
