#include "model_files/unicode.hpp"

#include "base/unicode.hpp"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>

namespace senteval::model_files {
namespace {

/// The general category in Unicode 8, as a mask: what is newer was not assigned, and five signs were something else.
std::uint32_t category(char32_t c)
{
    switch (c) {
    case 0x1734:
        return U_GC_MN_MASK;
    case 0x1885:
    case 0x1886:
        return U_GC_LO_MASK;
    case 0xA9BD:
        return U_GC_MC_MASK;
    case 0x166D:
    case 0x111C9:
        return U_GC_PO_MASK;
    default:
        break;
    }
    UVersionInfo age;
    u_charAge(static_cast<UChar32>(c), age);
    return age[0] > 8 ? U_GC_CN_MASK : U_GET_GC_MASK(static_cast<UChar32>(c));
}

/// Characters that are newer than Unicode 15, up to 16 (https://www.unicode.org/Public/16.0.0/ucd/).
Kind newer_kind(char32_t c)
{
    struct Range {
        char32_t first;
        char32_t last;
        Kind kind;
    };
    using enum Kind;
    static constexpr Range ranges[] = {
        {0x897, 0x897, mark},       {0x1C89, 0x1C8A, letter},   {0xA7CB, 0xA7CD, letter},
        {0xA7DA, 0xA7DC, letter},   {0x105C0, 0x105F3, letter}, {0x10D40, 0x10D49, number},
        {0x10D4A, 0x10D65, letter}, {0x10D69, 0x10D6D, mark},   {0x10D6F, 0x10D85, letter},
        {0x10EC2, 0x10EC4, letter}, {0x10EFC, 0x10EFC, mark},   {0x11380, 0x11389, letter},
        {0x1138B, 0x1138B, letter}, {0x1138E, 0x1138E, letter}, {0x11390, 0x113B5, letter},
        {0x113B7, 0x113B7, letter}, {0x113B8, 0x113C0, mark},   {0x113C2, 0x113C2, mark},
        {0x113C5, 0x113C5, mark},   {0x113C7, 0x113CA, mark},   {0x113CC, 0x113D0, mark},
        {0x113D1, 0x113D1, letter}, {0x113D2, 0x113D2, mark},   {0x113D3, 0x113D3, letter},
        {0x113E1, 0x113E2, mark},   {0x116D0, 0x116E3, number}, {0x11BC0, 0x11BE0, letter},
        {0x11BF0, 0x11BF9, number}, {0x11F5A, 0x11F5A, mark},   {0x13460, 0x143FA, letter},
        {0x16100, 0x1611D, letter}, {0x1611E, 0x1612F, mark},   {0x16130, 0x16139, number},
        {0x16D40, 0x16D6C, letter}, {0x16D70, 0x16D79, number}, {0x18CFF, 0x18CFF, letter},
        {0x1CCF0, 0x1CCF9, number}, {0x1E5D0, 0x1E5ED, letter}, {0x1E5EE, 0x1E5EF, mark},
        {0x1E5F0, 0x1E5F0, letter}, {0x1E5F1, 0x1E5FA, number}, {0x2EBF0, 0x2EE5D, letter},
    };
    const auto* const found = std::ranges::lower_bound(ranges, c, {}, &Range::last);
    return found != std::end(ranges) && found->first <= c ? found->kind : other;
}

/// How a character stays with its neighbours.
enum class Joining : std::uint8_t { none, alone, before, behind };

Joining joining(char32_t c)
{
    switch (u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_GRAPHEME_CLUSTER_BREAK)) {
    case U_GCB_CONTROL:
    case U_GCB_CR:
    case U_GCB_LF:
        return Joining::alone;
    case U_GCB_EXTEND:
    case U_GCB_SPACING_MARK:
    case U_GCB_ZWJ:
        return Joining::before;
    case U_GCB_PREPEND:
        return Joining::behind;
    default:
        return c == 0x113D1                  ? Joining::behind
               : newer_kind(c) == Kind::mark ? Joining::before
                                             : Joining::none;
    }
}

} // namespace

