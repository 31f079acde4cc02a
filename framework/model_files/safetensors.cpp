#include "model_files/safetensors.hpp"

#include "base/half.hpp"
#include "base/refuse.hpp"

#include <fmt/ranges.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>

namespace senteval::model_files {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little);

constexpr std::uint64_t most_header_bytes = 100'000'000;

std::size_t bytes_of_element(std::string_view type)
{
    if (type == "F64" || type == "I64" || type == "U64")
        return 8;
    if (type == "F32" || type == "I32" || type == "U32")
        return 4;
    if (type == "F16" || type == "BF16" || type == "I16" || type == "U16")
        return 2;
    if (type == "I8" || type == "U8" || type == "BOOL")
        return 1;
    return 0; // not known: its size is not checked
}

float from_bfloat(std::uint16_t upper)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(upper) << 16U);
}

/// Elements from `first` on, stored as Stored.
template <typename Stored, typename Number, typename Convert>
void copy(std::string_view bytes, std::size_t first, std::span<Number> out, Convert&& convert)
{
    const char* at = bytes.data() + first * sizeof(Stored); // perhaps not aligned
    for (Number& number : out) {
        Stored stored;
        std::memcpy(&stored, at, sizeof stored);
        number = convert(stored);
        at += sizeof stored;
    }
}

/// Advice about weights in formats that are not read; empty where there are none.
std::string advice_of(const fs::path& folder)
{
    std::set<std::pair<bool, std::string>> found; // first those that can be converted
    std::error_code absent;
    for (const char* const where : {"", "onnx"})
        for (const auto& entry : fs::directory_iterator(folder / where, absent)) {
            const fs::path name = fs::path(where) / entry.path().filename();
            const std::string ending = name.extension();
            if (name.string().starts_with("pytorch_model-") && ending == ".bin")
                found.emplace(false, name);
            else if (ending == ".gguf" || ending == ".onnx" || ending == ".h5" ||
                     ending == ".msgpack")
                found.emplace(true, name);
        }
    if (found.empty())
        return {};
    const auto& [is_foreign, name] = *found.begin();
    return "; " + name + " is not read. " +
           (is_foreign ? "Serve it and use --encoder http, or make vectors of it for --encoder "
                         "precomputed"
                       : fmt::format("Convert it: python3 -c \"from transformers import AutoModel; "
                                     "AutoModel.from_pretrained('{0}').save_pretrained('{0}')\"",
                                     folder.string()));
}

template <typename Number>
constexpr auto as = [](auto stored) { return static_cast<Number>(stored); };

} // namespace

void Tensor::read(std::size_t first, std::span<float> out) const
{
    if (type == "F32")
        std::memcpy(out.data(), bytes.data() + first * sizeof(float), out.size_bytes());
    else if (type == "F16")
        copy<std::uint16_t>(bytes, first, out, base::from_half);
    else if (type == "BF16")
        copy<std::uint16_t>(bytes, first, out, from_bfloat);
    else if (type == "F64")
        copy<double>(bytes, first, out, as<float>);
    else if (type == "I8")
        copy<std::int8_t>(bytes, first, out, as<float>);
    else
        throw sdk::Error(SENTEVAL_UNSUPPORTED, where + " is of type " + type +
                                                   "; F32, F16, BF16, F64 and I8 can be read");
}

std::vector<float> Tensor::floats() const
{
    std::vector<float> all(size);
    read(0, all);
    return all;
}

std::vector<std::int64_t> Tensor::integers() const
{
    std::vector<std::int64_t> all(size);
    if (type == "I64")
        copy<std::int64_t>(bytes, 0, std::span(all), as<std::int64_t>);
    else if (type == "I32")
        copy<std::int32_t>(bytes, 0, std::span(all), as<std::int64_t>);
    else if (type == "I8")
        copy<std::int8_t>(bytes, 0, std::span(all), as<std::int64_t>);
    else
        throw sdk::Error(SENTEVAL_UNSUPPORTED,
                         where + " is of type " + type + "; integers are needed");
    return all;
}

void Tensor::require_shape(const std::vector<std::size_t>& wanted) const
{
    if (shape != wanted)
        base::refuse("{} has the shape {} instead of {}", where, shape, wanted);
}

