#include "exchange/event_file.hpp"

#include <bit>
#include <cstddef>
#include <string_view>

namespace senteval::exchange {
namespace {

std::uint32_t crc32c(std::string_view bytes)
{
    constexpr std::uint32_t castagnoli = 0x82f63b78;
    std::uint32_t crc = ~0U;
    for (const char byte : bytes) {
        crc ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit)
            crc = crc >> 1U ^ ((crc & 1U) == 0 ? 0 : castagnoli);
    }
    return ~crc;
}

template <typename Number>
std::string little_endian(Number number)
{
    std::string bytes;
    for (std::size_t at = 0; at < sizeof number; ++at)
        bytes += static_cast<char>(number >> (8 * at) & 0xff);
    return bytes;
}

std::string checksum(std::string_view bytes)
{
    constexpr std::uint32_t mask = 0xa282ead8;
    return little_endian(std::rotr(crc32c(bytes), 15) + mask);
}

std::string record(std::string_view event)
{
    const std::string length = little_endian(std::uint64_t{event.size()});
    return length + checksum(length) + std::string(event) + checksum(event);
}

std::string varint(std::uint64_t number)
{
    std::string bytes;
    for (; number >= 0x80; number >>= 7U)
        bytes += static_cast<char>(number | 0x80);
    return bytes + static_cast<char>(number);
}

enum Wire : unsigned { is_varint = 0, is_64_bits = 1, is_bytes = 2, is_32_bits = 5 };

std::string key(unsigned field, Wire wire)
{
    return varint(field << 3U | wire);
}

std::string bytes_field(unsigned field, std::string_view bytes)
{
    return key(field, is_bytes) + varint(bytes.size()) + std::string(bytes);
}

std::string event(double seconds, std::int64_t step, std::string_view what)
{
    return key(1, is_64_bits) + little_endian(std::bit_cast<std::uint64_t>(seconds)) +
           key(2, is_varint) + varint(static_cast<std::uint64_t>(step)) + std::string(what);
}

} // namespace

std::string event_file(std::span<const Scalar> scalars)
{
    const double start = scalars.empty() ? 0 : scalars.front().seconds;
    std::string file = record(event(start, 0, bytes_field(3, "brain.Event:2")));
    for (const Scalar& one : scalars) {
        const auto value = std::bit_cast<std::uint32_t>(static_cast<float>(one.value));
        const std::string summary =
            bytes_field(1, bytes_field(1, one.tag) + key(2, is_32_bits) + little_endian(value));
        file += record(event(one.seconds, one.step, bytes_field(5, summary)));
    }
    return file;
}

} // namespace senteval::exchange