Kind kind_of(char32_t c)
{
    if (const char32_t low = c | 0x20U; low >= 'a' && low <= 'z') // most are
        return Kind::letter;
    if (base::is_white_space(c))
        return Kind::space;
    UVersionInfo age;
    u_charAge(static_cast<UChar32>(c), age);
    const std::uint32_t mask = age[0] > 16 ? 0 : U_GET_GC_MASK(static_cast<UChar32>(c));
    return (mask & U_GC_L_MASK) != 0   ? Kind::letter
           : (mask & U_GC_N_MASK) != 0 ? Kind::number
           : (mask & U_GC_M_MASK) != 0 ? Kind::mark
           : mask == U_GC_CN_MASK      ? newer_kind(c)
                                       : Kind::other;
}

std::size_t cluster_end(std::string_view text, std::size_t at)
{
    const auto is_ascii = [&](std::size_t i) { return static_cast<unsigned char>(text[i]) < 128; };
    const char32_t first = base::next_or_replacement(text, at);
    if (first == '\r' && at < text.size() && text[at] == '\n')
        return at + 1;
    if (first < 128 && (at == text.size() || is_ascii(at)))
        return at;
    Joining last = joining(first);
    while (last != Joining::alone && at < text.size()) {
        std::size_t next = at;
        const Joining here = joining(base::next_or_replacement(text, next));
        if (here != Joining::before && (last != Joining::behind || here == Joining::alone))
            break;
        last = here;
        at = next;
    }
    return at;
}

bool is_word(char32_t c)
{
    return c == '_' || u_isalnum(static_cast<UChar32>(c)) != 0;
}

bool is_removed(char32_t c)
{
    if (c == '\t' || c == '\n' || c == '\r')
        return false;
    return c == 0xFFFD || (category(c) & (U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK)) != 0;
}

bool is_punctuation(char32_t c)
{
    if (c < 0x80)
        return c > ' ' && c != 0x7F && u_isalnum(static_cast<UChar32>(c)) == 0;
    return (category(c) & U_GC_P_MASK) != 0;
}

bool is_mark(char32_t c)
{
    return c >= 0x300 && (category(c) & U_GC_MN_MASK) != 0;
}

bool is_cjk(char32_t c)
{
    const auto within = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
    return within(0x3400, 0x4DBF) || within(0x4E00, 0x9FFF) || within(0xF900, 0xFAFF) ||
           within(0x20000, 0x2A6DF) || within(0x2A700, 0x2B81F) || // the library leaves a gap here
           within(0x2B920, 0x2CEAF) || within(0x2F800, 0x2FA1F);
}

void append_without_marks(std::string& text, char32_t c)
{
    UErrorCode error = U_ZERO_ERROR;
    icu::UnicodeString parts;
    if (!icu::Normalizer2::getNFDInstance(error)->getDecomposition(static_cast<UChar32>(c), parts))
        parts = static_cast<UChar32>(c);
    for (std::int32_t i = 0; i < parts.length(); i = parts.moveIndex32(i, 1))
        if (const auto part = static_cast<char32_t>(parts.char32At(i)); !is_mark(part))
            base::append_character(text, part);
}

std::string unicode_form(std::string_view text, std::string_view form)
{
    UErrorCode error = U_ZERO_ERROR;
    const auto* const normaliser = icu::Normalizer2::getInstance(
        nullptr, form.size() == 4 ? "nfkc" : "nfc",
        form.ends_with('C') ? UNORM2_COMPOSE : UNORM2_DECOMPOSE, error);
    const icu::StringPiece piece(text.data(), static_cast<std::int32_t>(text.size()));
    if (U_SUCCESS(error) && normaliser->isNormalizedUTF8(piece, error))
        return std::string(text);
    std::string result;
    icu::StringByteSink sink(&result, piece.size());
    normaliser->normalizeUTF8(0, piece, sink, nullptr, error);
    return result;
}

std::string_view without_outer_space(std::string_view text, bool left, bool right)
{
    for (std::size_t at = 0;
         left && at < text.size() && base::is_white_space(base::next_or_replacement(text, at));
         at = 0)
        text.remove_prefix(at);
    while (right && !text.empty()) {
        const std::size_t begin = base::character_before(text, text.size());
        std::size_t at = begin;
        if (!base::is_white_space(base::next_or_replacement(text, at)))
            break;
        text = text.substr(0, begin);
    }
    return text;
}

} // namespace senteval::model_files