void Tensor::release() const noexcept
{
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = (reinterpret_cast<std::uintptr_t>(bytes.data()) + page - 1) / page * page;
    const auto end = reinterpret_cast<std::uintptr_t>(bytes.data() + bytes.size()) / page * page;
    if (begin < end)
        ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

Tensors Tensors::of_folder(const fs::path& folder)
{
    const fs::path single = folder / "model.safetensors";
    const fs::path index = folder / "model.safetensors.index.json";
    if (fs::exists(single))
        return Tensors({single});
    if (fs::exists(index)) {
        const auto files = reading(index, [&] {
            const Json document = read_json(index);
            std::set<std::string> names;
            for (const Json& file : document.at("weight_map"))
                names.insert(fs::path(file.get<std::string>()).filename().string());
            if (names.empty())
                base::refuse(index, "names no file");
            return names;
        });
        std::vector<fs::path> paths;
        for (const std::string& file : files)
            paths.push_back(folder / file);
        return Tensors(paths);
    }
    const fs::path torch = folder / "pytorch_model.bin";
    if (fs::exists(torch))
        base::refuse(
            folder,
            "has its weights in pytorch_model.bin only; they are read from model.safetensors. "
            "Convert them: python3 -c \"import torch, safetensors.torch as s; s.save_file({{k: "
            "v.clone() for k, v in torch.load('{}', map_location='cpu').items()}}, '{}')\"",
            torch.string(), single.string());
    throw sdk::Error(SENTEVAL_NOT_FOUND,
                     folder.string() + ": has no model.safetensors, where the weights should be" +
                         advice_of(folder));
}

Tensors::Tensors(const std::vector<fs::path>& files)
{
    for (const fs::path& file : files)
        add(file);
}

void Tensors::add(const fs::path& path)
{
    if (first_.empty())
        first_ = path;
    const std::string_view bytes = files_.emplace_back(base::open_file(path)).bytes();
    base::refuse_disguise(path, bytes, base::Wanted::model);
    std::uint64_t header = 0;
    if (bytes.size() < sizeof header)
        base::refuse(path, "is cut off after {} bytes", bytes.size());
    std::memcpy(&header, bytes.data(), sizeof header);
    if (header > most_header_bytes)
        base::refuse(path, "is no safetensors file: its header would have {} bytes", header);
    if (header > bytes.size() - sizeof header)
        base::refuse(path, "is cut off after {} bytes, in its header of {}", bytes.size(), header);
    const Json names = parse_json(path, bytes.substr(sizeof header, header));
    const std::string_view data = bytes.substr(sizeof header + header);
    std::vector<std::pair<std::size_t, std::size_t>> ranges;
    reading(path, [&] {
        if (!names.is_object())
            base::refuse(path, "is no safetensors file: its header is no JSON object");
        for (const auto& [name, entry] : names.items()) {
            if (name == "__metadata__")
                continue;
            add_tensor(path, name, entry, data);
            ranges.emplace_back(entry["data_offsets"][0], entry["data_offsets"][1]);
        }
    });
    std::ranges::sort(ranges);
    std::size_t covered = 0;
    for (const auto& [begin, end] : ranges) {
        if (begin != covered)
            base::refuse(path, "is damaged: its tensors {} at byte {} of the data",
                         begin < covered ? "overlap" : "leave a gap", std::min(begin, covered));
        covered = end;
    }
    if (covered != data.size())
        base::refuse(path, "is damaged: {} bytes lie behind its last tensor",
                     data.size() - covered);
}

void Tensors::add_tensor(const fs::path& path,
                         const std::string& name,
                         const Json& entry,
                         std::string_view data)
{
    Tensor tensor{
        fmt::format("{}: tensor '{}'", path.string(), name), entry.at("dtype"), {}, {}, 1, false};
    for (const Json& length : entry.at("shape")) {
        tensor.shape.push_back(length.get<std::size_t>());
        if (!length.is_number_unsigned() ||
            __builtin_mul_overflow(tensor.size, tensor.shape.back(), &tensor.size))
            base::refuse(path, "tensor '{}' has the impossible shape {}", name,
                         entry["shape"].dump());
    }
    const Json& offsets = entry.at("data_offsets");
    const std::size_t begin = offsets.at(0);
    const std::size_t end = offsets.at(1);
    if (!offsets[0].is_number_unsigned() || !offsets[1].is_number_unsigned() || begin > end)
        base::refuse(path, "tensor '{}' has the impossible place {}", name, offsets.dump());
    if (end > data.size())
        base::refuse(path, "is cut off: tensor '{}' ends at byte {} of the data, which has {}",
                     name, end, data.size());
    std::size_t wanted = bytes_of_element(tensor.type);
    if (wanted != 0 &&
        (__builtin_mul_overflow(wanted, tensor.size, &wanted) || wanted != end - begin))
        base::refuse(path, "tensor '{}' of type {} and shape {} has {} bytes", name, tensor.type,
                     entry["shape"].dump(), end - begin);
    tensor.bytes = data.substr(begin, end - begin);
    if (!tensors_.emplace(name, std::move(tensor)).second)
        base::refuse(path, "tensor '{}' is in an earlier file, too", name);
}

const Tensor* Tensors::find(std::string_view name) const
{
    const auto found = tensors_.find(name);
    if (found == tensors_.end())
        return nullptr;
    found->second.was_asked = true;
    return &found->second;
}

std::string Tensors::prefix_of(const std::string& name) const
{
    const auto at = std::ranges::find_if(
        tensors_, [&](const auto& one) { return one.first.ends_with("." + name); });
    return at == tensors_.end() || tensors_.contains(name)
               ? ""
               : at->first.substr(0, at->first.size() - name.size());
}

void Tensors::refuse_left_over(const std::function<bool(const std::string&)>& counts) const
{
    for (const auto& [name, tensor] : tensors_)
        if (!tensor.was_asked && counts(name))
            base::refuse(first_,
                         "has a tensor '{}', of which its configuration says nothing. The encoders "
                         "'python', 'process' and 'http' evaluate any model that another program "
                         "computes",
                         name);
}

const Tensor& Tensors::require(std::string_view name) const
{
    if (const Tensor* const found = find(name))
        return *found;
    base::refuse(
        first_, "has no tensor '{}'{}", name,
        tensors_.empty() ? "" : fmt::format("; it has '{}' and others", tensors_.begin()->first));
}

} // namespace senteval::model_files
