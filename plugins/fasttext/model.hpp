// model.hpp -- what the fastText encoder asks of a model file, whatever its kind.
#pragma once

#include <senteval/encoder.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace senteval::fasttext {

/// A model at work. encode() and count_known() may run on several threads at a time, but not beside
/// prepare().
class Model {
public:
    Model() = default;
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;
    Model(Model&&) = delete;
    Model& operator=(Model&&) = delete;
    virtual ~Model() = default;

    [[nodiscard]] virtual std::size_t dimension() const noexcept = 0;
    virtual void prepare(const sdk::Call& call, sdk::Batch samples) = 0;
    virtual void encode(const sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const = 0;
    virtual void count_known(sdk::Batch batch,
                             std::span<std::uint32_t> tokens,
                             std::span<std::uint32_t> known) const = 0;
};

/// Loads a model as `fasttext` writes it to OUTPUT.bin or, quantised, to OUTPUT.ftz. Throws
/// sdk::Error naming the file where it cannot be opened, or is damaged or truncated.
std::unique_ptr<Model> load_binary_model(const std::filesystem::path& file);

/// True where the file begins as load_binary_model() expects. Throws sdk::Error where it cannot be
/// opened.
bool is_binary_model(const std::filesystem::path& file);

/// Opens word vectors in text (OUTPUT.vec).
std::unique_ptr<Model> open_vectors_model(const sdk::Setup& setup);

} // namespace senteval::fasttext
