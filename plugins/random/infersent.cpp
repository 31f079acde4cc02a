#include "random/infersent.hpp"

#include "model_files/safetensors.hpp"

namespace senteval::random {
namespace {

/// Names and layout are those of torch.nn.LSTM: matrices of 4 units x inputs, row by row.
std::shared_ptr<const Cell>
trained_cell(const model_files::Tensors& tensors, std::size_t inputs, const std::string& suffix)
{
    const auto named = [&](const char* name) -> const model_files::Tensor& {
        return tensors.require("enc_lstm." + (name + suffix));
    };
    const model_files::Tensor& states = named("weight_hh_l0");
    const std::size_t units = states.size == 0 || states.shape.empty() ? 1 : states.shape.back();
    const auto columns = [&](const char* name, const std::vector<std::size_t>& shape) {
        named(name).require_shape(shape);
        return arma::fmat(named(name).floats().data(), shape.back(),
                          named(name).size / shape.back());
    };
    const arma::fmat weights = arma::join_cols(columns("weight_ih_l0", {4 * units, inputs}),
                                               columns("weight_hh_l0", {4 * units, units}));
    return std::make_shared<LstmCell>(weights.t(), columns("bias_ih_l0", {4 * units}) +
                                                       columns("bias_hh_l0", {4 * units}));
}

} // namespace

InferSent::InferSent(const sdk::Setup& setup) : Recurrent(setup, Pooling::max)
{
    const auto version = setup.params.choice<char>("version", {{"1", 's'}, {"2", 'p'}});
    before_ = std::string("<") + version + "> ";
    after_ = std::string(" </") + version + ">";
    pads_ = setup.params.choice<bool>("padding", {{"none", false}, {"original", true}}) &&
            version == 's';
    const std::filesystem::path file = setup.params.require<std::string>("model");
    const base::MappedFile bytes = base::open_file(file);
    if (bytes.bytes().starts_with("PK") || bytes.bytes().starts_with('\x80'))
        base::refuse(file,
                     "is a pickle; type: python3 samples/convert_infersent.py '{}' "
                     "infersent.safetensors, and name that file",
                     file.string());
    const model_files::Tensors tensors({file});
    if (const auto* const weights = tensors.find("enc_lstm.weight_ih_l0");
        weights != nullptr && weights->shape.size() == 2 && weights->shape[1] != inputs())
        base::refuse(std::filesystem::path(setup.params.require<std::string>("vectors")),
                     "has vectors of {} numbers, and the model in {} needs {}", inputs(),
                     file.string(), weights->shape[1]);
    for (const char* const suffix : {"", "_reverse"})
        add_direction(trained_cell(tensors, inputs(), suffix));
}

} // namespace senteval::random
