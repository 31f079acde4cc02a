#include "fasttext/encoder.hpp"

#include <filesystem>
#include <string>

namespace senteval::fasttext {
namespace {

std::unique_ptr<Model> open_model(const sdk::Setup& setup)
{
    const std::filesystem::path file = setup.params.require<std::string>("model");
    return is_binary_model(file) ? load_binary_model(file) : open_vectors_model(setup);
}

} // namespace

Encoder::Encoder(const sdk::Setup& setup) : model_(open_model(setup)) {}

} // namespace senteval::fasttext
