// safetensors.hpp -- the weights of a model: tensors in files of the format safetensors.
#pragma once

#include "base/refuse.hpp"
#include "model_files/files.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::model_files {

/// A view of a tensor in a mapped file, row-major.
struct Tensor {
    std::string where; ///< "FILE: tensor 'NAME'"
    std::string
        type; ///< as the file calls it: F64, F32, F16, BF16, I64, I32, I8, or one that cannot be read
    std::vector<std::size_t> shape;
    std::string_view bytes;
    std::size_t size = 1;           ///< number of elements
    mutable bool was_asked = false; ///< for, by name

    /// Elements from `first` on, as float32 (halves and bfloat16 exactly). Throws sdk::Error where no numbers of `type`
    /// are read.
    void read(std::size_t first, std::span<float> out) const;
    [[nodiscard]] std::vector<float> floats() const;
    [[nodiscard]] std::vector<std::int64_t> integers() const; ///< of I64, I32 and I8

    /// Throws sdk::Error with both shapes where it has another.
    void require_shape(const std::vector<std::size_t>& wanted) const;

    /// Tells the system that the bytes will not be read again soon: they stay in the file and leave memory.
    void release() const noexcept;
};

/// The tensors of one file or several, by name.
///
/// The format: 8 bytes N; N bytes of JSON, which map each name to its type, shape and the place of its bytes behind the
/// JSON; the bytes. They must be covered exactly.
class Tensors {
public:
    /// `folder`/model.safetensors, or the files that `folder`/model.safetensors.index.json names. Throws sdk::Error
    /// naming file and tensor, and saying what to do where the folder has weights of another format only.
    static Tensors of_folder(const std::filesystem::path& folder);

    explicit Tensors(const std::vector<std::filesystem::path>& files);

    /// Not for several threads at a time, as it notes what was asked for.
    [[nodiscard]] const Tensor* find(std::string_view name) const;

    /// What stands before the name, with a point at its end, in a file of a model within another ("bert."); empty: nothing.
    [[nodiscard]] std::string prefix_of(const std::string& name) const;

    /// Throws sdk::Error naming a tensor that nobody asked for, and that `counts` is true for.
    void refuse_left_over(const std::function<bool(const std::string&)>& counts) const;

    /// Throws sdk::Error that names the file where there is none of that name.
    [[nodiscard]] const Tensor& require(std::string_view name) const;

private:
    void add(const std::filesystem::path& path);
    void add_tensor(const std::filesystem::path& path,
                    const std::string& name,
                    const Json& entry,
                    std::string_view data);

    std::filesystem::path first_; ///< for messages
    std::list<base::MappedFile> files_;
    std::map<std::string, Tensor, std::less<>> tensors_;
};

} // namespace senteval::model_files
